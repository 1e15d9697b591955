// IBM PowerPC 750GX and 750GL events, after the user's manual version 1.2, tables 11-2 to 11-5 and section
// 11.4 for the reference events 0 to 4. The manual only numbers the events; the names are those of the perfctr
// driver's PPC750 event set. The manual gives the maximum of occurrences in one cycle for dispatch only; the others
// follow from the width of the unit.
#include "registers.h"

namespace pmusim::encoder::ppc750gx {
namespace {

constexpr std::string_view kNothing = "No event: the counter stands still";
constexpr std::string_view kCycles = "Processor cycles";
constexpr std::string_view kCompleted = "Instructions completed; a folded branch is none";
constexpr std::string_view kTimeBase = "Changes from 0 to 1 of the time base bit that RTCSELECT names";
constexpr std::string_view kDispatched = "Instructions dispatched, those of a wrong path too";
constexpr std::string_view kNoEvent = "The table defines no event here";

constexpr Row kOnPmc1[] = {
    {0, "NOTHING", 0, kNothing},
    {1, "PROCESSOR_CYCLES", 1, kCycles},
    {2, "INSTRUCTIONS_COMPLETED", 2, kCompleted},
    {3, "TBL_BIT_TRANSITIONS", 1, kTimeBase, Uses::time_base},
    {4, "INSTRUCTIONS_DISPATCHED", 2, kDispatched},
    {5, "EIEIO_INSTRUCTIONS", 1, "Completed eieio instructions"},
    {6, "ITLB_TABLE_SEARCH_CYCLES", 1, "Cycles of page table searches for code addresses"},
    {7, "L2_ACCESSES", 1, "Accesses that find their line in L2, be it code, data or a cache instruction"},
    {8, "EAS_DELIVERED", 1, "Addresses sent out to fetch instructions from"},
    {9, "IABR_MATCHES", 1, "Completed instructions at the address held in IABR"},
    {10, "L1_LOAD_MISSES", 1, "Loads that miss L1 and wait more than THRESHOLD cycles for their data", Uses::threshold},
    {11, "UNRESOLVED_BRANCHES", 1, "Branches met before the condition they depend on is known"},
    {12, "SECOND_UNRESOLVED_BRANCH_STALLS", 1, "Cycles in which dispatch waits for the older of two open branches"},
};
constexpr ReservedRange kPmc1Reserved[] = {
    {13, 13, "The first 750 manual had instruction cache misses here, which perfctr takes for an error"},
    {14, 127, kNoEvent},
};

constexpr Row kOnPmc2[] = {
    {0, "NOTHING", 0, kNothing},
    {1, "PROCESSOR_CYCLES", 1, kCycles},
    {2, "INSTRUCTIONS_COMPLETED", 2, kCompleted},
    {3, "TBL_BIT_TRANSITIONS", 1, kTimeBase, Uses::time_base},
    {4, "INSTRUCTIONS_DISPATCHED", 2, kDispatched},
    {5, "L1_ICACHE_MISSES", 1, "Lines that the L1 instruction cache has to ask for"},
    {6, "ITLB_MISSES", 1, "Code addresses that the instruction TLB does not translate"},
    {7, "L2_I_MISSES", 1, "Lines of code that L2 does not hold"},
    {8, "BRANCHES_NOT_TAKEN", 1, "Branches followed to the next instruction, predicted or known"},
    {10, "RESERVED_LOADS", 1, "Completed lwarx instructions"},
    {11, "LOADS_AND_STORES", 2, "Completed loads and stores"},
    {12, "SNOOPS", 1, "Addresses that other bus masters make the caches look up"},
    {13, "L1_CASTOUTS_TO_L2", 1, "Changed lines that L1 hands down to L2"},
    {14, "SYSTEM_UNIT_INSTRUCTIONS", 1, "Completed instructions of the system register unit"},
    {15, "INSTRUCTION_FETCH_MISSES", 1, "Fetches that do not find their instructions in L1"},
    {16, "SPECULATIVE_BRANCHES", 1, "Branches of the first prediction level that turn out as predicted"},
};
constexpr ReservedRange kPmc2Reserved[] = {
    {9, 9, "Marked reserved in the table; other 750 parts count changes of MSR[PR]"},
    {17, 63, kNoEvent},
};

constexpr Row kOnPmc3[] = {
    {0, "NOTHING", 0, kNothing},
    {1, "PROCESSOR_CYCLES", 1, kCycles},
    {2, "INSTRUCTIONS_COMPLETED", 2, kCompleted},
    {3, "TBL_BIT_TRANSITIONS", 1, kTimeBase, Uses::time_base},
    {4, "INSTRUCTIONS_DISPATCHED", 2, kDispatched},
    {5, "L1_DCACHE_MISSES", 1, "Loads and stores that do not find their line in L1; no cache instructions"},
    {6, "DTLB_MISSES", 1, "Data addresses that the data TLB does not translate"},
    {7, "L2_DATA_MISSES", 1, "Lines of data that L2 does not hold"},
    {8, "TAKEN_BRANCHES", 1, "Predicted branches that do go to their target"},
    {10, "STORE_CONDITIONAL_INSTRUCTIONS", 1, "Completed stwcx. instructions, stored or not"},
    {11, "FPU_INSTRUCTIONS", 2, "Completed instructions of the floating-point unit"},
    {12, "L2_CASTOUTS_MODIFIED_SNOOPS", 1, "Changed lines that a snoop drives out of L2"},
    {13, "L2_HITS", 1, "Cache instructions that find their line in L2"},
    {15, "L1_LOAD_MISS_CYCLES", 1, "Cycles with a load waiting for a line that L1 lacks"},
    {16, "SECOND_STREAM_RESOLVED_BRANCHES", 1, "Branches of the second prediction level that turn out as predicted"},
    {17, "BPU_LR_CR_STALL_CYCLES", 1, "Cycles in which a branch waits for LR or for a bit of CR"},
};
constexpr ReservedRange kPmc3Reserved[] = {
    {9, 9, "Marked reserved in the table; the MPC750 counts changes of MSR[PM] in user state"},
    {14, 14, "Marked reserved in the table, as in those of all 750 parts"},
    {18, 31, kNoEvent},
};

constexpr Row kOnPmc4[] = {
    {0, "NOTHING", 0, kNothing},
    {1, "PROCESSOR_CYCLES", 1, kCycles},
    {2, "INSTRUCTIONS_COMPLETED", 2, kCompleted},
    {3, "TBL_BIT_TRANSITIONS", 1, kTimeBase, Uses::time_base},
    {4, "INSTRUCTIONS_DISPATCHED", 2, kDispatched},
    {5, "L2_CASTOUTS", 1, "Changed lines that L2 gives up, to make room or to a snoop"},
    {6, "DTLB_TABLE_SEARCH_CYCLES", 1, "Cycles of page table searches for data addresses"},
    {8, "MISPREDICTED_BRANCHES", 1, "Branches that go another way than predicted (the table says reserved as well)",
     Uses::none, false},
    {10, "STORE_CONDITIONAL_INSTRUCTIONS_RESERVATION_INTACT", 1, "Completed stwcx. instructions that did store"},
    {11, "SYNC_INSTRUCTIONS", 1, "Completed sync instructions"},
    {12, "SNOOP_RETRIES", 1, "Snoops that the processor asks to come again"},
    {13, "INTEGER_OPERATIONS", 2, "Completed instructions of the two integer units"},
    {14, "BPU_BLOCKED_CYCLES", 1, "Cycles in which a third branch waits because two are still open"},
};
constexpr ReservedRange kPmc4Reserved[] = {
    {7, 7, "Marked reserved in the table, as in those of all 750 parts"},
    {9, 9, "Marked reserved in the table; the MPC750 counts changes of MSR[PM] in supervisor state"},
    {15, 30, kNoEvent},
    {31, 31, "The first 750 manual had data cache misses here, which perfctr takes for an error"},
};

constexpr CounterTable kTables[] = {
    {0, "IBM 750GX/750GL user's manual 1.2, table 11-2", kOnPmc1, kPmc1Reserved},
    {1, "IBM 750GX/750GL user's manual 1.2, table 11-3", kOnPmc2, kPmc2Reserved},
    {2, "IBM 750GX/750GL user's manual 1.2, table 11-4", kOnPmc3, kPmc3Reserved},
    {3, "IBM 750GX/750GL user's manual 1.2, table 11-5", kOnPmc4, kPmc4Reserved},
};

}  // namespace

std::span<const CounterTable> tables() { return kTables; }

}  // namespace pmusim::encoder::ppc750gx
