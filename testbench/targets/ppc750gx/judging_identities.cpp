// Relations among the 750GX's counts that the manuals state.
#include "testbench/judge/trial/identities.h"
#include "testbench/targets/ppc750gx/judging.h"

namespace pmusim::testbench {
namespace {

constexpr std::string_view table_2 = "750GX/GL manual, table 11-2", table_3 = "750GX/GL manual, table 11-3",
                           table_4 = "750GX/GL manual, table 11-4", table_5 = "750GX/GL manual, table 11-5",
                           reference_events = "750GX/GL manual, 11.4: reference events";
constexpr Identity list[] = {
    {"INSTRUCTIONS_COMPLETED <= INSTRUCTIONS_DISPATCHED", reference_events},
    {"INSTRUCTIONS_DISPATCHED <= 2 PROCESSOR_CYCLES", "750GX/GL manual, 11.4: 0, 1 or 2 a cycle"},
    {"INTEGER_OPERATIONS + FPU_INSTRUCTIONS + SYSTEM_UNIT_INSTRUCTIONS + LOADS_AND_STORES <= INSTRUCTIONS_COMPLETED",
     "750GX/GL manual, tables 11-3 to 11-5: an instruction has one unit"},
    {"RESERVED_LOADS + STORE_CONDITIONAL_INSTRUCTIONS <= LOADS_AND_STORES", table_3},
    {"STORE_CONDITIONAL_INSTRUCTIONS_RESERVATION_INTACT <= STORE_CONDITIONAL_INSTRUCTIONS", table_5},
    {"L1_LOAD_MISS_CYCLES <= PROCESSOR_CYCLES", table_4},
    {"INSTRUCTION_FETCH_MISSES <= EAS_DELIVERED", table_3},
    {"L1_ICACHE_MISSES <= INSTRUCTION_FETCH_MISSES", table_3},
    {"L2_I_MISSES <= L1_ICACHE_MISSES", table_3},
    {"L2_HITS <= L2_ACCESSES", "750GX/GL manual, tables 11-2 and 11-4: code 13 are cache operations alone"},
    {"ITLB_MISSES <= ITLB_TABLE_SEARCH_CYCLES", table_2},
    {"DTLB_MISSES <= DTLB_TABLE_SEARCH_CYCLES", table_5},
    {"ITLB_TABLE_SEARCH_CYCLES <= PROCESSOR_CYCLES", table_2},
    {"DTLB_TABLE_SEARCH_CYCLES <= PROCESSOR_CYCLES", table_5},
    {"SPECULATIVE_BRANCHES + SECOND_STREAM_RESOLVED_BRANCHES + MISPREDICTED_BRANCHES <= UNRESOLVED_BRANCHES",
     "750GX/GL manual, tables 11-2 to 11-5: what resolves was unresolved"},
    {"TAKEN_BRANCHES <= SPECULATIVE_BRANCHES + SECOND_STREAM_RESOLVED_BRANCHES + MISPREDICTED_BRANCHES", table_4},
    {"BPU_BLOCKED_CYCLES <= PROCESSOR_CYCLES", table_5},
    {"BPU_LR_CR_STALL_CYCLES <= PROCESSOR_CYCLES", table_4},
    {"SECOND_UNRESOLVED_BRANCH_STALLS <= PROCESSOR_CYCLES", table_2},
    {"SNOOP_RETRIES <= SNOOPS", table_5},
    {"L2_CASTOUTS_MODIFIED_SNOOPS <= L2_CASTOUTS", "750GX/GL manual, tables 11-4 and 11-5"},
    {"L2_CASTOUTS_MODIFIED_SNOOPS <= SNOOPS", table_4},
};

}  // namespace

std::span<const Identity> targets::ppc750gx::identities() { return list; }

}  // namespace pmusim::testbench
