// Every event of the table over a long random stretch of activity of both threads: the count is above zero, and the sum
// of the two threads' own counts equals what each counts for both.
#include "models/pmu/multiplexer.h"
#include "testbench/tests/pmu_montecito/bench.h"
#include "testbench/tests/pmu_montecito/rows.h"

namespace pmusim::testing {
namespace {

constexpr Cycle length = 6000;

/// Pseudo-random numbers, the same in every run.
class Numbers {
 public:
  std::uint64_t operator()(std::uint64_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % limit;
  }
  bool one_in(std::uint64_t n) { return (*this)(n) == 0; }

 private:
  std::uint64_t state_ = 1;
};

/// Random bits, each set with a probability of 3/4 or of 1/4.
std::uint64_t many_bits(Numbers& number, std::uint64_t limit) {
  const std::uint64_t first = number(limit), second = number(limit);
  return first | second;
}
std::uint64_t few_bits(Numbers& number, std::uint64_t limit) {
  const std::uint64_t first = number(limit), second = number(limit);
  return first & second;
}

std::uint32_t any_instruction(Activity& a, Numbers& number) {
  const std::uint32_t i = a.instruction({.ip = 0x4000 + 16 * number(64),
                                         .slot = static_cast<unsigned>(number(3)),
                                         .type = static_cast<ia64::SlotType>(number(5)),
                                         .kinds = static_cast<std::uint32_t>(many_bits(number, 1u << 27)),
                                         .predicate = !number.one_in(4),
                                         .taken = number.one_in(2),
                                         .thread = static_cast<unsigned>(number(2))});
  ia64::Syllable& s = a.syllable(i);
  s.branch_class = static_cast<ia64::BranchClass>(number(4));
  s.prediction = static_cast<ia64::Prediction>(number(4));
  s.unknown_prediction = s.back_end_flush = number.one_in(2);
  s.wrong_rotation = s.wrong_stage = s.wrong_previous_state = number.one_in(2);
  s.check_failed = number.one_in(2);
  s.fp_operations = s.flushed_to_zero = s.possibly_flushed = 1;
  s.deferral = static_cast<ia64::Deferral>(number(6));
  s.frame_registers = s.dirty_registers = static_cast<std::uint8_t>(number(97));
  return i;
}
std::uint32_t any_request(Activity& a, Numbers& number) {
  const std::uint32_t r = a.request(0x8000 + 8 * number(64));
  a.record(r).thread = static_cast<std::uint8_t>(number(2));
  ia64::Request& more = a.more(r);
  more.requester = static_cast<ia64::Requester>(number(6));
  more.load = number.one_in(2);
  more.store = more.fp = more.misaligned = more.l1d_read = number.one_in(2);
  more.uncacheable = number.one_in(4);
  return r;
}

/// A random value that is legal for the state.
std::uint64_t any_state(State state, Numbers& number) {
  switch (state) {
    case State::back_end:
      return back_end(static_cast<ia64::BackEnd>(number(6)), static_cast<unsigned>(1 + number(13)));
    case State::front_end:
    case State::buffer_exit:
      return front_end(static_cast<ia64::FrontEnd>(1 + number(11)), static_cast<unsigned>(number(3)));
    case State::bus_clocks:
      return number(1u << 12);
    default:
      return number(1u << 30) | number(1u << 30) << 30;
  }
}

Activity everything() {
  Activity a(length);
  Numbers number;
  a.state(State::psr, psr::up | psr::db).state(State::background_psr, psr::up | psr::db);
  for (std::size_t s = 0; s < activity::signal_count; ++s) {
    const auto signal = static_cast<Signal>(s);
    for (Cycle c = number(3); c < length; c += 1 + number(5)) {
      const std::uint32_t ref = number.one_in(8)                 ? activity::no_ref
                                : pmu::refers_to_request(signal) ? any_request(a, number)
                                                                 : any_instruction(a, number);
      // Reasons are small numbers, other details are bits.
      const std::uint64_t detail = number.one_in(2)   ? few_bits(number, 1u << 16)
                                   : number.one_in(2) ? number(1u << 9)
                                                      : number(40);
      a.occur(signal, c, static_cast<std::uint16_t>(detail), ref, 1);
    }
  }
  for (const State state :
       {State::back_end, State::front_end, State::buffer_exit, State::fetch_buffers, State::l2_queue, State::bus_queues,
        State::bus_clocks, State::switching, State::request_reject, State::interface_self, State::interface_both}) {
    for (Cycle c = 1; c < length; c += 1 + number(3)) a.change(state, c, any_state(state, number));
  }
  for (Cycle c = 100; c < length; c += 100) {
    a.change(State::thread, c, c / 100 % 2);
    a.change(State::clock, c + 50, 0).change(State::clock, c + 60, 1);
  }
  for (Cycle c = 70; c < length; c += 100) {
    a.change(State::cpl, c, number(4)).change(State::cpl, c + 20, 0);  // back to 0 before the switch
  }
  return a;
}

TEST(Sums, OfBothThreadsOverEveryEvent) {
  const Activity a = everything();
  const auto counts = [&](const Row& row, unsigned umask, const char* thread, std::uint64_t more) {
    auto m = make_montecito(
        {{"pmu.thread", thread}, {"pmu.increment_limit", "none"}, {"pmu.syllable_overcount", "both_stops"}});
    const std::uint64_t value = event(row.code, umask) | any_level | every_state | more;
    // Two events share a code: the one of L2D is in PMC4.
    const std::uint32_t counter = row.code == 0xbc && row.group == 0 ? 5 : 4;
    put(*m, pmc(counter), value);
    put(*m, dbr(0), 0x8000);  // breakpoint for loads and stores
    put(*m, dbr(1), 0xffff'ffff'ffff'ff00);
    m->consume(a.block(), 0, length);
    return get(*m, pmd(counter));
  };
  for (const Row& row : rows) {
    if (row.code == 0x11 || row.code == 0x43 || row.code == 0xc8) continue;  // these count a thread's captures
    for (unsigned umask = 0; umask < 16; ++umask) {
      if ((row.umasks >> umask & 1) == 0) continue;
      const std::uint64_t first = counts(row, umask, "0", 0), second = counts(row, umask, "1", 0);
      EXPECT_GT(first + second, 0u) << std::hex << row.code << ' ' << umask;
      EXPECT_EQ(counts(row, umask, "0", all), first + second) << std::hex << row.code << ' ' << umask;
      EXPECT_EQ(counts(row, umask, "1", all), first + second) << std::hex << row.code << ' ' << umask;
    }
  }
}

}  // namespace
}  // namespace pmusim::testing
