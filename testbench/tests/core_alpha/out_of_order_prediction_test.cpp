// The 21264's predictors, tested alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "alpha_log.h"
#include "models/core/alpha/out_of_order/prediction.h"

namespace pmusim::core::alpha::out_of_order {
namespace {

/// Runs a branch with repeating outcomes, and counts the mispredictions of the last `watched` executions.
template <class Outcome>
unsigned mispredictions(Tournament& t, unsigned times, unsigned watched, Outcome outcome) {
  unsigned wrong = 0;
  for (unsigned i = 0; i < times; ++i) {
    const bool taken = outcome(i);
    const Direction direction = t.predict(0x1000);
    if (direction.taken != taken && i >= times - watched) ++wrong;
    t.follow(taken);
    t.train(0x1000, direction, taken);
  }
  return wrong;
}

TEST(Tournament, StartsNotTaken) { EXPECT_FALSE(Tournament().predict(0x1000).taken); }

TEST(Tournament, LocalHistoryLearnsAPatternOfTen) {
  Tournament t;
  EXPECT_EQ(mispredictions(t, 400, 100, [](unsigned i) { return i % 10 != 9; }), 0u);
}

TEST(Tournament, AHistoryOfTenBitsDoesNotSeeFartherThanTheGlobalOfTwelve) {
  // The global history predicts one in twelve; no history predicts one in forty.
  Tournament near, far;
  EXPECT_EQ(mispredictions(near, 1200, 120, [](unsigned i) { return i % 12 == 0; }), 0u);
  EXPECT_GT(mispredictions(far, 1200, 120, [](unsigned i) { return i % 40 == 0; }), 0u);
}

TEST(Tournament, AnotherBranchIsToldByTheGlobalHistory) {
  // The second branch has the direction of the first, which is random.
  Tournament t;
  unsigned random = 12345, wrong = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    random = random * 1103515245 + 12345;
    const bool taken = (random >> 20 & 1) != 0;
    for (const std::uint64_t pc : {0x1000, 0x2004}) {
      const Direction direction = t.predict(pc);
      if (pc == 0x2004 && i >= 3000 && direction.taken != taken) ++wrong;
      t.follow(taken);
      t.train(pc, direction, taken);
    }
  }
  EXPECT_LT(wrong, 150u);  // without the global history about half of the 1000
}

// 21264/EV67 Hardware Reference Manual, 2.1.1: the choice is trained where the two predictors differ.
TEST(Tournament, TheChoiceLearnsNothingWhereBothAgree) {
  constexpr std::uint64_t learned = 0x1000, other = 0x2004, fresh = 0x3008;
  const auto taken_at = [](Tournament& t, std::uint16_t history, std::uint64_t pc, unsigned times) {
    for (unsigned i = 0; i < times; ++i) {
      t.restore(history);
      t.train(pc, t.predict(pc), true);
    }
  };
  Tournament t;
  taken_at(t, 1, learned, 20);  // under another global history: the local predictor learns this branch
  taken_at(t, 0, other, 2);     // the global predictor predicts taken; until now both predicted not taken
  taken_at(t, 0, learned, 8);   // both predict taken, and the branch is taken
  const Direction known = t.predict(learned), unknown = t.predict(fresh);
  EXPECT_TRUE(known.local && known.global);
  EXPECT_FALSE(unknown.local);
  EXPECT_TRUE(unknown.global);
  EXPECT_FALSE(unknown.taken) << "the choice has not moved to the global predictor";
}

TEST(Tournament, HistoryIsTwelveBitsAndCanBeRestored) {
  Tournament t;
  for (unsigned i = 0; i < 20; ++i) t.follow(true);
  EXPECT_EQ(t.history(), 0xfffu);
  const std::uint16_t before = t.history();
  t.follow(false);
  EXPECT_EQ(t.history(), 0xffeu);
  t.restore(before);
  EXPECT_EQ(t.history(), 0xfffu);
}

TEST(Tournament, LocalHistoriesAreIndexedByAddressBits11To2) {
  Tournament t;
  for (unsigned i = 0; i < 100; ++i) t.train(0x1000, t.predict(0x1000), true);
  EXPECT_TRUE(t.predict(0x1000).local);
  EXPECT_TRUE(t.predict(0x1000 + 4096).local);
  EXPECT_FALSE(t.predict(0x1004).local);
}

TEST(LinePredictor, TwoSurprisesMoveAnEntryThatWasRight) {
  LinePredictor lines(64);
  EXPECT_EQ(lines.next(0x1008), 0x1010u);
  lines.train(0x1008, 0x2000);
  EXPECT_EQ(lines.next(0x1004), 0x2000u);
  lines.train(0x1008, 0x2000);
  lines.train(0x1008, 0x3000);
  EXPECT_EQ(lines.next(0x1008), 0x2000u);
  lines.train(0x1008, 0x3000);
  EXPECT_EQ(lines.next(0x1008), 0x3000u);
  EXPECT_EQ(lines.next(0x1008 + 64 * 16), 0x3000u);  // 64 blocks
}

// An entry that correctly predicts the next block holds no address, so another block with the same entry also predicts
// its next block.
TEST(LinePredictor, AnEntryThatGoesOnHoldsNoAddress) {
  LinePredictor lines(64);
  lines.train(0x1008, 0x1010);
  EXPECT_EQ(lines.next(0x1000 + 64 * 16), 0x1010u + 64 * 16);
}

TEST(ReturnStack, WrapsAndRestores) {
  ReturnStack stack(2);
  stack.push(1);
  stack.push(2);
  const std::uint16_t top = stack.top();
  EXPECT_EQ(stack.pop(), 2u);
  EXPECT_EQ(stack.pop(), 1u);
  stack.restore(top);
  stack.push(3);  // overwrites 1
  EXPECT_EQ(stack.pop(), 3u);
  EXPECT_EQ(stack.pop(), 2u);
  EXPECT_EQ(stack.pop(), 3u);
}

}  // namespace
}  // namespace pmusim::core::alpha::out_of_order

