// The event multiplexer of the Athlon: the lines of the core that each EventSelect code and unit mask bit connects. It
// is the same for all four counters.
#pragma once

#include <cstdint>
#include <span>

#include "models/athlon/behaviour.h"
#include "models/athlon/registers.h"
#include "models/pmu/condition.h"
#include "models/pmu/multiplexer.h"

namespace pmusim::pmu::athlon {

/// The inputs of a filter.
struct EventContext : SelectionContext {
  EventContext(const Selection& selection, const DebugRegisters& d, const Behaviour& b, std::uint32_t selector)
      : SelectionContext(selection), debug(&d), behaviour(&b), select(selector) {}
  const DebugRegisters* debug;
  const Behaviour* behaviour;
  std::uint32_t select;  ///< PerfEvtSel
};

using When = Condition<Behaviour>;

/// One line of the multiplexer. A code without an entry counts nothing.
struct EventRow {
  std::uint8_t code;
  std::uint8_t unit;  ///< unit mask bit that selects the line; 0: the event has no unit mask
  Line line;
  When only_if = {};  ///< the behaviours that connect the line
  When path = {};     ///< the value of pmu.wrong_path that connects the line
};

/// The line that a code without an entry counts under pmu.undefined_event=clocks.
[[nodiscard]] const Line& clocks();
/// The multiplexer of the Athlon.
[[nodiscard]] std::span<const EventRow> multiplexer();

}  // namespace pmusim::pmu::athlon
