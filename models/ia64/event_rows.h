// The columns of the IA-64 event tables, so that a line of the manual's event list is one line of a table.
#pragma once

#include "models/ia64/events.h"

namespace pmusim::pmu::ia64::rows {

/// The group of events that share wires, and the set in it.
struct Set {
  Group group = Group::none;
  std::uint8_t number = 0;
};
inline constexpr Set no_set;
constexpr Set l1d(unsigned number) { return {Group::l1d, static_cast<std::uint8_t>(number)}; }
constexpr Set l2(unsigned number) { return {Group::l2, static_cast<std::uint8_t>(number)}; }

/// Occurrences whose detail has the bits `value` among those of `mask`.
struct Occurrences {
  activity::Signal signal = activity::Signal::count_;
  activity::Signal second_signal = activity::Signal::count_;
  std::uint16_t mask = 0;
  std::uint16_t value = 0;
};
/// Detail bits `on` are set, and bits `off` are clear.
constexpr Occurrences of(activity::Signal signal, unsigned on = 0, unsigned off = 0) {
  return {signal, activity::Signal::count_, static_cast<std::uint16_t>(on | off), static_cast<std::uint16_t>(on)};
}
constexpr Occurrences of_both(activity::Signal first, activity::Signal second) { return {first, second, 0, 0}; }
/// A field of the detail has this value.
constexpr Occurrences with(activity::Signal signal, unsigned mask, unsigned value) {
  return {signal, activity::Signal::count_, static_cast<std::uint16_t>(mask), static_cast<std::uint16_t>(value)};
}

/// Values of one or two states.
struct Levels {
  activity::State state = activity::State::count_;
  activity::State second_state = activity::State::count_;
};
constexpr Levels level_of(activity::State first, activity::State second = activity::State::count_) {
  return {first, second};
}

/// Columns: code, unit masks (bit n: unit mask n), most in a cycle, qualifier, type, set; then what is counted.
constexpr Event row(unsigned code, unsigned umasks, unsigned most, Qualifier qualifier, Type type, Set set,
                    Source source) {
  return {.code = static_cast<std::uint8_t>(code),
          .umasks = static_cast<std::uint16_t>(umasks),
          .most = static_cast<std::uint8_t>(most),
          .qualifier = qualifier,
          .group = set.group,
          .set = set.number,
          .type = type,
          .source = source};
}
constexpr Event row(unsigned code, unsigned umasks, unsigned most, Qualifier qualifier, Type type, Set set,
                    Occurrences input, Event::Amount filter = nullptr) {
  Event event = row(code, umasks, most, qualifier, type, set, Source::activity);
  event.signal = input.signal;
  event.second_signal = input.second_signal;
  event.mask = input.mask;
  event.value = input.value;
  event.amount = filter;
  return event;
}
constexpr Event row(unsigned code, unsigned umasks, unsigned most, Qualifier qualifier, Type type, Set set,
                    Levels input, Event::Level level) {
  Event event = row(code, umasks, most, qualifier, type, set, Source::activity);
  event.state = input.state;
  event.second_state = input.second_state;
  event.level = level;
  return event;
}

/// Only counters of this mask can be programmed with the event.
constexpr Event in_counters(unsigned counters, Event event) {
  event.counters = static_cast<std::uint16_t>(counters);
  return event;
}
/// The line state at this place of the detail must be among the counter's.
constexpr Event of_line_states(unsigned place, Event event) {
  event.line_state = static_cast<std::int8_t>(place);
  return event;
}
/// Only the first that counts in a cycle.
constexpr Event first_of_cycle(Event event) {
  event.first_of_cycle = true;
  return event;
}
/// Cycles of retirement, see EventChoices::counts_awaited.
constexpr Event awaited(Event event) {
  event.awaited = true;
  return event;
}

}  // namespace pmusim::pmu::ia64::rows
