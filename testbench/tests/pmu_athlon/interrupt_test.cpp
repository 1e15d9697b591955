// The cycle in which an overflow interrupts, and the signals on the PM pins. 22007 Rev. E p. 163.
#include "testbench/tests/pmu_athlon/bench.h"

namespace pmusim::testing {
namespace {

using Requests = std::vector<Cycle>;
using Edges = std::vector<pmu::PinEdge>;

TEST(Overflow, CarriesOutOfBit47) {
  for (const unsigned increment : {1u, 2u, 3u}) {
    auto m = programmed(all_rings | interrupt | fetches);
    put(*m, perf_ctr(0), two48 - 1);
    EXPECT_EQ(consume_both(*m, fetch_counts({0, 0, increment, 0, 0}).block()).requests, Requests{3});
    EXPECT_EQ(get(*m, perf_ctr(0)), increment - 1);
  }
}

TEST(Overflow, AtTheNthEvent) {
  for (const std::uint64_t n : {1, 2, 9, 10}) {
    for (unsigned i = 0; i < 4; ++i) {
      auto m = make_k7();
      put(*m, lvtpc, lvt_nmi);
      put(*m, perf_evt_sel(i), all_rings | interrupt | clocks);
      put(*m, perf_ctr(i), 0 - n);  // the negated period
      auto early = m->clone();
      // The Nth clock is clock N - 1; the APIC receives the request one clock later.
      EXPECT_EQ(consume_both(*m, HandMade(30).block()).requests, Requests{n}) << n << " on counter " << i;
      EXPECT_EQ(get(*m, perf_ctr(i)), 30 - n) << "no freeze, no reload";
      EXPECT_EQ(consume_both(*early, HandMade(n).block()).requests, Requests{}) << "not visible yet";
    }
  }
}

TEST(Overflow, RequestDelay) {
  for (const auto& [delay, later] : {std::pair{"1", 1u}, {"2", 2u}, {"7", 7u}}) {
    auto m = programmed(all_rings | interrupt | clocks, {{"pmu.request_delay", delay}});
    put(*m, perf_ctr(0), two48 - 5);
    auto early = m->clone();
    EXPECT_EQ(consume_both(*m, HandMade(30).block()).requests, Requests{4 + later}) << "overflow in clock 4";
    consume_both(*early, HandMade(4 + later).block());
    EXPECT_FALSE(early->interrupt_pending()) << "not visible yet";
    EXPECT_EQ(get(*early, lvtpc), lvt_nmi | lvt_pending) << "on its way";
  }
}

TEST(Overflow, NeedsIntAndAnApic) {
  for (const auto& [select, apic, expected] : {std::tuple{all_rings | clocks, "yes", Requests{}},
                                               {all_rings | interrupt | clocks, "yes", Requests{5}},
                                               {all_rings | interrupt | clocks, "no", Requests{}}}) {
    auto m = programmed(select, {{"pmu.has_apic", apic}});
    put(*m, perf_ctr(0), two48 - 5);
    EXPECT_EQ(consume_both(*m, HandMade(30).block()).requests, expected);
    EXPECT_EQ(get(*m, perf_ctr(0)), 25u);
  }
}

TEST(Overflow, WithCounterMaskAndEdge) {
  auto m = programmed(all_rings | interrupt | fetches | counter_mask(2));
  put(*m, perf_ctr(0), two48 - 2);
  EXPECT_EQ(consume_both(*m, fetch_counts({3, 1, 1, 2, 0, 0}).block()).requests, Requests{4});
  auto e = programmed(all_rings | interrupt | fetches | edge);
  put(*e, perf_ctr(0), two48 - 2);
  EXPECT_EQ(consume_both(*e, fetch_counts({3, 1, 0, 2, 1, 0}).block()).requests, Requests{4});
}

TEST(Request, OneForSeveralOverflows) {
  for (const unsigned later : {0u, 1u, 2u, 8u}) {
    auto m = make_k7();
    put(*m, lvtpc, lvt_nmi);
    for (unsigned i = 0; i < 2; ++i) put(*m, perf_evt_sel(i), all_rings | interrupt | clocks);
    put(*m, perf_ctr(0), two48 - 5);
    put(*m, perf_ctr(1), two48 - 5 - later);
    auto taken = m->clone();
    EXPECT_EQ(consume_both(*m, HandMade(30).block()).requests, Requests{5}) << "merges while the first is on its way";
    EXPECT_TRUE(m->interrupt_pending());
    EXPECT_EQ(get(*m, lvtpc), lvt_nmi | lvt_pending);
    // The interrupt is taken after clock 5: only a later overflow is a new request.
    const Requests expected = later >= 2 ? Requests{5, 5 + later} : Requests{5};
    EXPECT_EQ(consume_both(*taken, HandMade(30).block(), true).requests, expected) << later;
    EXPECT_EQ(get(*taken, lvtpc), lvt_nmi);
  }
}

TEST(Request, AnOverflowWhileOneIsPendingIsPartOfIt) {
  auto m = make_k7();
  put(*m, lvtpc, lvt_nmi);
  for (unsigned i = 0; i < 2; ++i) put(*m, perf_evt_sel(i), all_rings | interrupt | clocks);
  put(*m, perf_ctr(0), two48 - 5);
  put(*m, perf_ctr(1), two48 - 10);
  const HandMade activity(30);
  EXPECT_EQ(consume_both(*m, activity.block()).requests, Requests{5}) << "the second overflow finds it pending";
  m->interrupt_taken();
  EXPECT_EQ(consume_both(*m, activity.block()).requests, Requests{});
}

TEST(ApicEntry, FixedDeliveryNeedsAVectorFrom16On) {
  for (const unsigned vector : {15u, 16u}) {
    for (const bool delivered : {false, true}) {
      auto m =
          programmed(all_rings | interrupt | clocks, {{"pmu.lvt_low_vector", delivered ? "delivered" : "dropped"}});
      put(*m, lvtpc, vector);
      put(*m, perf_ctr(0), two48 - 5);
      const Requests expected = vector >= 16 || delivered ? Requests{5} : Requests{};
      EXPECT_EQ(consume_both(*m, HandMade(20).block()).requests, expected) << vector;
    }
  }
}

TEST(Request, VisibleOneClockBehindTheOverflow) {
  auto m = programmed(all_rings | interrupt | clocks);
  put(*m, perf_ctr(0), two48 - 5);
  const HandMade activity(30);
  EXPECT_FALSE(m->consume(activity.block(), 0, 5).interrupt_request);
  EXPECT_FALSE(m->interrupt_pending());
  EXPECT_EQ(m->quiet_cycles(), 0u);
  const auto done = m->consume(activity.block(), 5, 30);
  EXPECT_TRUE(done.interrupt_request);
  EXPECT_EQ(done.reached, 6u);
  EXPECT_TRUE(m->interrupt_pending());
  EXPECT_EQ(m->interrupt_skid(), 4u);
  EXPECT_EQ(make_k7({{"pmu.skid", "17"}})->interrupt_skid(), 17u);
}

TEST(ApicEntry, MaskedRequests) {
  auto m = programmed(all_rings | interrupt | clocks);
  put(*m, lvtpc, lvt_nmi | lvt_masked);
  put(*m, perf_ctr(0), two48 - 5);
  const HandMade activity(20);
  EXPECT_EQ(consume_both(*m, activity.block()).requests, Requests{});
  put(*m, lvtpc, lvt_nmi);
  EXPECT_EQ(consume_both(*m, activity.block()).requests, Requests{});
}

TEST(ApicEntry, APendingRequestTakesMaskedOverflowsIn) {
  auto m = programmed(all_rings | interrupt | clocks);
  put(*m, perf_ctr(0), two48 - 5);
  const HandMade activity(20);
  EXPECT_EQ(consume_both(*m, activity.block()).requests, Requests{5});
  put(*m, lvtpc, lvt_nmi | lvt_masked);
  put(*m, perf_ctr(0), two48 - 5);
  consume_both(*m, activity.block());
  put(*m, lvtpc, lvt_nmi);
  EXPECT_EQ(consume_both(*m, activity.block()).requests, Requests{});
  EXPECT_TRUE(m->interrupt_pending());
}

TEST(ApicEntry, MaskBehindTheDelivery) {
  for (const bool set : {false, true}) {
    auto m = programmed(all_rings | interrupt | clocks, {{"pmu.lvt_mask_after", set ? "set" : "kept"}});
    put(*m, perf_ctr(0), two48 - 5);
    consume_both(*m, HandMade(20).block(), true);
    EXPECT_EQ(get(*m, lvtpc), lvt_nmi | (set ? lvt_masked : 0));
  }
}

TEST(ApicEntry, DeliveryModes) {
  HandMade activity(20);
  activity.state(State::interrupt_flag, 0).change(State::interrupt_flag, 12, 1);
  struct Row {
    std::uint32_t entry;
    bool requests, needs_flag;
  };
  for (const Row& row : {Row{0x20, true, true},
                         {0x10, true, true},
                         {0xff, true, true},
                         {0x0f, false, true},
                         {0x00, false, true},
                         {lvt_nmi, true, false},
                         {lvt_nmi | 0x20, true, false},
                         {lvt_smi, true, false},
                         {1u << 8 | 0x20, false, false},
                         {7u << 8 | 0x20, false, false}}) {
    auto m = programmed(all_rings | interrupt | clocks);
    put(*m, lvtpc, row.entry);
    put(*m, perf_ctr(0), two48 - 5);
    EXPECT_EQ(consume_both(*m, activity.block()).requests, row.requests ? Requests{5} : Requests{})
        << std::hex << row.entry;
    if (!row.requests) continue;
    EXPECT_EQ(m->interrupt_enabled(activity.block(), 11), !row.needs_flag);
    EXPECT_TRUE(m->interrupt_enabled(activity.block(), 12));
  }
}

TEST(Quiet, NoRequestComesEarlier) {
  for (const unsigned n : {1u, 2u, 17u, 100u}) {
    auto m = programmed(all_rings | interrupt | clocks);
    put(*m, perf_ctr(0), two48 - n);
    EXPECT_EQ(m->quiet_cycles(), n);
    EXPECT_EQ(consume_in(*m, HandMade(200).block(), 200, false).requests, Requests{n});
  }
  EXPECT_EQ(programmed(all_rings | clocks)->quiet_cycles(), Cycle{1} << 40);
}

// --- pins -------------------------------------------------------------------------------------------

/// Edges of the pins in a block with four core clocks per bus clock.
Edges edges_of(std::uint32_t select, const HandMade& activity, std::uint64_t start = 0, Flips flips = {}) {
  auto m = programmed(select, flips);
  put(*m, perf_ctr(0), start);
  m->record_pins(true);
  return consume_both(*m, activity.block()).edges;
}

TEST(Pins, PulseOfOneBusClockForEvents) {
  // Bus clocks begin in cycles 0, 4, 8, ...; the events are in bus clocks 1 and 5.
  HandMade activity(40);
  activity.occur(Signal::fetch, 4).occur(Signal::fetch, 7).occur(Signal::fetch, 20, 0, activity::no_ref, 3);
  EXPECT_EQ(edges_of(all_rings | fetches, activity),
            (Edges{{8, 0, true}, {12, 0, false}, {24, 0, true}, {28, 0, false}}));
  EXPECT_EQ(edges_of(en | usr | fetches, activity), Edges{}) << "what does not count does not show";
  EXPECT_EQ(edges_of(all_rings | fetches | counter_mask(2), activity), (Edges{{24, 0, true}, {28, 0, false}}));
}

TEST(Pins, PulseForOverflow) {
  HandMade activity(40);
  activity.occur(Signal::fetch, 4).occur(Signal::fetch, 9).occur(Signal::fetch, 22);
  EXPECT_EQ(edges_of(all_rings | pc | fetches, activity, two48 - 2), (Edges{{12, 0, true}, {16, 0, false}}));
  EXPECT_EQ(edges_of(all_rings | pc | fetches, activity, two48 - 4), Edges{});
}

TEST(Pins, PolarityOfPinControl) {
  HandMade activity(40);
  activity.occur(Signal::fetch, 4).occur(Signal::fetch, 22);
  const Edges events{{8, 0, true}, {12, 0, false}, {24, 0, true}, {28, 0, false}};
  const Edges overflow{{24, 0, true}, {28, 0, false}};
  const Flips p6 = {{"pmu.pin_polarity", "p6"}};
  EXPECT_EQ(edges_of(all_rings | fetches, activity, two48 - 2), events);
  EXPECT_EQ(edges_of(all_rings | pc | fetches, activity, two48 - 2), overflow);
  EXPECT_EQ(edges_of(all_rings | fetches, activity, two48 - 2, p6), overflow);
  EXPECT_EQ(edges_of(all_rings | pc | fetches, activity, two48 - 2, p6), events);
}

TEST(Pins, TriggersDuringAPulse) {
  // Triggers in bus clocks 1, 2 (the pulse), 3.
  HandMade activity(40);
  activity.occur(Signal::fetch, 4).occur(Signal::fetch, 9).occur(Signal::fetch, 12);
  EXPECT_EQ(edges_of(all_rings | fetches, activity),
            (Edges{{8, 0, true}, {12, 0, false}, {16, 0, true}, {20, 0, false}}));
  EXPECT_EQ(edges_of(all_rings | fetches, activity, 0, {{"pmu.pin_merge", "extend"}}),
            (Edges{{8, 0, true}, {20, 0, false}}));
}

TEST(Pins, EventInEveryClock) {
  Edges expected;
  for (Cycle at = 4; at <= 32; at += 4) expected.push_back({at, 0, at % 8 == 4});
  EXPECT_EQ(edges_of(all_rings | clocks, HandMade(32)), expected) << "a pulse every second bus clock";
}

TEST(Pins, FourPinsInOrderOfTime) {
  auto m = make_k7();
  EXPECT_EQ(m->pin_count(), 4u);
  for (const unsigned i : {1u, 3u}) put(*m, perf_evt_sel(i), all_rings | fetches);
  m->record_pins(true);
  HandMade activity(20);
  activity.occur(Signal::fetch, 5);
  EXPECT_EQ(consume_both(*m, activity.block()).edges,
            (Edges{{8, 1, true}, {8, 3, true}, {12, 1, false}, {12, 3, false}}));
  EXPECT_EQ(m->take_pin_edges(), Edges{}) << "handed out once";
}

TEST(Pins, FractionalRatioAndChange) {
  // 5:2 puts bus clocks at 0, 3, 5, 8, 10, ...; from cycle 20 on they are 4 long: 20, 24, 28.
  HandMade activity(40);
  activity.state(State::bus_ratio, 5u << 16 | 2).change(State::bus_ratio, 20, 4u << 16 | 1);
  activity.occur(Signal::fetch, 4).occur(Signal::fetch, 21);
  EXPECT_EQ(edges_of(all_rings | fetches, activity),
            (Edges{{5, 0, true}, {8, 0, false}, {24, 0, true}, {28, 0, false}}));
}

TEST(Pins, NothingIsRecordedUnlessAsked) {
  auto m = programmed(all_rings | clocks);
  EXPECT_EQ(consume_both(*m, HandMade(40).block()).edges, Edges{});
}

}  // namespace
}  // namespace pmusim::testing
