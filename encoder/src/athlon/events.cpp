// AMD Athlon (K7) events. Codes and unit masks after AMD publication 22007 (Athlon Processor x86 Code
// Optimization Guide), revision E of November 1999, and the later revision K as recorded by the event list
// of the perfctr driver (event_set_amd.c) and by libpfm4 (amd64_events_k7.h). The maximum of occurrences in one
// cycle follows from the width of the unit (three instructions retire, two load/store ports); AMD does not publish it.
#include "backend.h"

namespace pmusim::encoder::athlon {
namespace {

constexpr std::string_view kRevE = "AMD 22007 rev. E p. 164 or 167; perfctr event_set_amd.c";
constexpr std::string_view kRevEByPerfctr = "AMD 22007 rev. E as cited by perfctr event_set_amd.c";
constexpr std::string_view kRevK = "AMD 22007 rev. K as listed by perfctr event_set_amd.c and libpfm4";

constexpr UnitMask kSegments[] = {
    {"ALL", 0x7f, "Any segment register", true},
    {"ES", 0x01, "ES is loaded"},
    {"CS", 0x02, "CS is loaded"},
    {"SS", 0x04, "SS is loaded"},
    {"DS", 0x08, "DS is loaded"},
    {"FS", 0x10, "FS is loaded"},
    {"GS", 0x20, "GS is loaded"},
    {"HS", 0x40, "HS, a hidden register that programs cannot name, is loaded"},
};

constexpr UnitMask kRefillStates[] = {
    {"ALL", 0x1f, "Whatever L2 answers", true},
    {"L2_INVALID", 0x01, "L2 does not hold the line, so that the system delivers it"},
    {"L2_SHARED", 0x02, "L2 holds the line in state Shared"},
    {"L2_EXCLUSIVE", 0x04, "L2 holds the line in state Exclusive"},
    {"L2_OWNED", 0x08, "L2 holds the line in state Owned"},
    {"L2_MODIFIED", 0x10, "L2 holds the line in state Modified"},
};

constexpr UnitMask kInstalledStates[] = {
    {"ALL", 0x1f, "Whatever state the line gets", true},
    {"INVALID", 0x01, "The line arrives but is not kept"},
    {"SHARED", 0x02, "The line is kept as Shared"},
    {"EXCLUSIVE", 0x04, "The line is kept as Exclusive"},
    {"OWNED", 0x08, "The line is kept as Owned"},
    {"MODIFIED", 0x10, "The line is kept as Modified, as a store miss needs it"},
};

constexpr UnitMask kVictimStates[] = {
    {"ALL", 0x1f, "Whatever state the line had", true},
    {"INVALID", 0x01, "The replaced way held nothing valid"},
    {"SHARED", 0x02, "The replaced line was Shared"},
    {"EXCLUSIVE", 0x04, "The replaced line was Exclusive"},
    {"OWNED", 0x08, "The replaced line was Owned and has to be written back"},
    {"MODIFIED", 0x10, "The replaced line was Modified and has to be written back"},
};

constexpr UnitMask kMemoryTypes[] = {
    {"ALL", 0x73, "Any memory type", true},        {"UC", 0x01, "The memory is uncacheable"},
    {"WC", 0x02, "The memory is write-combining"}, {"WT", 0x10, "The memory is write-through"},
    {"WP", 0x20, "The memory is write-protected"}, {"WB", 0x40, "The memory is write-back"},
};

constexpr UnitMask kSnoopedCaches[] = {
    {"ALL", 0x07, "Any of the caches", true},
    {"IC", 0x01, "The instruction cache has the line"},
    {"DC", 0x02, "The data cache has the line"},
    {"L2", 0x04, "L2 has the line and the data cache has not"},
};

constexpr UnitMask kErrorOrigins[] = {
    {"ALL", 0x03, "Wherever the data came from", true},
    {"SYSTEM", 0x01, "The data came over the system bus"},
    {"L2", 0x02, "The data came out of L2"},
};

constexpr UnitMask kInvalidatingPairs[] = {
    {"ALL", 0x0f, "Either side by either side", true},
    {"D_INVALIDATES_I", 0x01, "A data access throws a line out of the instruction cache"},
    {"D_INVALIDATES_D", 0x02, "A data access throws an alias out of the data cache"},
    {"I_INVALIDATES_I", 0x04, "A fetch throws an alias out of the instruction cache"},
    {"I_INVALIDATES_D", 0x08, "A fetch throws a line out of the data cache"},
};

constexpr UnitMask kL2Kinds[] = {
    {"ALL", 0xff, "Requests of every kind", true},
    {"TAG_READ", 0x01, "The tags are looked up"},
    {"TAG_WRITE", 0x02, "The tags are changed"},
    {"INSTRUCTION_READ", 0x04, "A block is read for the fetcher"},
    {"LOAD_READ", 0x08, "A block is read for a load"},
    {"STORE_READ", 0x10, "A block is read for a store"},
    {"SYSTEM_WRITE", 0x20, "A block from the system is written"},
    {"DC_WRITE", 0x40, "A block that the data cache gives up is written"},
    {"L2_WRITE", 0x80, "L2 writes a block of its own, updating a page-table entry"},
};

constexpr std::span<const UnitMask> kNone{};

constexpr Row kRows[] = {
    // Load/store unit.
    {"SEGMENT_REGISTER_LOADS", 0x20, kSegments, 1, "Segment registers loaded", kRevE},
    {"STORES_TO_ACTIVE_INSTRUCTION_STREAM", 0x21, kNone, 1,
     "Stores into code that the processor has already begun to work on", kRevE},
    // Data cache.
    {"DATA_CACHE_ACCESSES", 0x40, kNone, 2, "Times the data cache is looked up, found or not", kRevE},
    {"DATA_CACHE_MISSES", 0x41, kNone, 2, "Times a looked-up line is not in the data cache", kRevE},
    {"DATA_CACHE_REFILLS", 0x42, kRefillStates, 1, "Lines brought into the data cache, by the answer of L2", kRevE},
    {"DATA_CACHE_REFILLS_FROM_SYSTEM", 0x43, kInstalledStates, 1,
     "Lines brought into the data cache over the system bus, by their new state", kRevE},
    {"DATA_CACHE_LINES_EVICTED", 0x44, kVictimStates, 1, "Lines that leave the data cache to make room, by their state",
     kRevE},
    {"L1_DTLB_MISS_AND_L2_DTLB_HIT", 0x45, kNone, 1, "Data addresses translated by the second-level TLB", kRevE},
    {"L1_DTLB_AND_L2_DTLB_MISS", 0x46, kNone, 1, "Data addresses that neither TLB level translates: page walks", kRevE},
    {"MISALIGNED_ACCESSES", 0x47, kNone, 2, "Data accesses that straddle two aligned blocks of eight bytes", kRevE},
    // Bus unit and L2.
    {"DRAM_SYSTEM_REQUESTS", 0x64, kNone, 1, "System bus requests whose target is DRAM", kRevE},
    {"SYSTEM_REQUESTS_WITH_THE_SELECTED_TYPE", 0x65, kMemoryTypes, 1, "System bus requests, by memory type",
     kRevEByPerfctr},
    {"SNOOP_HITS", 0x73, kSnoopedCaches, 1, "Probes from the system that find their line, by cache", kRevEByPerfctr},
    {"SINGLE_BIT_ECC_ERRORS_DETECTED_CORRECTED", 0x74, kErrorOrigins, 1,
     "Wrong single bits that ECC put right, by where the data came from", kRevEByPerfctr},
    {"INTERNAL_CACHE_LINE_INVALIDATES", 0x75, kInvalidatingPairs, 1,
     "Level-one lines dropped because a level-one cache wants them elsewhere", kRevEByPerfctr},
    {"CPU_CLK_UNHALTED", 0x76, kNone, 1, "Core clocks outside HLT and STPCLK", kRevEByPerfctr},
    {"L2_REQUESTS", 0x79, kL2Kinds, 1, "What L2 is asked to do, by kind", kRevEByPerfctr},
    {"CYCLES_FILL_REQUEST_WAITED_FOR_L2", 0x7a, kNone, 1, "Cycles with a line fill queued up for L2", kRevEByPerfctr},
    // Instruction cache and fetch.
    {"INSTRUCTION_CACHE_FETCHES", 0x80, kNone, 1, "Fetch windows read from the instruction cache", kRevK},
    {"INSTRUCTION_CACHE_MISSES", 0x81, kNone, 1, "Fetch windows whose line the instruction cache does not hold", kRevK},
    {"INSTRUCTION_CACHE_REFILLS_FROM_L2", 0x82, kNone, 1, "Lines that L2 delivers to the instruction cache",
     kRevEByPerfctr},
    {"INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM", 0x83, kNone, 1, "Lines that the system delivers to the instruction cache",
     kRevEByPerfctr},
    {"L1_ITLB_MISS_AND_L2_ITLB_HIT", 0x84, kNone, 1, "Code addresses translated by the second-level TLB", kRevK},
    {"L1_ITLB_MISS_AND_L2_ITLB_MISS", 0x85, kNone, 1, "Code addresses that neither TLB level translates: page walks",
     kRevK},
    {"SNOOP_RESYNCS", 0x86, kNone, 1, "Restarts because a probe touched code being worked on", kRevEByPerfctr},
    {"INSTRUCTION_FETCH_STALL_CYCLES", 0x87, kNone, 1, "Cycles without instructions from the fetcher", kRevEByPerfctr},
    {"RETURN_STACK_HITS", 0x88, kNone, 1, "Returns predicted from the return address stack", kRevEByPerfctr},
    {"RETURN_STACK_OVERFLOW", 0x89, kNone, 1, "Calls that push onto a full return address stack", kRevEByPerfctr},
    // Retirement.
    {"RETIRED_INSTRUCTIONS", 0xc0, kNone, 3,
     "Instructions completed in program order, with exceptions, interrupts and restarts", kRevK},
    {"RETIRED_UOPS", 0xc1, kNone, 3, "Internal operations completed in program order", kRevK},
    {"RETIRED_BRANCH_INSTRUCTIONS", 0xc2, kNone, 3,
     "Branches of every kind completed, exceptions and interrupts among them", kRevK},
    {"RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", 0xc3, kNone, 1,
     "Completed branches that went another way than predicted", kRevK},
    {"RETIRED_TAKEN_BRANCH_INSTRUCTIONS", 0xc4, kNone, 3, "Completed branches that left the straight path", kRevK},
    {"RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED", 0xc5, kNone, 1,
     "Completed branches that left the straight path against the prediction", kRevK},
    {"RETIRED_FAR_CONTROL_TRANSFERS", 0xc6, kNone, 1, "Completed transfers to another code segment or privilege level",
     kRevK},
    {"RETIRED_BRANCH_RESYNCS", 0xc7, kNone, 1, "Completed restarts of the pipeline that are no branches of the program",
     kRevK},
    {"RETIRED_NEAR_RETURNS", 0xc8, kNone, 3, "Near RET instructions completed", kRevEByPerfctr},
    {"RETIRED_NEAR_RETURNS_MISPREDICTED", 0xc9, kNone, 1, "Near RET instructions completed after a wrong prediction",
     kRevEByPerfctr},
    {"RETIRED_INDIRECT_BRANCHES_WITH_TARGET_MISPREDICTED", 0xca, kNone, 1,
     "Indirect jumps and calls completed with a mispredicted target", kRevEByPerfctr},
    // Interrupts.
    {"INTERRUPTS_MASKED_CYCLES", 0xcd, kNone, 1, "Cycles with interrupts turned off (IF = 0)", kRevK},
    {"INTERRUPTS_MASKED_CYCLES_WITH_INTERRUPT_PENDING", 0xce, kNone, 1,
     "Cycles with interrupts turned off and one of them asking", kRevK},
    {"INTERRUPTS_TAKEN", 0xcf, kNone, 1, "External interrupts that the processor enters", kRevK},
    // Dispatch and its stalls.
    {"INSTRUCTION_DECODER_EMPTY", 0xd0, kNone, 1, "Cycles in which the decoders offer nothing", kRevEByPerfctr},
    {"DISPATCH_STALLS", 0xd1, kNone, 1, "Cycles in which anything holds dispatch up", kRevEByPerfctr},
    {"BRANCH_ABORT_TO_RETIRE", 0xd2, kNone, 1, "Cycles in which dispatch waits for a mispredicted branch to complete",
     kRevEByPerfctr},
    {"SERIALIZE", 0xd3, kNone, 1, "Cycles in which dispatch waits for a serialising instruction", kRevEByPerfctr},
    {"SEGMENT_LOAD_STALL", 0xd4, kNone, 1, "Cycles in which dispatch waits for a segment register", kRevEByPerfctr},
    {"ICU_FULL", 0xd5, kNone, 1, "Cycles in which dispatch waits for room in the instruction control unit", kRevE},
    {"RESERVATION_STATIONS_FULL", 0xd6, kNone, 1, "Cycles in which dispatch waits for room in the integer scheduler",
     kRevE},
    {"FPU_FULL", 0xd7, kNone, 1, "Cycles in which dispatch waits for room in the floating-point unit", kRevE},
    {"LS_FULL", 0xd8, kNone, 1, "Cycles in which dispatch waits for room in the load/store unit", kRevE},
    {"ALL_QUIET_STALL", 0xd9, kNone, 1, "Cycles in which dispatch waits until nothing is under way any more", kRevE},
    {"FAR_TRANSFER_OR_RESYNC_BRANCH_PENDING", 0xda, kNone, 1,
     "Cycles in which dispatch waits for a far transfer or a restart to complete", kRevE},
    // Breakpoints.
    {"BREAKPOINT_MATCHES_FOR_DR0", 0xdc, kNone, 1, "Accesses that the breakpoint in DR0 catches", kRevE},
    {"BREAKPOINT_MATCHES_FOR_DR1", 0xdd, kNone, 1, "Accesses that the breakpoint in DR1 catches", kRevE},
    {"BREAKPOINT_MATCHES_FOR_DR2", 0xde, kNone, 1, "Accesses that the breakpoint in DR2 catches", kRevE},
    {"BREAKPOINT_MATCHES_FOR_DR3", 0xdf, kNone, 1, "Accesses that the breakpoint in DR3 catches", kRevE},
};

}  // namespace

std::span<const Row> table() { return kRows; }

}  // namespace pmusim::encoder::athlon
