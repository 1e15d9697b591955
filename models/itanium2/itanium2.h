// The performance monitor of the Itanium 2 (McKinley, Madison).
#pragma once

#include <memory>

#include "models/common/parameters.h"
#include "models/ia64/branch_ring.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu {

/// Parameters for the behaviours that no document specifies, with the prefix `pmu.`. docs/generated lists them.
[[nodiscard]] models::Parameters itanium2_pmu_parameters();
/// Makes a monitor in its reset state. `parameters` must contain those of itanium2_pmu_parameters().
[[nodiscard]] std::unique_ptr<Monitor> make_itanium2_monitor(const models::Parameters& parameters);

/// The branch trace buffer with these register values. `entries`: PMD8 to PMD15; `index`: PMD16.
[[nodiscard]] ia64::BranchRingRegisters itanium2_branch_ring(std::span<const std::uint64_t, 8> entries,
                                                             std::uint64_t index);

}  // namespace pmusim::pmu
