// The event multiplexer of the Itanium 2.
#pragma once

#include <span>

#include "models/ia64/events.h"
#include "models/ia64/family.h"

namespace pmusim::pmu::itanium2 {

/// All event codes, sorted by code. libpfm's event table; definitions after HP Caliper's guides.
[[nodiscard]] std::span<const ia64::Event> multiplexer();
/// What makes a monitor one of the Itanium 2, this table included.
[[nodiscard]] const ia64::Family& family();

}  // namespace pmusim::pmu::itanium2
