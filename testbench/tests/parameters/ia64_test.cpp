// Every value of every PMU parameter of the Itanium 2.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iostream>
#include <span>
#include <string>
#include <string_view>

#include "testbench/faults/bench.h"
#include "testbench/tests/faults/noticed.h"
#include "values.h"

// Every value of every PMU parameter of an IA-64 processor. Its validation has too many checks to be repeated for each
// value: a row that shows the parameter is checked on all short traces, and everything on a few.
namespace pmusim::testbench::faults {

/// A parameter, and a row whose count shows it.
struct Shown {
  std::string_view parameter, row;
};

struct Ia64Sweep {
  std::string target;
  std::span<const Shown> shown;
  /// Behaviours under which libpfm's encodings do not do what its manual page promises. The oracle keeps to the
  /// promise, and the validation must report the difference.
  std::span<const Shown> broken_promises;
  std::span<const Silent> silent;  ///< in addition to those of both processors
  std::size_t stride;              ///< everything is checked on one in `stride` traces
  std::string_view branch_event;   ///< its row has a separate check for each of many filters
  std::vector<std::string> encoder::QualifierTexts::*branch_texts;

  void expect_read_alike_by_model_and_oracle() const;
  void expect_caught_in_the_model_alone() const;
  /// Expects each parameter to be in one of the lists.
  void expect_all_sorted() const;

 private:
  [[nodiscard]] bool notices(std::string_view row, const Exchange& exchange) const;
  template <class Body>
  void for_each_value(Body body) const;
};

namespace {

constexpr std::array silent_on_both{
    Silent{"pmu.overflow_bit", "the overflow bit of a counter that does not interrupt"},
    Silent{"pmu.control_write", "registers that a program writes while counters count"},
    Silent{"pmu.pmc0_write", "overflow bits that software sets"},
    Silent{"pmu.fine_plm", "fine ranges with two levels; the encoder's have one"},
    Silent{"pmu.breakpoint_pairs", "pairs that are breakpoints as well, which no encoder writes"},
    Silent{"pmu.btb_choice", "branches of one bundle that are not taken, whose entries are alike"},
    Silent{"pmu.iear_stat", "a field of a register that tells no more than that it is not 0"},
    Silent{"pmu.reserved_bits", "what reserved bits read as"},
    Silent{"pmu.pmd_filter", "what a program reads"},
    Silent{"pmu.fine_mask", "fine ranges whose mask has holes; the encoder's have none"},
    Silent{"pmu.fine_union", "a second fine range for events that follow the first"},
    Silent{"pmu.inv_scope", "inverted ranges of channels that the encoder does not invert"},
    Silent{"pmu.ear_mode3", "a mode that no event has"},
    Silent{"pmu.dear_umask", "unit masks that no event has"},
    Silent{"pmu.btb_rfi", "rfi, which no short trace executes under a trace buffer"},
    Silent{"pmu.iear_umask", "unit masks that no event has"},
    Silent{"pmu.event_sets", "events that no encoder puts together"},
    Silent{"pmu.increment_limit", "more of an event in a cycle than the core makes"},
    Silent{"pmu.syllable_overcount", "syllables that are held for two reasons, of which the core names one"},
    Silent{"pmu.freeze_delay", "counting after an overflow"},
    Silent{"pmu.interrupt_latency", "interrupts"},
    Silent{"pmu.pmv_mask_bit", "interrupts"},
    Silent{"pmu.ear_stat", "a field of a register that tells no more than that it is not 0"},
};

}  // namespace

/// The row's checks on every trace; for the branch buffer only the checks with the filter that accepts everything.
bool Ia64Sweep::notices(std::string_view row, const Exchange& exchange) const {
  Bench& bench = bench_of(target);
  if (row != branch_event) return bench.notices(Rows{std::string(row)}, exchange);
  std::vector<Group> plan = testbench::make_plan(target, testbench::Depth::full, {}, std::string(row));
  std::erase_if(plan, [&](const Group& group) {
    return !group.captures || group.filters.*branch_texts != std::vector<std::string>{"tm=3,ptm=3,ppm=3,brt=0,ds=0"};
  });
  return bench.notices(plan, exchange);
}

/// Only one in sampling_of_targets() values.
template <class Body>
void Ia64Sweep::for_each_value(Body body) const {
  std::size_t number = 0;
  const models::Parameters parameters = models::find_target(target)->parameters();
  for (const models::ParameterInfo& info : parameters.infos()) {
    if (!info.name.starts_with("pmu.")) continue;
    for (const std::int64_t value : other_values(info))
      if (number++ % sampling_of_targets() == 0) body(info, value);
  }
}

void Ia64Sweep::expect_read_alike_by_model_and_oracle() const {
  Bench few(target, {}, stride * sampling());
  std::size_t values = 0;
  for_each_value([&](const models::ParameterInfo& info, std::int64_t value) {
    ++values;
    for (const Shown& row : broken_promises) {
      if (row.parameter != info.name) continue;
      if (sanitized) return;
      models::Parameters& of_all = bench_of(target).parameters();
      of_all.set(info.name, value);
      EXPECT_TRUE(notices(row.row, {})) << info.name << '=' << value << " keeps the promise after all";
      of_all.set(info.name, info.default_value);
      return;
    }
    few.parameters().set(info.name, value);
    for (const std::string& mismatch : few.judge_all(testbench::Depth::basic).mismatches)
      ADD_FAILURE() << info.name << '=' << value << ' ' << mismatch;
    few.parameters().set(info.name, info.default_value);
    if (sanitized) return;
    models::Parameters& of_all = bench_of(target).parameters();
    of_all.set(info.name, value);
    for (const Shown& row : shown) {
      if (row.parameter != info.name) continue;
      EXPECT_FALSE(notices(row.row, {})) << info.name << '=' << value << ' ' << row.row;
    }
    of_all.set(info.name, info.default_value);
  });
  std::cout << target << ": " << values << " other values of PMU parameters tried\n";
}

void Ia64Sweep::expect_caught_in_the_model_alone() const {
  std::size_t caught = 0, expected = 0;
  for_each_value([&](const models::ParameterInfo& info, std::int64_t value) {
    for (const Shown& row : shown) {
      if (row.parameter != info.name) continue;
      ++expected;
      const bool noticed = notices(row.row, OtherMonitor::with(target, info.name, value));
      caught += noticed ? 1 : 0;
      EXPECT_TRUE(noticed) << info.name << '=' << value << " in the model alone is not noticed";
    }
  });
  std::cout << target << ": caught " << caught << " of " << expected << " values that change a count\n";
}

void Ia64Sweep::expect_all_sorted() const {
  const models::Parameters parameters = models::find_target(target)->parameters();
  std::size_t found = 0;
  for (const models::ParameterInfo& info : parameters.infos()) {
    if (!info.name.starts_with("pmu.")) continue;
    ++found;
    const auto is_it = [&](const auto& row) { return row.parameter == info.name; };
    const auto times = std::count_if(shown.begin(), shown.end(), is_it) +
                       std::count_if(broken_promises.begin(), broken_promises.end(), is_it) +
                       std::count_if(silent.begin(), silent.end(), is_it) +
                       std::count_if(silent_on_both.begin(), silent_on_both.end(), is_it);
    EXPECT_EQ(times, 1) << info.name;
  }
  EXPECT_EQ(found, shown.size() + broken_promises.size() + silent.size() + silent_on_both.size());
}

}  // namespace pmusim::testbench::faults

