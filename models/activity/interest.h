// What watchers look at of a core's activity.
#pragma once

#include <bitset>
#include <cstdint>

#include "models/activity/activity.h"

namespace pmusim::activity {

/// What is looked at. A core may leave the rest out of its blocks, which say the same otherwise.
struct Interest {
  /// Bit of `retired`: every instruction.
  static constexpr std::uint32_t each = 1u << 31;

  std::bitset<signal_count> signals;  ///< their occurrences are looked at
  /// ... and what they name. Of the others only cycle, detail and amount are: they may name nothing.
  std::bitset<signal_count> named;
  /// Alpha: of instructions that have one of these alpha::Kind bits, what any occurrence names.
  std::uint32_t alpha_kinds = 0;
  std::bitset<state_count> states;  ///< their values are looked at
  /// IA-64, Signal::retire: instructions that have one of these ia64::Kind bits are looked at one by one. Of the others
  /// only the number is: they may retire as a sum of their cycle that names nothing.
  std::uint32_t retired = 0;
  /// ... and of those that have one of these, how many had a true predicate: their sum may name a record that has
  /// nothing but the kind.
  std::uint32_t executed = 0;

  [[nodiscard]] static Interest everything() {
    Interest all;
    all.signals.set();
    all.named.set();
    all.states.set();
    all.retired = ~std::uint32_t{0};
    return all;
  }
  void add(Signal signal) {
    if (signal != Signal::count_) signals.set(static_cast<std::size_t>(signal));
  }
  void add_named(Signal signal) {
    add(signal);
    if (signal != Signal::count_) named.set(static_cast<std::size_t>(signal));
  }
  void add(State state) {
    if (state != State::count_) states.set(static_cast<std::size_t>(state));
  }
  [[nodiscard]] bool has(State state) const { return states[static_cast<std::size_t>(state)]; }
  [[nodiscard]] bool has(Signal signal) const { return signals[static_cast<std::size_t>(signal)]; }
  [[nodiscard]] bool has_named(Signal signal) const { return named[static_cast<std::size_t>(signal)]; }
  Interest& operator|=(const Interest& other) {
    signals |= other.signals;
    named |= other.named;
    alpha_kinds |= other.alpha_kinds;
    states |= other.states;
    retired |= other.retired;
    executed |= other.executed;
    return *this;
  }
};

}  // namespace pmusim::activity
