// The distribution of rows over runs. The expected numbers of runs are counted from the manuals' tables.
#include "testbench/validate/passes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include "pmusim/encoder/encoder.h"
#include "testbench/targets/ia64/judging.h"
#include "testbench/validate/judging_facts.h"
#include "testbench/validate/stimuli.h"

namespace pmusim::testbench {
namespace {

constexpr const char* every_target[] = {"athlon",    "ppc750gx",  "ppc750gl",    "itanium2",  "montecito",
                                        "alpha-ev4", "alpha-ev5", "alpha-pca56", "alpha-ev6", "alpha-ev67"};

/// The rows that a counter counts by an event of the table.
std::vector<oracle::Request> rows_of(const std::string& target) {
  std::vector<oracle::Request> rows;
  for (const std::string& name : row_names(target)) {
    if (!judging_facts(target).counters(target, name).empty() && !name.starts_with("PF67_PM_"))
      rows.push_back({.event = name, .umasks = {}});
  }
  return rows;
}

oracle::Request row(const char* event) { return {.event = event, .umasks = {}}; }

/// Whether each row can have a counter of its own: for every counter of the first, whether the rest can.
bool fits(const std::vector<std::vector<unsigned>>& counters, std::set<unsigned> used = {}) {
  if (used.size() == counters.size()) return true;
  for (const unsigned counter : counters[used.size()]) {
    std::set<unsigned> now = used;
    if (now.insert(counter).second && fits(counters, now)) return true;
  }
  return false;
}

TEST(Passes, EveryRowIsInOneRunWithACounterOfItsOwn) {
  for (const std::string target : every_target) {
    const auto rows = rows_of(target);
    std::vector<std::size_t> dealt, all(rows.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (const std::vector<std::size_t>& pass : passes_of(target, rows)) {
      std::vector<std::vector<unsigned>> counters;
      for (const std::size_t row : pass) counters.push_back(judging_facts(target).counters(target, rows[row].event));
      // Rows with few counters first, so that the search is short.
      std::stable_sort(counters.begin(), counters.end(),
                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
      EXPECT_TRUE(fits(counters)) << target << ": " << rows[pass.front()].event;
      dealt.insert(dealt.end(), pass.begin(), pass.end());
    }
    std::sort(dealt.begin(), dealt.end());
    EXPECT_EQ(dealt, all) << target;
  }
}

TEST(Passes, RunsAreAsFewAsTheCountersAllow) {
  const auto runs = [](const std::string& target) { return passes_of(target, rows_of(target)).size(); };
  const std::size_t athlon = rows_of("athlon").size();
  EXPECT_EQ(runs("athlon"), (athlon + 3) / 4);
  // PMC2 and PMC3 have eleven events each of their own; what all counters have fits beside them.
  EXPECT_EQ(runs("ppc750gx"), 11u);
  // CYCLES0 is counted beside REPLAY, and RETINST beside CYCLES1; BCACHEMISSES is left.
  EXPECT_EQ(runs("alpha-ev67"), 3u);
}

TEST(Passes, RowsThatExcludeEachOtherAreApart) {
  EXPECT_EQ(passes_of("alpha-ev67", {row("CYCLES0"), row("CYCLES1")}).size(), 2u);
  EXPECT_EQ(passes_of("alpha-ev67", {row("REPLAY"), row("CYCLES0")}).size(), 1u);
  EXPECT_EQ(passes_of("alpha-ev5", {row("PF5_MUX2_C_PC_MISPR"), row("PF5_MUX1_FLOW_CHANGE")}).size(), 2u);
  EXPECT_EQ(passes_of("itanium2", {row("L2_REFERENCES"), row("L2_OZQ_ACQUIRE")}).size(), 2u);
}

TEST(Passes, ARowMovesToAnotherCounterForOneThatHasNoChoice) {
  // INSTRUCTIONS_COMPLETED is placed on PMC1 first, which is the only counter of L2_ACCESSES.
  EXPECT_EQ(passes_of("ppc750gx", {row("INSTRUCTIONS_COMPLETED"), row("L2_ACCESSES")}).size(), 1u);
}

TEST(Passes, ARowWithoutACounterIsAnError) {
  EXPECT_THROW(static_cast<void>(passes_of("ppc750gx", {row("NO_SUCH_EVENT")})), std::invalid_argument);
}

// libpfm's tables of events, maximum increment per cycle.
TEST(MostInCycle, IsThatOfTheManualsTables) {
  const auto most = [](const char* target, std::string_view event) {
    return ia64::most_in_cycle(*judging_facts(target).ia64, event);
  };
  EXPECT_EQ(most("itanium2", "IA64_INST_RETIRED"), 6u);
  EXPECT_EQ(most("itanium2", "FP_OPS_RETIRED"), 4u);
  EXPECT_EQ(most("montecito", "FP_OPS_RETIRED"), 6u);
  EXPECT_EQ(most("itanium2", "CPU_CYCLES"), 1u);
  EXPECT_EQ(most("montecito", "LOADS_RETIRED"), 4u);
  EXPECT_EQ(most("montecito", "LOADS_RETIRED_INTG"), 2u);  // the longer name rules
  EXPECT_EQ(most("itanium2", "BR_MISPRED_DETAIL2_ALL_ALL_UNKNOWN_PRED"), 2u);
  EXPECT_EQ(most("itanium2", "BR_MISPRED_DETAIL_ALL_ALL_PRED"), 3u);
}

// On long traces the filters take turns.
TEST(LongTraces, TogetherHaveEveryFilterOfAShortOne) {
  for (const std::string target : {"itanium2", "montecito"}) {
    const auto settings_of = [](const std::vector<Group>& plan, auto& filters) {
      for (const Group& group : plan) {
        if (group.filter != 0 && !group.captures) ++filters[group.filter];
      }
    };
    std::map<unsigned, unsigned> due, found;
    std::size_t traces = 0;
    for (const Stimulus& stimulus : default_stimuli(target)) {
      if (!stimulus.second.empty() || stimulus.provenance != Provenance::real) continue;
      const Landmarks landmarks = find_landmarks(stimulus.file);
      if (due.empty()) settings_of(make_plan(target, Depth::full, landmarks, "IA64_INST_RETIRED,LOADS_RETIRED"), due);
      if (stimulus.depth != Depth::basic) continue;
      ++traces;
      std::map<unsigned, unsigned> own;
      settings_of(make_plan(target, Depth::basic, landmarks), own);
      EXPECT_LT(own.size(), due.size()) << target << ' ' << stimulus.file.path();
      for (const auto& [filter, groups] : own) ++found[filter];
    }
    EXPECT_GE(traces, 10u) << target;
    for (const auto& [filter, groups] : due) EXPECT_GE(found[filter], 2u) << target << " filter " << filter;
  }
}

// A run leaves out two long programs of the Itaniums; --all-traces has them.
TEST(LongTraces, RunsLeaveOutThoseThatAddNoEvent) {
  const auto names_of = [](const std::vector<Stimulus>& stimuli) {
    std::multiset<std::string> names;
    for (const Stimulus& stimulus : stimuli) names.insert(stimulus.file.path().stem().string());
    return names;
  };
  for (const std::string target : every_target) {
    const auto all = names_of(shipped_stimuli(target)), chosen = names_of(default_stimuli(target));
    std::vector<std::string> left_out;
    std::set_difference(all.begin(), all.end(), chosen.begin(), chosen.end(), std::back_inserter(left_out));
    const bool itanium = judging_facts(target).ia64 != nullptr;
    EXPECT_EQ(left_out,
              itanium ? std::vector<std::string>({"ia64-matmul-O0", "ia64-quicksort-O0"}) : std::vector<std::string>())
        << target;
  }
}

// The encoder's table was written on its own: each row of both has to be the same.
TEST(MostInCycle, IsThatOfTheEncodersTable) {
  for (const char* target : {"itanium2", "montecito"}) {
    std::size_t several = 0;
    for (const encoder::EventInfo& event : *encoder::events(target)) {
      EXPECT_EQ(ia64::most_in_cycle(*judging_facts(target).ia64, event.name), event.max_per_cycle) << event.name;
      several += event.max_per_cycle > 1 ? 1 : 0;
    }
    EXPECT_GT(several, 200u) << target;
  }
}

}  // namespace
}  // namespace pmusim::testbench
