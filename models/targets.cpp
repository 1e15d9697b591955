#include "models/targets.h"

#include <algorithm>
#include <vector>

#include "models/add_target.h"
#include "models/alpha/alpha.h"
#include "models/athlon/athlon.h"
#include "models/core/alpha/alpha.h"
#include "models/core/athlon/athlon.h"
#include "models/core/itanium2/itanium2.h"
#include "models/core/montecito/montecito.h"
#include "models/core/ppc750/ppc750.h"
#include "models/itanium2/itanium2.h"
#include "models/montecito/montecito.h"
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

constexpr auto alpha_ev4 = together<core::alpha_ev4_parameters, pmu::alpha_ev4_pmu_parameters>;
constexpr auto alpha_ev5 = together<core::alpha_ev5_parameters, pmu::alpha_ev5_pmu_parameters>;
constexpr auto alpha_pca56 = together<core::alpha_pca56_parameters, pmu::alpha_pca56_pmu_parameters>;
constexpr auto alpha_ev6 = together<core::alpha_ev6_parameters, pmu::alpha_ev6_pmu_parameters>;
constexpr auto alpha_ev67 = together<core::alpha_ev67_parameters, pmu::alpha_ev67_pmu_parameters>;
constexpr auto athlon = together<core::athlon_parameters, pmu::athlon_pmu_parameters>;
constexpr auto itanium2 = together<core::itanium2_parameters, pmu::itanium2_pmu_parameters>;
constexpr auto montecito = together<core::montecito_parameters, pmu::montecito_pmu_parameters>;
constexpr auto ppc750 = together<core::ppc750_parameters, pmu::ppc750gx_pmu_parameters>;

/// Constructed at the first call: a program may call this before its main().
std::vector<Target>& rows() {
  static std::vector<Target> all = {
      {"athlon", "AMD Athlon (K7): four counters with unit masks, threshold and edge detection", trace::Isa::i386,
       athlon, core::make_athlon, pmu::make_athlon_monitor},
      {"ppc750gx", "IBM PowerPC 750GX: four counters with freeze rules, trigger and sampled address", trace::Isa::ppc,
       ppc750, core::make_ppc750, pmu::make_ppc750gx_monitor},
      {"ppc750gl", "IBM PowerPC 750GL: the 750GX's core and performance monitor", trace::Isa::ppc, ppc750,
       core::make_ppc750, pmu::make_ppc750gx_monitor},
      {"itanium2", "Intel Itanium 2: four counters with ranges, opcode matchers, address and branch capture",
       trace::Isa::ia64, itanium2, core::make_itanium2, pmu::make_itanium2_monitor},
      {"montecito",
       "Intel Itanium 2 9000 (Montecito): twelve counters, two threads, execution trace buffer with IP-EAR",
       trace::Isa::ia64, montecito, core::make_montecito_single, pmu::make_montecito_monitor, core::make_montecito},
      {"alpha-ev4", "Digital Alpha 21064 (EV4): two counters that only interrupt, every 2^8 to 2^16 events",
       trace::Isa::alpha, alpha_ev4, core::make_alpha_ev4, pmu::make_alpha_ev4_monitor},
      {"alpha-ev5", "Digital Alpha 21164 (EV5, EV56): three counters with a filter of modes", trace::Isa::alpha,
       alpha_ev5, core::make_alpha_ev5, pmu::make_alpha_ev5_monitor},
      {"alpha-pca56", "Digital Alpha 21164PC (PCA56): the 21164's counters beside a board cache alone",
       trace::Isa::alpha, alpha_pca56, core::make_alpha_pca56, pmu::make_alpha_pca56_monitor},
      {"alpha-ev6", "Digital Alpha 21264 (EV6): two counters of retired events", trace::Isa::alpha, alpha_ev6,
       core::make_alpha_ev6, pmu::make_alpha_ev6_monitor},
      {"alpha-ev67", "Digital Alpha 21264A (EV67): two counters in three pairs, and profiled instructions (ProfileMe)",
       trace::Isa::alpha, alpha_ev67, core::make_alpha_ev67, pmu::make_alpha_ev67_monitor},
  };
  return all;
}

}  // namespace

std::span<const Target> targets() { return rows(); }

void add_target(const Target& target) { rows().push_back(target); }

const Target* find_target(std::string_view name) {
  const auto& all = rows();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Target& target) { return target.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace pmusim::models
