// The instruction to which cycles without one are charged, tested with hand-made blocks.
#include "testbench/profile/waiting.h"

#include <gtest/gtest.h>

namespace pmusim::testbench {
namespace {

using activity::Block;
using activity::Signal;

/// Instruction i is at 0x100 + 4 i; each entry is a cycle of the block and the instruction that retires in it.
Block block(activity::Cycle begin, activity::Cycle end,
            const std::vector<std::pair<std::uint32_t, std::uint32_t>>& retired) {
  Block b;
  b.begin = begin;
  b.end = end;
  b.instructions.resize(8);
  for (std::uint32_t i = 0; i < 8; ++i) {
    b.instructions[i].ip = 0x100 + 4 * i;
    b.instructions[i].id = i;
  }
  b.instructions[7].wrong_path = true;
  for (const auto& [at, ref] : retired) b.columns[static_cast<std::size_t>(Signal::retire)].push_back({at, ref, 1, 0});
  return b;
}
Culprit at(unsigned i) { return {0x100 + 4 * std::uint64_t{i}, 0, true}; }

// Cycles 10 to 13 are charged to the first, 14 to the third; the second retires with the first, and wrong-path
// instructions get none.
TEST(Retirements, EveryCycleHasTheInstructionThatRetiresNext) {
  Retirements r(0);
  r.consume(block(10, 20, {{3, 0}, {3, 1}, {4, 2}, {6, 7}}));
  EXPECT_EQ(r.cycles(), (Charges{{at(0), 4}, {at(2), 1}}));
  EXPECT_EQ(r.instructions(), (Charges{{at(0), 1}, {at(1), 1}, {at(2), 1}}));
  EXPECT_EQ(r.rest(), 5u);
  r.consume(block(20, 30, {{0, 3}}));
  EXPECT_EQ(r.cycles(), (Charges{{at(0), 4}, {at(2), 1}, {at(3), 6}}));
  EXPECT_EQ(r.rest(), 9u);
}

TEST(Retirements, OfOneThread) {
  Block b = block(0, 10, {{1, 0}, {2, 1}});
  b.instructions[1].thread = 1;
  Retirements first(0), second(1);
  first.consume(b);
  second.consume(b);
  EXPECT_EQ(first.cycles(), (Charges{{at(0), 2}}));
  EXPECT_EQ(second.cycles(), (Charges{{at(1), 3}}));
}

TEST(Retirements, ChargesAStretch) {
  Retirements r(0);
  r.consume(block(0, 10, {{3, 0}, {5, 1}}));
  Charges charges;
  std::uint64_t lost = 0;
  EXPECT_EQ(r.charge(2, 8, 2, charges, lost), 6u);  // cycles 6 and 7 are not decided yet
  EXPECT_EQ(charges, (Charges{{at(0), 4}, {at(1), 4}}));
  for (activity::Cycle begin = 10; begin < 60; begin += 10) r.consume(block(begin, begin + 10, {{0, 2}}));
  charges.clear();
  EXPECT_EQ(r.charge(0, 30, 1, charges, lost), 30u);
  EXPECT_EQ(lost, 20u);  // older than the recorded retirements
  EXPECT_EQ(charges, (Charges{{at(2), 10}}));
}

// A counter that adds 2 in each of cycles 2 to 5; one occurrence, in cycle 3, names an instruction.
TEST(WaitingRecorder, ChargesWhatNamesNoInstruction) {
  Retirements r(0);
  WaitingRecorder recorder(1, 0);
  const Block b = block(0, 10, {{3, 0}, {5, 1}});
  recorder.named(0, b, Signal::retire, {3, 0, 1, 0}, 1);
  recorder.left(0, pmu::Step::added, {2, 6, 2});
  recorder.settle(r);
  EXPECT_TRUE(recorder.waited().empty());
  r.consume(b);
  recorder.settle(r);
  EXPECT_EQ(recorder.counter(0).by_culprit, (Charges{{at(0), 1}}));
  EXPECT_EQ(recorder.waited(), (Charges{{at(0), 3}, {at(1), 4}}));
  EXPECT_EQ(recorder.counter(0).unnamed, 7u);
  recorder.settle(r);
  EXPECT_EQ(recorder.waited(), (Charges{{at(0), 3}, {at(1), 4}}));  // charged only once
}

}  // namespace
}  // namespace pmusim::testbench
