// Conditions under which the counters run, and the amounts that they add. User's Manual sections 11.2 to 11.4.
#include "testbench/tests/pmu_ppc750gx/bench.h"

namespace pmusim::testing {
namespace {

constexpr std::uint32_t all_cycles1 = select1(cycles) | select2(cycles);
constexpr std::uint32_t all_cycles3 = select3(cycles) | select4(cycles);

TEST(Counting, CountEnableRule) {
  // Every combination of DP, DU, DMS, DMR in each of the four states.
  for (unsigned freeze = 0; freeze < 16; ++freeze) {
    const std::uint32_t bits = freeze * ibm(4);
    const bool fdp = (bits & dp) != 0, fdu = (bits & du) != 0, fdms = (bits & dms) != 0, fdmr = (bits & dmr) != 0;
    for (const bool in_user : {false, true}) {
      for (const bool marked : {false, true}) {
        auto m = programmed(all_cycles1 | bits, all_cycles3);
        HandMade activity(10);
        activity.state(State::msr, (in_user ? pr : 0) | (marked ? pm : 0));
        consume_both(*m, activity.block());
        const bool counts = !(in_user ? fdu : fdp) && !(marked ? fdms : fdmr);
        for (const RegisterId id : pmc) EXPECT_EQ(get(*m, id), counts ? 10u : 0u) << freeze << in_user << marked;
      }
    }
  }
}

TEST(Counting, ListedStatesOfTheManual) {
  // 4 cycles each: supervisor unmarked, supervisor marked, user unmarked, user marked.
  HandMade activity(16);
  activity.change(State::msr, 4, pm).change(State::msr, 8, pr).change(State::msr, 12, pr | pm);
  const std::pair<std::uint32_t, unsigned> rows[] = {{0, 16},       {du, 8},       {dp, 8},        {dmr, 8},
                                                     {dms, 8},      {dp | dmr, 4}, {dp | dms, 4},  {du | dmr, 4},
                                                     {du | dms, 4}, {dp | du, 0},  {dms | dmr, 0}, {dis, 0}};
  for (const auto& [bits, expected] : rows) {
    auto m = programmed(all_cycles1 | bits, all_cycles3);
    consume_both(*m, activity.block());
    for (const RegisterId id : pmc) EXPECT_EQ(get(*m, id), expected) << std::hex << bits;
  }
}

TEST(Counting, MsrChangesActFromTheNextCycle) {
  // The state column changes in cycle 5: user code in cycles 0-4, supervisor in 5-9.
  HandMade activity(10);
  activity.state(State::msr, pr).change(State::msr, 5, 0);
  auto m = programmed(dp | select1(cycles));
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmc1), 5u);
}

TEST(Counting, WorkedWordUserCyclesAndInstructions) {
  auto m = make_750();
  put(*m, mmcr0, 0x4000'0042);
  HandMade activity(20);
  activity.state(State::msr, pr).change(State::msr, 12, 0);
  activity.retire(3).retire(3).retire(11).retire(12);
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmc1), 12u);
  EXPECT_EQ(get(*m, pmc2), 3u);
}

TEST(Counting, WorkedWordDataMissesAndCastouts) {
  namespace d = activity::detail;
  auto m = make_750();
  put(*m, mmcr1, 0x2940'0000);
  HandMade activity(20);
  activity.occur(Signal::dcache_lookup, 2, d::side_data | d::access_load | d::lookup_miss);
  activity.occur(Signal::dcache_lookup, 4, d::side_data | d::access_store | d::lookup_miss);
  activity.occur(Signal::line_evict, 9, d::cache_l2 | 4 << d::evict_state_shift | d::evict_replacement);
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmc3), 2u);
  EXPECT_EQ(get(*m, pmc4), 1u);
}

TEST(Counting, StoppedClockHoldsTheCountersButNotTheTimeBase) {
  HandMade activity(160);
  activity.change(State::clock, 20, 0).change(State::clock, 120, 1);
  auto m = programmed(select1(cycles));
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmc1), 60u);
  EXPECT_EQ(get(*m, tbl), 159u / 16) << "ticks of 16 cycles until cycle 159";
}

