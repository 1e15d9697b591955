// Values that the questions must ask for: periods, unit masks, masks of privilege levels.
#include <gtest/gtest.h>

#include <map>

#include "testbench/tests/questions/asked.h"

namespace pmusim::testbench::questions {
namespace {

/// The periods for which start values are requested, by counter.
std::map<unsigned, std::set<std::uint64_t>> periods_of(const std::string& target, std::size_t counters) {
  std::map<unsigned, std::set<std::uint64_t>> periods;
  for (const Question& question : legal_questions(target)) {
    if (question.group.period == 0 || !is_on_one_counter(question, counters)) continue;
    EXPECT_TRUE(question.group.samples()) << question.group.question();
    periods[counter_of(question, counters)].insert(question.group.period);
  }
  return periods;
}

struct Counter {
  const char* target;
  unsigned counters, width;
  std::uint64_t longest;
};

// Publication 22007: 48 bits, and a write extends the sign of bit 47. User's manual of the 750GX: 32 bits, and the
// highest signals the interrupt. Itanium 2 and Montecito: 47 bits, and the carry out of them signals it.
TEST(Periods, BothLimitsOnEveryCounter) {
  constexpr std::uint64_t one = 1;
  for (const Counter& c : {Counter{"athlon", 4, 48, one << 47}, Counter{"ppc750gx", 4, 32, one << 31},
                           Counter{"ppc750gl", 4, 32, one << 31}, Counter{"itanium2", 4, 47, one << 47},
                           Counter{"montecito", 12, 47, one << 47}}) {
    const auto periods = periods_of(c.target, c.counters);
    ASSERT_EQ(periods.size(), c.counters) << c.target;
    for (const auto& [counter, asked] : periods) {
      for (const std::uint64_t period : {one, one << (c.width - 1), c.longest})
        EXPECT_TRUE(asked.contains(period)) << c.target << " counter " << counter << " period " << period;
      EXPECT_EQ(*asked.rbegin(), c.longest) << c.target << " counter " << counter;
    }
  }
}

// 21164: counters of 16, 16 and 14 bits. 21264 (EV67 manual, 6.10.2): 20 bits, and at least 16 and 4 events before the
// overflow. Each counter has its own events.
TEST(Periods, BothLimitsOnTheCountersOfTheAlphas) {
  using Limits = std::pair<std::uint64_t, std::uint64_t>;
  const std::vector<Limits> ev5{{1, 1 << 16}, {1, 1 << 16}, {1, 1 << 14}}, ev6{{16, 1 << 20}, {4, 1 << 20}};
  for (const auto& [target, limits] : {std::pair{"alpha-ev5", ev5}, {"alpha-pca56", ev5}, {"alpha-ev6", ev6}}) {
    std::map<char, std::set<std::uint64_t>> periods;
    for (const Question& question : legal_questions(target)) {
      if (question.group.period != 0)
        periods[question.group.checks.front().request.event[7]].insert(question.group.period);  // PF5_MUX0
    }
    ASSERT_EQ(periods.size(), limits.size()) << target;
    for (const auto& [counter, asked] : periods) {
      const auto& [shortest, longest] = limits.at(static_cast<std::size_t>(counter - '0'));
      EXPECT_EQ(*asked.begin(), shortest) << target << ' ' << counter;
      EXPECT_TRUE(asked.contains(longest / 2)) << target << ' ' << counter;
      EXPECT_EQ(*asked.rbegin(), longest) << target << ' ' << counter;
    }
  }
}

// 21064: the periods are selected by PC0 (4,096 or 65,536 events) and PC1 (256 or 4,096).
TEST(Periods, BothOfEachCounterOfThe21064) {
  const std::set<std::string> first{"PF_ISSUES", "PF_PIPEDRY", "PF_LOADI",     "PF_PIPEFROZEN", "PF_BRANCHI",
                                    "PF_CYCLES", "PF_PALMODE", "PF_NONISSUES", "PF_EXTPIN0"};
  const std::set<std::uint64_t> of_first{4096, 65536}, of_second{256, 4096};
  std::map<std::string, std::set<std::uint64_t>> periods;
  for (const Question& question : legal_questions("alpha-ev4")) {
    if (question.group.sampled) periods[*events_of(question).begin()].insert(question.group.sampled->period);
  }
  EXPECT_EQ(periods.size(), 17u);
  for (const auto& [event, asked] : periods) EXPECT_EQ(asked, first.contains(event) ? of_first : of_second) << event;
}

// Beside each pair (questions_test.cpp): all unit masks, and all but each.
TEST(UnitMasks, AllAndAllButOneOnEveryCounter) {
  std::set<std::tuple<std::string, std::set<std::string>, unsigned>> asked;
  for (const Question& question : legal_questions("athlon")) {
    const oracle::Request& request = question.group.checks.front().request;
    if (is_on_one_counter(question, 4))
      asked.emplace(request.event, std::set(request.umasks.begin(), request.umasks.end()), counter_of(question, 4));
  }
  std::size_t events = 0;
  for (const oracle::EventName& event : oracle::events("athlon")) {
    std::set<std::string> all(event.umasks.begin(), event.umasks.end());
    all.erase("ALL");
    if (all.size() < 2) continue;
    ++events;
    for (unsigned counter = 0; counter < 4; ++counter) {
      EXPECT_TRUE(asked.contains({std::string(event.name), all, counter})) << event.name << " on counter " << counter;
      for (const std::string& mask : all) {
        std::set<std::string> others = all;
        others.erase(mask);
        EXPECT_TRUE(asked.contains({std::string(event.name), others, counter}))
            << event.name << " without " << mask << " on counter " << counter;
      }
    }
  }
  EXPECT_GE(events, 5u);  // refills from L2 and from the system, write-backs, two kinds of segment loads and snoops
}

// plm has a bit for each of four levels: 16 masks.
TEST(Levels, EveryMaskOnEveryCounterOfTheItaniums) {
  for (const auto& [target, counters] : {std::pair{"itanium2", 4u}, {"montecito", 12u}}) {
    std::set<std::pair<unsigned, unsigned>> full, quick;
    for (const auto extent : {Extent::quick, Extent::full}) {
      auto& asked = extent == Extent::quick ? quick : full;
      for (const Question& question : legal_questions(target, extent)) {
        if (!is_on_one_counter(question, counters)) continue;
        for (const auto& [name, value] : question.group.checks.front().attributes) {
          if (name != "plm") continue;
          EXPECT_EQ(question.group.checks.front().request.ia64.levels, value) << question.group.question();
          asked.emplace(value, counter_of(question, counters));
        }
      }
    }
    for (unsigned mask = 0; mask < 16; ++mask) {
      EXPECT_TRUE(std::any_of(quick.begin(), quick.end(), [&](const auto& one) { return one.first == mask; }))
          << target << " plm=" << mask;
      for (unsigned counter = 0; counter < counters; ++counter)
        EXPECT_TRUE(full.contains({mask, counter})) << target << " plm=" << mask << " on counter " << counter;
    }
  }
}

}  // namespace
}  // namespace pmusim::testbench::questions
