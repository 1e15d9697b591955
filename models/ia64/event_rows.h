// Functions that make the rows of the IA-64 event tables: one row for each line of the manual's event list.
#pragma once

#include <span>
#include <vector>

#include "models/ia64/events.h"

namespace pmusim::pmu::ia64::rows {

/// A group of events that share wires, and a set in it.
struct Set {
  Group group = Group::none;
  std::uint8_t number = 0;
};
inline constexpr Set no_set;
constexpr Set l1d(unsigned number) { return {Group::l1d, static_cast<std::uint8_t>(number)}; }
constexpr Set l2(unsigned number) { return {Group::l2, static_cast<std::uint8_t>(number)}; }

/// Occurrences of one or two signals with (detail & mask) == value.
struct Occurrences {
  activity::Signal signal = activity::Signal::count_;
  activity::Signal second_signal = activity::Signal::count_;
  std::uint16_t mask = 0;
  std::uint16_t value = 0;
};
/// Occurrences with the detail bits `on` set and the bits `off` clear.
constexpr Occurrences of(activity::Signal signal, unsigned on = 0, unsigned off = 0) {
  return {signal, activity::Signal::count_, static_cast<std::uint16_t>(on | off), static_cast<std::uint16_t>(on)};
}
constexpr Occurrences of_both(activity::Signal first, activity::Signal second) { return {first, second, 0, 0}; }
/// Occurrences with this value in a field of the detail.
constexpr Occurrences with(activity::Signal signal, unsigned mask, unsigned value) {
  return {signal, activity::Signal::count_, static_cast<std::uint16_t>(mask), static_cast<std::uint16_t>(value)};
}

/// One or two states.
struct Levels {
  activity::State state = activity::State::count_;
  activity::State second_state = activity::State::count_;
};
constexpr Levels level_of(activity::State first, activity::State second = activity::State::count_) {
  return {first, second};
}

/// Columns: code, unit masks (bit n: unit mask n), maximum per cycle, qualifier, type, set, input.
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

/// Restricts the event to the counters of this mask.
constexpr Event in_counters(unsigned counters, Event event) {
  event.counters = static_cast<std::uint16_t>(counters);
  return event;
}
/// The line state at this bit position of the detail must be among the states that the counter selects.
constexpr Event of_line_states(unsigned place, Event event) {
  event.line_state = static_cast<std::int8_t>(place);
  return event;
}
/// Of each cycle, only the first occurrence that passes counts.
constexpr Event first_of_cycle(Event event) {
  event.first_of_cycle = true;
  return event;
}
/// Marks an event that counts cycles of retirement, see EventChoices::counts_awaited.
constexpr Event awaited(Event event) {
  event.awaited = true;
  return event;
}

}  // namespace pmusim::pmu::ia64::rows

// The events that Itanium 2 and its successors have in common: same code, unit masks, qualifiers and meaning. Sources:
// libpfm's event tables; definitions after HP Caliper's guides. Types are those of cores with two threads.
namespace pmusim::pmu::ia64 {

/// A family's own rows, and the common rows for all codes without an own row. Sorted by code; rows of one code stay in
/// the family's order.
[[nodiscard]] std::vector<Event> with_common_events(std::span<const Event> own);

}  // namespace pmusim::pmu::ia64
