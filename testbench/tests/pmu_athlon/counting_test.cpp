// The amount that a counter adds in each clock. 22007 Rev. E pp. 162-164: comparison, gates, edge detector, in this
// order. Each row of the vectors is checked clock by clock and as a whole.
#include "testbench/tests/monitors/athlon_vectors.h"
#include "testbench/tests/pmu_athlon/bench.h"

namespace pmusim::testing {
namespace {

TEST(Counting, VectorsClockByClock) {
  for (const AthlonVector& v : athlon_vectors) {
    HandMade activity = fetch_counts(v.n);
    for (std::size_t at = 0; at < v.cpl.size(); ++at) {
      at == 0 ? activity.state(State::cpl, v.cpl[0]) : activity.change(State::cpl, at, v.cpl[at]);
    }
    const std::uint32_t select = en | usr | (v.cpl.empty() ? os : 0) | fetches | counter_mask(v.mask) |
                                 (v.inverted ? inv : 0) | (v.edge ? edge : 0);
    auto m = programmed(select);
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < v.n.size(); ++at) {
      EXPECT_EQ(m->consume(activity.block(), at, at + 1).reached, at + 1);
      sum += v.adds[at];
      EXPECT_EQ(get(*m, perf_ctr(0)), sum) << "clock " << at << " of " << std::hex << select;
      EXPECT_EQ(m->probe(0).occurrences, v.n[at]);
    }
    EXPECT_EQ(counted(select, activity), sum);
  }
}

TEST(Counting, AllFourCountersAlike) {
  auto m = make_k7();
  for (unsigned i = 0; i < 4; ++i) {
    put(*m, perf_evt_sel(i), all_rings | fetches | counter_mask(i));
    put(*m, perf_ctr(i), 1000 * i);
  }
  consume_both(*m, fetch_counts({0, 1, 3, 2, 0}).block());
  EXPECT_EQ(get(*m, perf_ctr(0)), 6u);
  EXPECT_EQ(get(*m, perf_ctr(1)), 1003u);
  EXPECT_EQ(get(*m, perf_ctr(2)), 2002u);
  EXPECT_EQ(get(*m, perf_ctr(3)), 3001u);
}

TEST(Counting, PrivilegeLevels) {
  HandMade activity(16);
  activity.change(State::cpl, 1, 1).change(State::cpl, 3, 2).change(State::cpl, 7, 3);  // 1, 2, 4, 9 clocks
  EXPECT_EQ(counted(en | os | clocks, activity), 1u);
  EXPECT_EQ(counted(en | usr | clocks, activity), 15u);
  EXPECT_EQ(counted(en | usr | os | clocks, activity), 16u);
  EXPECT_EQ(counted(en | clocks, activity), 0u);
  EXPECT_EQ(counted(usr | os | clocks, activity), 0u) << "EN = 0";
}

TEST(Counting, PrivilegeGateBeforeTheComparison) {
  HandMade activity = fetch_counts({0, 1, 0, 1});
  activity.change(State::cpl, 2, 3);
  const std::uint32_t below_one = en | usr | fetches | inv | counter_mask(1);
  EXPECT_EQ(counted(below_one, activity), 1u) << "clock 2";
  EXPECT_EQ(counted(below_one, activity, {{"pmu.privilege_gate", "before_compare"}}), 3u) << "clocks 0, 1 as well";
}

TEST(Counting, InvertWithoutCounterMask) {
  const HandMade activity = fetch_counts({0, 1, 3, 2, 0});
  EXPECT_EQ(counted(all_rings | inv | fetches, activity, {{"pmu.inv_without_mask", "inverts"}}), 2u);
}

TEST(Counting, UndefinedEventsCountNothing) {
  HandMade activity(20);
  for (unsigned s = 0; s < activity::signal_count; ++s) activity.occur(static_cast<Signal>(s), 4, 0xffff);
  for (const unsigned code : {0x00u, 0x22u, 0x48u, 0x66u, 0x7fu, 0x8au, 0xcbu, 0xccu, 0xdbu, 0xe0u, 0xffu}) {
    EXPECT_EQ(counted(all_rings | units(0xff) | code, activity), 0u) << code;
    EXPECT_EQ(counted(all_rings | inv | counter_mask(1) | code, activity), 20u) << "n is 0 in every clock";
  }
}

TEST(Counting, UnitMasks) {
  HandMade activity(4);
  activity.occur(Signal::segment_load, 1, 0);  // ES
  EXPECT_EQ(counted(all_rings | 0x20, activity), 0u);
  EXPECT_EQ(counted(all_rings | 0x20 | units(0x80), activity), 0u) << "undefined bit";
  EXPECT_EQ(counted(all_rings | 0x20 | units(0x7e), activity), 0u);
  EXPECT_EQ(counted(all_rings | 0x20 | units(0x7f), activity), 1u) << "never counted twice";
  EXPECT_EQ(counted(all_rings | clocks | units(0xff), activity), 4u);
}

TEST(Counting, AProbeOfTwoCachesIsOneOccurrence) {
  namespace d = activity::detail;
  HandMade activity(4);
  activity.occur(Signal::snoop, 1, d::snoop_hits_l1i | d::snoop_hits_l1d);
  EXPECT_EQ(counted(all_rings | 0x73 | units(0x01), activity), 1u);
  EXPECT_EQ(counted(all_rings | 0x73 | units(0x07), activity), 1u);
}

TEST(Counting, StopsInHalt) {
  HandMade activity(30);
  activity.state(State::interrupt_flag, 0).change(State::clock, 10, 0).change(State::clock, 25, 1);
  for (const bool runs : {false, true}) {
    const Flips flips = {{"pmu.count_in_halt", runs ? "runs" : "stops"}};
    EXPECT_EQ(counted(all_rings | clocks, activity, flips), 15u) << "the event itself counts running clocks";
    EXPECT_EQ(counted(all_rings | 0xcd, activity, flips), runs ? 30u : 15u) << "a level";
    EXPECT_EQ(counted(all_rings | clocks | inv | counter_mask(1), activity, flips), runs ? 15u : 0u);
    EXPECT_EQ(counted(all_rings | clocks | edge, activity, flips), runs ? 2u : 1u) << "the flop holds in halt";
  }
}

TEST(Edge, NeverMoreThanOneAndNotBackToBack) {
  EXPECT_EQ(counted(all_rings | edge | fetches, fetch_counts({3, 3, 0, 2, 1})), 2u);
}

TEST(Edge, UngatedInputDoesNotSeePrivilege) {
  HandMade activity = fetch_counts({1, 1, 1, 1, 0, 1});
  activity.state(State::cpl, 3).change(State::cpl, 1, 0).change(State::cpl, 3, 3);
  EXPECT_EQ(counted(en | usr | edge | fetches, activity), 3u);
  EXPECT_EQ(counted(en | usr | edge | fetches, activity, {{"pmu.edge_input", "ungated"}}), 2u);
}

TEST(Edge, AClosedGateClearsTheFlop) {
  HandMade activity = fetch_counts({1, 1, 1, 1, 1});
  activity.state(State::cpl, 3).change(State::cpl, 1, 0).change(State::cpl, 4, 3);
  EXPECT_EQ(counted(en | usr | edge | fetches, activity), 2u);
}

TEST(Edge, FlopAcrossDisableAndSelectWrites) {
  const HandMade activity = fetch_counts({1, 1, 1, 1});
  struct Row {
    std::uint32_t between;
    unsigned expected;
  };
  const std::uint32_t select = all_rings | edge | fetches;
  const Row rows[] = {{select & ~en, 2}, {select | pc, 2}, {select, 1}};  // the last write changes nothing
  for (const Row& row : rows) {
    auto m = programmed(select);
    m->consume(activity.block(), 0, 1);
    put(*m, perf_evt_sel(0), row.between);
    m->consume(activity.block(), 1, 2);
    put(*m, perf_evt_sel(0), select);
    m->consume(activity.block(), 2, 4);
    // With PC set the counter also counts an edge of its own while it is on; the write of the old value may clear the
    // flip-flop again.
    const unsigned extra = (row.between & pc) != 0 && row.expected == 2 ? 1 : 0;
    EXPECT_EQ(get(*m, perf_ctr(0)), row.expected + extra) << std::hex << row.between;
  }
}

TEST(Enable, StartAndStopClocks) {
  const HandMade activity(10);
  auto m = make_k7();
  pmu::AccessResult result;
  m->consume(activity.block(), 0, 2);
  m->consume_with_write(activity.block(), 2, perf_evt_sel(0), all_rings | clocks, {}, result);
  m->consume(activity.block(), 3, 6);
  EXPECT_EQ(get(*m, perf_ctr(0)), 3u) << "clocks 3, 4, 5";
  m->consume_with_write(activity.block(), 6, perf_evt_sel(0), clocks, {}, result);
  m->consume(activity.block(), 7, 10);
  EXPECT_EQ(get(*m, perf_ctr(0)), 4u) << "the clock of the stopping write is the last one";
}

TEST(Enable, OwnOrSelector0) {
  for (const bool shared : {false, true}) {
    auto m = make_k7({{"pmu.enable_scope", shared ? "selector0" : "own"}});
    put(*m, perf_evt_sel(0), all_rings | clocks);
    put(*m, perf_evt_sel(1), usr | os | clocks);
    consume_both(*m, HandMade(10).block());
    EXPECT_EQ(get(*m, perf_ctr(0)), 10u);
    EXPECT_EQ(get(*m, perf_ctr(1)), shared ? 10u : 0u);
    put(*m, perf_evt_sel(0), usr | os | clocks);
    put(*m, perf_evt_sel(1), all_rings | clocks);
    put(*m, perf_ctr(1), 0);
    consume_both(*m, HandMade(10).block());
    EXPECT_EQ(get(*m, perf_ctr(1)), shared ? 0u : 10u);
  }
}

TEST(Conflict, WriteToACountingCounter) {
  const HandMade activity = fetch_counts({1, 3, 1});
  auto m = programmed(all_rings | fetches);
  pmu::AccessResult result;
  m->consume(activity.block(), 0, 1);
  m->consume_with_write(activity.block(), 1, perf_ctr(0), 100, {}, result);
  EXPECT_EQ(get(*m, perf_ctr(0)), 100u);
  m->consume(activity.block(), 2, 3);
  EXPECT_EQ(get(*m, perf_ctr(0)), 101u);
  m = programmed(all_rings | fetches);
  m->consume_with_write(activity.block(), 0, perf_ctr(0), 100, {3, true}, result);
  EXPECT_EQ(result.fault, pmu::Fault::general_protection);
  EXPECT_EQ(get(*m, perf_ctr(0)), 1u);
}

TEST(Conflict, OverflowOfTheClockIsLost) {
  const HandMade activity = fetch_counts({1, 1, 1, 1, 1});
  auto m = programmed(all_rings | interrupt | fetches);
  put(*m, perf_ctr(0), two48 - 1);
  pmu::AccessResult result;
  m->consume_with_write(activity.block(), 0, perf_ctr(0), 0, {}, result);
  EXPECT_FALSE(m->consume(activity.block(), 1, 5).interrupt_request);
}

TEST(RetiredEvents, ChargedToTheOldLevel) {
  // Instructions retire in clocks 3 and 4; from clock 4 on the level is 0.
  HandMade activity(8);
  activity.state(State::cpl, 3).change(State::cpl, 4, 0).retire(3).retire(4);
  activity.occur(Signal::fetch, 3).occur(Signal::fetch, 4);
  EXPECT_EQ(counted(en | usr | instructions, activity), 1u);
  EXPECT_EQ(counted(en | os | instructions, activity), 1u);
  EXPECT_EQ(counted(en | usr | fetches, activity), 1u);
}

TEST(PinControl, CountingDependsOnItOnlyIfTold) {
  EXPECT_EQ(counted(all_rings | pc | clocks, HandMade(10)), 10u);
  const Flips flips = {{"pmu.counting_with_pc", "only_clear"}};
  EXPECT_EQ(counted(all_rings | pc | clocks, HandMade(10), flips), 0u);
  EXPECT_EQ(counted(all_rings | clocks, HandMade(10), flips), 10u);
}

TEST(EncodingsInUse, CountWhatTheyAreUsedFor) {
  HandMade activity(12);
  activity.state(State::cpl, 3).change(State::cpl, 8, 0);
  activity.retire(1).retire(1).retire(2).retire(9);
  EXPECT_EQ(counted(0x0043'00c0, activity), 4u) << "retired instructions";
  EXPECT_EQ(counted(0x0053'0076, activity), 12u) << "running clocks";
  EXPECT_EQ(counted(0x0141'00c0, activity), 2u) << "user clocks in which something retires";
  HandMade waiting(12);
  waiting.state(State::interrupt_pending, 1)
      .change(State::interrupt_pending, 2, 0)
      .change(State::interrupt_pending, 6, 1)
      .change(State::interrupt_pending, 9, 0);
  EXPECT_EQ(counted(0x01c7'00ce, waiting), 2u) << "starts of phases with no masked interrupt waiting";
}

}  // namespace
}  // namespace pmusim::testing