TEST(Counting, WrapPastAllOnes) {
  auto m = programmed(select1(cycles));
  put(*m, pmc1, 0xffff'fffe);
  consume_both(*m, HandMade(5).block());
  EXPECT_EQ(get(*m, pmc1), 3u);
}

TEST(Counting, ReservedCodesHold) {
  HandMade activity(40);
  for (Cycle at = 0; at < 40; ++at) {
    for (unsigned s = 0; s < activity::signal_count; ++s) activity.occur(static_cast<Signal>(s), at, 0xffff);
  }
  for (unsigned s = 2; s < activity::state_count; ++s) {
    if (static_cast<State>(s) != State::msr && static_cast<State>(s) != State::bus_ratio)
      activity.state(static_cast<State>(s), ~0ull);
  }
  const auto holds = [&](unsigned counter, unsigned code) {
    auto m = selecting(counter, code);
    put(*m, pmc[counter - 1], 77);
    consume_in(*m, activity.block(), 40, false);
    EXPECT_EQ(get(*m, pmc[counter - 1]), 77u) << "PMC" << counter << " code " << code;
  };
  for (unsigned counter = 1; counter <= 4; ++counter) holds(counter, hold);
  for (unsigned code = 13; code < 128; ++code) holds(1, code);
  for (unsigned code = 17; code < 64; ++code) holds(2, code);
  holds(2, 9);
  for (unsigned code = 18; code < 32; ++code) holds(3, code);
  holds(3, 9);
  holds(3, 14);
  for (unsigned code = 15; code < 32; ++code) holds(4, code);
  holds(4, 7);
  holds(4, 9);
}

// --- time base --------------------------------------------------------------------------------------

/// Number of n in [1, last] with n mod period == phase: rising edges of a bit with that period.
std::uint64_t rises(std::uint64_t last_tick, std::uint64_t period) { return (last_tick + period / 2) / period; }

TEST(TimeBase, EdgesOfAllFourBitsOnAllFourCounters) {
  constexpr Cycle length = 16 * 131072 + 5;
  const std::uint64_t period[] = {2, 512, 8192, 131072};
  const HandMade activity(length);
  for (const bool reversed : {false, true}) {
    for (unsigned select = 0; select < 4; ++select) {
      const std::uint32_t control = rtcselect(select) | select1(time_base_edges) | select2(time_base_edges);
      const std::uint32_t rest = select3(time_base_edges) | select4(time_base_edges);
      auto m = reversed ? programmed(control, rest, {{"pmu.tb_select", "reversed"}}) : programmed(control, rest);
      auto sliced = m->clone();
      consume_in(*m, activity.block(), length, false);
      consume_in(*sliced, activity.block(), 1009, false);
      const std::uint64_t expected = rises((length - 1) / 16, period[reversed ? 3 - select : select]);
      for (const RegisterId id : pmc) {
        EXPECT_EQ(get(*m, id), expected) << select;
        EXPECT_EQ(get(*sliced, id), expected) << select;
      }
    }
  }
}

TEST(TimeBase, AnEdgeIsInTheCycleOfItsTick) {
  // A tick every 16 cycles; the lowest bit rises with ticks 1, 3, 5: cycles 16, 48, 80.
  for (const auto& [length, expected] : {std::pair{16u, 0u}, {17u, 1u}, {48u, 1u}, {49u, 2u}, {80u, 2u}, {81u, 3u}}) {
    auto m = selecting(1, time_base_edges);
    consume_both(*m, HandMade(length).block());
    EXPECT_EQ(get(*m, pmc1), expected) << length;
  }
}

TEST(TimeBase, FractionalRatioAndChange) {
  // At 5:2 there is a tick every 10 cycles. In cycle 105 (halfway between ticks 10 and 11) the ratio changes to 4:1 and
  // the current tick restarts: ticks 11 and 12 are in cycles 121 and 137.
  HandMade activity(138);
  activity.state(State::bus_ratio, 5u << 16 | 2).change(State::bus_ratio, 105, 4u << 16 | 1);
  auto m = selecting(2, time_base_edges);
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, tbl), 12u);
  EXPECT_EQ(get(*m, pmc2), 6u) << "ticks 1, 3, 5, 7, 9, 11";
}

TEST(TimeBase, WritesMoveItAndMayBeEdges) {
  for (const auto& [value, raises] : {std::pair{0x100u, true}, {0x0ffu, false}}) {
    auto m = selecting(1, time_base_edges, rtcselect(1));
    put(*m, tblw, value);
    consume_both(*m, HandMade(16).block());
    EXPECT_EQ(get(*m, tbl), value);
    EXPECT_EQ(get(*m, pmc1), raises ? 1u : 0u);
  }
  // The next tick raises the bit, regardless of the write.
  auto m = selecting(1, time_base_edges, rtcselect(1));
  put(*m, tblw, 0xff);
  consume_both(*m, HandMade(17).block());
  EXPECT_EQ(get(*m, pmc1), 1u);
}

