// What is known of each event of the 750GX and 750GL: its counters, and how often it occurs in a cycle. Two
// instructions are dispatched and two complete in a cycle; of others the manual does not say how many there can be.
// Source: IBM PowerPC 750GX and 750GL RISC Microprocessor User's Manual, 11.4 and tables 11-2 to 11-5.
#include "testbench/judge/trial/identities.h"

namespace pmusim::testbench {

namespace {

using namespace facts;  // NOLINT: the words of the table

// clang-format off
constexpr EventFacts table[] = {
    {"NOTHING", never, any, from_timing, unfiltered},
    {"PROCESSOR_CYCLES", every_cycle, any, from_timing, unfiltered},
    {"INSTRUCTIONS_COMPLETED", at_most(2), any, from_instructions, unfiltered},
    {"TBL_BIT_TRANSITIONS", at_most(1), any, from_timing, unfiltered},
    {"INSTRUCTIONS_DISPATCHED", at_most(2), any, from_timing, unfiltered},
    {"EIEIO_INSTRUCTIONS", occurrence, on({0}), from_instructions, unfiltered},
    {"ITLB_TABLE_SEARCH_CYCLES", condition, on({0}), from_timing, unfiltered},
    {"L2_ACCESSES", occurrence, on({0}), from_timing, unfiltered},
    {"EAS_DELIVERED", occurrence, on({0}), from_timing, unfiltered},
    {"IABR_MATCHES", occurrence, on({0}), from_timing, unfiltered},
    {"L1_LOAD_MISSES", occurrence, on({0}), from_timing, unfiltered},
    {"UNRESOLVED_BRANCHES", occurrence, on({0}), from_timing, unfiltered},
    {"SECOND_UNRESOLVED_BRANCH_STALLS", condition, on({0}), from_timing, unfiltered},
    {"L1_ICACHE_MISSES", occurrence, on({1}), from_timing, unfiltered},
    {"ITLB_MISSES", occurrence, on({1}), from_timing, unfiltered},
    {"L2_I_MISSES", occurrence, on({1}), from_timing, unfiltered},
    {"BRANCHES_NOT_TAKEN", occurrence, on({1}), from_timing, unfiltered},
    {"RESERVED_LOADS", occurrence, on({1}), from_instructions, unfiltered},
    {"LOADS_AND_STORES", at_most(2), on({1}), from_instructions, unfiltered},
    {"SNOOPS", occurrence, on({1}), from_timing, unfiltered},
    {"L1_CASTOUTS_TO_L2", occurrence, on({1}), from_timing, unfiltered},
    {"SYSTEM_UNIT_INSTRUCTIONS", occurrence, on({1}), from_instructions, unfiltered},
    {"INSTRUCTION_FETCH_MISSES", occurrence, on({1}), from_timing, unfiltered},
    {"SPECULATIVE_BRANCHES", occurrence, on({1}), from_timing, unfiltered},
    {"L1_DCACHE_MISSES", occurrence, on({2}), from_timing, unfiltered},
    {"DTLB_MISSES", occurrence, on({2}), from_timing, unfiltered},
    {"L2_DATA_MISSES", occurrence, on({2}), from_timing, unfiltered},
    {"TAKEN_BRANCHES", occurrence, on({2}), from_timing, unfiltered},
    {"STORE_CONDITIONAL_INSTRUCTIONS", occurrence, on({2}), from_instructions, unfiltered},
    {"FPU_INSTRUCTIONS", at_most(2), on({2}), from_instructions, unfiltered},
    {"L2_CASTOUTS_MODIFIED_SNOOPS", occurrence, on({2}), from_timing, unfiltered},
    {"L2_HITS", occurrence, on({2}), from_timing, unfiltered},
    {"L1_LOAD_MISS_CYCLES", condition, on({2}), from_timing, unfiltered},
    {"SECOND_STREAM_RESOLVED_BRANCHES", occurrence, on({2}), from_timing, unfiltered},
    {"BPU_LR_CR_STALL_CYCLES", condition, on({2}), from_timing, unfiltered},
    {"L2_CASTOUTS", occurrence, on({3}), from_timing, unfiltered},
    {"DTLB_TABLE_SEARCH_CYCLES", condition, on({3}), from_timing, unfiltered},
    {"MISPREDICTED_BRANCHES", occurrence, on({3}), from_timing, unfiltered},
    {"STORE_CONDITIONAL_INSTRUCTIONS_RESERVATION_INTACT", occurrence, on({3}), from_instructions, unfiltered},
    {"SYNC_INSTRUCTIONS", occurrence, on({3}), from_instructions, unfiltered},
    {"SNOOP_RETRIES", occurrence, on({3}), from_timing, unfiltered},
    {"INTEGER_OPERATIONS", at_most(2), on({3}), from_instructions, unfiltered},
    {"BPU_BLOCKED_CYCLES", condition, on({3}), from_timing, unfiltered},
    {"PM_RSVD_1_*", reserved, on({0}), from_timing, unfiltered},
    {"PM_RSVD_2_*", reserved, on({1}), from_timing, unfiltered},
    {"PM_RSVD_3_*", reserved, on({2}), from_timing, unfiltered},
    {"PM_RSVD_4_*", reserved, on({3}), from_timing, unfiltered},
};
// clang-format on

// Relations among the 750GX's counts that the manuals state.

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

const CountFacts targets::ppc750gx::events{.events = {table}, .identities = {list}};
const CountFacts targets::ppc750gl::events = targets::ppc750gx::events;

}  // namespace pmusim::testbench
