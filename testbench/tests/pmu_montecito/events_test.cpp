// Events that the Itanium 2 does not have, or has in another form: an occurrence that counts and a similar one that
// does not. pmu_itanium2 tests the common ones.
#include <set>

#include "bench.h"

namespace pmusim::testing {
namespace {

using activity::LineState;
using ia64::Kind;

std::uint16_t number(auto value) { return static_cast<std::uint16_t>(value); }

/// Unit masks in order, and the expected count of each.
struct Expected {
  unsigned umask;
  std::uint64_t count;
};
void expect(const Activity& a, unsigned code, std::initializer_list<Expected> rows) {
  std::uint64_t listed = 0;
  for (const Expected& row : rows) {
    EXPECT_EQ(count(a, code, row.umask), row.count) << std::hex << code << ' ' << row.umask;
    listed |= 1u << row.umask;
  }
  for (unsigned umask = 0; umask < 16; ++umask) {
    if ((listed >> umask & 1) != 0) continue;
    EXPECT_EQ(count(a, code, umask), 0u) << std::hex << code << ' ' << umask;
  }
}

/// The counts with unit masks 0 to 15.
void expect_all(const Activity& a, unsigned code, const std::array<std::uint64_t, 16>& counts) {
  for (unsigned umask = 0; umask < 16; ++umask)
    EXPECT_EQ(count(a, code, umask), counts[umask]) << std::hex << code << ' ' << umask;
}

TEST(Events, FloatingPoint) {
  // Six operations in a cycle; results that are flushed to zero and results that might be.
  Activity a(10);
  const auto operation = [&](Cycle c, unsigned operations, unsigned flushed, unsigned possible) {
    const std::uint32_t i = a.instruction({.kinds = bit(Kind::fp_operation)});
    a.syllable(i).fp_operations = static_cast<std::uint8_t>(operations);
    a.syllable(i).flushed_to_zero = static_cast<std::uint8_t>(flushed);
    a.syllable(i).possibly_flushed = static_cast<std::uint8_t>(possible);
    a.occur(Signal::retire, c, 0, i);
  };
  operation(1, 4, 1, 1);
  operation(1, 4, 0, 1);
  operation(3, 2, 0, 2);
  expect(a, 0x09, {{0, 6 + 2}});
  expect(a, 0x0b, {{0, 1}, {1, 2 + 2}});
}

TEST(Events, SpeculativeLoads) {
  // Each reason once; a load that is not speculative, a floating-point load and a load that has its data do not count.
  Activity a(20);
  Cycle c = 0;
  const auto load = [&](std::uint32_t kinds, ia64::Deferral why) {
    const std::uint32_t i = a.instruction({.kinds = kinds});
    a.syllable(i).deferral = why;
    a.occur(Signal::retire, c++, 0, i);
  };
  constexpr std::uint32_t speculative = bit(Kind::speculative) | bit(Kind::integer_load);
  for (unsigned why = 0; why <= 5; ++why) load(speculative, static_cast<ia64::Deferral>(why));
  load(bit(Kind::integer_load), ia64::Deferral::tlb_miss);
  load(bit(Kind::speculative) | bit(Kind::fp_load), ia64::Deferral::tlb_miss);
  load(speculative, ia64::Deferral::psr_ed);
  expect(a, 0xd9, {{0, 6}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 2}});
}

TEST(Events, IntegerLoads) {
  Activity a(20);
  Cycle c = 0;
  const auto retire = [&](auto change) {
    const std::uint32_t r = a.request(0x9000);
    change(a.more(r));
    a.occur(Signal::access_retire, c++, 0, r);
  };
  retire([](ia64::Request&) {});
  retire([](ia64::Request& r) { r.fp = true; });
  retire([](ia64::Request& r) { r.semaphore = r.store = true; });
  retire([](ia64::Request& r) { r.requester = ia64::Requester::register_stack; });
  retire([](ia64::Request& r) { r.load = false, r.store = true; });
  expect(a, 0xd8, {{0, 1}});
  expect(a, 0xcd, {{0, 4}});
}

TEST(Events, ThreadSwitches) {
  // Causes 1 to 5 with stalls of 0, 4, 8, 4095, 4096 cycles; two switches that did not take place.
  Activity a(40);
  const unsigned stalls[] = {0, 4, 8, 4095, 4096};
  for (unsigned cause = 1; cause <= 5; ++cause)
    a.occur(Signal::thread_switch, 2 * cause, number(cause | stalls[cause - 1] << dd::switch_stall_shift));
  a.occur(Signal::thread_switch_missed, 20, number(ia64::SwitchCause::timer));
  a.occur(Signal::thread_switch_missed, 22, number(ia64::SwitchCause::l3_miss));
  for (std::uint16_t gate = 0; gate < 3; ++gate) a.occur(Signal::thread_switch_gated, 30u + gate, gate);
  expect(a, 0x0c, {{0, 2}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {7, 5}});
  expect(a, 0x0d, {{1, 1}, {4, 1}, {5, 1}, {7, 3}});
  expect(a, 0x0f, {{0, 4}, {1, 3}, {2, 2}, {3, 2}, {4, 2}, {5, 2}, {6, 2}, {7, 2}, {8, 2}, {9, 2}, {0xa, 1}});
}

TEST(Events, CyclesOfASwitch) {
  // Bits 1, 2, 4, 8 and 16 for 1 to 5 cycles in succession; then the first three together for one cycle.
  Activity a(40);
  namespace s = ia64::switching;
  Cycle c = 1;
  unsigned length = 0;
  for (const std::uint64_t bit : {s::due, s::request_buffer, s::l2d_return, s::disabled, s::gated}) {
    a.change(State::switching, c, bit);
    c += ++length;
  }
  a.change(State::switching, c, s::due | s::request_buffer | s::l2d_return).change(State::switching, c + 1, 0);
  expect(a, 0x0e, {{1, 2 + 1}, {2, 3 + 1}, {3, 2 + 3 + 1}, {4, 4}, {6, 5}, {7, 1 + 1}});
}

TEST(Events, LevelChangesByLevel) {
  Activity a(20);
  a.change(State::cpl, 3, 3).change(State::cpl, 6, 0).change(State::cpl, 9, 1);
  expect(a, 0x13, {{1, 3}, {2, 1}, {4, 0}, {8, 2}, {0xf, 3}});
}

TEST(Events, SecondLevelOfInstructions) {
  // Demand and prefetch; hit, miss and line in flight; cacheable or not: 1, 2, 4, ... times.
  Activity a(4000);
  Cycle c = 0;
  std::uint64_t times = 1, cacheable[2][2] = {}, uncacheable[2][2] = {};
  for (const bool cached : {true, false}) {
    for (unsigned side = 0; side < 2; ++side) {
      for (const std::uint16_t result : {d::lookup_hit, d::lookup_miss, d::lookup_pending}) {
        const std::uint32_t r = a.request(0x4000);
        a.more(r).uncacheable = !cached;
        const std::uint16_t detail = number(result | (side == 1 ? d::access_prefetch : 0));
        (cached ? cacheable : uncacheable)[side][result == d::lookup_hit ? 0 : 1] += times;
        for (std::uint64_t i = 0; i < times; ++i) {
          a.occur(Signal::l2i_lookup, c, detail, r);
          if (cached) a.occur(Signal::l2i_retry, c, detail | dd::retry_conflict, r);
          ++c;
        }
        times = times * 3 / 2 + 1;
      }
    }
  }
  for (unsigned umask = 0; umask < 16; ++umask) {
    std::uint64_t expected[2] = {};
    for (unsigned side = 0; side < 2; ++side) {
      for (unsigned result = 0; result < 2; ++result) {
        if ((umask >> side & 1) == 0 || (umask >> (2 + result) & 1) == 0) continue;
        expected[0] += cacheable[side][result];
        expected[1] += uncacheable[side][result];
      }
    }
    EXPECT_EQ(count(a, 0x78, umask), expected[0]) << umask;
    EXPECT_EQ(count(a, 0x79, umask), expected[1]) << umask;
    EXPECT_EQ(count(a, 0x7d, umask), expected[0]) << umask;
    EXPECT_EQ(count(a, 0x7b, umask), 0u);
    EXPECT_EQ(count(a, 0x7c, umask), 0u);
  }
}

TEST(Events, SecondLevelOfInstructionsOnce) {
  Activity a(20);
  const std::uint32_t r = a.request(0x4000);
  a.occur(Signal::l2i_retry, 1, dd::retry_recirculated | d::lookup_hit, r);
  a.occur(Signal::l2i_retry, 3, dd::retry_rejected | d::lookup_miss, r);
  a.occur(Signal::l2i_retry, 5, dd::retry_rejected | d::lookup_miss | d::access_prefetch, r);
  a.occur(Signal::l2i_evict, 7, 0, r);
  a.occur(Signal::l2i_abort, 8, 0, r).occur(Signal::l2i_abort, 9, 0, r);
  for (const Cycle c : {11u, 12u, 13u}) a.occur(Signal::l2i_snoop_hit, c);
  expect(a, 0x7b, {{5, 1}, {7, 1}, {0xd, 1}, {0xf, 1}});
  expect(a, 0x7c, {{9, 1}, {0xa, 1}, {0xb, 2}, {0xd, 1}, {0xe, 1}, {0xf, 2}});
  expect(a, 0x7a, {{0, 1}});
  expect(a, 0x7e, {{0, 2}});
  expect(a, 0x7f, {{0, 3}});
}

TEST(Events, SecondLevelOfData) {
  Activity a(120);
  const std::uint32_t load = a.request(0x8000), store = a.request(0x8010);
  a.more(store).load = false;
  a.more(store).store = true;
  for (const Cycle c : {1u, 2u}) a.occur(Signal::l2_reference, c, d::side_data | d::lookup_miss, load);
  a.occur(Signal::l2_reference, 3, d::side_data | d::lookup_hit, store);
  expect(a, 0xb0, {{0, 2}});
  expect(a, 0xb1, {{0, 1}});
  expect(a, 0xe6, {{1, 2}, {2, 1}, {3, 3}});
  // Operation n of the activity occurs n + 1 times.
  Cycle c = 10;
  for (std::uint16_t operation = 0; operation <= 5; ++operation) {
    for (unsigned i = 0; i <= operation; ++i) a.occur(Signal::queue_issue, c++, operation, load);
  }
  expect(a, 0xf0, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 6}, {5, 5}});
  // Filled lines: modified 1, exclusive 2, shared 3, invalid 4, and 5 that were pending.
  const LineState states[] = {LineState::modified, LineState::exclusive, LineState::shared, LineState::invalid};
  for (unsigned i = 0; i < 4; ++i) {
    for (unsigned k = 0; k <= i; ++k) a.occur(Signal::l2_fill, c++, number(states[i]), load);
  }
  for (unsigned k = 0; k < 5; ++k)
    a.occur(Signal::l2_fill, c++, number(number(LineState::shared) | dd::l2_fill_pending), load);
  expect(a, 0xf2, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}});
  for (std::uint16_t i = 0; i < 8; ++i) a.occur(Signal::bypass, c++, i, load);
  expect(a, 0xe4, {{0, 1}, {1, 1}, {2, 2}});
  a.occur(Signal::recirculate_try, c++, d::side_data, load);
  a.occur(Signal::recirculate_try, c++, 0, load);
  expect(a, 0xeb, {{0, 1}});
  a.occur(Signal::l2_valid_victim, c++, 0, load);
  expect(a, 0xec, {{0, 1}});
  expect(a, 0xed, {});
  a.occur(Signal::l2_store_shared, c++, 0, store);
  expect(a, 0xed, {{0, 1}});
}

