// The performance monitor of the Itanium 2 (McKinley, Madison).
#pragma once

#include <memory>

#include "models/common/parameters.h"
#include "models/ia64/branch_ring.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu {

/// The behaviours that no document settles, prefix `pmu.`; docs/generated lists them.
[[nodiscard]] models::Parameters itanium2_pmu_parameters();
/// A monitor after reset. `parameters` must have all of itanium2_pmu_parameters(), and may have more.
[[nodiscard]] std::unique_ptr<Monitor> make_itanium2_monitor(const models::Parameters& parameters);

/// The branch trace buffer as its registers have it: PMD8 to PMD15, and PMD16.
[[nodiscard]] ia64::BranchRingRegisters itanium2_branch_ring(std::span<const std::uint64_t, 8> entries,
                                                             std::uint64_t index);

}  // namespace pmusim::pmu
