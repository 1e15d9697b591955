// The 21064: each input counts its event as in sys/pfcntr.h and pfm(7) and no similar event, in exact halves; the
// dividers cannot be preset or stopped.
#include "testbench/tests/pmu_alpha/bench.h"

namespace pmusim::testing::ev4 {
namespace {

namespace d = activity::detail;

constexpr RegisterId iccsr = ipr(0x02), hirr = ipr(0x0c), hier = ipr(0x10), sl_clr = ipr(0x13), option = ipr(0x100);
constexpr std::uint64_t pc1 = 1, pc0 = 8;
constexpr std::uint64_t mux0(unsigned select) { return field(8, select); }
constexpr std::uint64_t mux1(unsigned select) { return field(32, select); }

/// The count of counter i after the activity, in halves.
std::uint64_t halves(unsigned counter, unsigned select, const Activity& activity, Flips flips = {}) {
  auto m = make_ev4(flips);
  put(*m, iccsr, counter == 0 ? mux0(select) : mux1(select));
  consume_both(*m, activity.block());
  return m->probe(counter).value;
}

/// One cycle for each element, with that number of issued instructions.
Activity issues(const std::vector<unsigned>& instructions) {
  Activity activity(instructions.size());
  for (std::size_t at = 0; at < instructions.size(); ++at) {
    for (unsigned i = 0; i < instructions[at]; ++i) activity.occur(Signal::issue, at, 0, activity.instruction(0));
  }
  return activity;
}

struct Case {
  unsigned counter, select;
  Stimulus counts, nearest;
};

TEST(Ev4, EachInputCountsItsOwn) {
  const auto load = of_kind("load", Signal::issue, Kind::load);
  const auto store = of_kind("store", Signal::issue, Kind::store);
  const auto operate = of_kind("operate", Signal::issue, Kind::integer_operate);
  const auto fp = of_kind("fp operate", Signal::issue, Kind::fp_operate);
  const auto probe = [](unsigned detail) { return occurrence("probe", Signal::dcache_lookup, detail); };
  const std::vector<Case> cases{
      {0, 0x2, stall("refill", IssueStall::no_instructions), stall("register", IssueStall::registers)},
      {0, 0x2, stall("drain", IssueStall::trap), stall("barrier", IssueStall::memory_barrier)},
      {0, 0x4, load, store},
      {0, 0x4, occurrence("load again", Signal::replay_trap, unsigned(activity::alpha::Replay::load_missed)),
       occurrence("no room", Signal::replay_trap, unsigned(activity::alpha::Replay::miss_file_full))},
      {0, 0x6, stall("register", IssueStall::registers), stall("refill", IssueStall::no_instructions)},
      {0, 0x6, stall("load miss", IssueStall::load_miss), stall("drain", IssueStall::trap)},
      {0, 0x6, stall("write buffer", IssueStall::write_buffer), stall("issue", IssueStall::issuing)},
      {0, 0x6, stall("jump", IssueStall::after_jump), stall("refill", IssueStall::no_instructions)},
      {0, 0x6, stall("barrier", IssueStall::memory_barrier), stall("refill", IssueStall::no_instructions)},
      {0, 0x6, stall("unit", IssueStall::unit_busy), stall("refill", IssueStall::no_instructions)},
      {0, 0x8, of_kind("conditional", Signal::issue, Kind::conditional_branch), operate},
      {0, 0x8, of_kind("br", Signal::issue, Kind::unconditional_branch), of_kind("pal", Signal::issue, Kind::call_pal)},
      {0, 0x8, of_kind("jsr", Signal::issue, Kind::jump), of_kind("branch", Signal::retire, Kind::jump)},
      {0, 0x8, of_kind("hw_rei", Signal::issue, Kind::pal_return), operate},
      {0, 0xe, occurrence("pin 0", Signal::pin_assert, 0), occurrence("pin 1", Signal::pin_assert, 1)},
      {1, 0, probe(d::access_load | d::lookup_miss), probe(d::access_load | d::lookup_hit)},
      {1, 0, probe(d::access_load | d::lookup_hit | activity::alpha::detail::access_delayed),
       probe(d::access_load | d::lookup_miss | d::access_walk)},
      {1, 1, occurrence("miss", Signal::fetch, d::lookup_miss), occurrence("hit", Signal::fetch, d::lookup_hit)},
      {1, 1, occurrence("miss", Signal::fetch, d::lookup_miss),
       occurrence("prefetch", Signal::fetch, d::lookup_miss | d::access_prefetch)},
      {1, 3, occurrence("wrong", Signal::branch_resolved, d::branch_predicted),
       occurrence("right", Signal::branch_resolved, d::branch_predicted | d::branch_correct)},
      {1, 4, fp, of_kind("fp load", Signal::issue, Kind::load, Kind::floating)},
      {1, 5, operate, fp},
      {1, 5, of_kind("lda", Signal::issue, Kind::load_address), load},
      {1, 6, store, load},
      {1, 7, occurrence("pin 1", Signal::pin_assert, 1), occurrence("pin 0", Signal::pin_assert, 0)},
  };
  for (const Case& c : cases) {
    const unsigned events = c.counts.state != State::count_ ? 3 : 1;
    EXPECT_EQ(halves(c.counter, c.select, with(c.counts)), 2 * events) << c.select << ": " << c.counts.what;
    EXPECT_EQ(halves(c.counter, c.select, with(c.nearest)), 0u) << c.select << ": " << c.nearest.what;
  }
}

TEST(Ev4, StatesThatAreEvents) {
  Activity activity(20);
  activity.change(State::pal_mode, 3, 1).change(State::pal_mode, 10, 0);
  EXPECT_EQ(halves(0, 0xa, activity), 2 * 20u);
  EXPECT_EQ(halves(0, 0xb, activity), 2 * 7u);
}

TEST(Ev4, HalvesAreExact) {
  const Activity activity = issues({0, 1, 2, 1, 1, 2, 0, 1});
  EXPECT_EQ(halves(0, 0x0, activity), 0u + 1 + 2 + 1 + 1 + 2 + 0 + 1);
  EXPECT_EQ(halves(0, 0xc, activity), 8u * 2 - 8) << "issues and non-issues make the cycles";
  EXPECT_EQ(halves(1, 2, activity), 2 * 2u) << "two cycles with two instructions";
  EXPECT_EQ(halves(0, 0x0, activity, {{"pmu.half_counts", "dropped"}}), 2 * 2u);
  EXPECT_EQ(halves(0, 0xc, activity, {{"pmu.half_counts", "dropped"}}), 2 * 2u);
}

TEST(Ev4, Bit0OfTheSelectMattersForCyclesAndPalmodeOnly) {
  const Activity activity = issues({2, 2, 1});
  for (const unsigned even : {0x0u, 0x2u, 0x4u, 0x6u, 0x8u, 0xcu, 0xeu}) {
    EXPECT_EQ(halves(0, even, activity), halves(0, even + 1, activity)) << even;
  }
  EXPECT_NE(halves(0, 0xa, activity), halves(0, 0xb, activity));
  EXPECT_EQ(halves(0, 0x1, activity, {{"pmu.mux0_low_bit", "decoded"}}), 0u);
  EXPECT_EQ(halves(0, 0xa, activity, {{"pmu.mux0_low_bit", "decoded"}}), 2 * 3u);
}

TEST(Ev4, PeriodsAreTapsOfTheDividers) {
  const auto requests = [](std::uint64_t value, Cycle cycles, std::uint64_t bit) {
    auto m = make_ev4();
    put(*m, iccsr, value);
    Activity activity(cycles);
    if (bit == 0x100) {  // counter 1: one event per cycle
      for (Cycle at = 0; at < cycles; ++at) activity.occur(Signal::pin_assert, at, 1);
    }
    m->consume(activity.block(), 0, cycles);
    return (get(*m, hirr) & bit) != 0;
  };
  EXPECT_FALSE(requests(mux0(0xa), 65535, 0x200));
  EXPECT_TRUE(requests(mux0(0xa), 65536, 0x200));
  EXPECT_FALSE(requests(mux0(0xa) | pc0, 4095, 0x200));
  EXPECT_TRUE(requests(mux0(0xa) | pc0, 4096, 0x200));
  EXPECT_FALSE(requests(mux1(7) | mux0(2), 4095, 0x100));
  EXPECT_TRUE(requests(mux1(7) | mux0(2), 4096, 0x100));
  EXPECT_FALSE(requests(mux1(7) | pc1, 255, 0x100));
  EXPECT_TRUE(requests(mux1(7) | pc1, 256, 0x100));
}

// The pins rise in cycles 2, 3, 9, 10 and 30: with a sampling clock of 8 cycles, those of 3 and 10 are in a clock that
// already has one.
TEST(Ev4, PinsAreLookedAtAtAClock) {
  Activity activity(40);
  activity.state(State::process_marked, 0).change(State::process_marked, 10, 1);
  for (const unsigned pin : {0u, 1u}) {
    for (const Cycle at : {2u, 3u, 9u, 10u, 30u})
      activity.occur(Signal::pin_assert, at, static_cast<std::uint16_t>(pin));
  }
  for (const unsigned counter : {0u, 1u}) {
    const unsigned select = counter == 0 ? 0xe : 7;
    EXPECT_EQ(halves(counter, select, activity), 2 * 5u);
    EXPECT_EQ(halves(counter, select, activity, {{"pmu.pin_clock", "8"}}), 2 * 3u);
    EXPECT_EQ(halves(counter, select, activity, {{"pmu.pin_clock", "64"}}), 2 * 1u);
    auto m = make_ev4({{"pmu.pin_clock", "8"}});
    put(*m, iccsr, counter == 0 ? mux0(select) : mux1(select));
    put(*m, option, 2);
    consume_both(*m, activity.block());
    EXPECT_EQ(m->probe(counter).value, 2 * 1u) << "what is marked at 10 was seen at 9, when it was not";
  }
}

TEST(Ev4, AWriteLeavesTheDividersAlone) {
  auto m = make_ev4();
  put(*m, iccsr, mux0(0xa));
  m->consume(Activity(4000).block(), 0, 4000);
  put(*m, iccsr, mux0(0xa) | pc0);
  m->consume(Activity(4100).block(), 4000, 4096);
  EXPECT_EQ(get(*m, hirr), 0x200u) << "4000 + 96 cycles";
}

TEST(Ev4, DisabledCountersGoOnCounting) {
  auto m = make_ev4();
  put(*m, iccsr, mux0(0xa) | pc0);
  put(*m, hier, 0);
  const Observed seen = consume_both(*m, Activity(5000).block());
  EXPECT_TRUE(seen.requests.empty());
  EXPECT_EQ(get(*m, hirr), 0x200u);
  put(*m, sl_clr, 0x100);
  EXPECT_EQ(get(*m, hirr), 0x200u) << "1 leaves the request";
  put(*m, sl_clr, 0x8000);
  EXPECT_EQ(get(*m, hirr), 0u) << "0 clears it";
}

TEST(Ev4, MarkedProcesses) {
  Activity activity(30);
  activity.change(State::process_marked, 10, 1).change(State::process_marked, 14, 0);
  const auto cycles = [&](std::uint64_t says, Flips flips = {}) {
    auto m = make_ev4(flips);
    put(*m, iccsr, mux0(0xa));
    put(*m, option, says);
    consume_both(*m, activity.block());
    return m->probe(0).value / 2;
  };
  EXPECT_EQ(cycles(1), 30u);
  EXPECT_EQ(cycles(2), 4u);
  EXPECT_EQ(cycles(3), 30u);
  EXPECT_EQ(cycles(0), 30u);
  EXPECT_EQ(cycles(0, {{"pmu.no_log_option", "marked"}}), 4u);
  EXPECT_EQ(cycles(2, {{"pmu.selective_counting", "system"}}), 30u);
}

TEST(Ev4, ChoicesOfInputs) {
  const auto store = occurrence("store", Signal::dcache_lookup, d::access_store | d::lookup_miss);
  EXPECT_EQ(halves(1, 0, with(store)), 2u);
  const auto drain = stall("drain", IssueStall::trap), refill = stall("refill", IssueStall::no_instructions);
  EXPECT_EQ(halves(0, 0x2, with(drain), {{"pmu.trap_cycles", "neither"}}), 0u);
  EXPECT_EQ(halves(0, 0x6, with(drain), {{"pmu.trap_cycles", "neither"}}), 0u);
  EXPECT_EQ(halves(0, 0x2, with(refill), {{"pmu.trap_cycles", "neither"}}), 2 * 3u);
  const auto pins = several(occurrence("pin", Signal::pin_assert, 0), 3);
  EXPECT_EQ(halves(0, 0xe, with(pins)), 2u);
  EXPECT_EQ(halves(0, 0xe, with(pins), {{"pmu.increment_limit", "none"}}), 6u);
}

TEST(Ev4, OnlyPalcodeReachesTheRegisters) {
  auto m = make_ev4();
  EXPECT_EQ(m->read(iccsr, {3}).fault, pmu::Fault::illegal_instruction);
  EXPECT_EQ(m->write(iccsr, 0, {1}).fault, pmu::Fault::illegal_instruction);
  EXPECT_EQ(m->read(ipr(0x77), {}).fault, pmu::Fault::illegal_instruction);
}

}  // namespace
}  // namespace pmusim::testing::ev4
