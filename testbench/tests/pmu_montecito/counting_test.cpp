// Conditions under which the counters run, and the amount added in a cycle.
#include "bench.h"

namespace pmusim::testing {
namespace {

TEST(Counting, RunsAfterReset) {
  auto m = make_montecito();
  put(*m, pmc(4), event(cycles) | any_level);
  Activity activity(5);
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 5u) << "PMC0 is 0";
  put(*m, pmc(0), 1);
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 5u);
}

TEST(Counting, ThresholdInAllTwelveCounters) {
  // Cycle c retires c instructions, 0 to 6. In 6 - t cycles the number is greater than t.
  Activity activity(7);
  for (Cycle c = 0; c < 7; ++c) {
    for (Cycle i = 0; i < c; ++i) activity.retires(c);
  }
  for (unsigned t = 0; t < 8; ++t) {
    auto m = counting({});
    for (std::uint32_t n = 4; n < 16; ++n) put(*m, pmc(n), event(retired) | any_level | threshold(t));
    consume_both(*m, activity.block());
    const unsigned expected = t == 0 ? 21 : t >= 6 ? 0 : 6 - t;
    for (std::uint32_t n = 4; n < 16; ++n) EXPECT_EQ(get(*m, pmd(n)), expected) << t << ' ' << n;
  }
}

TEST(Counting, HaltedCycles) {
  Activity activity(10);
  activity.change(State::clock, 3, 0).change(State::clock, 8, 1);
  auto m = counting({event(cycles) | any_level, event(0x18) | any_level, event(0x18) | 8});
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 5u);
  EXPECT_EQ(get(*m, pmd(5)), 5u);
  EXPECT_EQ(get(*m, pmd(6)), 0u) << "not at level 0";
  auto sevens = counting({event(cycles) | any_level, event(0x18) | any_level}, {{"pmu.halted_cycles", "seven"}});
  consume_both(*sevens, activity.block());
  EXPECT_EQ(get(*sevens, pmd(4)), 5u);
  EXPECT_EQ(get(*sevens, pmd(5)), 7u * 5u);
}

TEST(Counting, BusClocks) {
  // 5 core clocks per 2 bus clocks: these begin in cycles 0, 3, 5, 8, 10, ... From cycle 20 on 4 to 1: 24, 28, ...
  Activity activity(41);
  activity.state(State::bus_ratio, 5u << 16 | 2u).change(State::bus_ratio, 20, 4u << 16 | 1u);
  unsigned expected = 1;
  for (unsigned c = 1; c <= 20; ++c) expected += c * 2 / 5 != (c - 1) * 2 / 5;
  for (unsigned c = 21; c < 41; ++c) expected += (c - 20) % 4 == 0;
  auto m = counting({event(0x8e) | any_level, event(0x8e) | any_level | oi});
  put(*m, pmd(5), wrap - 3);
  EXPECT_EQ(consume_both(*m, activity.block()).requests, std::vector<Cycle>{5});
  EXPECT_EQ(get(*m, pmd(4)), 3u);
  EXPECT_EQ(count(activity, 0x8e), expected);
}

TEST(Counting, LineStates) {
  // L3_INSERTS: one invalid, two shared, three exclusive, four modified lines; every set of states.
  using activity::LineState;
  Activity activity(20);
  Cycle c = 0;
  const std::pair<LineState, unsigned> inserted[] = {
      {LineState::invalid, 1}, {LineState::shared, 2}, {LineState::exclusive, 3}, {LineState::modified, 4}};
  for (const auto& [state, lines] : inserted) {
    for (unsigned i = 0; i < lines; ++i)
      activity.occur(Signal::l3_insert, c++, static_cast<std::uint16_t>(state), activity.request(0x8000));
  }
  for (unsigned states = 0; states < 16; ++states) {
    auto m = counting({event(0xda) | any_level | at(27, states), event(0xdc) | any_level | at(27, states)});
    consume_both(*m, activity.block());
    unsigned expected = 0;
    for (unsigned bit = 0; bit < 4; ++bit) expected += (states >> bit & 1) != 0 ? bit + 1 : 0;
    EXPECT_EQ(get(*m, pmd(4)), expected) << states;
  }
}

