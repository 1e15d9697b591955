// The part of a core's activity that monitors subscribe to.
#pragma once

#include <bitset>
#include <cstdint>

#include "models/activity/activity.h"

namespace pmusim::activity {

/// The signals, records and states that a monitor reads. A core may omit everything else from its blocks.
struct Subscription {
  std::bitset<signal_count> signals;  ///< signals whose occurrences are read
  /// Signals whose records are read. Occurrences of the other signals may name no record: only their cycle, detail and
  /// amount are read.
  std::bitset<signal_count> named;
  /// Alpha: instructions with one of these alpha::Kind bits are read in full, whichever occurrence names them.
  std::uint32_t alpha_kinds = 0;
  std::bitset<state_count> states;  ///< states whose values are read
  /// IA-64, Signal::retire: instructions with one of these ia64::Kind bits are read one by one. Only the number of the
  /// others is read: they may retire as one occurrence per cycle that names no record.
  std::uint32_t retired = 0;
  /// IA-64, Signal::retire: all instructions are read one by one, including those without any kind.
  bool each_retired = false;
  /// IA-64: of nops, the number with a true predicate is read. Their sum may name a record that has only the kind.
  bool executed_nops = false;

  /// Everything that a core can report.
  [[nodiscard]] static Subscription everything() {
    Subscription all;
    all.signals.set();
    all.named.set();
    all.states.set();
    all.each_retired = true;
    return all;
  }
  /// Adds the occurrences of this signal; count_: none.
  void add(Signal signal) {
    if (signal != Signal::count_) signals.set(static_cast<std::size_t>(signal));
  }
  /// Adds them with their records.
  void add_named(Signal signal) {
    add(signal);
    if (signal != Signal::count_) named.set(static_cast<std::size_t>(signal));
  }
  /// Adds the values of this state; count_: none.
  void add(State state) {
    if (state != State::count_) states.set(static_cast<std::size_t>(state));
  }
  /// Whether the state's values are read.
  [[nodiscard]] bool has(State state) const { return states[static_cast<std::size_t>(state)]; }
  /// Whether the signal's occurrences are read.
  [[nodiscard]] bool has(Signal signal) const { return signals[static_cast<std::size_t>(signal)]; }
  /// Whether the records of its occurrences are read.
  [[nodiscard]] bool has_named(Signal signal) const { return named[static_cast<std::size_t>(signal)]; }
  /// The union of two subscriptions.
  Subscription& operator|=(const Subscription& other) {
    signals |= other.signals;
    named |= other.named;
    alpha_kinds |= other.alpha_kinds;
    states |= other.states;
    retired |= other.retired;
    each_retired |= other.each_retired;
    executed_nops |= other.executed_nops;
    return *this;
  }
};

}  // namespace pmusim::activity
