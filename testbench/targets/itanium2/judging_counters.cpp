// The counters of the Itanium 2's events, and its events that can occur more than once in a cycle, besides those of
// both IA-64 processors.
#include "testbench/targets/itanium2/judging.h"

namespace pmusim::testbench::targets::itanium2 {
namespace {

constexpr MostInCycle more_in_cycle[] = {
    {"BUS_BRQ_LIVE_REQ_HI", 2},
    {"BUS_BRQ_LIVE_REQ_LO", 7},
    {"BUS_IOQ_LIVE_REQ_HI", 2},
    {"BUS_IOQ_LIVE_REQ_LO", 3},
    {"BUS_MEM_READ_OUT_HI", 2},
    {"BUS_MEM_READ_OUT_LO", 7},
    {"BUS_OOQ_LIVE_REQ_HI", 2},
    {"BUS_OOQ_LIVE_REQ_LO", 7},
    {"BUS_SNOOPQ_REQ", 7},
    {"FP_FLUSH_TO_ZERO", 2},
    {"FP_OPS_RETIRED", 4},
    {"IA32_INST_RETIRED", 2},
    {"L2_BAD_LINES_SELECTED_ANY", 4},
    {"L2_DATA_REFERENCES_L2_", 4},
    {"L2_FORCE_RECIRC_", 4},
    {"L2_OPS_ISSUED_", 4},
    {"L2_OZQ_CANCELS", 4},
    {"L2_REFERENCES", 4},
    {"L2_STORE_HIT_SHARED_ANY", 2},
};

}  // namespace

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

std::span<const MostInCycle> several_in_cycle() { return more_in_cycle; }

}  // namespace pmusim::testbench::targets::itanium2
