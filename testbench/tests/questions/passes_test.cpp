// The distribution of rows over runs. The expected numbers of runs are counted from the manuals' tables.
#include "testbench/judge/question/passes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include "pmusim/encoder/encoder.h"
#include "testbench/judge/stimulus/trace_inputs.h"
#include "testbench/judge/trial/judging_facts.h"
#include "testbench/targets/ia64/judging.h"

namespace pmusim::testbench {
namespace {

constexpr const char* every_target[] = {"athlon",    "ppc750gx",  "ppc750gl",    "itanium2",  "montecito",
                                        "alpha-ev4", "alpha-ev5", "alpha-pca56", "alpha-ev6", "alpha-ev67"};

/// The rows that a counter counts by an event of the table.
std::vector<oracle::Request> rows_of(const std::string& target) {
  std::vector<oracle::Request> rows;
  for (const std::string& name : row_names(target)) {
    if (!event_facts(target, name).occurs.reserved() && !name.starts_with("PF67_PM_"))
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
      for (const std::size_t row : pass) counters.push_back(counters_of_row(target, rows[row].event));
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

// A short trace has all filters; on long traces they take turns.
TEST(Traces, TogetherHaveEveryFilter) {
  for (const std::string target : {"itanium2", "montecito"}) {
    std::map<std::pair<Depth, unsigned>, unsigned> found;
    for (const TraceInput& stimulus : default_inputs(target)) {
      if (!stimulus.second.empty()) continue;
      for (const Group& group : make_plan(target, stimulus.depth, find_landmarks(stimulus.file))) {
        if (group.filter != 0 && !group.captures) ++found[{stimulus.depth, group.filter}];
      }
    }
    const bool names_fetches = judging_facts(target).ia64->names_fetches;
    for (unsigned filter = ia64::fine; filter < ia64::as_asked; ++filter) {
      const bool by_name = filter == ia64::fine_demand || filter == ia64::fine_prefetch;
      if (by_name && !names_fetches) continue;
      EXPECT_GE((found[{Depth::full, filter}]), 2u) << target << " filter " << filter;
      // Long traces have no event of both kinds of fetches and none that ignores a filter.
      if (by_name || filter == ia64::fine_twice || filter == ia64::fine_again) continue;
      EXPECT_GE((found[{Depth::basic, filter}]), 2u) << target << " filter " << filter;
    }
  }
}

// A run leaves out two long programs of the Itaniums; --all-traces has them.
TEST(LongTraces, RunsLeaveOutThoseThatAddNoEvent) {
  const auto names_of = [](const std::vector<TraceInput>& stimuli) {
    std::multiset<std::string> names;
    for (const TraceInput& stimulus : stimuli) names.insert(stimulus.file.path().stem().string());
    return names;
  };
  for (const std::string target : every_target) {
    const auto all = names_of(shipped_inputs(target)), chosen = names_of(default_inputs(target));
    std::vector<std::string> left_out;
    std::set_difference(all.begin(), all.end(), chosen.begin(), chosen.end(), std::back_inserter(left_out));
    const bool itanium = judging_facts(target).ia64 != nullptr;
    EXPECT_EQ(left_out,
              itanium ? std::vector<std::string>({"ia64-matmul-O0", "ia64-quicksort-O0"}) : std::vector<std::string>())
        << target;
  }
}

}  // namespace
}  // namespace pmusim::testbench
