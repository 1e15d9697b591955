// Relations among the Athlon's counts that the manuals state.
#include "testbench/judge/trial/identities.h"
#include "testbench/targets/athlon/judging.h"

namespace pmusim::testbench {
namespace {

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

std::span<const Identity> targets::athlon::identities() { return list; }

}  // namespace pmusim::testbench
