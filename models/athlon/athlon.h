// The performance counters of the AMD Athlon (K7).
#pragma once

#include <memory>

#include "models/common/parameters.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu {

/// The behaviours that no document settles, prefix `pmu.`; docs/generated lists them.
[[nodiscard]] models::Parameters athlon_pmu_parameters();
/// A monitor after RESET. `parameters` must have all of athlon_pmu_parameters(), and may have more.
[[nodiscard]] std::unique_ptr<Monitor> make_athlon_monitor(const models::Parameters& parameters);

}  // namespace pmusim::pmu