/// Occurrences of one signal with these details, one a cycle.
Activity with_details(Signal signal, const std::vector<std::uint16_t>& details) {
  Activity a(static_cast<unsigned>(details.size()) + 1);
  const std::uint32_t r = a.request(0x8000);
  for (unsigned i = 0; i < details.size(); ++i) a.occur(signal, i, details[i], r);
  return a;
}
template <class Cause>
std::uint16_t with(Cause cause, unsigned facts = 0) {
  return number(static_cast<unsigned>(cause) | facts);
}
/// Details of a signal, and the one unit mask besides that of any which counts each.
using Selected = std::vector<std::pair<std::uint16_t, int>>;
constexpr int none = -1;

/// Counts each detail alone with every unit mask but those of `sums`.
void expect_selected(Signal signal, unsigned code, const Selected& rows, unsigned last_umask,
                     const std::set<unsigned>& sums = {}) {
  for (const auto& [detail, selected_by] : rows) {
    const Activity one = with_details(signal, {detail});
    for (unsigned umask = 0; umask <= last_umask; ++umask) {
      if (sums.contains(umask)) continue;
      EXPECT_EQ(count(one, code, umask), static_cast<int>(umask) == selected_by ? 1u : 0u)
          << std::hex << "detail " << detail << ", unit mask " << umask;
    }
  }
}

