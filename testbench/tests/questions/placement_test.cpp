// Every event is asked for on every counter that can count it, and on no other. The counters are those of the manuals.
// Rows are distributed over runs accordingly.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include "pmusim/encoder/encoder.h"
#include "testbench/cli/validate_plans.h"
#include "testbench/judge/question/covering.h"
#include "testbench/judge/stimulus/trace_inputs.h"
#include "testbench/judge/trial/judging_facts.h"
#include "testbench/targets/ia64/judging.h"
#include "testbench/tests/questions/asked.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench::questions {
namespace {

using Counters = std::set<unsigned>;

/// For each event, the counters on which a legal question about it alone is asked.
std::map<std::string, Counters> asked_counters(const std::string& target, std::size_t counters) {
  std::map<std::string, Counters> asked;
  for (const Question& question : legal_questions(target)) {
    if (is_on_one_counter(question, counters))
      asked[*events_of(question).begin()].insert(counter_of(question, counters));
  }
  return asked;
}

// User's manual of the 750GX, tables 11-2 to 11-5: the selects of PMC1 to PMC4. Selects 0 to 4 are alike.
TEST(Placement, EveryEventOfThe750OnItsCounters) {
  const std::vector<std::set<std::string>> tables{
      {"EIEIO_INSTRUCTIONS", "ITLB_TABLE_SEARCH_CYCLES", "L2_ACCESSES", "EAS_DELIVERED", "IABR_MATCHES",
       "L1_LOAD_MISSES", "UNRESOLVED_BRANCHES", "SECOND_UNRESOLVED_BRANCH_STALLS"},
      {"L1_ICACHE_MISSES", "ITLB_MISSES", "L2_I_MISSES", "BRANCHES_NOT_TAKEN", "RESERVED_LOADS", "LOADS_AND_STORES",
       "SNOOPS", "L1_CASTOUTS_TO_L2", "SYSTEM_UNIT_INSTRUCTIONS", "INSTRUCTION_FETCH_MISSES", "SPECULATIVE_BRANCHES"},
      {"L1_DCACHE_MISSES", "DTLB_MISSES", "L2_DATA_MISSES", "TAKEN_BRANCHES", "STORE_CONDITIONAL_INSTRUCTIONS",
       "FPU_INSTRUCTIONS", "L2_CASTOUTS_MODIFIED_SNOOPS", "L2_HITS", "L1_LOAD_MISS_CYCLES",
       "SECOND_STREAM_RESOLVED_BRANCHES", "BPU_LR_CR_STALL_CYCLES"},
      {"L2_CASTOUTS", "DTLB_TABLE_SEARCH_CYCLES", "MISPREDICTED_BRANCHES",
       "STORE_CONDITIONAL_INSTRUCTIONS_RESERVATION_INTACT", "SYNC_INSTRUCTIONS", "SNOOP_RETRIES", "INTEGER_OPERATIONS",
       "BPU_BLOCKED_CYCLES"}};
  std::map<std::string, Counters> due;
  for (const char* event :
       {"NOTHING", "PROCESSOR_CYCLES", "INSTRUCTIONS_COMPLETED", "TBL_BIT_TRANSITIONS", "INSTRUCTIONS_DISPATCHED"})
    due[event] = {0, 1, 2, 3};
  for (unsigned counter = 0; counter < tables.size(); ++counter) {
    for (const std::string& event : tables[counter]) due[event] = {counter};
  }
  for (const char* target : {"ppc750gx", "ppc750gl"}) EXPECT_EQ(asked_counters(target, 4), due) << target;
}

/// The counters of the events whose names begin so.
struct Restricted {
  const char* prefix;
  Counters counters;
};

void expect_placements(const std::string& target, const Counters& all, const std::vector<Restricted>& restricted) {
  const auto asked = asked_counters(target, all.size());
  std::size_t events = 0;
  for (const oracle::EventName& event : oracle::events(target)) {
    const std::string name(event.name);
    if (name.ends_with("_EAR_EVENTS")) continue;  // asked for with each setup (ia64_test.cpp)
    ++events;
    Counters due = all;
    std::size_t longest = 0;
    for (const Restricted& r : restricted) {
      const std::string prefix = r.prefix;
      if (!name.starts_with(prefix) || prefix.size() < longest) continue;
      due = r.counters;
      longest = prefix.size();
    }
    const auto found = asked.find(name);
    ASSERT_NE(found, asked.end()) << target << ' ' << name;
    EXPECT_EQ(found->second, due) << target << ' ' << name;
  }
  EXPECT_GT(events, 400u) << target;
}

/// Events of the L1D caches, of both processors: PMC5 selects their set.
const std::vector<Restricted> on_pmc5{{"L1DTLB_TRANSFER", {1}},   {"L2DTLB_MISSES", {1}},   {"L1D_READS_SET", {1}},
                                      {"L1D_READ_MISSES", {1}},   {"DATA_REFERENCES", {1}}, {"BE_L1D_FPU_BUBBLE", {1}},
                                      {"LOADS_RETIRED", {1}},     {"STORES_RETIRED", {1}},  {"MISALIGNED_LOADS", {1}},
                                      {"MISALIGNED_STORES", {1}}, {"UC_LOADS", {1}},        {"UC_STORES", {1}}};

// Reference manual of the Itanium 2, 10.3: events of the L2 caches in sets are on PMC4.
TEST(Placement, EveryEventOfTheItanium2OnItsCounters) {
  std::vector<Restricted> restricted = on_pmc5;
  restricted.push_back({"L2_", {0}});
  for (const char* free : {"L2_INST_DEMAND_READS", "L2_INST_PREFETCHES", "L2_MISSES"})
    restricted.push_back({free, {0, 1, 2, 3}});
  expect_placements("itanium2", {0, 1, 2, 3}, restricted);
}

// Reference manual of the Montecito: L2D events in sets are on PMC4, bus events on PMC4 to PMC9. Some L2D events are in
// no set (libpfm_montecito(3)).
TEST(Placement, EveryEventOfTheMontecitoOnItsCounters) {
  Counters all;
  for (unsigned counter = 0; counter < 12; ++counter) all.insert(counter);
  const Counters first_six{0, 1, 2, 3, 4, 5};
  std::vector<Restricted> restricted = on_pmc5;
  restricted.push_back({"L2D_", {0}});
  for (const char* free : {"L2D_MISSES", "L2D_INSERT_", "L2D_OPS_ISSUED_"}) restricted.push_back({free, all});
  restricted.push_back({"BUS_", first_six});
  restricted.push_back({"ER_", first_six});
  // Its code is that of an L2D event on the counter that selects the set.
  restricted.push_back({"ER_REJECT_ALL_L1_REQ", {1, 3, 4, 5}});
  restricted.push_back({"CPU_OP_CYCLES_HALTED", {6}});
  expect_placements("montecito", all, restricted);
}

}  // namespace
}  // namespace pmusim::testbench::questions

