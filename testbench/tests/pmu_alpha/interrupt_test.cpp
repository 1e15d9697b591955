// Conditions for the counters' interrupts: outside PALcode, below IPL 6, some cycles after the overflow, one for each
// counter that overflowed.
#include "models/pmu/follower.h"
#include "testbench/tests/pmu_alpha/bench.h"

namespace pmusim::testing {
namespace {

constexpr RegisterId pmctr = ipr(0x11c), icsr = ipr(0x118), isr = ipr(0x100);

/// Counter 0 of a 21164 that overflows in its tenth cycle, cycle 9.
std::unique_ptr<Monitor> overflowing(Flips flips = {}) {
  auto m = make_ev5(flips);
  put(*m, icsr, 0x100);
  put(*m, pmctr, field(48, 0x10000 - 10) | field(14, 2));
  return m;
}

/// An instruction retires in each cycle.
Activity running(Cycle cycles) {
  Activity activity(cycles);
  for (Cycle at = 0; at < cycles; ++at) {
    activity::InstructionRecord record;
    record.ip = 0x1000 + 4 * at;
    record.next_ip = record.ip + 4;
    activity.occur(Signal::retire, at, 0, activity.add(record, {}));
  }
  return activity;
}

pmu::EntryState taken(std::unique_ptr<Monitor> monitor, const Activity& activity) {
  pmu::Follower follower(std::move(monitor));
  while (follower.consumed() < activity.block().end) {
    if (follower.advance(activity.block(), activity.block().end).taking) return follower.take(activity.block());
  }
  return {};
}

TEST(AlphaInterrupt, SixCyclesBehindTheOverflow) {
  const pmu::EntryState entry = taken(overflowing(), running(40));
  EXPECT_EQ(entry.requested, 9u);
  EXPECT_EQ(entry.cycle, 9u + 6 + 1);
  EXPECT_EQ(entry.pc, 0x1000u + 4 * 16) << "the instruction after the last one";
  EXPECT_EQ(taken(overflowing({{"pmu.interrupt_skid", "0"}}), running(40)).cycle, 10u);
}

TEST(AlphaInterrupt, WaitsForPalcodeAndTheLevel) {
  Activity in_pal = running(60);
  in_pal.change(State::pal_mode, 5, 1).change(State::pal_mode, 30, 0);
  EXPECT_EQ(taken(overflowing(), in_pal).cycle, 31u);
  for (const std::uint64_t level : {5u, 6u, 7u}) {
    Activity raised = running(60);
    raised.change(State::ipl, 5, level).change(State::ipl, 30, 0);
    EXPECT_EQ(taken(overflowing(), raised).cycle, level < 6 ? 16u : 31u) << level;
  }
}

/// Instructions retire in the first four cycles, then none until `again`.
Activity stalling(Cycle again, Cycle cycles) {
  Activity activity(cycles);
  for (Cycle at = 0; at < cycles; ++at) {
    if (at >= 4 && at < again) continue;
    activity::InstructionRecord record;
    record.ip = 0x1000 + 4 * at;
    record.next_ip = record.ip + 4;
    activity.occur(Signal::retire, at, 0, activity.add(record, {}));
  }
  return activity;
}

// The overflow is in cycle 9, and the interrupt is taken after cycle 9 + 6 although no instruction retires: before the
// instruction after the last retired one.
TEST(AlphaInterrupt, AtTheHeadOfIssueWhetherAnythingRetires) {
  const pmu::EntryState entry = taken(overflowing(), stalling(40, 60));
  EXPECT_EQ(entry.cycle, 16u);
  EXPECT_EQ(entry.pc, 0x1000u + 4 * 4);
  EXPECT_TRUE(entry.pc_valid);
  Activity raised = stalling(40, 60);
  raised.change(State::ipl, 5, 7).change(State::ipl, 21, 0);
  EXPECT_EQ(taken(overflowing(), raised).cycle, 22u);
  Activity nothing(60);
  activity::InstructionRecord first;
  first.next_ip = 0x2000;
  nothing.occur(Signal::retire, 30, 0, nothing.add(first, {}));
  EXPECT_EQ(taken(overflowing(), nothing).cycle, 31u) << "no PC is known before";
  EXPECT_EQ(taken(overflowing(), nothing).pc, 0x2000u);
}

TEST(AlphaInterrupt, A21264TakesItAtRetirementOrInIdleTime) {
  const auto overflowing_ev6 = [] {
    auto m = make_ev6();
    put(*m, ipr(0x11), field(18, 1) | 1);          // I_CTL: PCT0_EN, SPCE
    put(*m, ipr(0x0b), field(29, 1));              // IER_CM
    put(*m, ipr(0x14), field(28, 0x100000 - 10));  // PCTR_CTL: cycles
    return m;
  };
  EXPECT_EQ(taken(overflowing_ev6(), stalling(40, 60)).cycle, 41u);
  Activity idle = stalling(40, 60);
  idle.change(State::idle_thread, 20, 1).change(State::idle_thread, 30, 0);
  EXPECT_EQ(taken(overflowing_ev6(), idle).cycle, 21u);
}

TEST(AlphaInterrupt, OneForEachCounter) {
  auto m = make_ev5();
  put(*m, icsr, 0x100);
  put(*m, pmctr, field(48, 0x10000 - 10) | field(16, 0x4000 - 10) | field(14, 2) | field(10, 2) | 0xc);
  const Activity activity = running(40);
  EXPECT_FALSE(pmu::alpha_interrupted_counter(*m).has_value());
  pmu::Consumed done = m->consume(activity.block(), 0, 40);
  ASSERT_TRUE(done.interrupt_request);
  EXPECT_EQ(done.reached, 10u);
  EXPECT_EQ(get(*m, isr), field(27, 1) | field(29, 1));
  m->interrupt_taken();
  EXPECT_EQ(pmu::alpha_interrupted_counter(*m), 2u) << "the highest number first";
  EXPECT_EQ(get(*m, isr), field(27, 1)) << "the other one asks again";
  done = m->consume(activity.block(), 10, 40);
  ASSERT_TRUE(done.interrupt_request);
  EXPECT_EQ(done.reached, 11u);
  m->interrupt_taken();
  EXPECT_EQ(pmu::alpha_interrupted_counter(*m), 0u);
  EXPECT_FALSE(m->consume(activity.block(), 11, 40).interrupt_request);
}

TEST(AlphaInterrupt, AClearedRequestIsNotTaken) {
  auto m = overflowing();
  const Activity activity = running(40);
  ASSERT_TRUE(m->consume(activity.block(), 0, 40).interrupt_request);
  EXPECT_TRUE(m->interrupt_pending());
  put(*m, ipr(0x115), field(28, 1));
  EXPECT_TRUE(m->interrupt_pending()) << "another counter's";
  put(*m, ipr(0x115), field(27, 1));
  EXPECT_FALSE(m->interrupt_pending());
}

TEST(AlphaInterrupt, QuietCyclesAreQuiet) {
  for (const unsigned left : {1u, 2u, 9u, 1000u}) {
    auto m = make_ev5();
    put(*m, icsr, 0x100);
    put(*m, pmctr, field(48, 0x10000 - left) | field(14, 2) | field(31, 1));
    Activity busy(1200);
    for (Cycle at = 0; at < 1200; ++at) busy.occur(Signal::issue, at, 0, activity::no_ref, 4);
    const Cycle quiet = m->quiet_cycles();
    const pmu::Consumed done = m->consume(busy.block(), 0, 1200);
    EXPECT_LE(quiet, done.reached - 1) << left;
    EXPECT_EQ(done.reached, (left + 3) / 4) << left;
  }
}

TEST(AlphaInterrupt, DisabledRequestsWait) {
  auto m = make_ev4();
  put(*m, ipr(0x02), field(8, 0xa) | 8);
  m->consume(Activity(4200).block(), 0, 4200);
  EXPECT_FALSE(m->interrupt_pending());
  put(*m, ipr(0x10), 0x8100);
  EXPECT_TRUE(m->consume(Activity(4300).block(), 4200, 4300).interrupt_request) << "still in HIRR when it is enabled";
}

}  // namespace
}  // namespace pmusim::testing
