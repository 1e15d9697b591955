// The cycle in which an interrupt is taken, the state that its handler sees, and the program's own accesses.
#include "models/pmu/follower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/tests/pmu_shell/activity_builder.h"
#include "testbench/tests/pmu_shell/toy_monitor.h"

namespace pmusim::testing {
namespace {

using activity::State;
using pmu::Space;
using ::testing::HasSubstr;

/// A follower that counts event `event` (see ToyMonitor) with interrupt, `events` before the overflow.
pmu::Follower armed(std::uint32_t event, unsigned events, Cycle skid) {
  pmu::Follower follower(std::make_unique<ToyMonitor>(skid));
  follower.monitor().write(select0, event | ToyMonitor::interrupt, {});
  follower.monitor().write(count0, ToyMonitor::modulus - events, {});
  return follower;
}

TEST(Follower, StopsBehindTheRequestAndBehindTheBoundary) {
  ActivityBuilder a(100);
  a.retire(2, 0x100).retire(13, 0x104).retire(14, 0x108).retire(40, 0x10c);
  // The clock overflows after 11 cycles: in cycle 10. Skid 3: the interrupt is taken after the first cycle from 13 on
  // in which an instruction retires.
  pmu::Follower follower = armed(2, 11, 3);
  pmu::Stop stop = follower.advance(a.block(), 100);
  EXPECT_EQ(stop.at, 11u);
  EXPECT_TRUE(stop.line_changed);
  EXPECT_FALSE(stop.taking);
  stop = follower.advance(a.block(), 100);
  EXPECT_EQ(stop.at, 14u);
  ASSERT_TRUE(stop.taking);
  const pmu::EntryState entry = follower.take(a.block());
  EXPECT_EQ(entry.cycle, 14u);
  EXPECT_EQ(entry.requested, 10u);
  EXPECT_EQ(entry.last_ip, 0x104u);
  EXPECT_EQ(entry.pc, 0x108u);
  EXPECT_FALSE(follower.line());
  EXPECT_EQ(follower.advance(a.block(), 100).at, 100u);
}

TEST(Follower, OneCycleMoreSkidWaitsForTheNextBoundary) {
  ActivityBuilder a(100);
  a.retire(13, 0x104).retire(40, 0x108);
  pmu::Follower follower = armed(2, 11, 4);  // earliest after cycle 14: the next boundary is 40
  follower.advance(a.block(), 100);
  EXPECT_EQ(follower.advance(a.block(), 100).at, 41u);
}

TEST(Follower, WaitsForTheEnablingLevel) {
  ActivityBuilder a(100);
  for (std::uint32_t at = 0; at < 100; ++at) a.retire(at, 4 * at);
  a.change(State::interrupt_flag, 5, 0).change(State::interrupt_flag, 60, 1);
  pmu::Follower follower = armed(2, 11, 0);
  EXPECT_EQ(follower.advance(a.block(), 100).at, 11u);
  const pmu::Stop stop = follower.advance(a.block(), 100);
  EXPECT_TRUE(stop.taking);
  EXPECT_EQ(stop.at, 61u);  // after cycle 60, the first with IF = 1
}

TEST(Follower, WithoutSkidItIsTakenBehindTheRequestingCycle) {
  ActivityBuilder a(20);
  a.retire(7, 0x200);
  pmu::Follower follower = armed(1, 1, 0);
  const pmu::Stop stop = follower.advance(a.block(), 20);
  EXPECT_EQ(stop.at, 8u);
  EXPECT_TRUE(stop.taking);
}

TEST(Follower, AStoppedClockIsABoundary) {
  ActivityBuilder a(1000);
  a.retire(3, 0x300).change(State::clock, 500, 0);
  pmu::Follower follower = armed(2, 11, 2);
  follower.advance(a.block(), 1000);
  EXPECT_EQ(follower.advance(a.block(), 1000).at, 501u);
  EXPECT_EQ(follower.take(a.block()).pc, 0x304u);
}

TEST(Follower, KeepsTheRequestAndTheLastInstructionAcrossBlocks) {
  ActivityBuilder first(20), second(20, 20);
  first.retire(4, 0x400);
  second.state(State::interrupt_flag).initial = 0;
  second.change(State::interrupt_flag, 6, 1).change(State::clock, 10, 0);
  pmu::Follower follower = armed(2, 11, 2);
  while (follower.consumed() < 20) follower.advance(first.block(), 20);
  const pmu::Stop stop = follower.advance(second.block(), 40);
  EXPECT_TRUE(stop.taking);
  EXPECT_EQ(stop.at, 31u);
  EXPECT_EQ(follower.take(second.block()).last_ip, 0x400u);
}

TEST(Follower, QuietCyclesEndWithTheEarliestTaking) {
  ActivityBuilder a(100);
  a.retire(30, 0x500);
  pmu::Follower follower = armed(2, 33, 5);  // 32 more counts cannot overflow; at most 16 per cycle: 2 cycles
  EXPECT_EQ(follower.quiet_cycles(), 2u + 5u);
  follower.advance(a.block(), 40);  // the request comes in cycle 32
  EXPECT_EQ(follower.consumed(), 33u);
  EXPECT_EQ(follower.quiet_cycles(), 4u);  // cycles 33 to 36; it may be taken after 37
}

TEST(Follower, ProgramReadsBeforeItsCycleAndWritesAtItsEnd) {
  ActivityBuilder a(10);
  a.access(4, "count0", false).access(6, "Count0", true, 100).access(8, "Count0", false);
  pmu::Follower follower(std::make_unique<ToyMonitor>());
  follower.monitor().write(select0, 2, {});  // counts the clock
  follower.advance(a.block(), 10);
  const std::vector<pmu::AccessReport> reports = follower.take_reports();
  ASSERT_EQ(reports.size(), 3u);
  EXPECT_EQ(reports[0].name, "Count0");
  EXPECT_EQ(reports[0].value, 4u);    // cycles 0 to 3
  EXPECT_EQ(reports[2].value, 101u);  // 100 after cycle 6, and cycle 7
  EXPECT_EQ(follower.monitor().read(count0, {}).value, 103u);
  EXPECT_TRUE(follower.take_reports().empty());
}

TEST(Follower, AFaultIsReportedAndChangesNothing) {
  ActivityBuilder a(10);
  a.state(State::cpl).initial = 3;
  a.access(4, "Count0", true, 100);
  pmu::Follower follower(std::make_unique<ToyMonitor>());
  follower.monitor().write(select0, 2, {});
  follower.advance(a.block(), 10);
  EXPECT_EQ(follower.take_reports().at(0).fault, pmu::Fault::general_protection);
  EXPECT_EQ(follower.monitor().read(count0, {}).value, 10u);
}

TEST(Follower, NamesTheRegisterThatIsNotThere) {
  ActivityBuilder a(10);
  a.access(4, "PMC9", false);
  pmu::Follower follower(std::make_unique<ToyMonitor>());
  EXPECT_THAT([&] { follower.advance(a.block(), 10); },
              ::testing::ThrowsMessage<std::invalid_argument>(
                  ::testing::AllOf(HasSubstr("'PMC9'"), HasSubstr("cycle 4"), HasSubstr("Select0, Select1, Count0"))));
}

}  // namespace
}  // namespace pmusim::testing
