// Placement of Itanium 2 events on PMC4 to PMC7, and the values of these registers.
#pragma once

#include <vector>

#include "encoder/src/ia64/encoding.h"

namespace pmusim::encoder::itanium2 {

using ia64::kFirstCounter;

/// The PMC number of each event. Of all legal placements, the one with the lowest registers for the first events.
[[nodiscard]] Result<std::vector<unsigned>> place_counters(const ia64::RunInput& in);

/// The value of the control register for an event, without the enable bit of PMC4.
[[nodiscard]] std::uint64_t counter_control(const ia64::RunInput& in, const ia64::CounterInput& event);

}  // namespace pmusim::encoder::itanium2
