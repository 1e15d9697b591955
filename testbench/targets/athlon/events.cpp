// What is known of each event of the Athlon. Each counter can count each event. Conditions of a cycle, such as a full
// queue, are at most one; how often others occur in a cycle AMD does not say. Sources: AMD Athlon Processor x86 Code
// Optimization Guide, 22007, appendix D, pp. 164-167, revision K as perfctr lists it, and docs/targets/athlon.md for
// what never counts.
#include "testbench/judge/trial/identities.h"

namespace pmusim::testbench {

namespace {

using namespace facts;  // NOLINT: the words of the table

// clang-format off
constexpr EventFacts table[] = {
    {"SEGMENT_REGISTER_LOADS", occurrence, any, from_timing, unfiltered},
    {"SEGMENT_REGISTER_LOADS:HS", never, any, from_timing, unfiltered},  // nothing loads this register
    {"STORES_TO_ACTIVE_INSTRUCTION_STREAM", occurrence, any, from_timing, unfiltered},
    {"DATA_CACHE_ACCESSES", occurrence, any, from_timing, unfiltered},
    {"DATA_CACHE_MISSES", occurrence, any, from_timing, unfiltered},
    {"DATA_CACHE_REFILLS", occurrence, any, from_timing, unfiltered},
    {"DATA_CACHE_REFILLS_FROM_SYSTEM", occurrence, any, from_timing, unfiltered},
    {"DATA_CACHE_LINES_EVICTED", occurrence, any, from_timing, unfiltered},
    {"DATA_CACHE_LINES_EVICTED:INVALID", never, any, from_timing, unfiltered},  // an Invalid line is no victim
    {"L1_DTLB_MISS_AND_L2_DTLB_HIT", occurrence, any, from_timing, unfiltered},
    {"L1_DTLB_AND_L2_DTLB_MISS", occurrence, any, from_timing, unfiltered},
    {"MISALIGNED_ACCESSES", occurrence, any, from_timing, unfiltered},
    {"DRAM_SYSTEM_REQUESTS", occurrence, any, from_timing, unfiltered},
    {"SYSTEM_REQUESTS_WITH_THE_SELECTED_TYPE", occurrence, any, from_timing, unfiltered},
    {"SNOOP_HITS", occurrence, any, from_timing, unfiltered},
    {"SINGLE_BIT_ECC_ERRORS_DETECTED_CORRECTED", occurrence, any, from_timing, unfiltered},
    {"INTERNAL_CACHE_LINE_INVALIDATES", occurrence, any, from_timing, unfiltered},
    {"CPU_CLK_UNHALTED", every_cycle, any, from_timing, unfiltered},
    {"L2_REQUESTS", occurrence, any, from_timing, unfiltered},
    {"CYCLES_FILL_REQUEST_WAITED_FOR_L2", condition, any, from_timing, unfiltered},
    {"INSTRUCTION_CACHE_FETCHES", occurrence, any, from_timing, unfiltered},
    {"INSTRUCTION_CACHE_MISSES", occurrence, any, from_timing, unfiltered},
    {"INSTRUCTION_CACHE_REFILLS_FROM_L2", occurrence, any, from_timing, unfiltered},
    {"INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM", occurrence, any, from_timing, unfiltered},
    {"L1_ITLB_MISS_AND_L2_ITLB_HIT", occurrence, any, from_timing, unfiltered},
    {"L1_ITLB_MISS_AND_L2_ITLB_MISS", occurrence, any, from_timing, unfiltered},
    {"SNOOP_RESYNCS", occurrence, any, from_timing, unfiltered},
    {"INSTRUCTION_FETCH_STALL_CYCLES", condition, any, from_timing, unfiltered},
    {"RETURN_STACK_HITS", occurrence, any, from_timing, unfiltered},
    {"RETURN_STACK_OVERFLOW", occurrence, any, from_timing, unfiltered},
    {"RETIRED_INSTRUCTIONS", occurrence, any, from_instructions, unfiltered},
    {"RETIRED_UOPS", occurrence, any, from_timing, unfiltered},
    {"RETIRED_BRANCH_INSTRUCTIONS", occurrence, any, from_instructions, unfiltered},
    {"RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", occurrence, any, from_timing, unfiltered},
    {"RETIRED_TAKEN_BRANCH_INSTRUCTIONS", occurrence, any, from_instructions, unfiltered},
    {"RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED", occurrence, any, from_timing, unfiltered},
    {"RETIRED_FAR_CONTROL_TRANSFERS", occurrence, any, from_instructions, unfiltered},
    {"RETIRED_BRANCH_RESYNCS", occurrence, any, from_timing, unfiltered},
    {"RETIRED_NEAR_RETURNS", occurrence, any, from_instructions, unfiltered},
    {"RETIRED_NEAR_RETURNS_MISPREDICTED", occurrence, any, from_timing, unfiltered},
    {"RETIRED_INDIRECT_BRANCHES_WITH_TARGET_MISPREDICTED", occurrence, any, from_timing, unfiltered},
    {"INTERRUPTS_MASKED_CYCLES", condition, any, from_timing, unfiltered},
    {"INTERRUPTS_MASKED_CYCLES_WITH_INTERRUPT_PENDING", condition, any, from_timing, unfiltered},
    {"INTERRUPTS_TAKEN", occurrence, any, from_timing, unfiltered},
    {"INSTRUCTION_DECODER_EMPTY", condition, any, from_timing, unfiltered},
    {"DISPATCH_STALLS", condition, any, from_timing, unfiltered},
    {"BRANCH_ABORT_TO_RETIRE", condition, any, from_timing, unfiltered},
    {"SERIALIZE", condition, any, from_timing, unfiltered},
    {"SEGMENT_LOAD_STALL", condition, any, from_timing, unfiltered},
    {"ICU_FULL", condition, any, from_timing, unfiltered},
    {"RESERVATION_STATIONS_FULL", condition, any, from_timing, unfiltered},
    {"FPU_FULL", condition, any, from_timing, unfiltered},
    {"LS_FULL", condition, any, from_timing, unfiltered},
    {"ALL_QUIET_STALL", condition, any, from_timing, unfiltered},
    {"FAR_TRANSFER_OR_RESYNC_BRANCH_PENDING", condition, any, from_timing, unfiltered},
    {"BREAKPOINT_MATCHES_FOR_DR0", occurrence, any, from_timing, unfiltered},
    {"BREAKPOINT_MATCHES_FOR_DR1", occurrence, any, from_timing, unfiltered},
    {"BREAKPOINT_MATCHES_FOR_DR2", occurrence, any, from_timing, unfiltered},
    {"BREAKPOINT_MATCHES_FOR_DR3", occurrence, any, from_timing, unfiltered},
};
// clang-format on

// Relations among the Athlon's counts that the manuals state.

constexpr std::string_view table_11 = "22007, table 11", perfctr = "perfctr's table of 22007, rev. E and K";
constexpr Identity list[] = {
    {"DATA_CACHE_MISSES <= DATA_CACHE_ACCESSES", table_11},
    {"DATA_CACHE_REFILLS:* <= DATA_CACHE_MISSES", "22007, table 11: a miss asks for one line"},
    {"DATA_CACHE_REFILLS:L2_INVALID = DATA_CACHE_REFILLS_FROM_SYSTEM:*",
     "22007, table 11: what L2 does not have comes from the system"},
    {"DATA_CACHE_REFILLS:* = DATA_CACHE_REFILLS:L2_INVALID + DATA_CACHE_REFILLS:L2_SHARED + "
     "DATA_CACHE_REFILLS:L2_EXCLUSIVE + DATA_CACHE_REFILLS:L2_OWNED + DATA_CACHE_REFILLS:L2_MODIFIED",
     "22007, table 11: a line has one state"},
    {"DATA_CACHE_LINES_EVICTED:* = DATA_CACHE_LINES_EVICTED:INVALID + DATA_CACHE_LINES_EVICTED:SHARED + "
     "DATA_CACHE_LINES_EVICTED:EXCLUSIVE + DATA_CACHE_LINES_EVICTED:OWNED + DATA_CACHE_LINES_EVICTED:MODIFIED",
     "22007, table 11: a line has one state"},
    {"DATA_CACHE_LINES_EVICTED:* <= DATA_CACHE_REFILLS:*", "22007, table 11: a victim makes room for a line"},
    {"DATA_CACHE_LINES_EVICTED:* <= L2_REQUESTS:DC_WRITE", "perfctr: L2 is written with the victims of the data cache"},
    {"L2_REQUESTS:INSTRUCTION_READ = INSTRUCTION_CACHE_REFILLS_FROM_L2", perfctr},
    {"L1_DTLB_MISS_AND_L2_DTLB_HIT + L1_DTLB_AND_L2_DTLB_MISS <= DATA_CACHE_ACCESSES", table_11},
    {"MISALIGNED_ACCESSES <= DATA_CACHE_ACCESSES", table_11},
    {"INSTRUCTION_CACHE_MISSES <= INSTRUCTION_CACHE_FETCHES", perfctr},
    {"INSTRUCTION_CACHE_REFILLS_FROM_L2 + INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM <= 2 INSTRUCTION_CACHE_MISSES",
     "22007 p. 131: a miss asks for its line and the next one"},
    {"L1_ITLB_MISS_AND_L2_ITLB_HIT + L1_ITLB_MISS_AND_L2_ITLB_MISS <= INSTRUCTION_CACHE_FETCHES", perfctr},
    {"RETIRED_INSTRUCTIONS <= RETIRED_UOPS + INTERRUPTS_TAKEN + RETIRED_FAR_CONTROL_TRANSFERS + RETIRED_BRANCH_RESYNCS",
     "perfctr: instructions, and exceptions, interrupts and resynchronisations; an instruction is one operation or "
     "more"},
    {"RETIRED_BRANCH_INSTRUCTIONS <= RETIRED_INSTRUCTIONS", perfctr},
    {"RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS <= RETIRED_BRANCH_INSTRUCTIONS", perfctr},
    {"RETIRED_TAKEN_BRANCH_INSTRUCTIONS <= RETIRED_BRANCH_INSTRUCTIONS", perfctr},
    {"RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED <= RETIRED_TAKEN_BRANCH_INSTRUCTIONS", perfctr},
    {"RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED <= RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", perfctr},
    {"RETIRED_FAR_CONTROL_TRANSFERS + RETIRED_NEAR_RETURNS <= RETIRED_TAKEN_BRANCH_INSTRUCTIONS", perfctr},
    {"RETIRED_NEAR_RETURNS_MISPREDICTED <= RETIRED_NEAR_RETURNS", perfctr},
    {"RETIRED_NEAR_RETURNS_MISPREDICTED + RETIRED_INDIRECT_BRANCHES_WITH_TARGET_MISPREDICTED <= "
     "RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED",
     perfctr},
    {"INTERRUPTS_TAKEN <= RETIRED_FAR_CONTROL_TRANSFERS", perfctr},
    {"INTERRUPTS_MASKED_CYCLES_WITH_INTERRUPT_PENDING <= INTERRUPTS_MASKED_CYCLES", perfctr},
    {"INTERRUPTS_MASKED_CYCLES <= CPU_CLK_UNHALTED", perfctr},
    {"RETIRED_UOPS <= 3 CPU_CLK_UNHALTED", "22007: three operations retire in a cycle"},
    {"DISPATCH_STALLS + INSTRUCTION_DECODER_EMPTY <= CPU_CLK_UNHALTED", perfctr},
    {"DISPATCH_STALLS <= BRANCH_ABORT_TO_RETIRE + SERIALIZE + SEGMENT_LOAD_STALL + ICU_FULL + "
     "RESERVATION_STATIONS_FULL + FPU_FULL + LS_FULL + ALL_QUIET_STALL + FAR_TRANSFER_OR_RESYNC_BRANCH_PENDING",
     "perfctr: event 0xD1 is any of 0xD2 to 0xDA"},
    {"BRANCH_ABORT_TO_RETIRE <= DISPATCH_STALLS", "perfctr: event 0xD1 is any of 0xD2 to 0xDA"},
    {"SERIALIZE <= DISPATCH_STALLS", "perfctr: event 0xD1 is any of 0xD2 to 0xDA"},
    {"SEGMENT_LOAD_STALL <= DISPATCH_STALLS", "perfctr: event 0xD1 is any of 0xD2 to 0xDA"},
    {"ICU_FULL <= DISPATCH_STALLS", "perfctr: event 0xD1 is any of 0xD2 to 0xDA"},
    {"RESERVATION_STATIONS_FULL <= DISPATCH_STALLS", "perfctr: event 0xD1 is any of 0xD2 to 0xDA"},
    {"FPU_FULL <= DISPATCH_STALLS", "perfctr: event 0xD1 is any of 0xD2 to 0xDA"},
    {"LS_FULL <= DISPATCH_STALLS", "perfctr: event 0xD1 is any of 0xD2 to 0xDA"},
    {"ALL_QUIET_STALL <= DISPATCH_STALLS", "perfctr: event 0xD1 is any of 0xD2 to 0xDA"},
    {"FAR_TRANSFER_OR_RESYNC_BRANCH_PENDING <= DISPATCH_STALLS", "perfctr: event 0xD1 is any of 0xD2 to 0xDA"},
};

}  // namespace

const CountFacts targets::athlon::events{.events = {table}, .identities = {list}};

}  // namespace pmusim::testbench
