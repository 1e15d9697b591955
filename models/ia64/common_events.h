// The events that Itanium 2 and its successors have in common: same code, unit masks, qualifiers and meaning. Sources:
// libpfm's event tables; definitions after HP Caliper's guides. Types are those of cores with two threads.
#pragma once

#include <span>
#include <vector>

#include "models/ia64/events.h"

namespace pmusim::pmu::ia64 {

/// A family's own rows, and the common rows for all codes without an own row. Sorted by code; rows of one code stay in
/// the family's order.
[[nodiscard]] std::vector<Event> with_common_events(std::span<const Event> own);

}  // namespace pmusim::pmu::ia64