TEST(Events, CancelsByCause) {
  using C = ia64::QueueCancel;
  using S = ia64::QueueStage;
  using ia64::queue_stage;
  namespace q = ia64::queue_cancel;
  const Selected late{{with(C::missed_bypass, q::first), 1},
                      {with(C::sibling_order, q::first), 2},
                      {with(C::bypass_of_release, q::first), 3}};
  const Selected rows{{with(C::recirculating), 0},
                      {with(C::still_missing), 0},
                      {with(C::store_order, q::store | queue_stage(S::l2m)), 1},
                      {with(C::store_order, q::store | queue_stage(S::l2d)), 1},
                      {with(C::store_order, q::store | queue_stage(S::l2c)), 1},
                      {with(C::store_data, queue_stage(S::l2a)), 2},
                      {with(C::store_data, queue_stage(S::l2m)), 3},
                      {with(C::store_data, queue_stage(S::l2d)), 4},
                      {with(C::store_data, queue_stage(S::l2c)), 5},
                      {with(C::acquire), 6},
                      {with(C::acquire, q::first | q::adjacent), 6},
                      {with(C::release), 7},
                      {with(C::release, q::first), 7},
                      {with(C::bank), 8},
                      {with(C::semaphore), 9},
                      {with(C::no_attempt_left, q::first), 0xa},
                      {with(C::recirculating, q::first), 0xb},
                      {with(C::write_back_read), 0xc},
                      {with(C::sync), 0xd},
                      {with(C::fence), 0xd},
                      {with(C::compare_value), 0xd},
                      {with(C::uncacheable), 0xd},
                      {with(C::fill, q::store), 0xe},
                      {with(C::fill, q::store | q::same_set), 0xe},
                      {with(C::fill), 0xf},
                      {with(C::return_port), 0xf},
                      {with(C::l1d_fill), none},
                      {with(C::l2_error), none},
                      {with(C::system_error), none},
                      {with(C::fetch, q::walker), none}};
  expect_selected(Signal::queue_cancel, 0xe0, rows, 0xf);
  expect_selected(Signal::queue_cancel, 0xe2, late, 3, {0});
  std::vector<std::uint16_t> details;
  for (const Selected* list : {&late, &rows}) {
    for (const auto& row : *list) details.push_back(row.first);
  }
  const Activity all = with_details(Signal::queue_cancel, details);
  EXPECT_EQ(count(all, 0xe2, 0), late.size());
  EXPECT_EQ(count(all, 0xe2, 0, {{"pmu.ozq_cancels_any", "all"}}), details.size());
}

