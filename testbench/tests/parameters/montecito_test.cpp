// Every value of every PMU parameter of Montecito, on one thread and on two.
#include <gtest/gtest.h>

#include <array>

#include "ia64_sweep.h"
#include "testbench/tests/faults/sampled.h"

namespace pmusim::testbench::faults::montecito {
namespace {

constexpr std::array shown{
    Shown{"pmu.x_slot", "IA64_INST_RETIRED"},
    Shown{"pmu.fine_upper", "IA64_TAGGED_INST_RETIRED_IBRP2_PMC32_33"},
    Shown{"pmu.data_extent", "LOADS_RETIRED"},
    Shown{"pmu.dear_candidates", "DATA_EAR_CACHE_LAT4"},
    Shown{"pmu.dear_random", "DATA_EAR_CACHE_LAT4"},
    Shown{"pmu.dear_latency", "DATA_EAR_CACHE_LAT16"},
    Shown{"pmu.dear_chk_a", "DATA_EAR_ALAT"},
    Shown{"pmu.iear_squashed", "L1I_EAR_CACHE_LAT0"},
    Shown{"pmu.btb_target", "ETB_EVENT"},
    Shown{"pmu.btb_not_taken", "ETB_EVENT"},
    Shown{"pmu.btb_type0", "ETB_EVENT"},
    Shown{"pmu.btb_frozen_target", "ETB_EVENT"},
    Shown{"pmu.dear_choice", "DATA_EAR_TLB_ALL"},
    Shown{"pmu.nop_predicate", "NOPS_RETIRED"},
    Shown{"pmu.long_instruction", "IA64_INST_RETIRED"},
    Shown{"pmu.bus_reads", "BUS_RD_HIT_ANY"},
    Shown{"pmu.unknown_prediction", "BR_MISPRED_DETAIL2_ALL_ALL_UNKNOWN_PRED"},
    Shown{"pmu.lfetch_reference", "DATA_REFERENCES_SET0"},
    Shown{"pmu.replayed_misses", "L1D_READ_MISSES_ALL"},
    Shown{"pmu.fetch_hits", "L1I_FETCH_ISB_HIT"},
    Shown{"pmu.walker_loads", "LOADS_RETIRED"},
    Shown{"pmu.ozq_cancels_any", "L2D_OZQ_CANCELS1_ANY"},
    Shown{"pmu.thread", "IA64_INST_RETIRED"},
    Shown{"pmu.floating_background", "L2D_FILL_MESI_STATE_E"},
    Shown{"pmu.self_floating_all", "BUS_ALL_SELF"},
    Shown{"pmu.all_threads_mode", "CPU_OP_CYCLES_ALL"},
    Shown{"pmu.ear_background", "DATA_EAR_CACHE_LAT4"},
    Shown{"pmu.qualified_cycles", "CPU_OP_CYCLES_QUAL"},
    Shown{"pmu.halted_cycles", "CPU_OP_CYCLES_HALTED"},
    Shown{"pmu.ipear_cycles", "IA64_INST_RETIRED"},
    Shown{"pmu.ipear_cut", "IA64_INST_RETIRED"},
    Shown{"pmu.ipear_flush", "IA64_INST_RETIRED"},
};

/// Behaviours under which libpfm's encodings do not do what its manual page promises: opcodes alone, one data range in
/// two pairs, and one code for two events. The oracle keeps to the promise, and the validation must report the
/// difference.
constexpr std::array broken_promises{
    Shown{"pmu.memory_tag", "LOADS_RETIRED"},
    Shown{"pmu.data_channels", "LOADS_RETIRED"},
    Shown{"pmu.code_bc", "L2D_OZQ_FULL_THIS"},
};

constexpr std::array silent{
    Silent{"pmu.no_data_channel", "PMC41 without an enabled channel, which no encoder writes"},
    Silent{"pmu.dear_hazard", "EAR and trace buffer together in a way that no encoder allows"},
    Silent{"pmu.line_states_none", "line events without a state, which no encoder writes"},
    Silent{"pmu.background_interrupt", "interrupts"},
    Silent{"pmu.ipear_modes", "modes that no encoder writes"},
    Silent{"pmu.ipear_beside_branches", "IP-EAR and branches together, which no encoder writes"},
    Silent{"pmu.ipear_entry", "bundles that retire together, which no short trace has in the buffer when it is read"},
};

const Ia64Sweep sweep{.target = "montecito",
                      .shown = shown,
                      .broken_promises = broken_promises,
                      .silent = silent,
                      .stride = 16,
                      .branch_event = "ETB_EVENT",
                      .branch_texts = &encoder::QualifierTexts::etb};

TEST(MontecitoParameters, EveryValueIsReadAlikeByModelAndOracle) { sweep.expect_read_alike_by_model_and_oracle(); }
TEST(MontecitoParameters, AreCaughtInTheModelAlone) { sweep.expect_caught_in_the_model_alone(); }

// The monitor continues after an overflow, with the longer delay until a handler runs before the freeze.
TEST(MontecitoParameters, FreezeDelayIsReadAlikeInCaptures) {
  constexpr std::size_t few = 60;
  Bench bench("montecito", {}, few * sampling());
  for (const std::int64_t delay : {20, 1000}) {
    bench.parameters().set("pmu.freeze_delay", delay);
    for (const std::string& mismatch : bench.judge_all(testbench::Depth::full).mismatches)
      ADD_FAILURE() << delay << ": " << mismatch;
  }
}

TEST(MontecitoParameters, AreAllSorted) { sweep.expect_all_sorted(); }

}  // namespace
}  // namespace pmusim::testbench::faults::montecito
