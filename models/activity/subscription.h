// The part of a core's activity that monitors subscribe to.
#pragma once

#include <bitset>
#include <cstdint>

#include "models/activity/activity.h"

namespace pmusim::activity {

/// The signals, records and states that a monitor reads. A core may leave out of its blocks what has no subscriber.
struct Subscription {
  std::bitset<signal_count> signals;  ///< their occurrences are read
  /// Signals whose records are read. Occurrences of the other signals may name no record: only their cycle, detail and
  /// amount are read.
  std::bitset<signal_count> named;
  /// Alpha: of instructions that have one of these alpha::Kind bits, what any occurrence names.
  std::uint32_t alpha_kinds = 0;
  std::bitset<state_count> states;  ///< their values are read
  /// IA-64, Signal::retire: instructions with one of these ia64::Kind bits are read one by one. Of the others
  /// only the number is read: they may retire as one occurrence a cycle that names no record.
  std::uint32_t retired = 0;
  /// IA-64, Signal::retire: instructions of every kind are read one by one, those of no kind too.
  bool each_retired = false;
  /// IA-64: of instructions with one of these ia64::Kind bits, the number with a true predicate is read. Their sum may
  /// name a record that has nothing but the kind.
  std::uint32_t executed = 0;

  /// All that a core can tell.
  [[nodiscard]] static Subscription everything() {
    Subscription all;
    all.signals.set();
    all.named.set();
    all.states.set();
    all.each_retired = true;
    return all;
  }
  /// Occurrences of this signal; count_: none.
  void add(Signal signal) {
    if (signal != Signal::count_) signals.set(static_cast<std::size_t>(signal));
  }
  /// The same with their records.
  void add_named(Signal signal) {
    add(signal);
    if (signal != Signal::count_) named.set(static_cast<std::size_t>(signal));
  }
  /// Values of this state; count_: none.
  void add(State state) {
    if (state != State::count_) states.set(static_cast<std::size_t>(state));
  }
  /// The state's values are read.
  [[nodiscard]] bool has(State state) const { return states[static_cast<std::size_t>(state)]; }
  /// The signal's occurrences are read.
  [[nodiscard]] bool has(Signal signal) const { return signals[static_cast<std::size_t>(signal)]; }
  /// The records of its occurrences are read.
  [[nodiscard]] bool has_named(Signal signal) const { return named[static_cast<std::size_t>(signal)]; }
  /// What either of two reads.
  Subscription& operator|=(const Subscription& other) {
    signals |= other.signals;
    named |= other.named;
    alpha_kinds |= other.alpha_kinds;
    states |= other.states;
    retired |= other.retired;
    each_retired |= other.each_retired;
    executed |= other.executed;
    return *this;
  }
};

}  // namespace pmusim::activity
