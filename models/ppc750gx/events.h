// The event multiplexers of PMC1-PMC4: which select code connects which lines of the core.
#pragma once

#include <cstdint>
#include <span>

#include "models/pmu/multiplexer.h"
#include "models/ppc750gx/behaviour.h"

namespace pmusim::pmu::ppc750gx {

/// What a filter may look at.
struct EventContext : SelectionContext {
  EventContext(const Selection& selection, const Behaviour& b, std::uint32_t threshold_cycles, std::uint32_t iabr_value)
      : SelectionContext(selection), behaviour(&b), threshold(threshold_cycles), iabr(iabr_value) {}
  const Behaviour* behaviour;
  std::uint32_t threshold;
  std::uint32_t iabr;
};

/// A change of MSR bits from one cycle to the next, in cycles in which the bits `where` of the MSR are `is`.
struct MsrToggle {
  std::uint64_t mask = 0;  ///< 0: none
  std::uint64_t where = 0;
  std::uint64_t is = 0;
};

/// One line of a multiplexer. A code without an entry holds its counter.
struct Entry {
  std::uint8_t counter;  ///< 1 to 4; 0: all four
  std::uint8_t code;
  bool time_base = false;  ///< the line is the time base edge instead of `line`
  Line line = {};
  bool Behaviour::*only_if = nullptr;  ///< null, or the behaviour that connects the line
  MsrToggle toggle = {};               ///< the line is this instead
};

/// What a code that no entry has counts, under pmu.reserved_code=cycles.
[[nodiscard]] const Line& every_cycle();
/// The multiplexers of the 750GX.
[[nodiscard]] std::span<const Entry> multiplexer();

}  // namespace pmusim::pmu::ppc750gx
