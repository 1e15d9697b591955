// An oracle's counter that has counted one activity must count the next one like a new counter.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "testbench/judge/stimulus/stimuli.h"
#include "testbench/judge/trial/examined.h"
#include "testbench/judge/trial/needs.h"
#include "testbench/tests/sampling.h"
#include "testbench/tests/target_name.h"

namespace pmusim::testbench::questions {
namespace {

class CountersOf : public ::testing::TestWithParam<std::string> {};

TEST_P(CountersOf, ForgetTheActivityBefore) {
  const std::string target = GetParam();
  const models::Parameters parameters = models::find_target(target)->parameters();
  NeededCounts asked;
  std::vector<std::size_t> numbers;
  for (const Check& check : rows_of(target)) {
    Group group;
    for (const std::uint32_t threshold : {0u, 1u}) {
      if (threshold != 0 && target.starts_with("alpha")) continue;  // the Alphas have none
      group.checks = {check};
      group.checks.front().request.threshold = threshold;
      group.checks.front().attributes.emplace_back("c", threshold);
      group.checks.front().request.ia64.levels = 15;
      numbers.push_back(asked.add(group, 0));
    }
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  Stimuli stimuli(target, parameters);
  Counts::Counters lasting;
  std::uint64_t happened = 0;
  for (int i = 0; i < (sanitized ? 3 : 12); ++i) {
    const Stimulus* const stimulus = stimuli.next([](const auto&) { return true; });
    ASSERT_NE(stimulus, nullptr);
    Counts::Counters fresh;
    Counts once(target, parameters), again(target, parameters);
    once.count(asked, numbers, *stimulus, fresh);
    std::vector<std::size_t> wanted = numbers;  // every second time fewer than the counter has
    if (i % 2 != 0) std::erase_if(wanted, [](std::size_t number) { return number % 4 == 0; });
    again.count(asked, wanted, *stimulus, lasting);
    for (const std::size_t number : wanted) {
      const auto expected = once.of(number), counted = again.of(number);
      ASSERT_EQ(counted.size(), expected.size());
      for (std::size_t block = 0; block < expected.size(); ++block) {
        EXPECT_EQ(counted[block].expected, expected[block].expected) << stimulus->name << " number " << number;
        EXPECT_EQ(counted[block].occurrences, expected[block].occurrences) << stimulus->name << " number " << number;
        EXPECT_EQ(counted[block].half, expected[block].half) << stimulus->name << " number " << number;
        happened += expected[block].occurrences;
      }
    }
  }
  EXPECT_GT(happened, 0u);
}

INSTANTIATE_TEST_SUITE_P(Targets, CountersOf,
                         ::testing::Values("athlon", "ppc750gx", "itanium2", "montecito", "alpha-ev4", "alpha-ev5",
                                           "alpha-ev67"),
                         target_name);

// Counts are compared at the ends of blocks, at cycles that differ from stimulus to stimulus.
TEST(Stimuli, AreDividedAtDrawnCycles) {
  constexpr activity::Cycle recorded = 512;
  std::set<activity::Cycle> lengths;
  for (int i = 0; i < 100; ++i) {
    const activity::Cycle length = drawn_length("trace " + std::to_string(i), 4000);
    EXPECT_GE(length, 1000u);
    EXPECT_LE(length, 2000u);
    lengths.insert(length);
  }
  EXPECT_GT(lengths.size(), 50u);
  Stimuli stimuli("ppc750gx", models::find_target("ppc750gx")->parameters());
  unsigned long_ones = 0;
  for (int i = 0; i < 60; ++i) {
    const Stimulus* const stimulus = stimuli.next([](const auto&) { return true; });
    ASSERT_NE(stimulus, nullptr);
    const activity::Cycle least = drawn_length(stimulus->name, stimulus->log.cycles());
    const activity::Cycle first = stimulus->log.blocks().front().end;
    if (stimulus->log.blocks().size() < 2) continue;
    if (stimulus->name.starts_with("idle")) continue;  // idle time is one block, however long
    EXPECT_GE(first, least) << stimulus->name;
    EXPECT_LT(first, least + recorded) << stimulus->name;
    long_ones += stimulus->log.cycles() > 8 * recorded ? 1 : 0;
  }
  EXPECT_GT(long_ones, 3u);
}

// The search for a stimulus leaves out the transforms of a trace on which no event of the question occurs.
TEST(Examined, IsNotOpenForTransformsOfTracesWithoutItsEvents) {
  const std::string target = "itanium2";
  const models::Parameters parameters = models::find_target(target)->parameters();
  Question question;
  question.group.checks.emplace_back();
  question.group.checks.front().request.event = "LOADS_RETIRED";
  question.group.checks.front().request.ia64.levels = 15;
  NeededCounts asked;
  Examined candidate;
  candidate.question = &question;
  candidate.asked = {asked.add(question.group, 0)};
  candidate.needs = {{"count", true, Need::Effect::counts, candidate.asked.front(), candidate.asked.front()}};
  candidate.note_needs();
  Stimuli stimuli(target, parameters);
  unsigned with = 0, without = 0;
  for (int i = 0; i < 20; ++i) {
    const Stimulus* const stimulus = stimuli.next([](const auto& next) { return next.log.blocks().empty(); });
    ASSERT_NE(stimulus, nullptr);
    Counts::Counters counters;
    Counts counts(target, parameters);
    counts.count(asked, candidate.asked, *stimulus, counters);
    candidate.note_absence(counts, *stimulus);
    EXPECT_TRUE(candidate.open_for(*stimulus)) << "an unchanged trace is always tried";
    Stimulus transformed;
    transformed.trace = stimulus->trace;
    transformed.pass = 1;
    const bool occurs = counts.total(candidate.asked.front()).occurrences != 0;
    EXPECT_EQ(candidate.open_for(transformed), occurs) << stimulus->name;
    ++(occurs ? with : without);
  }
  EXPECT_GT(with, 0u);
  EXPECT_GT(without, 0u);
}

}  // namespace
}  // namespace pmusim::testbench::questions
