// The event multiplexer of the Itanium 2.
#pragma once

#include <span>

#include "models/ia64/events.h"

namespace pmusim::pmu::itanium2 {

/// All event codes, sorted by code. libpfm's event table; definitions after HP Caliper and 251110.
[[nodiscard]] std::span<const ia64::Event> multiplexer();

}  // namespace pmusim::pmu::itanium2
