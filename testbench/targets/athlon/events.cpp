// What is known of each event of the Athlon. Each counter can count each event. Conditions of a cycle, such as a full
// queue, are at most one; how often others occur in a cycle AMD does not say. Sources: AMD Athlon Processor x86 Code
// Optimization Guide, 22007, appendix D, pp. 164-167, revision K as perfctr lists it, and docs/targets/athlon.md for
// what never counts.
#include "testbench/targets/athlon/judging.h"

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

}  // namespace

std::span<const EventFacts> targets::athlon::events() { return table; }

}  // namespace pmusim::testbench
