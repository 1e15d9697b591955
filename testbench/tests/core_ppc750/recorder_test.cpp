// The recorder obeys the rules of activity blocks.
#include "models/core/parts/recorder.h"

#include <gtest/gtest.h>

namespace pmusim::core {
namespace {

constexpr auto retire = static_cast<std::size_t>(Signal::retire);
constexpr auto msr = static_cast<std::size_t>(State::msr);

TEST(Recorder, NamesARecordOncePerBlockAsItWasLast) {
  Recorder recorder;
  Block block;
  NamedInstruction i;
  i.record.id = 7;
  recorder.open(block, 0);
  recorder.begin_cycle(2);
  recorder.occur(Signal::dispatch, i);
  i.record.taken = true;
  recorder.begin_cycle(5);
  recorder.occur(Signal::retire, i);
  recorder.close(10);
  ASSERT_EQ(block.instructions.size(), 1u);
  EXPECT_TRUE(block.instructions[0].taken);
  EXPECT_EQ(block.columns[retire][0].at, 5u);
  EXPECT_EQ(block.end, 10u);

  block.restart(10);
  recorder.open(block, 10);
  recorder.begin_cycle(11);
  recorder.occur(Signal::retire, i);
  recorder.close(12);
  ASSERT_EQ(block.instructions.size(), 1u) << "the second block must hold the record too";
  EXPECT_EQ(block.instructions[0].id, 7u);
}

TEST(Recorder, StatesChangeOnlyWhereTheValueDoes) {
  Recorder recorder;
  Block block;
  recorder.open(block, 0);
  recorder.begin_cycle(0);
  recorder.set(State::msr, 1);  // cycle 0: the initial value
  recorder.begin_cycle(3);
  recorder.set(State::msr, 2);
  recorder.set(State::msr, 1);  // restored in the same cycle: no change is recorded
  recorder.begin_cycle(4);
  recorder.set(State::msr, 3);
  recorder.set(State::msr, 4);  // the last one of a cycle wins
  recorder.close(6);
  EXPECT_EQ(block.states[msr].initial, 1u);
  ASSERT_EQ(block.states[msr].changes.size(), 1u);
  EXPECT_EQ(block.states[msr].changes[0].at, 4u);
  EXPECT_EQ(block.states[msr].changes[0].value, 4u);
}

TEST(Recorder, AnnouncedStatesTakeEffectInTheNextCycleAlsoAcrossBlocks) {
  Recorder recorder;
  Block block;
  recorder.open(block, 0);
  recorder.begin_cycle(3);
  recorder.set_next(State::msr, 5);
  recorder.close(4);  // the block ends before cycle 4, and records the next value
  ASSERT_EQ(block.states[msr].changes.size(), 1u);
  EXPECT_EQ(block.states[msr].changes[0].at, 4u);
  EXPECT_EQ(block.state_at(State::msr, 3), 0u);
  EXPECT_EQ(block.state_at(State::msr, 4), 5u);
  block.restart(4);
  recorder.open(block, 4);
  recorder.close(6);
  EXPECT_EQ(block.states[msr].initial, 5u);

  Recorder other;
  Block whole;
  other.open(whole, 0);
  other.begin_cycle(3);
  other.set_next(State::msr, 5);
  other.close(6);  // no further begin_cycle()
  ASSERT_EQ(whole.states[msr].changes.size(), 1u);
  EXPECT_EQ(whole.states[msr].changes[0].at, 4u);
}

TEST(Recorder, RegisterAccessesNameTheirInstruction) {
  Recorder recorder;
  Block block;
  NamedInstruction i;
  i.record.ip = 0x1000;
  recorder.open(block, 0);
  recorder.begin_cycle(9);
  recorder.access(i, {"MMCR0", true, 0x42});
  recorder.close(10);
  ASSERT_EQ(block.accesses.size(), 1u);
  EXPECT_EQ(block.accesses[0].at, 9u);
  EXPECT_STREQ(block.accesses[0].name.data(), "MMCR0");
  EXPECT_EQ(block.accesses[0].value, 0x42u);
  EXPECT_EQ(block.instructions.at(block.accesses[0].ref).ip, 0x1000u);
  const auto& column = block.column(Signal::register_access);
  ASSERT_EQ(column.size(), 1u);
  EXPECT_EQ(column[0].detail, activity::detail::register_write);
}

TEST(Recorder, RefusesABlockOfAnotherCycle) {
  Recorder recorder;
  Block block;
  EXPECT_THROW(recorder.open(block, 5), std::logic_error);
}

}  // namespace
}  // namespace pmusim::core
