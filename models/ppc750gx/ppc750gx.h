// The performance monitor of the IBM PowerPC 750GX; the 750GL has the same one.
#pragma once

#include <memory>

#include "models/common/parameters.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu {

/// The behaviours that no document settles, prefix `pmu.`; docs/generated lists them.
[[nodiscard]] models::Parameters ppc750gx_pmu_parameters();
/// A monitor after hard reset. `parameters` must have all of ppc750gx_pmu_parameters(), and may have more.
[[nodiscard]] std::unique_ptr<Monitor> make_ppc750gx_monitor(const models::Parameters& parameters);

}  // namespace pmusim::pmu
