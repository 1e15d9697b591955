// Placing Montecito events on PMC4 to PMC15, and what these registers get.
#pragma once

#include <vector>

#include "encoder/src/ia64/encoding.h"

namespace pmusim::encoder::montecito {

using ia64::kFirstCounter;

/// The set of an event in its group as libpfm or the hardware numbers it.
[[nodiscard]] int set_of(const ia64::Row& row, ia64::Quirks quirks);

/// The counter whose event chooses the L2D set of counter `pmc`; 0 when none does.
[[nodiscard]] unsigned chooser_of(unsigned pmc);

/// PMC number of each event, found as libpfm does: cache events on the counters that choose their sets, then events
/// that few counters know, then the others, each on the lowest counter left.
[[nodiscard]] Result<std::vector<unsigned>> place_counters(const ia64::RunInput& in);

/// The control register of an event's counter.
[[nodiscard]] std::uint64_t counter_control(const ia64::RunInput& in, const ia64::CounterInput& event);

}  // namespace pmusim::encoder::montecito
