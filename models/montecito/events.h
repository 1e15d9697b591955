// The event multiplexer of Montecito.
#pragma once

#include <span>

#include "models/ia64/events.h"
#include "models/ia64/family.h"

namespace pmusim::pmu::montecito {

/// All events, sorted by code. Sources: libpfm's event table; definitions after HP Caliper.
[[nodiscard]] std::span<const ia64::Event> multiplexer();
/// The definition of the Montecito monitor, including the event table.
[[nodiscard]] const ia64::Family& family();

}  // namespace pmusim::pmu::montecito
