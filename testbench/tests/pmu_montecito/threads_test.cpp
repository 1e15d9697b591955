// The thread whose occurrences a counter counts: the four event types, alone and with `all`, in the foreground and
// background.
#include "bench.h"

namespace pmusim::testing {
namespace {

/// Cycles 0-9 thread 0 is active, 10-29 thread 1, 30-34 thread 0.
constexpr Cycle first_switch = 10, second_switch = 30, length = 35;
constexpr Cycle in_foreground = first_switch + length - second_switch, in_background = second_switch - first_switch;

Activity two_threads() {
  Activity a(length);
  a.state(State::background_psr, psr::up | psr::i);
  a.change(State::thread, first_switch, 1).change(State::thread, second_switch, 0);
  return a;
}
/// Adds a request of a thread.
std::uint32_t request_of(Activity& a, unsigned thread) {
  const std::uint32_t r = a.request(0x8000);
  a.record(r).thread = static_cast<std::uint8_t>(thread);
  return r;
}
/// The counts of the monitors of threads 0 and 1.
using Pair = std::pair<std::uint64_t, std::uint64_t>;
Pair both(const Activity& a, std::uint64_t value, Flips flips = {}) {
  std::uint64_t counts[2];
  for (unsigned thread = 0; thread < 2; ++thread) {
    auto m = make_with(
        [&] {
          models::Parameters p = pmu::montecito_pmu_parameters();
          p.set("pmu.thread", std::int64_t{thread});
          return p;
        }(),
        pmu::make_montecito_monitor, flips);
    program(*m, {value | any_level | every_state});
    consume_both(*m, a.block());
    counts[thread] = get(*m, pmd(4));
  }
  return {counts[0], counts[1]};
}

constexpr unsigned l2d_misses = 0xcb, bus_all_any = 0x87, l1i_snoop = 0x4a, loads = 0xcd;

TEST(Threads, CausalCyclesBelongToTheActiveThread) {
  const Activity a = two_threads();
  EXPECT_EQ(both(a, event(cycles)), Pair(in_foreground, in_background));
  EXPECT_EQ(both(a, event(cycles) | all), Pair(length, length));
}

TEST(Threads, CausalOccurrences) {
  // Snoops in cycles 5 (thread 0 active), 12, 13, 14 (thread 1), regardless of the thread of their instruction.
  Activity a = two_threads();
  for (const Cycle c : {5u, 12u, 13u, 14u})
    a.occur(Signal::l1i_snoop, c, 0, a.instruction({.thread = static_cast<unsigned>(c % 2)}));
  EXPECT_EQ(both(a, event(l1i_snoop)), Pair(1, 3));
  EXPECT_EQ(both(a, event(l1i_snoop) | all), Pair(4, 4));
}

TEST(Threads, ActiveOccurrences) {
  // Three loads of thread 0 retire before the switch, two of thread 1 after it, one of thread 0 at the end.
  Activity a = two_threads();
  for (const Cycle c : {2u, 3u, 9u, 10u, 29u, 30u})
    a.occur(Signal::access_retire, c, 0, request_of(a, c >= first_switch && c < second_switch ? 1 : 0));
  EXPECT_EQ(both(a, event(loads)), Pair(4, 2));
  EXPECT_EQ(both(a, event(loads) | all), Pair(6, 6));
}

TEST(Threads, FloatingOccurrencesBelongToTheirThread) {
  // Thread 0 misses in cycles 4, 12 and 13 (in the background), thread 1 in cycles 20 and 3 (in the background). The
  // misses in cycles 5 and 25 belong to no thread.
  Activity a = two_threads();
  const auto miss = [&](Cycle c, std::uint32_t ref) {
    a.occur(Signal::l2_lookup, c, d::side_data | d::lookup_miss, ref);
  };
  for (const Cycle c : {4u, 12u, 13u}) miss(c, request_of(a, 0));
  for (const Cycle c : {20u, 3u}) miss(c, request_of(a, 1));
  for (const Cycle c : {5u, 25u}) miss(c, activity::no_ref);
  EXPECT_EQ(both(a, event(l2d_misses)), Pair(3 + 1, 2 + 1));
  EXPECT_EQ(both(a, event(l2d_misses) | all), Pair(7, 7));
  const Flips only_active = {{"pmu.floating_background", "left_out"}};
  EXPECT_EQ(both(a, event(l2d_misses), only_active), Pair(1 + 1, 1 + 1));
}

TEST(Threads, LevelsBelongToNoThread) {
  // L2D_OZQ_FULL (floating) and L1I_RAB_FULL (causal) in cycles 8-13: 2 cycles of thread 0, 4 of thread 1.
  Activity a = two_threads();
  a.change(State::l2_queue, 8, ia64::l2_queue::data_full).change(State::l2_queue, 14, 0);
  a.change(State::fetch_buffers, 8, ia64::fetch_buffers::full).change(State::fetch_buffers, 14, 0);
  for (const unsigned code : {0xe9u, 0x60u}) {
    EXPECT_EQ(both(a, event(code)), Pair(2, 4)) << std::hex << code;
    EXPECT_EQ(both(a, event(code) | all), Pair(6, 6)) << std::hex << code;
  }
}

TEST(Threads, QualifiedByTheModeOfTheOriginatingThread) {
  // Thread 0 is at level 3, thread 1 at level 0; each has floating misses while active and in the background.
  Activity a = two_threads();
  a.state(State::cpl, 3).state(State::background_cpl, 0);
  a.change(State::cpl, first_switch, 0).change(State::cpl, second_switch, 3);
  a.change(State::background_cpl, first_switch, 3).change(State::background_cpl, second_switch, 0);
  const auto misses = [&](unsigned thread, Cycle foreground, Cycle background) {
    for (const Cycle c : {foreground, background})
      a.occur(Signal::l2_lookup, c, d::side_data | d::lookup_miss, request_of(a, thread));
  };
  misses(0, 5, 15);
  misses(1, 16, 6);
  const auto at_levels = [&](std::uint64_t plm, std::uint64_t more) {
    auto m = counting({event(l2d_misses) | plm | more, event(cycles) | plm | more});
    consume_both(*m, a.block());
    return Pair(get(*m, pmd(4)), get(*m, pmd(5)));
  };
  EXPECT_EQ(at_levels(8, 0), Pair(2, in_foreground)) << "own thread, at its level 3, in the background too";
  EXPECT_EQ(at_levels(1, 0), Pair(0, 0));
  EXPECT_EQ(at_levels(8, all), Pair(2, in_foreground)) << "only what thread 0 did";
  EXPECT_EQ(at_levels(1, all), Pair(2, in_background)) << "only what thread 1 did";
}

TEST(Threads, PsrOfTheOriginatingThread) {
  // PSR.up is 1 for thread 0 only.
  Activity a = two_threads();
  a.state(State::background_psr, 0);
  a.change(State::psr, first_switch, 0).change(State::psr, second_switch, psr::up);
  a.change(State::background_psr, first_switch, psr::up).change(State::background_psr, second_switch, 0);
  a.occur(Signal::l2_lookup, 15, d::side_data | d::lookup_miss, request_of(a, 0));
  a.occur(Signal::l2_lookup, 16, d::side_data | d::lookup_miss, request_of(a, 1));
  EXPECT_EQ(both(a, event(l2d_misses)), Pair(1, 0));
  EXPECT_EQ(both(a, event(l2d_misses) | all), Pair(1, 1));
  EXPECT_EQ(both(a, event(cycles) | all), Pair(in_foreground, in_foreground));
}

TEST(Threads, SelfFloatingForBothIsCausal) {
  // Thread 0 is in the background at level 3 when its transaction occurs: with all = 1 the active thread's level is
  // used, unless the parameter selects the other.
  Activity a = two_threads();
  a.change(State::background_cpl, first_switch, 3).change(State::background_cpl, second_switch, 0);
  a.occur(Signal::bus_transaction, 15, 0, request_of(a, 0));
  const auto at_level_0 = [&](std::uint64_t more, Flips flips) {
    auto m = counting({event(bus_all_any, 3) | 1 | more}, flips);
    consume_both(*m, a.block());
    return get(*m, pmd(4));
  };
  EXPECT_EQ(at_level_0(0, {}), 0u);
  EXPECT_EQ(at_level_0(all, {}), 1u);
  EXPECT_EQ(at_level_0(all, {{"pmu.self_floating_all", "floating"}}), 0u);
}

TEST(Threads, TheCycleOfASwitchBelongsToTheThreadThatLeaves) {
  Activity a = two_threads();
  a.occur(Signal::thread_switch, first_switch - 1, static_cast<std::uint16_t>(ia64::SwitchCause::l3_miss));
  a.occur(Signal::thread_switch, second_switch - 1, static_cast<std::uint16_t>(ia64::SwitchCause::timer));
  EXPECT_EQ(both(a, event(0x0c, 7)), Pair(1, 1));
  EXPECT_EQ(both(a, event(0x0c, 1)), Pair(1, 0));
  EXPECT_EQ(both(a, event(0x0c, 2)), Pair(0, 1));
  EXPECT_EQ(both(a, event(0x0c, 7) | all), Pair(2, 2));
}

TEST(Threads, ASwitchIsNoChangeOfLevel) {
  // Thread 1 is always at level 3; thread 0 changes from 0 to 2 in cycle 5 and stays there.
  Activity a = two_threads();
  a.state(State::background_cpl, 3);
  a.change(State::cpl, 5, 2).change(State::cpl, first_switch, 3).change(State::cpl, second_switch, 2);
  a.change(State::background_cpl, first_switch, 2).change(State::background_cpl, second_switch, 3);
  EXPECT_EQ(both(a, event(0x13, 0xf)), Pair(1, 0));
  EXPECT_EQ(both(a, event(0x13, 1)), Pair(1, 0)) << "from 0";
  EXPECT_EQ(both(a, event(0x13, 4)), Pair(1, 0)) << "to 2";
  EXPECT_EQ(both(a, event(0x13, 2)), Pair(0, 0));
  EXPECT_EQ(both(a, event(0x13, 8)), Pair(0, 0));
}

TEST(Threads, TagsLookAtTheOriginatingThreadsLevel) {
  // IBRP0 covers 0x4000 at level 0 only. Thread 0 is in the background at level 3 when its miss occurs.
  Activity a = two_threads();
  a.change(State::background_cpl, first_switch, 3).change(State::background_cpl, second_switch, 0);
  const auto fetch_miss = [&](Cycle c) {
    const std::uint32_t r = request_of(a, 0);
    a.record(r).address = 0x4000;
    a.more(r).requester = ia64::Requester::demand_fetch;
    a.occur(Signal::line_fill, c, 0, r);
  };
  fetch_miss(4);
  fetch_miss(15);
  auto m = counting({event(0x41) | any_level});
  put(*m, pmc(32), 0x000F01FFFFFFFFFF);
  put(*m, pmc(38), 0x490);
  put(*m, ibr(0), 0x4000);
  put(*m, ibr(1), 0x01ff'ffff'ffff'ffc0);
  consume_both(*m, a.block());
  EXPECT_EQ(get(*m, pmd(4)), 1u);
}

}  // namespace
}  // namespace pmusim::testing
