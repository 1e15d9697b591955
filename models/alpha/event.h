// The events of an Alpha's counters: input lines, and the amount that a cycle with n of them adds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "models/activity/alpha.h"
#include "models/activity/subscription.h"
#include "models/alpha/behaviour.h"
#include "models/pmu/condition.h"
#include "models/pmu/runs.h"

namespace pmusim::pmu::alpha {

using When = Condition<Behaviour>;

/// An input line: the amounts of a signal's occurrences that pass a filter, or a level that is on while a state has one
/// of a set of values. An input with neither a signal nor a state is the clock.
struct Input {
  activity::Signal signal = activity::Signal::count_;
  std::uint16_t mask = 0;     ///< (detail & mask) == value
  std::uint16_t value = 0;    ///< see mask
  std::uint16_t any = 0;      ///< 0, or detail has at least one of these bits
  std::uint32_t kinds = 0;    ///< 0, or the instruction is of one of these kinds
  bool mispredicted = false;  ///< the instruction was mispredicted
  bool loads = false;         ///< the request is not a store

  activity::State state = activity::State::count_;
  std::uint64_t values = 0;  ///< bit v: asserted while the state is v

  [[nodiscard]] std::uint32_t amount(const Block& block, const Occurrence& o) const {
    if ((o.detail & mask) != value || (any != 0 && (o.detail & any) == 0)) return 0;
    const bool reads_record = kinds != 0 || loads || mispredicted;
    return !reads_record || record_passes(block, o) ? o.amount : 0;
  }
  /// The filters of the record that the occurrence names.
  [[nodiscard]] bool record_passes(const Block& block, const Occurrence& o) const;
  [[nodiscard]] std::uint32_t level(std::uint64_t state_value) const {
    return state_value < 64 ? static_cast<std::uint32_t>(values >> state_value & 1) : 0;
  }
};

/// The amount that a cycle with n inputs adds.
enum class Rule : std::uint8_t {
  nothing,     ///< 0: the select has no event
  sum,         ///< n, at most `high` unless that is 0
  carried,     ///< n; the part above `high` is added in the following cycles
  within,      ///< 1 if low <= n <= high
  complement,  ///< high - n, at least 0
  sampled,     ///< 1 in the first cycle of each Behaviour::pin_clock cycles that has an input
  long_run     ///< 1 in the cycle in which n has been 1 for more than Behaviour::long_stall consecutive cycles
};

/// A row of a multiplexer.
struct Event {
  static constexpr std::uint8_t no_second = 0xff;
  std::uint8_t counter;
  std::uint8_t select;
  std::uint8_t second = no_second;  ///< select of the second multiplexer
  Rule rule = Rule::sum;
  std::uint8_t low = 0;
  std::uint8_t high = 1;
  std::uint8_t weight = 1;  ///< units that one occurrence adds
  std::array<Input, 2> inputs = {};
  std::uint8_t input_count = 1;
  When only_if = {};  ///< condition under which the row is connected

  /// The amount that a cycle adds; the counter itself implements long_run, carried and sampled.
  [[nodiscard]] std::uint32_t adds(std::uint32_t n, bool limited) const {
    switch (rule) {
      case Rule::sum:
        return weight * (high == 0 || !limited || n < high ? n : high);
      case Rule::within:
        return n >= low && n <= high ? weight : 0u;
      case Rule::complement:
        return n < high ? weight * (high - n) : 0u;
      case Rule::carried:
      case Rule::long_run:
      case Rule::sampled:
      case Rule::nothing:
        break;
    }
    return 0;
  }
  /// Upper bound of the amount that a cycle adds.
  [[nodiscard]] std::uint32_t most(bool limited) const;
  /// The inputs of the event.
  [[nodiscard]] activity::Subscription subscription() const;
};

/// The event of a counter's selects, or null if nothing is counted.
[[nodiscard]] const Event* find_event(std::span<const Event> table, const Behaviour& behaviour, unsigned counter,
                                      unsigned select, unsigned second = Event::no_second);

/// The set of values of an enumerated state.
template <class... Values>
constexpr std::uint64_t one_of(Values... values) {
  return (... | (std::uint64_t{1} << static_cast<unsigned>(values)));
}
/// Occurrences whose detail passes the filter.
[[nodiscard]] constexpr Input occurs(activity::Signal signal, unsigned mask = 0, unsigned value = 0, unsigned any = 0) {
  return {.signal = signal,
          .mask = static_cast<std::uint16_t>(mask),
          .value = static_cast<std::uint16_t>(value),
          .any = static_cast<std::uint16_t>(any)};
}
/// Occurrences of instructions of these kinds.
template <class... Kinds>
[[nodiscard]] constexpr Input of(activity::Signal signal, Kinds... kinds) {
  return {.signal = signal, .kinds = (0u | ... | bit(kinds))};
}
template <class... Values>
[[nodiscard]] constexpr Input level(activity::State state, Values... values) {
  return {.state = state, .values = one_of(values...)};
}
inline constexpr Input clock{};

// Cycles in which a 21064 or 21164 issues nothing: the pipeline is dry or frozen. pfm(7) has sentences of its own for
// each. 21064: dry for lack of valid instruction stream data, which includes the draining at an exception; frozen for
// registers, a load miss, a full write buffer, a jump before a branch, a barrier. 21164: dry if no instruction is ready
// to issue; frozen if one is ready and none issues. The core names the cause by its chip's sentence.

/// No instruction data to issue.
inline constexpr Input empty = level(activity::State::issue_stall, activity::alpha::IssueStall::no_instructions);
/// No instruction data to issue, or a trap is in progress.
inline constexpr Input dry = level(activity::State::issue_stall, activity::alpha::IssueStall::no_instructions,
                                   activity::alpha::IssueStall::trap);
/// Instructions are available, but cannot issue.
inline constexpr Input frozen =
    level(activity::State::issue_stall, activity::alpha::IssueStall::registers, activity::alpha::IssueStall::unit_busy,
          activity::alpha::IssueStall::load_miss, activity::alpha::IssueStall::write_buffer,
          activity::alpha::IssueStall::after_jump, activity::alpha::IssueStall::memory_barrier);

}  // namespace pmusim::pmu::alpha
