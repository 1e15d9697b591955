// The counters of the Itanium 2's events, besides those of both IA-64 processors.
#include "testbench/targets/itanium2/judging.h"

namespace pmusim::testbench::targets::itanium2 {

/// Itanium 2 reference manual for software development and optimization, 10.3; libpfm_itanium2(3): events of the L1D
/// caches must be on PMC5, which selects their set, and one of the L2 events on PMC4.
std::vector<ia64::Placing> placings() {
  std::vector<ia64::Placing> placings;
  for (const std::string_view name :
       {"L2_BAD", "L2_BYPASS", "L2_DATA", "L2_FILLB", "L2_FORCE", "L2_GOT", "L2_IFET", "L2_ISSUED", "L2_L3ACCESS",
        "L2_OPS", "L2_OZDB", "L2_OZQ", "L2_REFERENCES", "L2_STORE", "L2_SYNTH", "L2_VICTIMB"})
    placings.push_back({name, {0}});
  return placings;
}

}  // namespace pmusim::testbench::targets::itanium2
