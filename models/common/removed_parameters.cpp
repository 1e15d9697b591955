#include "models/common/removed_parameters.h"

#include <algorithm>
#include <array>

namespace pmusim::models {
namespace {

struct Removed {
  std::string_view name, behaviour;
};
constexpr std::array removed{
    Removed{"pmu.decoder_empty", "event D0h does not count clocks with a cause of events D2h to DAh"},
    Removed{"pmu.discount_cycle", "the cycle of a signal that stops counting by DISCOUNT is counted"},
    Removed{"pmu.edge_on_select_write", "a write that changes PerfEvtSel clears the edge flop"},
    Removed{"pmu.edge_when_disabled", "the edge flop is 0 while EN is 0"},
    Removed{"pmu.empty_mask", "UNIT_MASK 0 on an event that has unit masks counts nothing"},
    Removed{"pmu.freeze_blocks_signal", "DIS, DP, DU, DMS and DMR stop counting, not signalling"},
    Removed{"pmu.ibr_match", "instruction ranges are compared at any PSR.db"},
    Removed{"pmu.indirect_returns", "event CAh does not count returns"},
    Removed{"pmu.init", "INIT leaves the counters' registers unchanged"},
    Removed{"pmu.interrupts_taken_scope", "event CFh counts NMI and SMI, too"},
    Removed{"pmu.masked_request", "an overflow while the APIC entry is masked makes no interrupt"},
    Removed{"pmu.merged_request", "an overflow while an interrupt is pending is part of it"},
    Removed{"pmu.pending_probe", "event 41h does not count loads and stores whose line is on its way"},
    Removed{"pmu.prefetch_access", "events 40h and 41h count prefetches as other probes"},
    Removed{"pmu.sia_threshold_first", "of the threshold event and another cause in one cycle SIA holds the load"},
    Removed{"pmu.sia_when_disabled", "a signal while MMCR0[DIS] = 1 loads SIA"},
    Removed{"pmu.split_access", "event 40h counts both probes of a reference that crosses 8 bytes"},
    Removed{"pmu.sreset", "SRESET leaves the monitor's registers unchanged"},
    Removed{"pmu.taken_to_next", "event C4h counts taken conditional branches to the next address"},
    Removed{"pmu.trigger_cycle", "a PMC1 that became negative releases PMCTRIGGER in the cycle after it"},
    Removed{"pmu.undefined_mask", "unit mask bits that an event does not have select nothing"},
    Removed{"pmu.unmasked_event", "UNIT_MASK is ignored on an event that has no unit masks"},
    Removed{"pmu.update_probes", "event 40h counts the store of an operand that was loaded beside the load"},
    Removed{"pmu.user_write_fault", "mtspr to a user copy is an illegal instruction"},
    Removed{"pmu.write_conflict", "a WRMSR to PerfCtr replaces the increment of its clock"},
};

}  // namespace

std::string_view behaviour_instead_of(std::string_view parameter) {
  const auto* const found =
      std::find_if(removed.begin(), removed.end(), [&](const Removed& row) { return row.name == parameter; });
  return found == removed.end() ? std::string_view{} : found->behaviour;
}

}  // namespace pmusim::models
