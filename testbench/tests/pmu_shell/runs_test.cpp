// Runs must match the columns, cycle by cycle, and must be as long as possible.
#include "models/pmu/runs.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "models/pmu/condition.h"
#include "testbench/tests/pmu_shell/activity_builder.h"

namespace pmusim::testing {
namespace {

using activity::Signal;
using activity::State;
using pmu::Run;
using pmu::Term;

const pmu::TermContext context;
const Term retirements{.signal = Signal::retire, .count = pmu::count_amount};
const Term retired_once{.signal = Signal::retire, .count = pmu::count_one};
const Term misses{.state = State::load_misses, .level = pmu::level_value};
const Term clock_term{};

std::vector<Run> all_runs(const activity::Block& block, std::vector<Term> terms, activity::Cycle from,
                          activity::Cycle to) {
  pmu::RunCursor cursor(block, terms, context, from, to);
  std::vector<Run> runs;
  for (Run run; cursor.next(run);) runs.push_back(run);
  return runs;
}

std::string text(const std::vector<Run>& runs) {
  std::ostringstream out;
  for (const Run& run : runs) out << '[' << run.begin << ',' << run.end << ")=" << run.n << ' ';
  return out.str();
}

TEST(RunCursor, QuietCyclesAreOneRun) {
  EXPECT_EQ(text(all_runs(ActivityBuilder(1000, 50).block(), {retirements}, 50, 1050)), "[50,1050)=0 ");
  EXPECT_EQ(text(all_runs(ActivityBuilder(1000).block(), {}, 0, 1000)), "[0,1000)=0 ");
  EXPECT_EQ(text(all_runs(ActivityBuilder(1000).block(), {clock_term}, 3, 7)), "[3,7)=1 ");
  EXPECT_EQ(text(all_runs(ActivityBuilder(1000).block(), {clock_term}, 7, 7)), "");
}

TEST(RunCursor, FilterThatCountsNothingLeavesNoRun) {
  ActivityBuilder a(10);
  a.retire(3, 0x10).retire(5, 0x20);
  const Term at_0x20{
      .signal = Signal::retire,
      .count = [](const activity::Block& b, const activity::Occurrence& o, const pmu::TermContext&) -> std::uint32_t {
        return b.instructions[o.ref].ip == 0x20;
      }};
  EXPECT_EQ(text(all_runs(a.block(), {at_0x20}, 0, 10)), "[0,5)=0 [5,6)=1 [6,10)=0 ");
}

// Compared with a count that steps through every cycle, for random columns and every pair of ends.
TEST(RunCursor, AgreesWithSteppingThroughEveryCycle) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const unsigned cycles = 12;
    ActivityBuilder a(cycles, 1000);
    std::vector<std::uint32_t> expected(cycles);
    std::uint64_t level = random() % 3;
    a.state(State::load_misses).initial = level;
    for (unsigned at = 0; at < cycles; ++at) {
      if (at > 0 && random() % 4 == 0) a.change(State::load_misses, at, level = random() % 3);
      expected[at] = static_cast<std::uint32_t>(level) + 1;
      for (unsigned k = random() % 3; k > 0; --k) {
        const auto amount = static_cast<std::uint16_t>(1 + random() % 2);
        a.retire(at, at, amount);
        expected[at] += amount + 1u;
      }
    }
    for (unsigned from = 0; from < cycles; ++from) {
      for (unsigned to = from; to <= cycles; ++to) {
        unsigned next = from;
        std::uint32_t before = 0xffffffff;
        for (const pmu::Run& run :
             all_runs(a.block(), {retirements, misses, clock_term, retired_once}, 1000 + from, 1000 + to)) {
          ASSERT_EQ(run.begin, 1000 + next);
          ASSERT_LT(run.begin, run.end);
          ASSERT_NE(run.n, before);
          for (; 1000 + next < run.end; ++next) ASSERT_EQ(run.n, expected[next]) << "cycle " << next;
          before = run.n;
        }
        ASSERT_EQ(next, to);
      }
    }
  }
}

TEST(RunCursor, RefusesMoreTermsThanItHolds) {
  const std::vector<Term> terms(pmu::RunCursor::max_terms + 1, clock_term);
  EXPECT_THROW(all_runs(ActivityBuilder(1).block(), terms, 0, 1), std::length_error);
}

TEST(RangeComparator, MatchesTheAlignedFieldAndOneStepOutside) {
  const pmu::RangeComparator field{0x1004, 3};  // bytes 0x1004 to 0x1007
  EXPECT_FALSE(field.matches(0x1003));
  EXPECT_TRUE(field.matches(0x1004));
  EXPECT_TRUE(field.matches(0x1007));
  EXPECT_FALSE(field.matches(0x1008));
  EXPECT_FALSE(field.overlaps(0x1000, 4));
  EXPECT_TRUE(field.overlaps(0x1000, 5));
  EXPECT_TRUE(field.overlaps(0x1007, 1));
  EXPECT_FALSE(field.overlaps(0x1008, 8));
  EXPECT_TRUE(field.overlaps(0x0ff0, 0x100));
  EXPECT_FALSE(field.overlaps(0x1004, 0));
}

}  // namespace
}  // namespace pmusim::testing