TEST(Events, RecirculationsByCause) {
  using R = ia64::Recirculate;
  using P = ia64::LinePhase;
  using ia64::line_phase;
  namespace r = ia64::recirculate;
  const Selected rows{{with(R::line_under_way, line_phase(P::requested)), 1},
                      {with(R::tags_written), 4},
                      {with(R::line_under_way, r::prefetch | line_phase(P::requested)), 5},
                      {with(R::snoop), 6},
                      {with(R::line_under_way, line_phase(P::in_tags)), 7},
                      {with(R::line_under_way, line_phase(P::arrives)), 8},
                      {with(R::no_fill_buffer), 9},
                      {with(R::set_under_way), 0xa},
                      {with(R::miss), 0xb},
                      {with(R::l1d_line_written), 0xc},
                      {with(R::line_under_way, line_phase(P::accepted)), 0xd},
                      {with(R::line_under_way, line_phase(P::accepted) | r::store), 0xe},
                      {with(R::line_under_way, r::for_code_prefetch | line_phase(P::arrives)), none},
                      {with(R::self_modifying), none},
                      {with(R::write_back), none},
                      {with(R::no_victim_buffer), none}};
  expect_selected(Signal::force_recirculate, 0xea, rows, 0xf, {0, 0xf});
  std::vector<std::uint16_t> details;
  for (const auto& row : rows) details.push_back(row.first);
  const Activity all = with_details(Signal::force_recirculate, details);
  EXPECT_EQ(count(all, 0xea, 0), rows.size());
  EXPECT_EQ(count(all, 0xea, 0xf), 2u);
}

