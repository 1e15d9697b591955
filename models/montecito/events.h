// The event multiplexer of Montecito.
#pragma once

#include <span>

#include "models/ia64/events.h"
#include "models/ia64/family.h"

namespace pmusim::pmu::montecito {

/// All event codes, sorted by code. libpfm's event table; definitions after HP Caliper.
[[nodiscard]] std::span<const ia64::Event> multiplexer();
/// What makes a monitor one of Montecito, this table included.
[[nodiscard]] const ia64::Family& family();

}  // namespace pmusim::pmu::montecito
