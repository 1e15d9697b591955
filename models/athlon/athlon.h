// The performance counters of the AMD Athlon (K7).
#pragma once

#include <memory>

#include "models/common/parameters.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu {

/// Parameters of the behaviours that no document specifies. Names begin with `pmu.`; docs/generated lists them.
[[nodiscard]] models::Parameters athlon_pmu_parameters();
/// Creates a monitor in its state after RESET. `parameters` must contain all of athlon_pmu_parameters(), and may
/// contain others.
[[nodiscard]] std::unique_ptr<Monitor> make_athlon_monitor(const models::Parameters& parameters);

}  // namespace pmusim::pmu
