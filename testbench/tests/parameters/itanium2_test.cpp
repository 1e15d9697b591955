// Every value of every PMU parameter of the Itanium 2.
#include <gtest/gtest.h>

#include <array>

#include "ia64_sweep.h"

namespace pmusim::testbench::faults::itanium2 {
namespace {

constexpr std::array shown{
    Shown{"pmu.x_slot", "IA64_INST_RETIRED"},
    Shown{"pmu.fine_upper", "IA64_TAGGED_INST_RETIRED_IBRP2_PMC8"},
    Shown{"pmu.data_extent", "LOADS_RETIRED"},
    Shown{"pmu.dear_candidates", "DATA_EAR_CACHE_LAT4"},
    Shown{"pmu.dear_random", "DATA_EAR_CACHE_LAT4"},
    Shown{"pmu.dear_latency", "DATA_EAR_CACHE_LAT16"},
    Shown{"pmu.dear_chk_a", "DATA_EAR_ALAT"},
    Shown{"pmu.iear_squashed", "L1I_EAR_CACHE_LAT0"},
    Shown{"pmu.btb_target", "BRANCH_EVENT"},
    Shown{"pmu.btb_not_taken", "BRANCH_EVENT"},
    Shown{"pmu.btb_type0", "BRANCH_EVENT"},
    Shown{"pmu.btb_frozen_target", "BRANCH_EVENT"},
    Shown{"pmu.dear_choice", "DATA_EAR_TLB_ALL"},
    Shown{"pmu.nop_predicate", "NOPS_RETIRED"},
    Shown{"pmu.long_instruction", "IA64_INST_RETIRED"},
    Shown{"pmu.bus_reads", "BUS_RD_HIT"},
    Shown{"pmu.unknown_prediction", "BR_MISPRED_DETAIL2_ALL_ALL_UNKNOWN_PRED"},
    Shown{"pmu.lfetch_reference", "DATA_REFERENCES_SET0"},
    Shown{"pmu.replayed_misses", "L1D_READ_MISSES_ALL"},
    Shown{"pmu.fetch_hits", "L1I_FETCH_ISB_HIT"},
    Shown{"pmu.ia32_retirement", "IA64_INST_RETIRED"},
    Shown{"pmu.walker_loads", "LOADS_RETIRED"},
    Shown{"pmu.ozq_cancels_any", "L2_OZQ_CANCELS0_ANY"},
};

/// Behaviours under which libpfm's encodings do not do what its manual page promises: opcodes alone, and one data range
/// in two pairs. The oracle keeps to the promise, and the validation must report the difference.
constexpr std::array broken_promises{
    Shown{"pmu.memory_tag", "LOADS_RETIRED"},
    Shown{"pmu.data_channels", "LOADS_RETIRED"},
};

constexpr std::array silent{
    Silent{"pmu.no_data_channel", "PMC13 without an enabled channel, which no encoder writes"},
    Silent{"pmu.dear_hazard", "EAR and branch buffer together in a way that no encoder allows"},
    Silent{"pmu.shared_umask", "events that no encoder puts together"},
};

const Ia64Sweep sweep{.target = "itanium2",
                      .shown = shown,
                      .broken_promises = broken_promises,
                      .silent = silent,
                      .stride = 16,
                      .branch_event = "BRANCH_EVENT",
                      .branch_texts = &encoder::QualifierTexts::btb};

TEST(Itanium2Parameters, EveryValueIsReadAlikeByModelAndOracle) { sweep.expect_read_alike_by_model_and_oracle(); }
TEST(Itanium2Parameters, AreCaughtInTheModelAlone) { sweep.expect_caught_in_the_model_alone(); }
TEST(Itanium2Parameters, AreAllSorted) { sweep.expect_all_sorted(); }

}  // namespace
}  // namespace pmusim::testbench::faults::itanium2
