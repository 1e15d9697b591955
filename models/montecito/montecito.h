// The performance monitor of one hardware thread of the Itanium 2 9000 series (Montecito).
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

/// Parameters `pmu.NAME` for the behaviours that no document specifies; docs/generated lists them. The parameter
/// `pmu.thread` selects the hardware thread of a monitor.
[[nodiscard]] models::Parameters montecito_pmu_parameters();
/// Makes a monitor in its reset state. `parameters` must contain those of montecito_pmu_parameters(). A core with two
/// threads has two monitors, which consume the same activity.
[[nodiscard]] std::unique_ptr<Monitor> make_montecito_monitor(const models::Parameters& parameters);

/// The execution trace buffer with these register values. `entries`: PMD48 to PMD63. Pass the result to
/// decode_branch_ring() or, in IP-EAR mode, to decode_ip_ear().
[[nodiscard]] ia64::BranchRingRegisters montecito_branch_ring(std::span<const std::uint64_t, 16> entries,
                                                              std::uint64_t pmd38, std::uint64_t pmd39);

/// Counters of a Montecito monitor whose events violate a rule of counters and sets, as sentences. They count
/// nevertheless, unless the parameter pmu.event_sets is `enforced`. Throws std::bad_cast for a monitor of another
/// model.
[[nodiscard]] std::vector<std::string> montecito_broken_rules(const Monitor& monitor);

}  // namespace pmusim::pmu
