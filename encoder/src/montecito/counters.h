// Placement of Montecito events on PMC4 to PMC15, and the values of these registers.
#pragma once

#include <vector>

#include "encoder/src/ia64/encoding.h"

namespace pmusim::encoder::montecito {

using ia64::kFirstCounter;

/// The number of an event's set in its group: libpfm's with the quirk set_eight, else the hardware's.
[[nodiscard]] int set_of(const ia64::Row& row, ia64::Quirks quirks);

/// The counter whose event selects the L2D set of counter `pmc`; 0 if there is none.
[[nodiscard]] unsigned chooser_of(unsigned pmc);

/// The PMC number of each event, with the algorithm of libpfm: first cache events on the counters that select their
/// sets, then events that only some counters can count, then the others, each on the lowest free counter.
[[nodiscard]] Result<std::vector<unsigned>> place_counters(const ia64::RunInput& in);

/// The value of the control register for an event.
[[nodiscard]] std::uint64_t counter_control(const ia64::RunInput& in, const ia64::CounterInput& event);

}  // namespace pmusim::encoder::montecito
