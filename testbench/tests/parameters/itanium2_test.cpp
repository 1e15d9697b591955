// Every value of every PMU parameter of the Itanium 2. Its validation has too many checks to be repeated for each: of
// each parameter the row that shows it is checked on all short traces, and everything on a few.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iostream>

#include "testbench/tests/perturbation/bench.h"
#include "values.h"

namespace pmusim::perturbation {
namespace {

/// A parameter, and a row whose count shows it.
struct Shown {
  std::string_view parameter, row;
};
constexpr std::array shown{
    Shown{"pmu.x_slot", "IA64_INST_RETIRED"},
    Shown{"pmu.ibr_match", "IA64_INST_RETIRED"},
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
/// in two pairs. The oracle keeps to the promise, and the validation says so.
constexpr std::array broken_promises{
    Shown{"pmu.memory_tag", "LOADS_RETIRED"},
    Shown{"pmu.data_channels", "LOADS_RETIRED"},
};

/// What the others decide: nothing that a legal encoding counts on these traces.
struct Silent {
  std::string_view parameter, decides;
};
constexpr std::array silent{
    Silent{"pmu.overflow_bit", "the overflow bit of a counter that does not interrupt"},
    Silent{"pmu.reserved_bits", "what reserved bits read as"},
    Silent{"pmu.pmd_filter", "what a program reads"},
    Silent{"pmu.fine_mask", "fine ranges whose mask has holes; the encoder's have none"},
    Silent{"pmu.fine_union", "a second fine range for events that follow the first"},
    Silent{"pmu.inv_scope", "inverted ranges of channels that the encoder does not invert"},
    Silent{"pmu.no_data_channel", "PMC13 without an enabled channel, which no encoder writes"},
    Silent{"pmu.ear_mode3", "a mode that no event has"},
    Silent{"pmu.dear_umask", "unit masks that no event has"},
    Silent{"pmu.dear_wrong_path", "loads of a wrong path, whose addresses no trace has"},
    Silent{"pmu.dear_hazard", "EAR and branch buffer together in a way that no encoder allows"},
    Silent{"pmu.btb_rfi", "rfi, which no trace executes"},
    Silent{"pmu.iear_umask", "unit masks that no event has"},
    Silent{"pmu.event_sets", "events that no encoder puts together"},
    Silent{"pmu.shared_umask", "events that no encoder puts together"},
    Silent{"pmu.increment_limit", "more of an event in a cycle than the core makes"},
    Silent{"pmu.syllable_overcount", "syllables that are held for two reasons, of which the core names one"},
    Silent{"pmu.freeze_delay", "counting behind an overflow"},
    Silent{"pmu.interrupt_latency", "interrupts"},
    Silent{"pmu.pmv_mask_bit", "interrupts"},
    Silent{"pmu.ear_stat", "a field of a register that tells no more than that it is not 0"},
};

/// The row's checks on every trace; of the branch buffer's many filters the one that takes in everything.
bool notices(const std::string& row, const Exchange& exchange) {
  Bench& bench = bench_of("itanium2");
  if (row != "BRANCH_EVENT") return bench.notices(Rows{row}, exchange);
  std::vector<Group> plan = testbench::make_plan("itanium2", testbench::Depth::full, {}, row);
  std::erase_if(plan, [](const Group& group) {
    return !group.captures || group.filters.btb != std::vector<std::string>{"tm=3,ptm=3,ppm=3,brt=0,ds=0"};
  });
  return bench.notices(plan, exchange);
}

template <class Body>
void for_each_value(Body body) {
  const models::Parameters parameters = models::find_target("itanium2")->parameters();
  for (const models::ParameterInfo& info : parameters.infos()) {
    if (!info.name.starts_with("pmu.")) continue;
    for (const std::int64_t value : other_values(info)) body(info, value);
  }
}

TEST(Itanium2Parameters, EveryValueIsReadAlikeByModelAndOracle) {
  Bench few("itanium2", {}, 16 * sampling());
  models::Parameters& of_all = bench_of("itanium2").parameters();
  std::size_t values = 0;
  for_each_value([&](const models::ParameterInfo& info, std::int64_t value) {
    ++values;
    for (const Shown& row : broken_promises) {
      if (row.parameter != info.name) continue;
      of_all.set(info.name, value);
      EXPECT_TRUE(notices(std::string(row.row), {})) << info.name << '=' << value << " keeps the promise after all";
      of_all.set(info.name, info.fallback);
      return;
    }
    few.parameters().set(info.name, value);
    for (const std::string& mismatch : few.judge_all(testbench::Depth::basic).mismatches)
      ADD_FAILURE() << info.name << '=' << value << ' ' << mismatch;
    few.parameters().set(info.name, info.fallback);
    of_all.set(info.name, value);
    for (const Shown& row : shown) {
      if (row.parameter != info.name) continue;
      EXPECT_FALSE(notices(std::string(row.row), {})) << info.name << '=' << value << ' ' << row.row;
    }
    of_all.set(info.name, info.fallback);
  });
  std::cout << "itanium2: " << values << " other values of PMU parameters tried\n";
}

TEST(Itanium2Parameters, AreCaughtInTheModelAlone) {
  std::size_t caught = 0, expected = 0;
  for_each_value([&](const models::ParameterInfo& info, std::int64_t value) {
    for (const Shown& row : shown) {
      if (row.parameter != info.name) continue;
      ++expected;
      const bool noticed = notices(std::string(row.row), OtherMonitor::with("itanium2", info.name, value));
      caught += noticed ? 1 : 0;
      EXPECT_TRUE(noticed) << info.name << '=' << value << " in the model alone is not noticed";
    }
  });
  std::cout << "itanium2: caught " << caught << " of " << expected << " values that change a count\n";
}

TEST(Itanium2Parameters, AreAllSorted) {
  const models::Parameters parameters = models::find_target("itanium2")->parameters();
  std::size_t found = 0;
  for (const models::ParameterInfo& info : parameters.infos()) {
    if (!info.name.starts_with("pmu.")) continue;
    ++found;
    const auto is_it = [&](const auto& row) { return row.parameter == info.name; };
    const auto times = std::count_if(shown.begin(), shown.end(), is_it) +
                       std::count_if(broken_promises.begin(), broken_promises.end(), is_it) +
                       std::count_if(silent.begin(), silent.end(), is_it);
    EXPECT_EQ(times, 1) << info.name;
  }
  EXPECT_EQ(found, shown.size() + broken_promises.size() + silent.size());
}

}  // namespace
}  // namespace pmusim::perturbation