TEST(Counting, LineStatesOfLookupsAndVictims) {
  using activity::LineState;
  Activity activity(10);
  const auto state = [](LineState s) { return static_cast<unsigned>(s); };
  const std::uint32_t r = activity.request(0x8000);
  activity.occur(
      Signal::l3_lookup, 1,
      static_cast<std::uint16_t>(d::side_data | d::lookup_hit | state(LineState::modified) << dd::l3_state_shift), r);
  activity.occur(
      Signal::l3_lookup, 2,
      static_cast<std::uint16_t>(d::side_data | d::lookup_hit | state(LineState::shared) << dd::l3_state_shift), r);
  activity.occur(Signal::l3_lookup, 3, d::side_data | d::lookup_miss, r);
  activity.occur(Signal::line_evict, 4,
                 static_cast<std::uint16_t>(d::cache_l3 | d::evict_replacement |
                                            state(LineState::exclusive) << d::evict_state_shift),
                 r);
  const auto in_states = [&](unsigned code, unsigned umask, std::uint64_t states) {
    auto m = counting({event(code, umask) | any_level | states});
    consume_both(*m, activity.block());
    return get(*m, pmd(4));
  };
  EXPECT_EQ(in_states(0xdd, 0xf, every_state), 3u);
  EXPECT_EQ(in_states(0xdd, 0xf, modified), 1u);
  EXPECT_EQ(in_states(0xdd, 0xf, shared | exclusive), 1u);
  EXPECT_EQ(in_states(0xdd, 0xf, invalid), 1u) << "a miss has found no line";
  EXPECT_EQ(in_states(0xdf, 0, exclusive), 1u);
  EXPECT_EQ(in_states(0xdf, 0, modified | shared | invalid), 0u);
  EXPECT_EQ(in_states(0xdb, 0, 0), 3u) << "no filter for L3_REFERENCES";
}

/// Counts of the twelve counters with the same occurrence in each of three cycles.
std::vector<std::uint64_t> counts_of(const Activity& activity, std::initializer_list<std::uint64_t> events, Flips flips,
                                     std::size_t* broken = nullptr) {
  auto m = counting(events, flips);
  if (broken != nullptr) *broken = pmu::montecito_broken_rules(*m).size();
  consume_both(*m, activity.block());
  std::vector<std::uint64_t> counts;
  for (std::uint32_t n = 4; n < 4 + events.size(); ++n) counts.push_back(get(*m, pmd(n)));
  return counts;
}
using Counts = std::vector<std::uint64_t>;
constexpr std::uint64_t on = any_level;

TEST(Counting, L1dSetOfPmc5) {
  Activity activity(3);
  activity.load(0x8000, 1, 2);
  const std::uint64_t set0 = event(0xc3) | on, set1 = event(0xc5) | on, other = event(cycles) | on;
  std::size_t broken = 0;
  EXPECT_EQ(counts_of(activity, {other, set0, set0, set1}, {}, &broken), Counts({3, 1, 1, 1})) << "not enforced";
  EXPECT_EQ(broken, 1u) << "but told";
  const Flips strict = {{"pmu.event_sets", "enforced"}};
  EXPECT_EQ(counts_of(activity, {other, set0, set0, set1}, strict), Counts({3, 1, 1, 0}));
  EXPECT_EQ(counts_of(activity, {other, set1, set0, set1}, strict), Counts({3, 1, 0, 1}));
  EXPECT_EQ(counts_of(activity, {other, other, set0, set1}, strict), Counts({3, 3, 0, 0}));
}

