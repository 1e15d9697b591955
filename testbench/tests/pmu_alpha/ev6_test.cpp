// The 21264, and the 21264A in aggregate mode: PCTR_CTL's counters, inputs and enables.
#include "models/alpha/wrperfmon.h"
#include "testbench/tests/pmu_alpha/bench.h"

namespace pmusim::testing::ev6 {
namespace {

namespace d = activity::detail;
namespace a = activity::alpha::detail;

constexpr RegisterId pctr_ctl = ipr(0x14), i_ctl = ipr(0x11), ier_cm = ipr(0x0b), isum = ipr(0x0d),
                     hw_int_clr = ipr(0x0e);
constexpr std::uint64_t spce = 1, both = field(18, 3);
constexpr unsigned shifts[] = {28, 6};
std::uint64_t counter(std::uint64_t value, unsigned i) { return value >> shifts[i] & 0xfffff; }

std::uint64_t counted(Make make, unsigned i, std::uint64_t selects, const Activity& activity, Flips flips = {},
                      std::uint64_t enables = spce | both) {
  auto m = make(flips);
  put(*m, i_ctl, enables);
  put(*m, pctr_ctl, selects);
  consume_both(*m, activity.block());
  return counter(get(*m, pctr_ctl), i);
}

Stimulus entry(Trap trap) { return occurrence("PALcode", Signal::pal_entry, static_cast<unsigned>(trap)); }

TEST(Ev6, EachInputCountsItsOwn) {
  struct Case {
    unsigned counter, select;
    Stimulus counts, nearest;
    unsigned events = 1;
  };
  const auto retired = of_kind("retired", Signal::retire, Kind::load);
  const auto replay = occurrence("replay", Signal::replay_trap, static_cast<unsigned>(Replay::load_load_order));
  const std::vector<Case> cases{
      {0, 1, retired, of_kind("issued", Signal::issue, Kind::load)},
      {1, 1, of_kind("beq", Signal::retire, Kind::conditional_branch),
       of_kind("br", Signal::retire, Kind::unconditional_branch)},
      {1, 3, entry(Trap::dtb_single), entry(Trap::dtb_double_3), 2},
      {1, 4, entry(Trap::dtb_double_3), entry(Trap::dtb_single)},
      {1, 4, entry(Trap::dtb_double_4), entry(Trap::itb_miss)},
      {1, 5, entry(Trap::itb_miss), entry(Trap::dtb_single)},
      {1, 6, entry(Trap::unaligned), entry(Trap::dstream_fault)},
      {1, 7, replay, entry(Trap::replay)},
  };
  for (const Case& c : cases) {
    const std::uint64_t select = c.counter == 0 ? field(4, c.select) : c.select;
    EXPECT_EQ(counted(make_ev6, c.counter, select, with(c.counts)), c.events) << c.select << c.counts.what;
    EXPECT_EQ(counted(make_ev6, c.counter, select, with(c.nearest)), 0u) << c.select << c.nearest.what;
  }
  const Activity idle(40);
  EXPECT_EQ(counted(make_ev6, 0, 0, idle), 40u);
  EXPECT_EQ(counted(make_ev6, 1, 0, idle), 40u);
  for (unsigned select = 8; select < 16; ++select) EXPECT_EQ(counted(make_ev6, 1, select, idle), 0u) << select;
}

TEST(Ev6, MispredictsCountCycles) {
  Stimulus h = of_kind("beq", Signal::retire, Kind::conditional_branch);
  EXPECT_EQ(counted(make_ev6, 1, 2, with(h)), 12u);
  EXPECT_EQ(counted(make_ev6, 1, 2, with(h), {{"pmu.ret_mispredicts", "retired"}}), 0u);
  h.mispredicted = true;
  EXPECT_EQ(counted(make_ev6, 1, 2, with(h), {{"pmu.ret_mispredicts", "retired"}}), 1u);
}

// 6.10.2: PCTR0 adds at most eight per cycle; the rest of a larger burst of retirement is added in later cycles.
TEST(Ev6, BurstsOfRetirementAreNotLost) {
  const auto first_request = [](std::initializer_list<unsigned> bursts, unsigned start) -> Cycle {
    auto m = make_ev6();
    put(*m, i_ctl, spce | both);
    put(*m, ier_cm, field(29, 1));
    put(*m, pctr_ctl, field(28, 0x100000 - start) | 0x10);
    Activity activity(20);
    Cycle at = 0;
    for (const unsigned n : bursts) activity.occur(Signal::retire, at++, 0, activity::no_ref, n);
    const Observed seen = consume_both(*m, activity.block());
    return seen.requests.empty() ? activity::never : seen.requests.front();
  };
  EXPECT_EQ(first_request({11, 11, 11}, 16), 1u);
  EXPECT_EQ(first_request({11, 11, 11}, 17), 2u) << "22 have retired, 16 are counted";
  EXPECT_EQ(first_request({11, 11, 11}, 32), 3u);
  EXPECT_EQ(first_request({11, 11, 11}, 33), 4u) << "the 33rd comes in the fifth cycle";
  EXPECT_EQ(first_request({11, 11, 11}, 34), activity::never);
  EXPECT_EQ(counted(make_ev6, 0, 0x10, with(several(occurrence("burst", Signal::retire), 11))), 11u);
}

// PCTR1 adds at most four branches per cycle, and the others in the following cycles.
TEST(Ev6, BranchesBeyondFourACycleAreCarried) {
  const Stimulus branch = of_kind("branch", Signal::retire, Kind::conditional_branch);
  EXPECT_EQ(counted(make_ev6, 1, 1, with(several(branch, 6))), 6u);
  EXPECT_EQ(counted(make_ev6, 1, 1, with(several(branch, 11))), 11u);
  EXPECT_EQ(counted(make_ev6, 1, 1, with(several(of_kind("load", Signal::retire, Kind::load), 6))), 0u);
}

TEST(Ev6, Enables) {
  Activity activity(30);
  activity.change(State::process_marked, 10, 1).change(State::process_marked, 14, 0);
  for (const unsigned i : {0u, 1u}) {
    EXPECT_EQ(counted(make_ev6, i, 0, activity, {}, spce | field(18 + i, 1)), 30u);
    EXPECT_EQ(counted(make_ev6, i, 0, activity, {}, spce | field(19 - i, 1)), 0u) << "the other's enable";
    EXPECT_EQ(counted(make_ev6, i, 0, activity, {}, both), 4u) << "without SPCE: marked processes";
  }
}

TEST(Ev6, Pctr0IsReadWithItsSign) {
  auto m = make_ev6();
  put(*m, pctr_ctl, field(28, 0x80000));
  EXPECT_EQ(get(*m, pctr_ctl), 0xffff'8000'0000'0000u);
  put(*m, pctr_ctl, field(28, 0x7ffff) | 0x17);
  EXPECT_EQ(get(*m, pctr_ctl), 0x0000'7fff'f000'0017u);
}

// 6.10: a disabled counter may show the output of its adder.
TEST(Ev6, ACounterThatIsOffMayShowAnIncrement) {
  for (const Make make : {make_ev6, make_ev67}) {
    for (const bool shown : {false, true}) {
      auto m = make(shown ? Flips{{"pmu.counter_read", "incremented"}} : Flips{});
      put(*m, i_ctl, spce | field(19, 1));  // PCTR1 counts, PCTR0 does not
      put(*m, pctr_ctl, field(28, 100) | field(6, 7) | (make == make_ev6 ? 0x10u : 0u));
      Activity activity(12);
      activity.occur(Signal::retire, 11, 0, activity.instruction(0), 6);
      consume_both(*m, activity.block());
      EXPECT_EQ(counter(get(*m, pctr_ctl), 0), 100u + (shown ? 4u : 0u)) << "at most four";
      EXPECT_EQ(counter(get(*m, pctr_ctl), 1), 7u + 12u) << "cycles";
      put(*m, pctr_ctl, 0);
      EXPECT_EQ(counter(get(*m, pctr_ctl), 0), 0u);
    }
  }
}

TEST(Ev6, WhereTheEnablesOfTheRequestsAre) {
  for (const bool elsewhere : {false, true}) {
    auto m = make_ev6(elsewhere ? Flips{{"pmu.ier_cm_pc", "elsewhere"}} : Flips{});
    put(*m, i_ctl, spce | both);
    put(*m, pctr_ctl, field(28, 0x100000 - 16));
    Activity activity(40);
    EXPECT_EQ(consume_both(*m, activity.block()).requests.empty(), !elsewhere) << "IER_CM is 0";
    EXPECT_EQ(get(*m, isum), elsewhere ? field(29, 1) : 0u);
    put(*m, ier_cm, field(29, 3));
    EXPECT_EQ(get(*m, ier_cm), field(29, 3));
    EXPECT_EQ(get(*m, isum), field(29, 1));
  }
}

TEST(Ev6, OverflowEveryMillion) {
  for (const unsigned i : {0u, 1u}) {
    auto m = make_ev6();
    put(*m, i_ctl, spce | field(18 + i, 1));
    put(*m, ier_cm, field(29, 3));
    const Cycle period = 1u << 20;
    const pmu::Consumed done = m->consume(Activity(period + 10).block(), 0, period + 10);
    EXPECT_TRUE(done.interrupt_request);
    EXPECT_EQ(done.reached, period);
    EXPECT_EQ(get(*m, isum), field(29 + i, 1));
    put(*m, hw_int_clr, field(30 - i, 1));
    EXPECT_EQ(get(*m, isum), field(29 + i, 1)) << "the other's bit clears nothing";
    put(*m, hw_int_clr, field(29 + i, 1));
    EXPECT_EQ(get(*m, isum), 0u);
  }
}

TEST(Ev6, AWriteAtTheThresholdRaisesARequest) {
  const auto isum_after = [](std::uint64_t value, Flips flips = {}) {
    auto m = make_ev6(flips);
    put(*m, ier_cm, field(29, 3));
    put(*m, pctr_ctl, value);
    put(*m, pctr_ctl, 0);
    return get(*m, isum) >> 29;
  };
  EXPECT_EQ(isum_after(field(28, 0x100000 - 16) | field(6, 0x100000 - 4)), 0u) << "the highest legal values";
  EXPECT_EQ(isum_after(field(28, 0x100000 - 15)), 1u);
  EXPECT_EQ(isum_after(field(6, 0x100000 - 3)), 2u);
  EXPECT_EQ(isum_after(field(28, 0xfffff), {{"pmu.threshold_write", "ignored"}}), 0u);
}

// 21264/EV67 manual, table 5-16: the events of the counters by SL1.
TEST(Ev67, AggregateModes) {
  Activity activity(20);
  for (const Cycle at : {3u, 4u, 9u}) activity.retire(at);
  activity.occur(Signal::l3_lookup, 6, d::side_data | d::access_load | d::lookup_miss);
  activity.occur(Signal::l3_lookup, 7, d::side_data | d::access_load | d::lookup_hit);
  activity.occur(Signal::system_command, 8, static_cast<std::uint16_t>(SystemCommand::probe));
  activity.occur(Signal::system_command, 9, static_cast<std::uint16_t>(SystemCommand::probe) | a::system_hit);
  for (const Cycle at : {1u, 2u, 3u, 4u, 5u}) activity.occur(Signal::replay_trap, at);
  const std::uint64_t expected[4][2] = {{3, 20}, {20, 0}, {3, 2}, {20, 5}};
  for (unsigned sl1 = 0; sl1 < 4; ++sl1) {
    for (unsigned i = 0; i < 2; ++i) {
      EXPECT_EQ(counted(make_ev67, i, field(2, sl1), activity), expected[sl1][i]) << sl1 << " counter " << i;
    }
  }
}

TEST(Ev67, TheUndefinedInputIsSaidToBeNone) {
  auto m = make_ev67();
  put(*m, pctr_ctl, field(2, 1));
  put(*m, i_ctl, spce | field(18, 1));
  EXPECT_TRUE(m->not_modelled().empty());
  put(*m, i_ctl, spce | both);
  EXPECT_EQ(m->not_modelled().size(), 1u);
  put(*m, pctr_ctl, field(2, 1) | 0x10);
  EXPECT_TRUE(m->not_modelled().empty()) << "ProfileMe: the retire delay";
}

// Values that may be written: PCTR0 0 to 2^20 - 16, PCTR1 0 to 2^20 - 4; a counter overflows at 2^20.
TEST(Ev6, TheShortestPeriodIsWhatTheLargestStartLeaves) {
  using namespace pmusim::pmu;
  for (const AlphaChip chip : {AlphaChip::ev6, AlphaChip::ev67}) {
    EXPECT_EQ(least_period(chip, ev6_counters[0]), 16u);
    EXPECT_EQ(least_period(chip, ev6_counters[1]), 4u);
  }
  EXPECT_EQ(least_period(AlphaChip::ev5, ev5_counters[0]), 1u);
}

}  // namespace
}  // namespace pmusim::testing::ev6
