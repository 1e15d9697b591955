// The event multiplexer of the Athlon: which EventSelect code and unit mask bit connect which lines of the
// core. All four counters have the same one.
#pragma once

#include <cstdint>
#include <span>

#include "models/athlon/behaviour.h"
#include "models/athlon/registers.h"
#include "models/pmu/multiplexer.h"

namespace pmusim::pmu::athlon {

/// What a filter may look at.
struct EventContext : SelectionContext {
  EventContext(const Selection& selection, const DebugRegisters& d) : SelectionContext(selection), debug(&d) {}
  const DebugRegisters* debug;
};

/// When an event is charged: retired events to the privilege level of their retire group.
enum class Kind : std::uint8_t { unit, retired };

/// One line of the multiplexer. A code without an entry counts nothing.
struct Entry {
  std::uint8_t code;
  std::uint8_t unit;  ///< unit mask bit that selects the line; 0: the event has no unit mask
  Kind kind;
  Line line;
  bool Behaviour::*only_if = nullptr;  ///< null, or the behaviour that connects the line
};

/// What an event counts whose code no entry has, under pmu.undefined_event=clocks.
[[nodiscard]] const Line& clocks();
/// The multiplexer of the Athlon.
[[nodiscard]] std::span<const Entry> multiplexer();

}  // namespace pmusim::pmu::athlon
