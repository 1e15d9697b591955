// Placing Itanium 2 events on PMC4 to PMC7, and what these registers get.
#pragma once

#include <vector>

#include "encoder/src/ia64/encoding.h"

namespace pmusim::encoder::itanium2 {

using ia64::kFirstCounter;

/// PMC number of each event. Among the placements that the cache groups allow, the one with the lowest registers for
/// the first events.
[[nodiscard]] Result<std::vector<unsigned>> place_counters(const ia64::RunInput& in);

/// The control register of an event's counter, without the enable bit of PMC4.
[[nodiscard]] std::uint64_t counter_control(const ia64::RunInput& in, const ia64::CounterInput& event);

}  // namespace pmusim::encoder::itanium2
