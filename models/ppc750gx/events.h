// The event multiplexers of PMC1-PMC4: the lines of the core that each select code connects.
#pragma once

#include <cstdint>
#include <span>

#include "models/pmu/condition.h"
#include "models/pmu/multiplexer.h"
#include "models/ppc750gx/behaviour.h"

namespace pmusim::pmu::ppc750gx {

/// The inputs of a filter.
struct EventContext : SelectionContext {
  EventContext(const Selection& selection, const Behaviour& b, std::uint32_t threshold_cycles, std::uint32_t iabr_value)
      : SelectionContext(selection), behaviour(&b), threshold(threshold_cycles), iabr(iabr_value) {}
  const Behaviour* behaviour;
  std::uint32_t threshold;
  std::uint32_t iabr;
};

/// A change of the MSR bits `mask` from one cycle to the next, if the MSR bits `where` then have the value `is`.
struct MsrToggle {
  std::uint64_t mask = 0;  ///< 0: none
  std::uint64_t where = 0;
  std::uint64_t is = 0;
};

using When = Condition<Behaviour>;

/// In a row of the multiplexer: its line is the rising edge of the selected bit of the time base.
struct TimeBaseEdge {};
inline constexpr TimeBaseEdge time_base_edge;

/// One row of a multiplexer: the line that a select code connects to a counter. With a code that has no row, the
/// counter does not count.
struct EventRow {
  constexpr EventRow(unsigned pmc, unsigned select, Line connected, When condition = {})
      : counter(static_cast<std::uint8_t>(pmc)),
        code(static_cast<std::uint8_t>(select)),
        line(connected),
        only_if(condition) {}
  constexpr EventRow(unsigned pmc, unsigned select, TimeBaseEdge) : EventRow(pmc, select, Line{}) { time_base = true; }
  constexpr EventRow(unsigned pmc, unsigned select, MsrToggle changes, When condition)
      : EventRow(pmc, select, Line{}, condition) {
    toggle = changes;
  }

  std::uint8_t counter;  ///< 1 to 4; 0: all four
  std::uint8_t code;
  Line line;
  When only_if;            ///< the behaviours that connect the row
  bool time_base = false;  ///< the time base edge instead of `line`
  MsrToggle toggle = {};   ///< this change instead of `line`
};

/// The line that a code without an entry counts under pmu.reserved_code=cycles.
[[nodiscard]] const Line& every_cycle();
/// The multiplexers of the 750GX.
[[nodiscard]] std::span<const EventRow> multiplexer();

}  // namespace pmusim::pmu::ppc750gx