TEST(Counting, TwoL2dSets) {
  // Set 3 (0xe9): full data buffer; set 6 (0xef): acquire entry. Both occur in every cycle.
  Activity activity(3);
  activity.state(State::l2_queue, ia64::l2_queue::data_full | ia64::l2_queue::has_acquire);
  const std::uint64_t set3 = event(0xe9) | on, set6 = event(0xef) | on, other = event(0x53) | on;
  const Flips strict = {{"pmu.event_sets", "enforced"}};
  std::size_t broken = 0;
  // PMC4 selects the set for PMC5 and PMC8, PMC6 for PMC7 and PMC9; PMC10 may have either.
  EXPECT_EQ(counts_of(activity, {set3, set3, set6, set6, set3, set6, set3}, strict, &broken),
            Counts({3, 3, 3, 3, 3, 3, 3}));
  EXPECT_EQ(broken, 0u);
  EXPECT_EQ(counts_of(activity, {set3, set6, set6, set3, set6, set3, set6}, strict, &broken),
            Counts({3, 0, 3, 0, 0, 0, 3}));
  EXPECT_EQ(broken, 4u);
  EXPECT_EQ(counts_of(activity, {other, set3, other, set6, other, other, set3}, strict), Counts({0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(counts_of(activity, {other, set3, other, set6}, {}), Counts({0, 3, 0, 3}));
}

TEST(Counting, OnlyOneFamilyOfCancels) {
  Activity activity(3);
  const std::uint32_t r = activity.request(0x8000);
  activity.occur(Signal::queue_cancel, 1, static_cast<std::uint16_t>(ia64::QueueCancel::acquire), r);
  activity.occur(Signal::queue_cancel, 2, static_cast<std::uint16_t>(ia64::QueueCancel::sibling_order), r);
  const std::uint64_t first = event(0xe0, 6) | on, second = event(0xe2, 2) | on;
  EXPECT_EQ(counts_of(activity, {first, second}, {}), Counts({1, 1}));
  EXPECT_EQ(counts_of(activity, {first, second}, {{"pmu.event_sets", "enforced"}}), Counts({1, 0}));
}

TEST(Counting, EventsBoundToCounters) {
  Activity activity(4);
  activity.occur(Signal::bus_transaction, 1);
  activity.state(State::clock, 1).change(State::clock, 3, 0);
  const Flips strict = {{"pmu.event_sets", "enforced"}};
  const auto in_counter = [&](std::uint32_t n, std::uint64_t value, Flips flips) {
    auto m = counting({}, flips);
    put(*m, pmc(n), value | on);
    consume_both(*m, activity.block());
    return get(*m, pmd(n));
  };
  for (std::uint32_t n = 4; n < 16; ++n) {
    EXPECT_EQ(in_counter(n, event(0x87, 3), {}), 1u) << n;
    EXPECT_EQ(in_counter(n, event(0x87, 3), strict), n <= 9 ? 1u : 0u) << n;
    EXPECT_EQ(in_counter(n, event(0x18), {}), 1u) << n;
    EXPECT_EQ(in_counter(n, event(0x18), strict), n == 10 ? 1u : 0u) << n;
    EXPECT_EQ(in_counter(n, event(0x0c), strict), 0u) << n;
  }
}

TEST(Counting, OneCodeForTwoEvents) {
  // The ordered queue is full in cycles 1 and 2; all L1 requests are rejected in cycles 4 to 9.
  Activity activity(12);
  activity.change(State::l2_queue, 1, ia64::l2_queue::full).change(State::l2_queue, 3, 0);
  constexpr std::uint64_t both = ia64::request_reject::instruction | ia64::request_reject::data;
  activity.change(State::request_reject, 4, both).change(State::request_reject, 10, ia64::request_reject::data);
  const std::uint64_t code = event(0xbc) | on, set5 = event(0xec) | on, set3 = event(0xe9) | on;
  const std::uint64_t other = event(retired) | on;
  EXPECT_EQ(counts_of(activity, {code}, {}), Counts({2})) << "PMC4 chooses set 5 itself";
  EXPECT_EQ(counts_of(activity, {other, code}, {}), Counts({0, 6}));
  EXPECT_EQ(counts_of(activity, {set5, code}, {}), Counts({0, 2}));
  EXPECT_EQ(counts_of(activity, {set3, code, set5, code}, {}), Counts({0, 6, 0, 2}));
  EXPECT_EQ(counts_of(activity, {other, other, other, code, code, code}, {}), Counts({0, 0, 0, 6, 6, 6}));
  EXPECT_EQ(counts_of(activity, {other, other, set5, other, other, other, code}, {}), Counts({0, 0, 0, 0, 0, 0, 2}));
  const Flips always = {{"pmu.code_bc", "reject"}};
  EXPECT_EQ(counts_of(activity, {code}, always), Counts({6}));
  EXPECT_EQ(counts_of(activity, {set3, code, set5, code}, always), Counts({0, 6, 0, 6}));
  // In PMC4 the code then selects no set, and with enforced sets the event of set 5 counts nothing.
  const std::uint64_t set5_level = event(0xed) | on;
  Activity stores(10);
  stores.occur(Signal::l2_store_shared, 3);
  const Flips by_set = {{"pmu.event_sets", "enforced"}};
  EXPECT_EQ(counts_of(stores, {code, set5_level}, by_set), Counts({0, 1}));
  EXPECT_EQ(counts_of(stores, {code, set5_level}, {{"pmu.event_sets", "enforced"}, {"pmu.code_bc", "reject"}}),
            Counts({0, 0}));
}

TEST(Counting, QualifiedCycles) {
  // PMC32/33 accept I syllables: these retire in cycles 2 (two of them), 3 and 6; an M syllable in 4.
  Activity activity(10);
  for (const Cycle c : {2u, 2u, 3u, 6u}) activity.retires(c, {.type = ia64::SlotType::i});
  activity.retires(4, {.type = ia64::SlotType::m});
  auto m = counting({event(cycles, 1) | on});
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 4u) << "cycles 2, 3, 4 and 6";
  put(*m, pmd(4), 0);
  put(*m, pmc(32), 0x030401FFFFFFFFFF);
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 3u);
}

TEST(Counting, QualifiedCyclesThatAreAwaited) {
  // I syllables retire in cycles 2 (two of them), 3, 6 and 12, an M syllable in 4; the clock is stopped in cycles 8 to
  // 10.
  Activity activity(20);
  for (const Cycle c : {2u, 2u, 3u, 6u, 12u}) activity.retires(c, {.type = ia64::SlotType::i});
  activity.retires(4, {.type = ia64::SlotType::m});
  activity.change(State::clock, 8, 0).change(State::clock, 11, 1);
  const auto counted = [&](std::uint64_t accepted, std::uint64_t more) {
    auto m = counting({event(cycles, 1) | on | more}, {{"pmu.qualified_cycles", "awaited"}});
    put(*m, pmc(32), accepted);
    consume_both(*m, activity.block());
    return get(*m, pmd(4));
  };
  constexpr std::uint64_t all_types = 0x030F01FFFFFFFFFF, i_type = 0x030401FFFFFFFFFF;
  const std::uint64_t in_3 = 1, in_6 = 2, until_2 = 3, in_12 = 3;  // cycles 3; 5, 6; 0, 1, 2; 7, 11, 12
  EXPECT_EQ(counted(i_type, 0), until_2 + in_3 + in_6 + in_12);
  EXPECT_EQ(counted(all_types, 0), until_2 + in_3 + 1 + in_6 + in_12);
  EXPECT_EQ(counted(i_type, at(20, 2)), 2u) << "more than two at once: in cycles 2 and 12";
  auto m = counting({event(cycles, 1) | on | oi}, {{"pmu.qualified_cycles", "awaited"}});
  put(*m, pmd(4), wrap - until_2 - in_3);
  EXPECT_EQ(consume_both(*m, activity.block()).requests, std::vector<Cycle>{3});
}

TEST(Counting, CyclesOfAStoppedClockAreNotAwaited) {
  // The clock starts in cycle 4. A syllable retires in cycle 1, as no core reports, and in cycle 6.
  Activity activity(12);
  activity.state(State::clock, 0).change(State::clock, 4, 1);
  for (const Cycle c : {1u, 6u}) activity.retires(c, {.type = ia64::SlotType::i});
  auto m = counting({event(cycles, 1) | on}, {{"pmu.qualified_cycles", "awaited"}});
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 3u) << "cycles 4, 5 and 6";
}

}  // namespace
}  // namespace pmusim::testing
