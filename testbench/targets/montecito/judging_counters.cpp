// The counters of the Montecito's events, besides those of both IA-64 processors.
#include "testbench/targets/montecito/judging.h"

namespace pmusim::testbench::targets::montecito {

/// An L2D event must be on PMC4, which selects its set; bus events can be on PMC4 to PMC9.
std::vector<ia64::Placing> placings() {
  std::vector<ia64::Placing> placings{{"CPU_OP_CYCLES_HALTED", {6}},
                                      // Its code is that of an L2D event on the counter that selects the set.
                                      {"ER_REJECT_ALL_L1_REQ", {1, 3, 4, 5}}};
  for (const std::string_view name :
       {"L2D_BAD", "L2D_BYPASS", "L2D_FILLB", "L2D_FILL", "L2D_FORCE", "L2D_ISSUED", "L2D_L3ACCESS", "L2D_OZDB",
        "L2D_OZQ", "L2D_REFERENCES", "L2D_STORE", "L2D_VICTIMB"})
    placings.push_back({name, {0}});
  for (const std::string_view name : {"BUS", "ER_"}) placings.push_back({name, {0, 1, 2, 3, 4, 5}});
  return placings;
}

}  // namespace pmusim::testbench::targets::montecito