TEST(TimeBase, CarriesIntoTheUpperWord) {
  auto m = make_750();
  put(*m, tbuw, 7);
  put(*m, tblw, 0xffff'ffff);
  consume_both(*m, HandMade(17).block());
  EXPECT_EQ(get(*m, tbu), 8u);
  EXPECT_EQ(get(*m, tbl), 0u);
}

TEST(TimeBase, AfterAResetItStartsAgain) {
  auto m = make_750();
  consume_in(*m, HandMade(161).block(), 161, false);
  EXPECT_EQ(get(*m, tbl), 10u);
  m->reset();
  EXPECT_EQ(get(*m, tbl), 0u);
}

// --- threshold --------------------------------------------------------------------------------------

activity::RequestRecord load(Cycle latency) {
  activity::RequestRecord record;
  record.start = 5;
  record.end = 5 + latency;
  record.oldest_in_queue = true;
  return record;
}

std::uint64_t above(unsigned limit, const activity::RequestRecord& record, Flips flips = {}) {
  HandMade activity(100);
  activity.occur(Signal::load_return, record.end, 0, activity.add(record));
  auto m = selecting(1, 10, threshold(limit), flips);
  consume_both(*m, activity.block());
  return get(*m, pmc1);
}

TEST(Threshold, ComparesStrictly) {
  for (const unsigned limit : {0u, 1u, 20u, 62u, 63u}) {
    if (limit != 0) {
      EXPECT_EQ(above(limit, load(limit - 1)), 0u) << limit;
    }
    EXPECT_EQ(above(limit, load(limit)), 0u) << limit;
    EXPECT_EQ(above(limit, load(limit + 1)), 1u) << limit;
    EXPECT_EQ(above(limit, load(limit), {{"pmu.threshold_compare", "greater_equal"}}), 1u) << limit;
  }
}

TEST(Threshold, LeavesOutWhatItCannotTrack) {
  auto younger = load(30), crossing = load(30), multiple = load(30);
  younger.oldest_in_queue = false;
  crossing.crosses_word = true;
  multiple.multiple_or_string = true;
  EXPECT_EQ(above(20, younger), 0u);
  EXPECT_EQ(above(20, crossing), 0u);
  EXPECT_EQ(above(20, multiple), 0u);
  EXPECT_EQ(above(20, younger, {{"pmu.threshold_queue", "any"}}), 1u);
  EXPECT_EQ(above(20, crossing, {{"pmu.threshold_untracked", "counted"}}), 1u);
  EXPECT_EQ(above(20, multiple, {{"pmu.threshold_untracked", "counted"}}), 1u);
}

// --- writes in a cycle ------------------------------------------------------------------------------

TEST(SameCycle, IncrementOfTheWrittenCounterIsLost) {
  HandMade activity(10);
  activity.retire(4).retire(4).retire(5);
  auto m = programmed(select1(completed) | select2(completed));
  m->consume(activity.block(), 0, 4);
  pmu::AccessResult result;
  const auto done = m->consume_with_write(activity.block(), 4, pmc1, 100, supervisor, result);
  EXPECT_EQ(done.reached, 5u);
  EXPECT_EQ(result.fault, pmu::Fault::none);
  m->consume(activity.block(), 5, 10);
  EXPECT_EQ(get(*m, pmc1), 101u);
  EXPECT_EQ(get(*m, pmc2), 3u) << "only the written counter loses";
}

TEST(SameCycle, ControlTakesEffectBehindTheCycle) {
  HandMade activity(10);
  auto m = programmed(select1(cycles));
  pmu::AccessResult result;
  m->consume(activity.block(), 0, 4);
  m->consume_with_write(activity.block(), 4, mmcr0, dis | select1(cycles), supervisor, result);
  m->consume(activity.block(), 5, 10);
  EXPECT_EQ(get(*m, pmc1), 5u);
}

TEST(SameCycle, AFaultChangesNothingButTime) {
  HandMade activity(10);
  auto m = programmed(select1(cycles));
  pmu::AccessResult result;
  const auto done = m->consume_with_write(activity.block(), 0, pmc1, 100, user, result);
  EXPECT_EQ(done.reached, 1u);
  EXPECT_EQ(result.fault, pmu::Fault::privileged_instruction);
  EXPECT_EQ(get(*m, pmc1), 1u) << "nothing is lost either";
}

TEST(Probe, ShowsTheLastCycle) {
  HandMade activity(3);
  activity.retire(0).retire(0).retire(2);
  auto m = programmed(dp | select1(completed));
  m->consume(activity.block(), 0, 1);
  EXPECT_EQ(m->probe(0).occurrences, 2u);
  EXPECT_FALSE(m->probe(0).condition) << "frozen";
  put(*m, mmcr0, select1(completed));
  m->consume(activity.block(), 1, 2);
  EXPECT_EQ(m->probe(0).occurrences, 0u);
  m->consume(activity.block(), 2, 3);
  EXPECT_EQ(m->probe(0).occurrences, 1u);
  EXPECT_TRUE(m->probe(0).condition);
  EXPECT_EQ(m->probe(0).value, 1u);
}

}  // namespace
}  // namespace pmusim::testing