// The 21264's caches write back: a modified line of the Dcache goes to the board cache, a modified block of the board
// cache to memory.
namespace pmusim::testbench::alpha {
namespace {

namespace d = activity::detail;
using activity::LineState;

/// The number of occurrences whose detail has all these bits.
std::size_t with(const AlphaLog& log, Signal signal, unsigned bits) {
  std::size_t count = 0;
  for (const AlphaOccurrence& h : log.of(signal)) count += (h.detail & bits) == bits ? 1 : 0;
  return count;
}
std::size_t replaced(const AlphaLog& log, unsigned cache, LineState state) {
  const unsigned detail = cache | static_cast<unsigned>(state) << d::evict_state_shift | d::evict_replacement;
  std::size_t count = 0;
  for (const AlphaOccurrence& h : log.of(Signal::line_evict)) count += h.detail == detail ? 1 : 0;
  return count;
}

/// 64 KB in two ways: lines 32 KB apart share a set, and the third replaces the first.
Script third_line_after(const std::string& state) {
  Script script;
  script.say("state addr=8000 line=" + state);
  for (const std::uint64_t address : {0x10000, 0x18000}) script.load(ldq(3, 9), address, 8, "dtlb=hit");
  return script;
}

TEST(OutOfOrderWriteBack, AModifiedLineOfTheDcacheGoesToTheBoardCache) {
  const AlphaLog modified = ev67(third_line_after("M")), clean = ev67(third_line_after("E"));
  EXPECT_EQ(replaced(modified, d::cache_l1d, LineState::modified), 1u);
  EXPECT_EQ(with(modified, Signal::l3_lookup, d::access_writeback | d::access_store | d::lookup_hit), 1u);
  EXPECT_EQ(replaced(clean, d::cache_l1d, LineState::exclusive), 1u);
  EXPECT_EQ(with(clean, Signal::l3_lookup, d::access_writeback), 0u);
}

TEST(OutOfOrderWriteBack, WhatWasWrittenBackIsModifiedInTheBoardCache) {
  // A board cache of 1 MB is direct mapped: this block replaces that of 8000h.
  const auto leaves = [](const std::string& state) {
    return ev67(third_line_after(state).load(ldq(4, 9), 0x108000, 8, "dtlb=hit"), {{"core.bcache_bytes", 0x100000}});
  };
  EXPECT_EQ(replaced(leaves("M"), d::cache_l3, LineState::modified), 1u);
  EXPECT_EQ(replaced(leaves("E"), d::cache_l3, LineState::modified), 0u);
}

// A prefetched line is used when it has arrived, not before: 16 instructions a line.
TEST(OutOfOrderFetch, WaitsForALineThatIsOnItsWay) {
  std::string text;
  for (std::uint64_t pc = 0x1000; pc < 0x1100; pc += 4) text += fmt::format("{:x} {} itlb=hit\n", pc, addq(1, 2, 3));
  const AlphaLog log = ev67(text, {{"core.stream_lines", 3}});
  std::map<std::uint64_t, Cycle> filled;
  for (const AlphaOccurrence& h : log.of(Signal::line_fill)) filled.try_emplace(h.request.address / 64, h.cycle);
  EXPECT_EQ(filled.size(), 4u);
  EXPECT_GE(with(log, Signal::fetch, d::lookup_pending), 1u);
  for (const AlphaOccurrence& h : log.of(Signal::instruction_fetch)) {
    ASSERT_TRUE(filled.contains(h.instruction.ip / 64));
    EXPECT_GE(h.cycle, filled.at(h.instruction.ip / 64)) << "instruction " << h.instruction.id;
  }
  EXPECT_EQ(log.retired(), 64u);
}

}  // namespace
}  // namespace pmusim::testbench::alpha
