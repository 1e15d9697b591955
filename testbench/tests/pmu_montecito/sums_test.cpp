// Every event of the table over a long random stretch of activity of both threads: the count is above zero, and the sum
// of the two threads' own counts equals what each counts for both.
#include "bench.h"
#include "models/montecito/events.h"
#include "models/pmu/multiplexer.h"
#include "testbench/tests/monitors/ia64_bench.h"

namespace pmusim::testing {

// An independent copy of libpfm's event table, for the tests.

struct Row {
  unsigned code;
  unsigned umasks;  ///< bit n: unit mask n is listed
  unsigned most;
  const char* qualifiers;  ///< I code range, O opcode, D data range
  unsigned group;          ///< 1 L1D, 2 L2D
  unsigned set;
  char type;          ///< A active, F floating, C causal, S self-floating
  unsigned counters;  ///< bit n: PMC4 + n
  bool line_states;
};

// EAR events are listed with unit mask 0: the others belong to PMC37 and PMC40.
inline constexpr Row rows[] = {
    {0x00, 0x0007, 1, "---", 0, 0, 'A', 0xfff, false}, {0x01, 0x003f, 1, "---", 0, 0, 'A', 0xfff, false},
    {0x02, 0x01ff, 1, "---", 0, 0, 'A', 0xfff, false}, {0x03, 0x0001, 1, "I--", 0, 0, 'A', 0xfff, false},
    {0x04, 0x0007, 1, "---", 0, 0, 'A', 0xfff, false}, {0x05, 0x0001, 1, "I--", 0, 0, 'A', 0xfff, false},
    {0x06, 0x0001, 1, "I--", 0, 0, 'A', 0xfff, false}, {0x08, 0x000f, 6, "IO-", 0, 0, 'A', 0xfff, false},
    {0x09, 0x0001, 6, "I--", 0, 0, 'A', 0xfff, false}, {0x0b, 0x0003, 2, "I--", 0, 0, 'A', 0xfff, false},
    {0x0c, 0x00bf, 1, "---", 0, 0, 'A', 0xfff, false}, {0x0d, 0x00b2, 1, "---", 0, 0, 'A', 0xfff, false},
    {0x0e, 0x00de, 1, "---", 0, 0, 'A', 0xfff, false}, {0x0f, 0x07ff, 1, "---", 0, 0, 'A', 0xfff, false},
    {0x11, 0x0001, 1, "IO-", 0, 0, 'A', 0xfff, false}, {0x12, 0x0001, 1, "---", 0, 0, 'C', 0xfff, false},
    {0x12, 0x0002, 1, "IO-", 0, 0, 'C', 0xfff, false}, {0x13, 0x8116, 1, "---", 0, 0, 'A', 0xfff, false},
    {0x18, 0x0001, 7, "---", 0, 0, 'C', 0x040, false}, {0x20, 0x000e, 2, "IOD", 0, 0, 'A', 0xfff, false},
    {0x24, 0x0001, 1, "---", 0, 0, 'A', 0xfff, false}, {0x26, 0x0001, 1, "---", 0, 0, 'A', 0xfff, false},
    {0x28, 0x0001, 7, "---", 0, 0, 'A', 0xfff, false}, {0x29, 0x0001, 7, "---", 0, 0, 'A', 0xfff, false},
    {0x2a, 0x0001, 7, "---", 0, 0, 'A', 0xfff, false}, {0x2b, 0x0001, 7, "---", 0, 0, 'A', 0xfff, false},
    {0x2d, 0x0001, 4, "---", 0, 0, 'A', 0xfff, false}, {0x32, 0x0001, 1, "---", 0, 0, 'A', 0xfff, false},
    {0x40, 0x0001, 1, "I--", 0, 0, 'A', 0xfff, false}, {0x41, 0x0001, 1, "I--", 0, 0, 'F', 0xfff, false},
    {0x42, 0x0001, 1, "I--", 0, 0, 'A', 0xfff, false}, {0x43, 0x0001, 1, "I--", 0, 0, 'F', 0xfff, false},
    {0x44, 0x0001, 1, "I--", 0, 0, 'A', 0xfff, false}, {0x45, 0x0001, 1, "I--", 0, 0, 'A', 0xfff, false},
    {0x46, 0x0001, 1, "I--", 0, 0, 'A', 0xfff, false}, {0x47, 0x000e, 1, "I--", 0, 0, 'A', 0xfff, false},
    {0x48, 0x0001, 1, "I--", 0, 0, 'A', 0xfff, false}, {0x49, 0x0001, 1, "---", 0, 0, 'A', 0xfff, false},
    {0x4a, 0x0001, 1, "IOD", 0, 0, 'C', 0xfff, false}, {0x4b, 0x0001, 1, "I--", 0, 0, 'C', 0xfff, false},
    {0x4d, 0x0001, 6, "I--", 0, 0, 'A', 0xfff, false}, {0x4e, 0xfffe, 5, "I--", 0, 0, 'A', 0xfff, false},
    {0x4f, 0x000e, 2, "I--", 0, 0, 'A', 0xfff, false}, {0x50, 0x0001, 6, "IO-", 0, 0, 'A', 0xfff, false},
    {0x51, 0x0001, 6, "IO-", 0, 0, 'A', 0xfff, false}, {0x52, 0x0001, 1, "---", 0, 0, 'A', 0xfff, false},
    {0x53, 0x0001, 1, "---", 0, 0, 'A', 0xfff, false}, {0x54, 0xffff, 3, "IO-", 0, 0, 'A', 0xfff, false},
    {0x55, 0x000e, 1, "---", 0, 0, 'A', 0xfff, false}, {0x56, 0x000e, 2, "IOD", 0, 0, 'A', 0xfff, false},
    {0x57, 0x000e, 1, "IOD", 0, 0, 'A', 0xfff, false}, {0x58, 0x000e, 2, "IOD", 0, 0, 'A', 0xfff, false},
    {0x5b, 0xffff, 3, "IO-", 0, 0, 'A', 0xfff, false}, {0x5f, 0x0001, 1, "I--", 0, 0, 'A', 0xfff, false},
    {0x60, 0x0001, 1, "---", 0, 0, 'C', 0xfff, false}, {0x61, 0x000f, 1, "IO-", 0, 0, 'A', 0xfff, false},
    {0x63, 0xff0f, 3, "IO-", 0, 0, 'A', 0xfff, false}, {0x64, 0x0001, 1, "---", 0, 0, 'C', 0xfff, false},
    {0x65, 0x0001, 1, "I--", 0, 0, 'A', 0xfff, false}, {0x66, 0x0001, 1, "I--", 0, 0, 'A', 0xfff, false},
    {0x67, 0x000c, 1, "---", 0, 0, 'A', 0xfff, false}, {0x68, 0x7777, 2, "IO-", 0, 0, 'A', 0xfff, false},
    {0x69, 0x0001, 1, "---", 0, 0, 'A', 0xfff, false}, {0x6a, 0x3333, 2, "IO-", 0, 0, 'A', 0xfff, false},
    {0x70, 0x3ff3, 2, "---", 0, 0, 'A', 0xfff, false}, {0x71, 0x3ffb, 1, "---", 0, 0, 'A', 0xfff, false},
    {0x72, 0x3ff3, 2, "---", 0, 0, 'A', 0xfff, false}, {0x73, 0x3ff3, 2, "---", 0, 0, 'A', 0xfff, false},
    {0x78, 0xeee0, 1, "I--", 0, 0, 'F', 0xfff, false}, {0x79, 0xeee0, 1, "I--", 0, 0, 'F', 0xfff, false},
    {0x7a, 0x0001, 1, "I--", 0, 0, 'F', 0xfff, false}, {0x7b, 0xeee0, 1, "I--", 0, 0, 'F', 0xfff, false},
    {0x7c, 0xeee0, 1, "I--", 0, 0, 'F', 0xfff, false}, {0x7d, 0xeee0, 1, "I--", 0, 0, 'F', 0xfff, false},
    {0x7e, 0x0001, 1, "I--", 0, 0, 'F', 0xfff, false}, {0x7f, 0x0001, 1, "---", 0, 0, 'C', 0xfff, false},
    {0x80, 0x000f, 1, "---", 0, 0, 'S', 0x03f, false}, {0x81, 0x000f, 1, "---", 0, 0, 'S', 0x03f, false},
    {0x82, 0x000f, 1, "---", 0, 0, 'S', 0x03f, false}, {0x83, 0x000f, 1, "---", 0, 0, 'S', 0x03f, false},
    {0x84, 0x000f, 1, "---", 0, 0, 'S', 0x03f, false}, {0x87, 0x000f, 1, "---", 0, 0, 'S', 0x03f, false},
    {0x88, 0x000f, 1, "---", 0, 0, 'C', 0x03f, false}, {0x89, 0x000a, 1, "---", 0, 0, 'C', 0xfff, false},
    {0x8a, 0xfff0, 1, "---", 0, 0, 'S', 0x03f, false}, {0x8b, 0xffff, 1, "---", 0, 0, 'S', 0x03f, false},
    {0x8c, 0x000f, 1, "---", 0, 0, 'S', 0x03f, false}, {0x8d, 0x000f, 1, "---", 0, 0, 'S', 0x03f, false},
    {0x8e, 0x0001, 1, "---", 0, 0, 'C', 0xfff, false}, {0x8f, 0x000d, 1, "---", 0, 0, 'S', 0x03f, false},
    {0x90, 0x000f, 1, "---", 0, 0, 'S', 0x03f, false}, {0x91, 0x000f, 1, "---", 0, 0, 'S', 0x03f, false},
    {0x92, 0xece0, 1, "---", 0, 0, 'S', 0x03f, false}, {0x93, 0x000f, 1, "---", 0, 0, 'C', 0x03f, false},
    {0x97, 0x0001, 3, "---", 0, 0, 'C', 0xfff, false}, {0x98, 0x0001, 2, "---", 0, 0, 'C', 0xfff, false},
    {0x9e, 0x0003, 2, "---", 0, 0, 'S', 0xfff, false}, {0x9f, 0x0003, 7, "---", 0, 0, 'C', 0xfff, false},
    {0xa0, 0x0003, 1, "---", 0, 0, 'C', 0xfff, false}, {0xa1, 0xffff, 2, "---", 0, 0, 'S', 0xfff, false},
    {0xa2, 0x0003, 7, "---", 0, 0, 'C', 0xfff, false}, {0xa3, 0x0003, 1, "---", 0, 0, 'C', 0xfff, false},
    {0xa4, 0x0003, 1, "---", 0, 0, 'C', 0xfff, false}, {0xa5, 0x0003, 2, "---", 0, 0, 'S', 0xfff, false},
    {0xa6, 0x0003, 7, "---", 0, 0, 'C', 0xfff, false}, {0xa7, 0x0003, 1, "---", 0, 0, 'C', 0xfff, false},
    {0xa8, 0x0003, 2, "---", 0, 0, 'C', 0xfff, false}, {0xaa, 0x0001, 2, "---", 0, 0, 'C', 0xfff, false},
    {0xab, 0x3333, 4, "---", 0, 0, 'C', 0xfff, false}, {0xac, 0x0003, 7, "---", 0, 0, 'C', 0xfff, false},
    {0xad, 0x0003, 1, "---", 0, 0, 'C', 0xfff, false}, {0xae, 0x1111, 1, "---", 0, 0, 'C', 0xfff, false},
    {0xaf, 0x0333, 2, "---", 0, 0, 'C', 0xfff, false}, {0xb0, 0x0001, 4, "IOD", 0, 0, 'F', 0xfff, false},
    {0xb1, 0x0001, 4, "IOD", 0, 0, 'F', 0xfff, false}, {0xb4, 0x0001, 2, "---", 0, 0, 'F', 0x03f, false},
    {0xb5, 0x0001, 7, "---", 0, 0, 'F', 0x03f, false}, {0xb6, 0x0001, 2, "---", 0, 0, 'C', 0x03f, false},
    {0xb7, 0x0001, 7, "---", 0, 0, 'C', 0x03f, false}, {0xb8, 0x0001, 2, "---", 0, 0, 'C', 0x03f, false},
    {0xb9, 0x0001, 7, "---", 0, 0, 'C', 0x03f, false}, {0xba, 0x0001, 1, "---", 0, 0, 'F', 0x03f, false},
    {0xbb, 0x0001, 2, "---", 0, 0, 'C', 0x03f, false}, {0xbc, 0x0001, 1, "---", 0, 0, 'C', 0x03f, false},
    {0xbc, 0x0001, 1, "---", 2, 5, 'F', 0xfff, false}, {0xbd, 0x0001, 1, "---", 0, 0, 'C', 0x03f, false},
    {0xbe, 0x0001, 1, "---", 0, 0, 'C', 0x03f, false}, {0xc0, 0x0001, 1, "IOD", 1, 0, 'A', 0xfff, false},
    {0xc1, 0x0001, 4, "IOD", 1, 0, 'A', 0xfff, false}, {0xc2, 0x0001, 2, "IOD", 1, 0, 'A', 0xfff, false},
    {0xc3, 0x0001, 4, "IOD", 1, 0, 'A', 0xfff, false}, {0xc4, 0x0001, 2, "IOD", 1, 1, 'A', 0xfff, false},
    {0xc5, 0x0001, 4, "IOD", 1, 1, 'A', 0xfff, false}, {0xc6, 0x0001, 1, "IOD", 0, 0, 'A', 0xfff, false},
    {0xc7, 0x0003, 2, "IOD", 1, 1, 'A', 0xfff, false}, {0xc8, 0x0001, 1, "IOD", 0, 0, 'F', 0xfff, false},
    {0xc9, 0x0001, 4, "---", 0, 0, 'F', 0xfff, false}, {0xca, 0xffbf, 1, "---", 1, 2, 'A', 0xfff, false},
    {0xcb, 0x0001, 1, "IOD", 0, 0, 'F', 0xfff, false}, {0xcd, 0x0001, 4, "IOD", 1, 3, 'A', 0xfff, false},
    {0xce, 0x0001, 4, "IOD", 1, 3, 'A', 0xfff, false}, {0xcf, 0x0001, 4, "IOD", 1, 3, 'A', 0xfff, false},
    {0xd0, 0x0001, 2, "IOD", 1, 4, 'A', 0xfff, false}, {0xd1, 0x0001, 2, "IOD", 1, 4, 'A', 0xfff, false},
    {0xd2, 0x0001, 2, "IOD", 1, 4, 'A', 0xfff, false}, {0xd8, 0x0001, 2, "IOD", 1, 6, 'A', 0xfff, false},
    {0xd9, 0x003f, 2, "I-D", 0, 0, 'A', 0xfff, false}, {0xda, 0x0001, 1, "IOD", 0, 0, 'F', 0xfff, true},
    {0xdb, 0x0001, 1, "IOD", 0, 0, 'F', 0xfff, false}, {0xdc, 0x0001, 1, "IOD", 0, 0, 'F', 0xfff, false},
    {0xdd, 0xeeee, 1, "IOD", 0, 0, 'F', 0xfff, true},  {0xde, 0xeee0, 1, "IOD", 0, 0, 'F', 0xfff, true},
    {0xdf, 0x0001, 1, "---", 0, 0, 'F', 0xfff, true},  {0xe0, 0xffff, 4, "IOD", 2, 0, 'F', 0xfff, false},
    {0xe2, 0x000f, 4, "IOD", 2, 0, 'F', 0xfff, false}, {0xe4, 0x0007, 1, "IOD", 2, 1, 'F', 0xfff, false},
    {0xe5, 0x0001, 1, "---", 2, 1, 'F', 0xfff, false}, {0xe6, 0x000e, 4, "IOD", 2, 2, 'F', 0xfff, false},
    {0xe8, 0x00ff, 1, "IOD", 2, 3, 'F', 0xfff, false}, {0xe9, 0x0001, 1, "---", 2, 3, 'F', 0xfff, false},
    {0xea, 0xfff3, 4, "IOD", 2, 4, 'F', 0xfff, false}, {0xeb, 0x0001, 1, "IOD", 2, 4, 'F', 0xfff, false},
    {0xec, 0x0001, 4, "IOD", 2, 5, 'F', 0xfff, false}, {0xed, 0x0001, 2, "IOD", 2, 5, 'F', 0xfff, false},
    {0xef, 0x0001, 1, "---", 2, 6, 'F', 0xfff, false}, {0xf0, 0x003f, 4, "IOD", 0, 0, 'F', 0xfff, false},
    {0xf1, 0x0001, 1, "---", 2, 7, 'F', 0xfff, false}, {0xf2, 0x001f, 1, "---", 2, 8, 'F', 0xfff, false},
    {0xf3, 0x0001, 1, "---", 2, 8, 'F', 0xfff, false}};

namespace {

constexpr Cycle stretch = 6000;

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
  Activity a(stretch);
  Numbers number;
  a.state(State::psr, psr::up | psr::db).state(State::background_psr, psr::up | psr::db);
  for (std::size_t s = 0; s < activity::signal_count; ++s) {
    const auto signal = static_cast<Signal>(s);
    for (Cycle c = number(3); c < stretch; c += 1 + number(5)) {
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
    for (Cycle c = 1; c < stretch; c += 1 + number(3)) a.change(state, c, any_state(state, number));
  }
  for (Cycle c = 100; c < stretch; c += 100) {
    a.change(State::thread, c, c / 100 % 2);
    a.change(State::clock, c + 50, 0).change(State::clock, c + 60, 1);
  }
  for (Cycle c = 70; c < stretch; c += 100) {
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
    m->consume(a.block(), 0, stretch);
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

// The event table compared with this copy: unit masks, maximum per cycle, qualifiers, sets, types, counters.

char letter(pmu::ia64::Type type) { return "AFCS"[static_cast<unsigned>(type)]; }

/// The model's row; if two events share the code, the one of the row's group.
const pmu::ia64::Event* find(const Row& row, unsigned umask) {
  constexpr unsigned shared_code = 0xbc;
  for (const pmu::ia64::Event& event : pmu::montecito::multiplexer()) {
    if (event.code != row.code || (event.umasks >> umask & 1) == 0) continue;
    if (row.code != shared_code || static_cast<unsigned>(event.group) == row.group) return &event;
  }
  return nullptr;
}

TEST(Table, EveryRow) {
  std::size_t listed = 0;
  for (const Row& row : rows) {
    for (unsigned umask = 0; umask < 16; ++umask) {
      if ((row.umasks >> umask & 1) == 0) continue;
      ++listed;
      const pmu::ia64::Event* const event = find(row, umask);
      ASSERT_NE(event, nullptr) << std::hex << row.code << ' ' << umask;
      EXPECT_EQ(event->most, row.most) << std::hex << row.code << ' ' << umask;
      EXPECT_STREQ(letters(*event), row.qualifiers) << std::hex << row.code << ' ' << umask;
      EXPECT_EQ(static_cast<unsigned>(event->group), row.group) << std::hex << row.code << ' ' << umask;
      EXPECT_EQ(event->set, row.set) << std::hex << row.code << ' ' << umask;
      EXPECT_EQ(letter(event->type), row.type) << std::hex << row.code << ' ' << umask;
      EXPECT_EQ(event->counters & 0xfffu, row.counters) << std::hex << row.code << ' ' << umask;
      EXPECT_EQ(event->line_state >= 0, row.line_states) << std::hex << row.code << ' ' << umask;
    }
  }
  std::size_t found = 0;
  for (const pmu::ia64::Event& event : pmu::montecito::multiplexer())
    found += static_cast<std::size_t>(__builtin_popcount(event.umasks));
  EXPECT_EQ(found, listed) << "nothing else counts";
}

}  // namespace

}  // namespace pmusim::testing