// The distribution of rows over runs. The expected numbers of runs are counted from the manuals' tables.
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

/// How many groups with each filter the plans of the short traces have.
std::map<unsigned, unsigned> filters_asked(const std::string& target, bool all_filters) {
  Omissions omissions({{target, models::find_target(target)->parameters()}});
  const Choice choice{};
  const auto encoder = own_encoder();
  Answers answers(*encoder);
  ValidatePlans plans(choice, omissions, answers, all_filters);
  std::map<unsigned, unsigned> found;
  for (const TraceInput& stimulus : default_inputs(target)) {
    if (!stimulus.second.empty() || stimulus.depth != Depth::full) continue;
    for (const auto& asked : plans.of(target, stimulus)) ++found[asked->group.filter];
  }
  return found;
}

// Another program is asked for one filter in four on each short trace; on all of them for every filter.
TEST(Traces, TogetherHaveEveryFilterForAnotherProgram) {
  if (sanitized) GTEST_SKIP() << "thousands of answers";
  for (const std::string target : {"itanium2", "montecito"}) {
    auto all = filters_asked(target, true), some = filters_asked(target, false);
    EXPECT_EQ(some[0], all[0]) << "without a filter";
    for (const auto& [filter, groups] : all) {
      if (filter == 0) continue;
      EXPECT_GT(some[filter], 0u) << target << " filter " << filter;
      EXPECT_LT(some[filter], groups / 2) << target << " filter " << filter;
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
