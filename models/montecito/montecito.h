// The performance monitor of the Itanium 2 9000 series (Montecito), one hardware thread's.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/common/parameters.h"
#include "models/ia64/branch_ring.h"
#include "models/ia64/ip_ear.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu {

/// Behaviours that no document settles; docs/generated lists them, with the prefix `pmu`. Parameter `pmu.thread` says
/// which hardware thread's registers a monitor is.
[[nodiscard]] models::Parameters montecito_pmu_parameters();
/// A monitor after reset. `parameters` must have all of montecito_pmu_parameters(), and may have more. A core with two
/// threads has two monitors, which consume the same activity.
[[nodiscard]] std::unique_ptr<Monitor> make_montecito_monitor(const models::Parameters& parameters);

/// The execution trace buffer as its registers have it: PMD48 to PMD63, PMD38 and PMD39. decode_branch_ring() and, in
/// IP-EAR mode, decode_ip_ear() tell what is in it.
[[nodiscard]] ia64::BranchRingRegisters montecito_branch_ring(std::span<const std::uint64_t, 16> entries,
                                                              std::uint64_t pmd38, std::uint64_t pmd39);

/// Counters of such a monitor whose events break a rule of counters and sets, as sentences. They count all the same,
/// unless pmu.event_sets says otherwise. Throws std::bad_cast for a monitor of another model.
[[nodiscard]] std::vector<std::string> montecito_broken_rules(const Monitor& monitor);

}  // namespace pmusim::pmu
