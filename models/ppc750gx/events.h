// The event multiplexers of PMC1-PMC4: which select code connects which lines of the core.
#pragma once

#include <cstdint>
#include <span>

#include "models/pmu/condition.h"
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

using When = Condition<Behaviour>;

/// In a row of the multiplexer: its line is the rising edge of the selected bit of the time base.
struct TimeBaseEdge {};
inline constexpr TimeBaseEdge time_base_edge;

/// One row of a multiplexer: what a select code connects to a counter. A code without a row holds its counter.
struct Entry {
  constexpr Entry(unsigned pmc, unsigned select, Line connected, When condition = {})
      : counter(static_cast<std::uint8_t>(pmc)),
        code(static_cast<std::uint8_t>(select)),
        line(connected),
        only_if(condition) {}
  constexpr Entry(unsigned pmc, unsigned select, TimeBaseEdge) : Entry(pmc, select, Line{}) { time_base = true; }
  constexpr Entry(unsigned pmc, unsigned select, MsrToggle changes, When condition)
      : Entry(pmc, select, Line{}, condition) {
    toggle = changes;
  }

  std::uint8_t counter;  ///< 1 to 4; 0: all four
  std::uint8_t code;
  Line line;
  When only_if;            ///< what connects the row
  bool time_base = false;  ///< the time base edge instead of `line`
  MsrToggle toggle = {};   ///< this instead of `line`
};

/// What a code that no entry has counts, under pmu.reserved_code=cycles.
[[nodiscard]] const Line& every_cycle();
/// The multiplexers of the 750GX.
[[nodiscard]] std::span<const Entry> multiplexer();

}  // namespace pmusim::pmu::ppc750gx
