// The event multiplexer of the Athlon: which EventSelect code and unit mask bit connect which lines of the
// core. All four counters have the same one.
#pragma once

#include <cstdint>
#include <span>

#include "models/athlon/behaviour.h"
#include "models/athlon/registers.h"
#include "models/pmu/condition.h"
#include "models/pmu/multiplexer.h"

namespace pmusim::pmu::athlon {

/// What a filter may look at.
struct EventContext : SelectionContext {
  EventContext(const Selection& selection, const DebugRegisters& d, const Behaviour& b, std::uint32_t selector)
      : SelectionContext(selection), debug(&d), behaviour(&b), select(selector) {}
  const DebugRegisters* debug;
  const Behaviour* behaviour;
  std::uint32_t select;  ///< PerfEvtSel
};

using When = Condition<Behaviour>;

/// When an event is charged: retired events to the privilege level of their retire group; cache, TLB and bus events
/// perhaps to that of their request.
enum class Kind : std::uint8_t { unit, memory, retired };

/// One line of the multiplexer. A code without an entry counts nothing.
struct Entry {
  std::uint8_t code;
  std::uint8_t unit;  ///< unit mask bit that selects the line; 0: the event has no unit mask
  Kind kind;
  Line line;
  When only_if = {};  ///< what connects the line
  When path = {};     ///< whether it connects the line with what counts on a wrong path
};

/// What an event counts whose code no entry has, under pmu.undefined_event=clocks.
[[nodiscard]] const Line& clocks();
/// Whether an occurrence of a memory event is one of a level that the selector counts, by the level of its request.
[[nodiscard]] bool requested_at_level(const Block& block, const Occurrence& o, const TermContext& context);
/// The multiplexer of the Athlon.
[[nodiscard]] std::span<const Entry> multiplexer();

}  // namespace pmusim::pmu::athlon
