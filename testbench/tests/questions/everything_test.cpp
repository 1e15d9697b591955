// The activity with a little of everything, on which each answer runs in addition to the traces of its question.
#include "testbench/judge/stimulus/everything.h"

#include <gtest/gtest.h>

namespace pmusim::testbench::questions {
namespace {

using activity::Signal;
using activity::State;

/// A block of 100 cycles with these occurrences, at this level.
Block block_of(const std::vector<std::pair<Signal, std::uint16_t>>& what, std::uint64_t level = 0) {
  Block block;
  block.end = 100;
  for (const auto& [signal, detail] : what)
    block.columns[static_cast<std::size_t>(signal)].push_back({7, activity::no_ref, 1, detail});
  block.states[static_cast<std::size_t>(State::cpl)].initial = level;
  return block;
}

ActivityLog log_of(const std::vector<Block>& blocks) {
  ActivityLog log;
  for (const Block& block : blocks) log.append(block);
  return log;
}

TEST(Everything, TakesWhatIsNewToAMode) {
  const Block one = block_of({{Signal::retire, 0}}), other = block_of({{Signal::retire, 1}}),
              kernel = block_of({{Signal::retire, 0}}, 3);
  Everything everything;
  everything.add(log_of({one, one, one}), 0);
  EXPECT_EQ(everything.log().cycles(), 100u);
  everything.add(log_of({one, other, one}), 0);
  EXPECT_EQ(everything.log().cycles(), 200u) << "another detail";
  everything.add(log_of({kernel, other}), 0);
  EXPECT_EQ(everything.log().cycles(), 300u) << "another value of a state";
  everything.add(log_of({one, one}), 1);
  EXPECT_EQ(everything.log().cycles(), 400u) << "another mode";
}

TEST(Everything, EachPartBeginsAsItDid) {
  Everything everything;
  everything.add(log_of({block_of({{Signal::retire, 0}}, 3)}), 0);
  everything.add(log_of({block_of({{Signal::retire, 1}}, 0)}), 0);
  const ActivityLog log = everything.log();
  ASSERT_EQ(log.blocks().size(), 2u);
  EXPECT_EQ(log.blocks()[0].state_at(State::cpl, 99), 3u);
  EXPECT_EQ(log.blocks()[1].state(State::cpl).initial, 0u);
  ASSERT_EQ(log.blocks()[0].state(State::cpl).changes.size(), 1u);
  EXPECT_EQ(log.blocks()[0].state(State::cpl).changes[0].at, 100u);
}

TEST(Everything, LeavesOutWhatProgramsWriteToRegisters) {
  Block block = block_of({{Signal::register_access, 0}, {Signal::retire, 0}});
  block.accesses.push_back({.at = 7, .write = true, .value = 1});
  Everything everything;
  everything.add(log_of({block}), 0);
  const ActivityLog log = everything.log();
  ASSERT_EQ(log.blocks().size(), 1u);
  EXPECT_TRUE(log.blocks()[0].accesses.empty());
  EXPECT_TRUE(log.blocks()[0].column(Signal::register_access).empty());
  EXPECT_EQ(log.blocks()[0].column(Signal::retire).size(), 1u);
}

// A matcher that compares two bits of an opcode is distinguished from one that compares only one of them.
TEST(Everything, EncodingsHaveAllValuesOfEachTwoBits) {
  Block block = block_of({});
  block.instructions.resize(64);
  const ActivityLog log = with_other_encodings(log_of({block}));
  for (unsigned a = 0; a < 41; ++a) {
    for (unsigned b = 0; b < a; ++b) {
      unsigned seen = 0;
      for (const activity::InstructionRecord& record : log.blocks()[0].instructions)
        seen |= 1u << ((record.encoding >> a & 1) * 2 + (record.encoding >> b & 1));
      EXPECT_EQ(seen, 15u) << a << ' ' << b;
    }
  }
  for (const activity::InstructionRecord& record : log.blocks()[0].instructions) EXPECT_EQ(record.encoding >> 41, 0u);
}

}  // namespace
}  // namespace pmusim::testbench::questions
