// The counters of the Montecito's events, and its events that can occur more than once in a cycle, besides those of
// both IA-64 processors.
#include "testbench/targets/montecito/judging.h"

namespace pmusim::testbench::targets::montecito {
namespace {

constexpr MostInCycle more_in_cycle[] = {
    {"CPU_OP_CYCLES_HALTED", 7},
    {"ER_BKSNP_ME_ACCEPTED", 2},
    {"ER_BRQ_LIVE_REQ_HI", 2},
    {"ER_BRQ_LIVE_REQ_LO", 7},
    {"ER_MEM_READ_OUT_HI", 2},
    {"ER_MEM_READ_OUT_LO", 7},
    {"ER_SNOOPQ_REQ_HI", 2},
    {"ER_SNOOPQ_REQ_LO", 7},
    {"FP_FLUSH_TO_ZERO_FTZ_", 2},
    {"FP_OPS_RETIRED", 6},
    {"L2D_BAD_LINES_SELECTED_ANY", 4},
    {"L2D_FORCE_RECIRC_", 4},
    {"L2D_INSERT_", 4},
    {"L2D_OPS_ISSUED_", 4},
    {"L2D_OZQ_CANCELS", 4},
    {"L2D_REFERENCES_", 4},
    {"L2D_STORE_HIT_SHARED_ANY", 2},
    {"LOADS_RETIRED_INTG", 2},
    {"SI_CCQ_COLLISIONS_", 2},
    {"SI_CCQ_INSERTS_", 2},
    {"SI_CCQ_LIVE_REQ_LO_", 7},
    {"SI_IOQ_COLLISIONS", 2},
    {"SI_IOQ_LIVE_REQ_HI", 2},
    {"SI_IOQ_LIVE_REQ_LO", 3},
    {"SI_RQ_INSERTS_", 2},
    {"SI_RQ_LIVE_REQ_LO_", 7},
    {"SI_SCB_INSERTS_", 4},
    {"SI_SCB_LIVE_REQ_LO_", 7},
    {"SI_WDQ_ECC_ERRORS_", 2},
    {"SI_WRITEQ_INSERTS_", 2},
    {"SI_WRITEQ_LIVE_REQ_LO_", 7},
    {"SPEC_LOADS_NATTED_", 2},
};

}  // namespace

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

std::span<const MostInCycle> several_in_cycle() { return more_in_cycle; }

}  // namespace pmusim::testbench::targets::montecito