TEST(Events, CancelsOfL3ByCause) {
  using C = ia64::L3Cancel;
  constexpr unsigned data = ia64::l3_cancel_by_data;
  const Selected rows{{with(C::l3_busy, data), 0},
                      {with(C::l3_busy, data | ia64::l3_cancel_during_write_back), 0},
                      {with(C::l2_hit, data), 1},
                      {with(C::bus_queue_full, data), 3},
                      {with(C::snoop_of_request, data), 4},
                      {with(C::snoop_of_victim, data), 5},
                      {with(C::fill, data), 6},
                      {with(C::write_back, data), 7},
                      {with(C::no_fill_buffer, data), none},
                      {with(C::uncacheable_in_flight, data), none}};
  expect_selected(Signal::l3_cancel, 0xe8, rows, 7, {2});
  std::vector<std::uint16_t> details;
  for (const auto& row : rows) details.push_back(row.first);
  EXPECT_EQ(count(with_details(Signal::l3_cancel, details), 0xe8, 2), rows.size());
}

TEST(Events, QueueBits) {
  namespace q = ia64::l2_queue;
  const std::pair<unsigned, std::uint64_t> rows[] = {{0xe9, q::data_full},    {0xf1, q::fills_full},
                                                     {0xf3, q::victims_full}, {0xef, q::has_acquire},
                                                     {0xe5, q::has_release},  {0xbc, q::full}};
  for (const auto& [code, bit] : rows) {
    Activity on(10), others(10);
    on.change(State::l2_queue, 3, bit).change(State::l2_queue, 7, 0);
    others.state(State::l2_queue, 0x3f & ~bit);
    expect(on, code, {{0, 4}});
    expect(others, code, {});
  }
}

TEST(Events, Rejects) {
  namespace r = ia64::request_reject;
  Activity a(20);
  a.change(State::request_reject, 1, r::instruction)
      .change(State::request_reject, 3, r::data)
      .change(State::request_reject, 6, r::instruction | r::data)
      .change(State::request_reject, 10, 0);
  expect(a, 0xbe, {{0, 2 + 4}});
  expect(a, 0xbd, {{0, 3 + 4}});
  auto m = counting({event(retired), event(0xbc) | any_level});
  consume_both(*m, a.block());
  EXPECT_EQ(get(*m, pmd(5)), 4u) << "all requests of both sides";
}

