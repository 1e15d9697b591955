// The activity with a little of everything, on which each answer runs in addition to the traces of its question.
#include <gtest/gtest.h>

#include <utility>

#include "testbench/judge/stimulus/activity_transforms.h"

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

ActivityLog log_of(Everything everything) { return std::move(everything).log(); }

TEST(Everything, TakesWhatIsNewToAMode) {
  const Block one = block_of({{Signal::retire, 0}}), other = block_of({{Signal::retire, 1}}),
              kernel = block_of({{Signal::retire, 0}}, 3);
  Everything everything;
  everything.add(log_of({one, one, one}), 0);
  EXPECT_EQ(log_of(everything).cycles(), 100u);
  everything.add(log_of({one, other, one}), 0);
  EXPECT_EQ(log_of(everything).cycles(), 200u) << "another detail";
  everything.add(log_of({kernel, other}), 0);
  EXPECT_EQ(log_of(everything).cycles(), 300u) << "another value of a state";
  everything.add(log_of({one, one}), 1);
  EXPECT_EQ(log_of(everything).cycles(), 400u) << "another mode";
}

TEST(Everything, EachPartBeginsAsItDid) {
  Everything everything;
  everything.add(log_of({block_of({{Signal::retire, 0}}, 3)}), 0);
  everything.add(log_of({block_of({{Signal::retire, 1}}, 0)}), 0);
  const ActivityLog log = log_of(everything);
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
  const ActivityLog log = log_of(everything);
  ASSERT_EQ(log.blocks().size(), 1u);
  EXPECT_TRUE(log.blocks()[0].accesses.empty());
  EXPECT_TRUE(log.blocks()[0].column(Signal::register_access).empty());
  EXPECT_EQ(log.blocks()[0].column(Signal::retire).size(), 1u);
}

// Seven times 100 cycles in blocks of at least 250: three, three and one.
TEST(Repeated, MakesBlocksOfALeastLength) {
  Block once = block_of({{Signal::retire, 0}}, 3);
  once.columns[static_cast<std::size_t>(Signal::retire)][0].ref = 0;
  once.instructions.push_back({.id = 5});
  once.states[static_cast<std::size_t>(State::cpl)].changes.push_back({50, 0});
  const ActivityLog log = repeated(once, 7, 250);
  ASSERT_EQ(log.blocks().size(), 3u);
  EXPECT_EQ(log.cycles(), 700u);
  const Block &second = log.blocks()[1], &last = log.blocks()[2];
  EXPECT_EQ(second.begin, 300u);
  EXPECT_EQ(last.begin, 600u);
  std::vector<std::uint32_t> cycles, refs;
  for (const activity::Occurrence& o : second.column(Signal::retire)) {
    cycles.push_back(o.at);
    refs.push_back(o.ref);
  }
  EXPECT_EQ(cycles, (std::vector<std::uint32_t>{7, 107, 207}));
  EXPECT_EQ(refs, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_NE(second.instructions[0].id, second.instructions[1].id);
  EXPECT_EQ(second.state_at(State::cpl, 349), 3u);
  EXPECT_EQ(second.state_at(State::cpl, 350), 0u);
  EXPECT_EQ(second.state_at(State::cpl, 400), 3u);
  EXPECT_EQ(second.state(State::cpl).changes.back().at, 300u) << "how the next block begins";
  EXPECT_EQ(last.state(State::cpl).changes.back().at, 50u) << "there is no next one";
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
