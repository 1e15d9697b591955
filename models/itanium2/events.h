// The event multiplexer of the Itanium 2.
#pragma once

#include <span>

#include "models/ia64/events.h"
#include "models/ia64/family.h"

namespace pmusim::pmu::itanium2 {

/// All events, sorted by code. Sources: libpfm's event table; definitions after HP Caliper's guides.
[[nodiscard]] std::span<const ia64::Event> multiplexer();
/// The definition of the Itanium 2 monitor, including the event table.
[[nodiscard]] const ia64::Family& family();

}  // namespace pmusim::pmu::itanium2