TEST(Events, BusByAgent) {
  // Every kind by every agent, with whole lines that another cache holds modified.
  Activity a(80);
  Cycle c = 0;
  for (std::uint16_t kind = 0; kind <= 10; ++kind) {
    for (std::uint16_t agent = 0; agent < 4; ++agent)
      a.occur(Signal::bus_transaction, c++,
              number(kind | agent << dd::bus_agent_shift | dd::bus_full_line | dd::bus_answer_modified));
  }
  // Of each kind: either core of the die 2, I/O 1, this core 1, any 4.
  const std::initializer_list<Expected> one_kind = {{0, 2}, {1, 1}, {2, 1}, {3, 4}};
  for (const unsigned code : {0x82u, 0x83u, 0x8du, 0x91u}) expect(a, code, one_kind);
  // There are four kinds of reads.
  expect(a, 0x81, {{0, 8}, {1, 4}, {2, 4}, {3, 16}});
  for (const auto& [umask, n] : one_kind) EXPECT_EQ(count(a, 0x81, umask, {{"pmu.bus_reads", "read_line"}}), n);
  expect(a, 0x80, {});
  expect(a, 0x84, {{0, 22}, {1, 11}, {2, 11}, {3, 44}});
  expect(a, 0x87, {{0, 22}, {1, 11}, {2, 11}, {3, 44}});
  expect(a, 0x90, {{0, 4}, {1, 2}, {2, 2}, {3, 8}});
  expect(a, 0x89, {{1, 1}, {3, 4}});
  expect(a, 0x8c, {});
  expect(a, 0x8a, {{4, 14}, {5, 7}, {6, 7}, {7, 28}, {0xc, 14}, {0xd, 7}, {0xe, 7}, {0xf, 28}});
  expect_all(a, 0x8b, {2, 1, 1, 4, 2, 1, 1, 4, 2, 1, 1, 4, 6, 3, 3, 12});
  expect(a, 0x92, {{5, 1}, {6, 1}, {7, 4}, {0xd, 1}, {0xe, 1}, {0xf, 4}});
  // 0x83 is the read-and-invalidate, 0x82 the invalidate.
  Activity read_invalidate(3);
  read_invalidate.occur(Signal::bus_transaction, 1,
                        number(number(ia64::BusKind::read_invalidate_line) | dd::bus_answer_modified));
  EXPECT_EQ(count(read_invalidate, 0x83, 3), 1u);
  EXPECT_EQ(count(read_invalidate, 0x82, 3), 0u);
}

TEST(Events, BusClockBits) {
  // Data of agent n in n + 1 cycles, the last of them back to back; snoop stalls of agent n in n + 1 cycles.
  namespace b = ia64::bus_clocks;
  Activity a(60);
  Cycle c = 1;
  for (std::uint64_t agent = 0; agent < 4; ++agent) {
    a.change(State::bus_clocks, c, b::data | agent << b::data_agent_shift);
    a.change(State::bus_clocks, c + agent, b::data | b::back_to_back | agent << b::data_agent_shift);
    a.change(State::bus_clocks, c + agent + 1,
             (agent == 0 ? b::snoop_stall_self : b::snoop_stall_other) | agent << b::stall_agent_shift);
    c += 2 * (agent + 1);
  }
  a.change(State::bus_clocks, c, 0);
  // Agents: this core 1, other processor 2, I/O 3, other core 4 cycles.
  expect(a, 0x88, {{0, 1 + 4}, {1, 3}, {2, 1}, {3, 1 + 2 + 3 + 4}});
  expect(a, 0x93, {{0, 2}, {1, 1}, {2, 1}, {3, 4}});
  expect(a, 0x8f, {{0, 1 + 4}, {2, 1}, {3, 1 + 2 + 3 + 4}});
}

TEST(Events, RequestQueues) {
  Activity a(1);
  namespace q = ia64::bus_queues;
  a.state(State::bus_queues, 21ull << q::memory_reads_shift | 15ull << q::requests_shift | 13ull << q::snoops_shift);
  const std::pair<unsigned, std::uint64_t> levels[] = {{0xb4, 2}, {0xb5, 5}, {0xb6, 1},
                                                       {0xb7, 5}, {0xb8, 1}, {0xb9, 7}};
  for (const auto& [code, entries] : levels) expect(a, code, {{0, entries}});
  Activity events(10);
  events.occur(Signal::bus_queue_insert, 1, 0, events.request(0x8000));
  events.occur(Signal::bus_snoop, 3, dd::snoop_self).occur(Signal::bus_snoop, 5, 0);
  expect(events, 0xba, {{0, 1}});
  expect(events, 0xbb, {{0, 1}});
}

TEST(Events, InterfaceQueues) {
  // Numbers of entries of this core and of both: 13 = 1 101b and 11 = 1 011b.
  namespace q = ia64::interface_queues;
  const struct {
    unsigned shift, low, high;
  } queues[] = {{q::request_shift, 0x9f, 0xa0},
                {q::write_shift, 0xa2, 0xa3},
                {q::clean_castout_shift, 0xa6, 0xa7},
                {q::snoop_coalescing_shift, 0xac, 0xad}};
  for (const auto& queue : queues) {
    Activity a(1);
    a.state(State::interface_self, 13ull << queue.shift).state(State::interface_both, 11ull << queue.shift);
    for (const auto& other : queues) {
      expect(a, other.low, {{0, other.shift == queue.shift ? 3u : 0u}, {1, other.shift == queue.shift ? 5u : 0u}});
      expect(a, other.high, {{0, other.shift == queue.shift ? 1u : 0u}, {1, other.shift == queue.shift ? 1u : 0u}});
    }
  }
  Activity a(1);
  a.state(State::interface_both, 11ull << q::in_order_shift);
  expect(a, 0x97, {{0, 3}});
  expect(a, 0x98, {{0, 2}});
}

