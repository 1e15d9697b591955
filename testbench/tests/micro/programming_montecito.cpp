#include "programming_montecito.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

namespace pmusim::micro {
namespace {

using pmu::RegisterId;
using pmu::Space;

struct EventCode {
  std::string_view row;
  unsigned code;
  unsigned umask = 0;
};
constexpr EventCode event_codes[] = {
    {"IA64_INST_RETIRED", 0x08},
    {"THREAD_SWITCH_EVENTS_MISSED", 0x0c, 0},
    {"THREAD_SWITCH_EVENTS_L3MISS", 0x0c, 1},
    {"THREAD_SWITCH_EVENTS_TIMER", 0x0c, 2},
    {"THREAD_SWITCH_EVENTS_HINT", 0x0c, 3},
    {"THREAD_SWITCH_EVENTS_LP", 0x0c, 4},
    {"THREAD_SWITCH_EVENTS_DBG", 0x0c, 5},
    {"THREAD_SWITCH_EVENTS_ALL", 0x0c, 7},
    {"THREAD_SWITCH_STALL_GTE_256", 0x0f, 6},
    {"THREAD_SWITCH_STALL_GTE_512", 0x0f, 7},
    {"THREAD_SWITCH_STALL_GTE_4096", 0x0f, 10},
    {"CPU_OP_CYCLES_ALL", 0x12},
    {"CPU_CPL_CHANGES_LVL0", 0x13, 1},
    {"CPU_CPL_CHANGES_LVL1", 0x13, 2},
    {"CPU_CPL_CHANGES_LVL2", 0x13, 4},
    {"CPU_CPL_CHANGES_LVL3", 0x13, 8},
    {"CPU_CPL_CHANGES_ALL", 0x13, 15},
    {"CPU_OP_CYCLES_HALTED", 0x18},
    {"NOPS_RETIRED", 0x50},
    {"L2I_VICTIMIZATION", 0x7a},
    {"L2I_HIT_CONFLICTS_HIT_DMND", 0x7d, 5},
    {"L2I_HIT_CONFLICTS_HIT_PFTCH", 0x7d, 6},
    {"L2I_HIT_CONFLICTS_MISS_PFTCH", 0x7d, 10},
    {"L2I_HIT_CONFLICTS_ALL_ALL", 0x7d, 15},
    {"L2I_SNOOP_HITS", 0x7f},
    {"BUS_RD_HIT_IO", 0x80, 1},
    {"BUS_HITM_IO", 0x84, 1},
    {"SI_WRITEQ_INSERTS_WC16_EITHER", 0xa1, 8},
    {"SI_WRITEQ_INSERTS_WC16_SELF", 0xa1, 9},
    {"SI_WRITEQ_LIVE_REQ_HI_EITHER", 0xa3, 0},
    {"SI_WRITEQ_LIVE_REQ_HI_SELF", 0xa3, 1},
    {"SI_SCB_INSERTS_MISS_SELF", 0xab, 1},
    {"SI_SCB_SIGNOFFS_HITM", 0xae, 8},
    {"SI_WDQ_ECC_ERRORS_DBL_EITHER", 0xaf, 4},
    {"SI_WDQ_ECC_ERRORS_DBL_SELF", 0xaf, 5},
    {"STORES_RETIRED", 0xd1},
    {"LOADS_RETIRED_INTG", 0xd8},
    {"SPEC_LOADS_NATTED_ALL", 0xd9, 0},
    {"SPEC_LOADS_NATTED_VHPT_MISS", 0xd9, 1},
    {"SPEC_LOADS_NATTED_DEF_TLB_MISS", 0xd9, 2},
    {"SPEC_LOADS_NATTED_DEF_TLB_FAULT", 0xd9, 3},
    {"SPEC_LOADS_NATTED_NAT_CNSM", 0xd9, 4},
    {"SPEC_LOADS_NATTED_DEF_PSR_ED", 0xd9, 5},
    {"L3_MISSES", 0xdc},
    {"L3_LINES_REPLACED", 0xdf},
    {"L2D_OZQ_CANCELS1_SIBLING_ACQ_REL", 0xe2, 2},
    {"L2D_FILL_MESI_STATE_E", 0xf2, 1},
};

}  // namespace

// PMC4-15: plm 3:0, pm 6, event 15:8, umask 19:16, threshold 22:20, 10 in 25:24, all 26, line states 30:27.
RegisterId program_montecito(pmu::Monitor& monitor, const oracle::Request& request) {
  const oracle::ia64::Qualifiers& q = request.ia64;
  if (!q.code.empty() || !q.opcodes.empty() || !q.data.empty()) throw std::logic_error("filters are validate's");
  const auto found = std::find_if(std::begin(event_codes), std::end(event_codes),
                                  [&](const EventCode& event) { return event.row == request.event; });
  if (found == std::end(event_codes)) throw std::logic_error("no code for " + request.event);
  const std::uint64_t levels = q.levels != 0 ? q.levels : (request.kernel ? 1u : 0) | (request.user ? 8u : 0);
  constexpr std::uint64_t ia64_code = 2, every_state = 15;
  const auto write = [&](std::uint32_t number, std::uint64_t value) {
    const pmu::AccessResult result = monitor.write({Space::pmc, number}, value, {});
    if (result.fault != pmu::Fault::none) throw std::logic_error("register write faults: " + std::to_string(number));
  };
  const std::uint32_t counter = found->code == 0x18 ? 10 : 5;
  write(counter, levels | std::uint64_t{q.privileged_monitor} << 6 | std::uint64_t{found->code} << 8 |
                     std::uint64_t{found->umask} << 16 | std::uint64_t{request.threshold} << 20 | ia64_code << 24 |
                     std::uint64_t{q.all_threads} << 26 | every_state << 27);
  write(0, 0);
  return {Space::pmd, counter};
}

}  // namespace pmusim::micro
