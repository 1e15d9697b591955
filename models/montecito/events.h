// The event multiplexer of Montecito.
#pragma once

#include <span>

#include "models/ia64/events.h"

namespace pmusim::pmu::montecito {

/// All event codes, sorted by code. libpfm's event table; definitions after HP Caliper.
[[nodiscard]] std::span<const ia64::Event> multiplexer();

}  // namespace pmusim::pmu::montecito
