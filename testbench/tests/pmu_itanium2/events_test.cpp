// The events: for each family an occurrence that counts and a similar one that does not.
#include "testbench/tests/pmu_itanium2/bench.h"

namespace pmusim::testing {
namespace {

using ia64::BackEnd;
using ia64::Kind;

std::uint64_t count(const Activity& activity, unsigned code, unsigned umask = 0, Flips flips = {}) {
  auto m = counting({event(code, umask) | any_level}, flips);
  consume_both(*m, activity.block());
  return get(*m, pmd(4));
}

TEST(Events, RetiredByKind) {
  Activity a(40);
  Cycle c = 0;
  const auto retire = [&](std::uint32_t kinds, bool predicate, auto change) {
    const std::uint32_t i = a.instruction({.kinds = kinds, .predicate = predicate});
    change(a.syllable(i));
    a.occur(Signal::retire, c++, 0, i);
  };
  const auto plain = [](ia64::Syllable&) {};
  retire(bit(Kind::nop), true, plain);
  retire(bit(Kind::nop), false, plain);
  retire(bit(Kind::branch), false, [](ia64::Syllable& s) { s.type = ia64::SlotType::b; });
  retire(bit(Kind::fp_operation), true, [](ia64::Syllable& s) { s.fp_operations = 4, s.flushed_to_zero = 2; });
  retire(bit(Kind::fp_operation), false, [](ia64::Syllable& s) { s.fp_operations = 2; });
  retire(bit(Kind::serialize_instruction), true, plain);
  retire(bit(Kind::fp_check_flags), true, [](ia64::Syllable& s) { s.check_failed = true; });
  retire(bit(Kind::fp_check_flags), true, plain);
  retire(bit(Kind::check_advanced), true, plain);
  retire(bit(Kind::check_load) | bit(Kind::fp_load), true, [](ia64::Syllable& s) { s.check_failed = true; });
  retire(bit(Kind::check_speculative), true, [](ia64::Syllable& s) { s.check_failed = true; });
  retire(bit(Kind::check_speculative) | bit(Kind::fp_check), true, [](ia64::Syllable& s) { s.check_failed = true; });
  const struct {
    unsigned code, umask, expected;
  } rows[] = {{0x08, 0, 12}, {0x50, 0, 1}, {0x51, 0, 2}, {0x09, 0, 4}, {0x0b, 0, 2}, {0x53, 0, 1},
              {0x06, 0, 1},  {0x56, 1, 1}, {0x56, 2, 1}, {0x56, 3, 2}, {0x57, 1, 0}, {0x57, 2, 1},
              {0x57, 3, 1},  {0x55, 1, 1}, {0x55, 2, 1}, {0x55, 3, 2}};
  for (const auto& row : rows)
    EXPECT_EQ(count(a, row.code, row.umask), row.expected) << std::hex << row.code << ' ' << row.umask;
}

TEST(Events, TwoFailedChecksInOneCycleCountOnce) {
  Activity a(5);
  for (int i = 0; i < 2; ++i) {
    const std::uint32_t r = a.instruction({.kinds = bit(Kind::check_advanced)});
    a.syllable(r).check_failed = true;
    a.occur(Signal::retire, 2, 0, r);
  }
  EXPECT_EQ(count(a, 0x56, 1), 2u);
  EXPECT_EQ(count(a, 0x57, 1), 1u);
}

TEST(Events, RegisterStack) {
  // 83 = 1 010 011b registers in the frame, 29 = 0 011 101b dirty; a second event in the cycle adds nothing.
  Activity a(10);
  for (int i = 0; i < 2; ++i) {
    const std::uint32_t r = a.instruction({.kinds = bit(Kind::rse_event)});
    a.syllable(r).frame_registers = i == 0 ? 83 : 96;
    a.syllable(r).dirty_registers = i == 0 ? 29 : 96;
    a.occur(Signal::retire, 4, 0, r);
  }
  EXPECT_EQ(count(a, 0x32), 1u);
  EXPECT_EQ(count(a, 0x26) * 64 + count(a, 0x2a) * 8 + count(a, 0x2b), 83u);
  EXPECT_EQ(count(a, 0x24) * 64 + count(a, 0x28) * 8 + count(a, 0x29), 29u);
  for (const bool load : {true, true, false}) {
    const std::uint32_t r = a.request(0x9000);
    a.more(r).requester = ia64::Requester::register_stack;
    a.more(r).load = load;
    a.more(r).store = !load;
    a.occur(Signal::access_retire, 6, 0, r);
  }
  EXPECT_EQ(count(a, 0x20, 1), 2u);
  EXPECT_EQ(count(a, 0x20, 2), 1u);
  EXPECT_EQ(count(a, 0x20, 3), 2u) << "at most 2 in a cycle";
  EXPECT_EQ(count(a, 0xcd), 2u);
  EXPECT_EQ(count(a, 0xd1), 1u);
}

TEST(Events, RetiredAccesses) {
  Activity a(20);
  Cycle c = 0;
  const auto retire = [&](auto change) {
    const std::uint32_t r = a.request(0x9000);
    change(a.more(r));
    a.occur(Signal::access_retire, c++, 0, r);
  };
  retire([](ia64::Request&) {});
  retire([](ia64::Request& r) { r.misaligned = true; });
  retire([](ia64::Request& r) { r.uncacheable = true; });
  retire([](ia64::Request& r) { r.semaphore = r.store = true; });
  retire([](ia64::Request& r) { r.load = false, r.store = r.misaligned = r.uncacheable = true; });
  retire([](ia64::Request& r) { r.load = false, r.prefetch = true; });
  retire([](ia64::Request& r) { r.walker_inserted = true; });
  const std::uint32_t walk = a.request(0xf000);
  a.more(walk).requester = ia64::Requester::page_walker;
  a.occur(Signal::walk_read, 15, 0, walk);
  EXPECT_EQ(count(a, 0xcd), 6u);
  EXPECT_EQ(count(a, 0xcd, 0, {{"pmu.walker_loads", "left_out"}}), 5u);
  EXPECT_EQ(count(a, 0xd1), 2u);
  EXPECT_EQ(count(a, 0xce), 1u);
  EXPECT_EQ(count(a, 0xcf), 1u);
  EXPECT_EQ(count(a, 0xd0), 1u);
  EXPECT_EQ(count(a, 0xd2), 1u);
  EXPECT_EQ(count(a, 0x2c), 1u);
  EXPECT_EQ(count(a, 0x2d), 1u);
}

TEST(Events, BackEndStates) {
  // One cycle with every stage and cause.
  struct Row {
    BackEnd stage;
    unsigned causes;
  };
  Activity a(80);
  Cycle c = 0;
  for (const Row& row : {Row{BackEnd::flush, 2}, Row{BackEnd::l1d_fpu, 13}, Row{BackEnd::execute, 7},
                         Row{BackEnd::register_stack, 5}, Row{BackEnd::front_end, 1}}) {
    for (unsigned why = 1; why <= row.causes; ++why) a.change(State::back_end, ++c, back_end(row.stage, why));
  }
  a.change(State::back_end, ++c, 0);
  const struct {
    unsigned code, umask, expected;
  } rows[] = {{0x00, 0, 28}, {0x00, 1, 1},  {0x00, 2, 18}, {0x04, 0, 2}, {0x04, 1, 1},
              {0x04, 2, 1},  {0x49, 0, 27}, {0xca, 0, 13}, {0xca, 1, 1}, {0xca, 2, 12},
              {0x02, 0, 7},  {0x02, 1, 2},  {0x02, 5, 1},  {0x02, 8, 4}, {0x01, 0, 5}};
  for (const auto& row : rows)
    EXPECT_EQ(count(a, row.code, row.umask), row.expected) << std::hex << row.code << ' ' << row.umask;
  for (unsigned umask = 3; umask < 16; ++umask) EXPECT_EQ(count(a, 0xca, umask), umask == 6 ? 0u : 1u) << umask;
  for (unsigned umask = 1; umask < 6; ++umask) EXPECT_EQ(count(a, 0x01, umask), 1u) << umask;
  for (const unsigned umask : {2u, 3u, 4u, 6u, 7u}) EXPECT_EQ(count(a, 0x02, umask), 1u) << umask;
}

TEST(Events, FrontEndCauses) {
  // Each of the causes 1 to 11: two cycles with one bundle missing, then one with two.
  Activity a(60);
  Cycle c = 0;
  for (unsigned why = 1; why <= 11; ++why) {
    for (unsigned missing : {1u, 2u}) {
      c += missing == 1 ? 1 : 2;
      a.change(State::front_end, c, front_end(static_cast<ia64::FrontEnd>(why), missing));
      a.change(State::buffer_exit, c, front_end(static_cast<ia64::FrontEnd>(why), missing));
      a.change(State::back_end, c,
               missing == 1 ? 0 : back_end(why % 2 == 0 ? BackEnd::front_end : BackEnd::execute, 1));
    }
  }
  a.change(State::front_end, c + 1, 0).change(State::buffer_exit, c + 1, 0).change(State::back_end, c + 1, 0);
  EXPECT_EQ(count(a, 0x70), 44u);
  EXPECT_EQ(count(a, 0x73), 44u);
  EXPECT_EQ(count(a, 0x72), 2 * 11u + 2 * 5) << "two bundles only in states 5 and 6: causes 2, 4, 6, 8, 10";
  for (const unsigned umask : {1u, 4u, 5u, 6u, 7u, 8u, 9u, 0xau, 0xbu, 0xcu, 0xdu})
    EXPECT_EQ(count(a, 0x70, umask), 4u) << umask;
  const std::pair<unsigned, unsigned> bubbles[] = {{0, 11}, {1, 1}, {3, 5},   {4, 2},   {5, 1},    {6, 1},  {7, 1},
                                                   {8, 1},  {9, 4}, {0xa, 5}, {0xb, 9}, {0xc, 10}, {0xd, 1}};
  for (const auto& [umask, expected] : bubbles) EXPECT_EQ(count(a, 0x71, umask), expected) << umask;
}

TEST(Events, Dispersal) {
  Activity a(10);
  a.occur(Signal::dispatch, 1, 0, a.instruction({}));
  a.occur(Signal::syllable_held, 1, dd::held_explicit_stop, a.instruction({}));
  a.occur(Signal::syllable_held, 2, dd::held_explicit_stop | dd::held_implicit_stop, a.instruction({}));
  a.occur(Signal::syllable_held, 3, dd::held_front_end, activity::no_ref, 3);
  a.occur(Signal::syllable_held, 4, dd::held_long_immediate, a.instruction({}));
  EXPECT_EQ(count(a, 0x4d), 1u);
  const std::pair<unsigned, unsigned> rows[] = {{1, 2}, {2, 1}, {3, 2}, {4, 3}, {8, 1}, {0xf, 6}};
  for (const auto& [umask, expected] : rows) EXPECT_EQ(count(a, 0x4e, umask), expected) << umask;
  EXPECT_EQ(count(a, 0x4f, 3), 0u);
  EXPECT_EQ(count(a, 0x4f, 3, {{"pmu.syllable_overcount", "both_stops"}}), 1u);
}

TEST(Events, Branches) {
  // Every class, outcome and direction once; two of the predictions are unknown.
  Activity a(60);
  Cycle c = 0;
  for (const auto of : {ia64::BranchClass::ip_relative, ia64::BranchClass::return_, ia64::BranchClass::indirect}) {
    for (const auto p : {ia64::Prediction::correct, ia64::Prediction::wrong_path, ia64::Prediction::wrong_target}) {
      for (const bool taken : {false, true}) {
        const std::uint32_t i = a.instruction({.type = ia64::SlotType::b, .kinds = bit(Kind::branch), .taken = taken});
        auto& s = a.syllable(i);
        s.branch_class = of;
        s.prediction = p;
        s.back_end_flush = p == ia64::Prediction::wrong_path;
        s.wrong_stage = s.back_end_flush && taken;
        s.unknown_prediction = of == ia64::BranchClass::return_ && p == ia64::Prediction::correct;
        if (of == ia64::BranchClass::indirect) s.kinds |= bit(Kind::multiway);
        a.occur(Signal::retire, c++, 0, i);
      }
    }
  }
  for (unsigned of = 0; of < 4; ++of) {
    const unsigned classes = of == 0 ? 3 : 1;
    EXPECT_EQ(count(a, 0x5b, 4 * of), 6 * classes);
    for (unsigned outcome = 1; outcome < 4; ++outcome) EXPECT_EQ(count(a, 0x5b, 4 * of + outcome), 2 * classes);
    EXPECT_EQ(count(a, 0x54, 4 * of + 0), classes);
    EXPECT_EQ(count(a, 0x54, 4 * of + 1), classes);
    EXPECT_EQ(count(a, 0x54, 4 * of + 2), 2 * classes);
    EXPECT_EQ(count(a, 0x54, 4 * of + 3), 2 * classes);
  }
  EXPECT_EQ(count(a, 0x61, 0), 6u);
  EXPECT_EQ(count(a, 0x61, 1), 3u);
  EXPECT_EQ(count(a, 0x61, 2), 0u);
  EXPECT_EQ(count(a, 0x63, 0), 6u);
  EXPECT_EQ(count(a, 0x63, 0xd), 2u);
  EXPECT_EQ(count(a, 0x68, 0, {{"pmu.unknown_prediction", "nothing"}}), 0u);
  EXPECT_EQ(count(a, 0x68, 0), 2u);
  EXPECT_EQ(count(a, 0x68, 9), 2u);
  EXPECT_EQ(count(a, 0x68, 4), 0u);
  EXPECT_EQ(count(a, 0x6a, 1), 1u);
}

TEST(Events, DataSide) {
  Activity a(40);
  const auto pass = [&](Cycle c, std::uint16_t detail, auto change) {
    const std::uint32_t r = a.request(0x8000);
    change(a.more(r));
    a.occur(Signal::data_reference, c, detail, r);
    a.occur(Signal::dcache_lookup, c, detail, r);
  };
  pass(0, d::lookup_hit, [](ia64::Request& r) { r.l1d_read = true; });
  pass(1, d::lookup_miss | dd::access_replayed, [](ia64::Request& r) { r.l1d_read = true; });
  pass(2, d::lookup_miss, [](ia64::Request& r) { r.l1d_read = true; });
  pass(3, d::lookup_pending,
       [](ia64::Request& r) { r.l1d_read = true, r.requester = ia64::Requester::register_stack; });
  pass(4, d::lookup_miss, [](ia64::Request& r) { r.load = false, r.store = true; });
  pass(5, 0, [](ia64::Request& r) { r.fp = true; });
  pass(6, 0, [](ia64::Request& r) { r.load = false, r.prefetch = true; });
  EXPECT_EQ(count(a, 0xc2), 4u);
  EXPECT_EQ(count(a, 0xc4), 3u);
  EXPECT_EQ(count(a, 0xc3), 6u);
  EXPECT_EQ(count(a, 0xc3, 0, {{"pmu.lfetch_reference", "counted"}}), 7u);
  EXPECT_EQ(count(a, 0xc5), 5u);
  EXPECT_EQ(count(a, 0xc7, 0), 2u);
  EXPECT_EQ(count(a, 0xc7, 0, {{"pmu.replayed_misses", "counted"}}), 3u);
  EXPECT_EQ(count(a, 0xc7, 1), 1u);
}

TEST(Events, SecondLevel) {
  Activity a(60);
  const std::uint32_t load = a.request(0x8000), semaphore = a.request(0x8010), store = a.request(0x8020),
                      fetch = a.request(0x4000);
  a.more(semaphore).store = a.more(semaphore).semaphore = true;
  a.more(store).load = false;
  a.more(store).store = true;
  a.more(fetch).requester = ia64::Requester::demand_fetch;
  for (const std::uint32_t r : {load, semaphore, store}) a.occur(Signal::l2_reference, r, d::side_data, r);
  a.occur(Signal::l2_reference, 5, 0, fetch);
  EXPECT_EQ(count(a, 0xb1), 4u);
  EXPECT_EQ(count(a, 0xb2, 1), 2u);
  EXPECT_EQ(count(a, 0xb2, 2), 2u);
  EXPECT_EQ(count(a, 0xb2, 3), 4u);
  for (std::uint16_t i = 0; i < 8; ++i) a.occur(Signal::bypass, 45u + i, i, load);
  for (const unsigned umask : {0u, 1u, 4u, 5u}) EXPECT_EQ(count(a, 0xb8, umask), 1u) << umask;
  for (const unsigned umask : {2u, 6u}) EXPECT_EQ(count(a, 0xb8, umask), 2u) << umask;
}

/// A detail, the code of the event that it belongs to, and the unit mask.
struct Selected {
  std::uint16_t detail;
  unsigned code, umask;
};
template <class Cause>
std::uint16_t with(Cause cause, unsigned facts = 0) {
  return static_cast<std::uint16_t>(static_cast<unsigned>(cause) | facts);
}
Activity one(Signal signal, std::uint16_t detail) {
  Activity a(3);
  a.occur(signal, 1, detail, a.request(0x8000));
  return a;
}
/// Counts each detail alone with every unit mask from `first` on of these events.
void expect_selected(Signal signal, const std::vector<Selected>& rows, std::initializer_list<unsigned> codes,
                     unsigned first) {
  for (const Selected& row : rows) {
    const Activity a = one(signal, row.detail);
    for (const unsigned code : codes) {
      for (unsigned umask = first; umask < 16; ++umask) {
        EXPECT_EQ(count(a, code, umask), code == row.code && umask == row.umask ? 1u : 0u)
            << std::hex << "detail " << row.detail << ", event " << code << ", unit mask " << umask;
      }
    }
  }
}

TEST(Events, CancelsOfTheQueueByCause) {
  using C = ia64::QueueCancel;
  using S = ia64::QueueStage;
  using ia64::queue_stage;
  namespace q = ia64::queue_cancel;
  const std::vector<Selected> late{{with(C::missed_bypass, q::first), 0xa0, 1},
                                   {with(C::release, q::first), 0xa0, 2},
                                   {with(C::acquire, q::first | q::adjacent), 0xa0, 3},
                                   {with(C::bypass_of_release, q::first), 0xa0, 4}};
  const std::vector<Selected> rows{{with(C::release), 0xac, 0},
                                   {with(C::bank), 0xac, 1},
                                   {with(C::store_data, queue_stage(S::l2d)), 0xac, 2},
                                   {with(C::sync), 0xac, 4},
                                   {with(C::fetch, q::walker), 0xac, 5},
                                   {with(C::store_order, q::store | queue_stage(S::l2m)), 0xac, 6},
                                   {with(C::fill), 0xac, 7},
                                   {with(C::fill, q::store | q::same_set), 0xac, 8},
                                   {with(C::compare_value), 0xac, 9},
                                   {with(C::semaphore), 0xac, 0xa},
                                   {with(C::store_data, queue_stage(S::l2m)), 0xac, 0xb},
                                   {with(C::fence), 0xac, 0xc},
                                   {with(C::store_data, queue_stage(S::l2a)), 0xac, 0xd},
                                   {with(C::l1d_fill, q::first), 0xac, 0xe},
                                   {with(C::l2_error), 0xac, 0xf},
                                   {with(C::recirculating), 0xa8, 0},
                                   {with(C::store_order, q::store | queue_stage(S::l2c)), 0xa8, 1},
                                   {with(C::store_data, queue_stage(S::l2c)), 0xa8, 2},
                                   {with(C::system_error), 0xa8, 3},
                                   {with(C::acquire), 0xa8, 4},
                                   {with(C::acquire, q::first), 0xa8, 4},
                                   {with(C::acquire, q::adjacent), 0xa8, 4},
                                   {with(C::write_back_read), 0xa8, 5},
                                   {with(C::return_port), 0xa8, 6},
                                   {with(C::fill, q::store), 0xa8, 8},
                                   {with(C::still_missing), 0xa8, 9},
                                   {with(C::uncacheable), 0xa8, 0xa},
                                   {with(C::no_attempt_left, q::first), 0xa8, 0xc},
                                   {with(C::store_order, q::store | queue_stage(S::l2d)), 0xa8, 0xd},
                                   {with(C::fetch), 0xa8, 0xf}};
  expect_selected(Signal::queue_cancel, late, {0xa0}, 1);
  expect_selected(Signal::queue_cancel, late, {0xac, 0xa8}, 0);
  expect_selected(Signal::queue_cancel, rows, {0xa0, 0xac, 0xa8}, 0);
  for (const Selected& row : late) EXPECT_EQ(count(one(Signal::queue_cancel, row.detail), 0xa0, 0), 1u);
  for (const Selected& row : rows)
    EXPECT_EQ(count(one(Signal::queue_cancel, row.detail), 0xa0, 0, {{"pmu.ozq_cancels_any", "all"}}), 1u);
}

TEST(Events, CancelsOfFetchesByCause) {
  using C = ia64::FetchCancel;
  namespace f = ia64::fetch_cancel;
  std::vector<Selected> rows{{with(C::data, f::first), 0xa1, 2},
                             {with(C::still_missing), 0xa1, 4},
                             {with(C::recirculating), 0xa1, 5},
                             {with(C::fill_or_write_back), 0xa1, 6},
                             {with(C::data), 0xa1, 7},
                             {with(C::data, 1u << f::after_data_shift), 0xa1, 7},
                             {with(C::data, 2u << f::after_data_shift), 0xa1, 8},
                             {with(C::data, f::prefetch | 3u << f::after_data_shift), 0xa1, 8},
                             {with(C::snoop, f::first), 0xa1, 0xc},
                             {with(C::data, f::first | f::prefetch), 0xa1, 0xd}};
  // Intel's event list (251110-001, as oprofile's events/ia64/itanium2 has it) has four codes for this event.
  for (const unsigned code : {0xa1, 0xa5, 0xa9, 0xad}) {
    for (Selected& row : rows) row.code = code;
    expect_selected(Signal::fetch_cancel, rows, {code}, 1);
    for (const Selected& row : rows) EXPECT_EQ(count(one(Signal::fetch_cancel, row.detail), code, 0), 1u);
  }
}

// The list has four codes for each of these, too.
TEST(Events, OrderedEntriesOfTheQueue) {
  const auto cycles = [](std::uint64_t bit, unsigned code) {
    Activity a(9);
    a.state(State::l2_queue, 0);
    a.change(State::l2_queue, 2, bit);
    a.change(State::l2_queue, 7, 0);
    return count(a, code);
  };
  for (const unsigned code : {0xa2, 0xa6, 0xaa, 0xae}) {
    EXPECT_EQ(cycles(ia64::l2_queue::has_acquire, code), 7u - 2) << std::hex << code;
    EXPECT_EQ(cycles(ia64::l2_queue::has_release, code), 0u) << std::hex << code;
    EXPECT_EQ(cycles(ia64::l2_queue::has_release, code + 1), 7u - 2) << std::hex << code + 1;
    EXPECT_EQ(cycles(ia64::l2_queue::has_acquire, code + 1), 0u) << std::hex << code + 1;
  }
}

TEST(Events, RecirculationsByCause) {
  using R = ia64::Recirculate;
  namespace r = ia64::recirculate;
  const std::vector<Selected> rows{{with(R::self_modifying, r::store), 0xb4, 1},
                                   {with(R::l1d_line_written), 0xb4, 2},
                                   {with(R::tags_written), 0xb4, 4},
                                   {with(R::line_under_way, r::prefetch), 0xb4, 5},
                                   {with(R::snoop), 0xb4, 6},
                                   {with(R::write_back), 0xb4, 8},
                                   {with(R::line_under_way, ia64::line_phase(ia64::LinePhase::accepted)), 0xb4, 9},
                                   {with(R::line_under_way, r::store), 0xb4, 9},
                                   {with(R::line_under_way, r::for_code_prefetch), 0xb4, 0xa},
                                   {with(R::line_under_way, r::for_code_prefetch | r::prefetch), 0xb4, 0xa},
                                   {with(R::no_victim_buffer), 0xb4, 0xb},
                                   {with(R::miss), 0xb4, 0xc},
                                   {with(R::set_under_way), 0xb4, 0xd},
                                   {with(R::no_fill_buffer), 0xb4, 0xe}};
  expect_selected(Signal::force_recirculate, rows, {0xb4}, 1);
  for (const Selected& row : rows) EXPECT_EQ(count(one(Signal::force_recirculate, row.detail), 0xb4, 0), 1u);
}

TEST(Events, ThirdLevel) {
  Activity a(20);
  Cycle c = 0;
  for (const std::uint16_t result : {d::lookup_hit, d::lookup_miss}) {
    for (const int who : {0, static_cast<int>(d::access_prefetch), static_cast<int>(d::side_data),
                          d::side_data | dd::l3_for_ownership, static_cast<int>(d::access_writeback)}) {
      a.occur(Signal::l3_lookup, c++, static_cast<std::uint16_t>(result | who), a.request(0x8000));
    }
  }
  EXPECT_EQ(count(a, 0xdb), 10u);
  EXPECT_EQ(count(a, 0xdc), 5u);
  const std::pair<unsigned, unsigned> reads[] = {{1, 1}, {2, 1},   {3, 2},   {5, 2},   {7, 4},
                                                 {9, 1}, {0xb, 2}, {0xd, 3}, {0xe, 3}, {0xf, 6}};
  for (const auto& [umask, expected] : reads) EXPECT_EQ(count(a, 0xdd, umask), expected) << umask;
  const std::pair<unsigned, unsigned> writes[] = {{5, 1}, {7, 2}, {9, 1}, {0xb, 2}, {0xd, 2}, {0xf, 4}};
  for (const auto& [umask, expected] : writes) EXPECT_EQ(count(a, 0xde, umask), expected) << umask;
}

TEST(Events, Bus) {
  // Every kind by every agent, with whole lines; then the queues.
  Activity a(80);
  Cycle c = 0;
  for (std::uint16_t kind = 0; kind <= 10; ++kind) {
    for (std::uint16_t agent = 0; agent < 3; ++agent) {
      a.occur(Signal::bus_transaction, c++,
              static_cast<std::uint16_t>(kind | agent << dd::bus_agent_shift | dd::bus_full_line |
                                         dd::bus_answer_modified));
    }
  }
  const struct {
    unsigned code, umask, expected;
  } rows[] = {{0x87, 1, 11},   {0x87, 2, 11}, {0x87, 3, 33}, {0x8a, 7, 21},  {0x8a, 6, 7},   {0x8a, 0xb, 0},
              {0x8a, 0xf, 21}, {0x8b, 3, 3},  {0x8b, 6, 1},  {0x8b, 9, 1},   {0x8b, 0xf, 9}, {0x8d, 2, 1},
              {0x90, 3, 6},    {0x91, 1, 1},  {0x92, 7, 3},  {0x92, 0xb, 0}, {0x93, 3, 3},   {0x89, 3, 3},
              {0x84, 0, 33},   {0x81, 0, 12}, {0x82, 0, 3},  {0x83, 0, 6},   {0x80, 0, 0},   {0x8c, 3, 0}};
  for (const auto& row : rows)
    EXPECT_EQ(count(a, row.code, row.umask), row.expected) << std::hex << row.code << ' ' << row.umask;
  Activity queues(1);
  namespace q = ia64::bus_queues;
  queues.state(State::bus_queues, 21ull << q::memory_reads_shift | 9ull << q::in_order_shift |
                                      10ull << q::deferred_shift | 7ull << q::requests_shift | 5ull << q::snoops_shift);
  const std::pair<unsigned, unsigned> levels[] = {{0x94, 2}, {0x95, 5}, {0x96, 5}, {0x97, 1}, {0x98, 2},
                                                  {0x99, 2}, {0x9a, 1}, {0x9b, 7}, {0x9c, 0}};
  for (const auto& [code, expected] : levels) EXPECT_EQ(count(queues, code), expected) << std::hex << code;
}

TEST(Events, PinsAndIa32) {
  Activity a(10);
  for (std::uint16_t pin = 0; pin < 6; ++pin) a.occur(Signal::pin_assert, pin, pin);
  a.occur(Signal::ia32_retire, 7, 0, activity::no_ref, 2);
  for (unsigned umask = 1; umask < 16; ++umask)
    EXPECT_EQ(count(a, 0x9e, umask), static_cast<unsigned>(__builtin_popcount(umask)));
  EXPECT_EQ(count(a, 0x9f, 2), 1u);
  EXPECT_EQ(count(a, 0x9f, 3), 2u);
  EXPECT_EQ(count(a, 0x9f, 15), 2u) << "ALL in Intel's event list";
  EXPECT_EQ(count(a, 0x59), 2u);
  EXPECT_EQ(count(a, 0x08, 1), 2u);
  EXPECT_EQ(count(a, 0x08, 2), 0u);
  EXPECT_EQ(count(a, 0x08, 0, {{"pmu.ia32_retirement", "left_out"}}), 0u);
}

// Channels 2 and 3 exclude IA-32 instructions. The signal identifies them, not PSR.is at retirement.
TEST(Events, InstructionsThatRetireUnderPsrIs) {
  Activity a(10);
  a.state(State::psr, psr::up | psr::is);
  a.retires(2).occur(Signal::ia32_retire, 7, 0, activity::no_ref, 2);
  for (unsigned channel = 0; channel < 4; ++channel) EXPECT_EQ(count(a, 0x08, channel), channel < 2 ? 3u : 1u);
}

TEST(Events, DataBreakpoints) {
  // DBR0: reads of 0x8000-0x8fff at level 0.
  Activity a(10);
  const std::uint32_t in = a.request(0x8010), out = a.request(0x9010), store = a.request(0x8020);
  a.more(store).load = false;
  a.more(store).store = true;
  for (const std::uint32_t r : {in, out, store}) {
    a.occur(Signal::data_reference, 2 * r, 0, r);
    a.occur(Signal::access_retire, 2 * r + 1, 0, r);
  }
  auto m = counting({event(0xc6) | any_level, event(0x52) | any_level});
  put(*m, dbr(0), 0x8000);
  put(*m, dbr(1), 0x81ff'ffff'ffff'f000);
  consume_both(*m, a.block());
  EXPECT_EQ(get(*m, pmd(4)), 1u);
  EXPECT_EQ(get(*m, pmd(5)), 0u) << "PSR.db is 0";
  a.state(State::psr, psr::up | psr::db);
  consume_both(*m, a.block());
  EXPECT_EQ(get(*m, pmd(5)), 1u);
}

// TAGGED_L2_DATA_RETURN_POR: Intel's event list has no more than the name.
TEST(Events, AllButTheOneWithoutADefinitionAreModelled) {
  constexpr unsigned undefined = 0xbb;
  for (unsigned code = 0; code < 256; ++code) {
    for (unsigned umask = 0; umask < 16; ++umask) {
      const auto sentences = counting({event(code, umask) | any_level})->not_modelled();
      if (code != undefined || umask != 0) {
        EXPECT_TRUE(sentences.empty()) << std::hex << code << ' ' << umask;
        continue;
      }
      ASSERT_EQ(sentences.size(), 1u);
      EXPECT_EQ(sentences[0], "PMC4: event 0xbb with unit mask 0 is not modelled and counts 0");
    }
  }
}

}  // namespace
}  // namespace pmusim::testing
