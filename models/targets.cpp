#include "models/targets.h"

#include <algorithm>
#include <array>

#include "models/athlon/athlon.h"
#include "models/core/athlon/athlon.h"
#include "models/core/itanium2/itanium2.h"
#include "models/core/ppc750/ppc750.h"
#include "models/itanium2/itanium2.h"
#include "models/ppc750gx/ppc750gx.h"

namespace pmusim::models {
namespace {

/// The parameters of a core and of a PMU as one set.
template <Parameters (*core_parameters)(), Parameters (*monitor_parameters)()>
Parameters together() {
  Parameters all = core_parameters();
  all.append(monitor_parameters());
  return all;
}

constexpr auto athlon = together<core::athlon_parameters, pmu::athlon_pmu_parameters>;
constexpr auto itanium2 = together<core::itanium2_parameters, pmu::itanium2_pmu_parameters>;
constexpr auto ppc750 = together<core::ppc750_parameters, pmu::ppc750gx_pmu_parameters>;

const std::array<Target, 4> all{{
    {"athlon", "AMD Athlon (K7): four counters with unit masks, threshold and edge detection", trace::Isa::i386, athlon,
     core::make_athlon, pmu::make_athlon_monitor},
    {"ppc750gx", "IBM PowerPC 750GX: four counters with freeze rules, trigger and sampled address", trace::Isa::ppc,
     ppc750, core::make_ppc750, pmu::make_ppc750gx_monitor},
    {"ppc750gl", "IBM PowerPC 750GL: the 750GX's core and performance monitor", trace::Isa::ppc, ppc750,
     core::make_ppc750, pmu::make_ppc750gx_monitor},
    {"itanium2", "Intel Itanium 2: four counters with ranges, opcode matchers, address and branch capture",
     trace::Isa::ia64, itanium2, core::make_itanium2, pmu::make_itanium2_monitor},
}};

}  // namespace

std::span<const Target> targets() { return all; }

const Target* find_target(std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Target& target) { return target.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace pmusim::models