namespace pmusim::testbench::faults::itanium2 {
namespace {

constexpr std::array shown{
    Shown{"pmu.dear_candidates", "DATA_EAR_CACHE_LAT4"},
    Shown{"pmu.dear_random", "DATA_EAR_CACHE_LAT4"},
    Shown{"pmu.dear_chk_a", "DATA_EAR_ALAT"},
    Shown{"pmu.btb_target", "BRANCH_EVENT"},
    Shown{"pmu.btb_type0", "BRANCH_EVENT"},
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

// Every value of every PMU parameter of Montecito, on one thread and on two.
namespace pmusim::testbench::faults::montecito {
namespace {

constexpr std::array shown{
    Shown{"pmu.dear_candidates", "DATA_EAR_CACHE_LAT4"},
    Shown{"pmu.dear_random", "DATA_EAR_CACHE_LAT4"},
    Shown{"pmu.dear_chk_a", "DATA_EAR_ALAT"},
    Shown{"pmu.btb_target", "ETB_EVENT"},
    Shown{"pmu.btb_type0", "ETB_EVENT"},
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
    Shown{"pmu.ear_background", "DATA_EAR_CACHE_LAT4"},
    Shown{"pmu.qualified_cycles", "CPU_OP_CYCLES_QUAL"},
    Shown{"pmu.halted_cycles", "CPU_OP_CYCLES_HALTED"},
    Shown{"pmu.ipear_cycles", "IA64_INST_RETIRED"},
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
