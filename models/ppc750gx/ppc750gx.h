// The performance monitor of the IBM PowerPC 750GX; the 750GL has the same monitor.
#pragma once

#include <memory>

#include "models/common/parameters.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu {

/// Parameters of the behaviours that no document specifies. Names begin with `pmu.`; docs/generated lists them.
[[nodiscard]] models::Parameters ppc750gx_pmu_parameters();
/// Creates a monitor in its state after hard reset. `parameters` must contain all of ppc750gx_pmu_parameters(), and may
/// contain others.
[[nodiscard]] std::unique_ptr<Monitor> make_ppc750gx_monitor(const models::Parameters& parameters);

}  // namespace pmusim::pmu