TEST(Events, InterfaceInserts) {
  // An entry of every queue, by this core and by the other: queue n in cycle 2n.
  using Q = ia64::InterfaceQueue;
  Activity a(60);
  for (const Signal signal : {Signal::interface_insert, Signal::interface_collision}) {
    for (std::uint16_t queue = 0; queue < 6; ++queue) {
      a.occur(signal, 2u * queue, queue);
      a.occur(signal, 2u * queue + 1, number(queue | ia64::interface_other_core));
    }
  }
  for (const unsigned code : {0x9eu, 0xa5u, 0xa4u, 0xa8u}) expect(a, code, {{0, 2}, {1, 1}});
  expect(a, 0xaa, {{0, 2}});
  expect(a, 0xab, {{0, 2}, {1, 1}, {0xc, 2}, {0xd, 1}});
  // Kinds of writes and of snoops.
  Activity kinds(60);
  for (std::uint16_t kind = 0; kind < 7; ++kind)
    kinds.occur(Signal::interface_insert, kind, number(number(Q::write) | kind << ia64::interface_kind_shift));
  kinds.occur(Signal::interface_insert, 10, number(number(Q::write) | ia64::interface_other_core));
  expect_all(kinds, 0xa1, {8, 7, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  Cycle c = 20;
  for (std::uint16_t kind = 0; kind < 3; ++kind) {
    for (unsigned i = 0; i <= kind; ++i) {
      const std::uint16_t snoop = number(number(Q::snoop_coalescing) | kind << ia64::interface_kind_shift);
      kinds.occur(Signal::interface_insert, c, snoop).occur(Signal::interface_signoff, c, snoop);
      ++c;
    }
  }
  expect(kinds, 0xab, {{0, 1}, {1, 1}, {4, 2}, {5, 2}, {8, 3}, {9, 3}, {0xc, 6}, {0xd, 6}});
  expect(kinds, 0xae, {{0, 1}, {4, 2}, {8, 3}, {0xc, 6}});
  Activity errors(10);
  errors.occur(Signal::interface_ecc, 1).occur(Signal::interface_ecc, 2, ia64::interface_double_error);
  errors.occur(Signal::interface_ecc, 3, ia64::interface_double_error | ia64::interface_other_core);
  expect(errors, 0xaf, {{0, 1}, {1, 1}, {4, 2}, {5, 1}, {8, 3}, {9, 2}});
}

TEST(Events, WithoutQualifiers) {
  // The walker's events ignore the data range: one that nothing matches does not affect them.
  Activity a(10);
  const std::uint32_t r = a.request(0x8000);
  a.more(r).requester = ia64::Requester::page_walker;
  a.occur(Signal::walk_read, 1, 0, r).occur(Signal::tlb_insert, 3, d::side_data, r).occur(Signal::tlb_insert, 5, 0, r);
  auto m = counting({event(0x2d) | any_level, event(0xc9) | any_level, event(0xcd) | any_level});
  put(*m, pmc(41), at(45, 1) | at(3, 2));
  put(*m, dbr(1), 0x00ff'ffff'ffff'ffff);
  consume_both(*m, a.block());
  EXPECT_EQ(get(*m, pmd(4)), 1u);
  EXPECT_EQ(get(*m, pmd(5)), 1u);
  EXPECT_EQ(get(*m, pmd(6)), 0u);
}

TEST(Events, AllAreModelled) {
  for (unsigned code = 0; code < 256; ++code) {
    for (unsigned umask = 0; umask < 16; ++umask)
      EXPECT_TRUE(counting({event(code, umask) | any_level})->not_modelled().empty());
  }
}

}  // namespace
}  // namespace pmusim::testing
