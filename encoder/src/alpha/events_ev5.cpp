// Events of the 21164 family: names and values after sys/pfcntr.h of Tru64 UNIX, meaning after its manual page pfm(7).
// The maximum of occurrences in a cycle follows from the number of pipes.
#include "table.h"

namespace pmusim::encoder::alpha {
namespace {

constexpr Row kFamily[] = {
    {"PF5_MUX0_CYCLES", 0, 0, 1, "Every cycle, on counter 0"},
    {"PF5_MUX0_ISSUES", 0, 1, 4, "Instructions issued"},
    {"PF5_MUX1_NON_ISSUE_CYCLES", 1, 0x0, 1, "Cycles with valid instructions of which none issues"},
    {"PF5_MUX1_SPLIT_ISSUE_CYCLES", 1, 0x1, 1, "Cycles that issue one, two or three instructions"},
    {"PF5_MUX1_PIPELINE_DRY", 1, 0x2, 1, "Cycles in which no instruction is ready for issue"},
    {"PF5_MUX1_REPLAY_TRAP", 1, 0x3, 1, "Instructions executed again since a resource was not there"},
    {"PF5_MUX1_SINGLE_ISSUE_CYCLES", 1, 0x4, 1, "Cycles that issue exactly one instruction"},
    {"PF5_MUX1_DUAL_ISSUE_CYCLES", 1, 0x5, 1, "Cycles that issue exactly two instructions"},
    {"PF5_MUX1_TRIPLE_ISSUE_CYCLES", 1, 0x6, 1, "Cycles that issue exactly three instructions"},
    {"PF5_MUX1_QUAD_ISSUE_CYCLES", 1, 0x7, 1, "Cycles that issue four instructions"},
    {"PF5_MUX1_FLOW_CHANGE", 1, 0x8, 1, "Branches, jumps and returns; counter 2 can narrow the selection"},
    {"PF5_MUX1_INTEGER_OPERATE", 1, 0x9, 2, "Integer operates"},
    {"PF5_MUX1_C_FP_INSTRUCTIONS", 1, 0xA, 2, "Floating-point operates"},
    {"PF5_MUX1_C_LOAD_INSTRUCTIONS", 1, 0xB, 2, "Load instructions"},
    {"PF5_MUX1_C_STORE_INSTRUCTIONS", 1, 0xC, 1, "Store instructions"},
    {"PF5_MUX1_C_ICACHE_ACCESS", 1, 0xD, 1, "Accesses to the instruction cache"},
    {"PF5_MUX1_C_DCACHE_ACCESS", 1, 0xE, 2, "Accesses to the data cache"},
    {"PF5_MUX2_C_LONG_STALLS", 2, 0x0, 1, "Stalls of the pipeline that last more than 15 cycles"},
    {"PF5_MUX2_C_PC_MISPR", 2, 0x2, 1, "Mispredicted targets of jumps and returns"},
    {"PF5_MUX2_C_BRANCH_MISPREDICTS", 2, 0x3, 1, "Mispredicted conditional branches"},
    {"PF5_MUX2_C_ICACHE_MISSES", 2, 0x4, 1, "Instructions in neither the instruction cache nor its refill buffer"},
    {"PF5_MUX2_C_ITB_MISS", 2, 0x5, 1, "Instruction cache misses without translation in the ITB"},
    {"PF5_MUX2_C_DCACHE_MISSES", 2, 0x6, 2, "Loads whose value is not in the data cache"},
    {"PF5_MUX2_C_DTB_MISS", 2, 0x7, 1, "Data cache misses without translation in the DTB"},
    {"PF5_MUX2_C_LOADS_MERGED", 2, 0x8, 2, "Load misses that join a load of the same address in the miss address file"},
    {"PF5_MUX2_C_LDU_REPLAYS", 2, 0x9, 1, "Load misses that make a user of the value replay"},
    {"PF5_MUX2_C_WB_MAF_FULL_REPLAYS", 2, 0xA, 1, "Replays for a full write buffer or miss address file"},
    {"PF5_MUX2_C_EXTERNAL", 2, 0xB, 1, "Cycles with perf_mon_h high; the 21164PC reserves the select and counts none"},
    {"PF5_MUX2_C_CYCLES", 2, 0xC, 1, "Every cycle, on counter 2"},
    {"PF5_MUX2_C_MEM_BARRIER", 2, 0xD, 1, "Cycles that a memory barrier stalls"},
    {"PF5_MUX2_C_LOAD_LOCKED", 2, 0xE, 1, "Load-locked instructions"},
};

constexpr Row kEv5[] = {
    {"PF5_MUX1_C_SCACHE_ACCESS", 1, second_select(0), 1, "Accesses to the second-level cache"},
    {"PF5_MUX1_C_SCACHE_READ", 1, second_select(1), 1, "Reads of the second-level cache"},
    {"PF5_MUX1_C_SCACHE_WRITE", 1, second_select(2), 1, "Writes to the second-level cache, on counter 1"},
    {"PF5_MUX1_C_SCACHE_VICTIM", 1, second_select(3), 1, "Modified blocks that leave the second-level cache"},
    {"PF5_MUX1_C_BCACHE_REF", 1, second_select(5), 1, "Accesses to the board-level cache"},
    {"PF5_MUX1_C_BCACHE_VICTIM", 1, second_select(6), 1, "Modified blocks that leave the board-level cache"},
    {"PF5_MUX1_C_SYS_REQ", 1, second_select(7), 1, "Requests from the system"},
    {"PF5_MUX2_C_SCACHE_MISS", 2, second_select(0), 1, "Misses of the second-level cache"},
    {"PF5_MUX2_C_SCACHE_READ_MISS", 2, second_select(1), 1, "Reads that miss the second-level cache"},
    {"PF5_MUX2_C_SCACHE_WRITE_MISS", 2, second_select(2), 1, "Writes that miss the second-level cache"},
    {"PF5_MUX2_C_SCACHE_SH_WRITE", 2, second_select(3), 1, "Writes to shared blocks of the second-level cache"},
    {"PF5_MUX2_C_SCACHE_WRITE", 2, second_select(4), 1, "Writes to the second-level cache, on counter 2"},
    {"PF5_MUX2_C_BCACHE_MISS", 2, second_select(5), 1, "Misses of the board-level cache"},
    {"PF5_MUX2_C_SYS_INV", 2, second_select(6), 1, "Invalidates from the system"},
    {"PF5_MUX2_C_SYS_READ_REQ", 2, second_select(7), 1, "Read requests from the system"},
};

constexpr Row kPca56[] = {
    {"PF5_MUX1_C_BCACHE_READ", 1, second_select(0), 1, "Read requests to the board-level cache"},
    {"PF5_MUX1_C_BCACHE_DREAD_HIT", 1, second_select(1), 1, "Data reads that hit the board-level cache"},
    {"PF5_MUX1_C_BCACHE_DREAD_FILL", 1, second_select(2), 1, "Fills of the board-level cache for data reads"},
    {"PF5_MUX1_C_BCACHE_WRITE", 1, second_select(3), 1, "Write requests to the board-level cache"},
    {"PF5_MUX1_C_BCACHE_CLN_WRT_HIT", 1, second_select(5), 1, "Writes that hit a clean block of the board-level cache"},
    {"PF5_MUX1_C_BCACHE_VICTIM", 1, second_select(6), 1, "VICTIM commands that the chip issues"},
    {"PF5_MUX1_C_READ_MISS_2", 1, second_select(7), 1, "READ_MISS commands sent while one is open"},
    {"PF5_MUX2_C_BCACHE_DREAD", 2, second_select(0), 1, "Data read requests to the board-level cache"},
    {"PF5_MUX2_C_BCACHE_READ_HIT", 2, second_select(1), 1, "Reads that hit the board-level cache"},
    {"PF5_MUX2_C_BCACHE_READ_FILL", 2, second_select(2), 1, "Fills of the board-level cache for reads"},
    {"PF5_MUX2_C_BCACHE_WRITE_HIT", 2, second_select(3), 1, "Writes that hit the board-level cache"},
    {"PF5_MUX2_C_BCACHE_WRITE_FILL", 2, second_select(4), 1, "Fills of the board-level cache for writes"},
    {"PF5_MUX2_C_SYS_READ_FLUSH_HIT", 2, second_select(5), 1, "READ and FLUSH requests of the system that hit"},
    {"PF5_MUX2_C_SYS_READ_FLUSH_MISS", 2, second_select(6), 1, "READ and FLUSH requests of the system, all of them",
     false},
    {"PF5_MUX2_C_READ_MISS_3", 2, second_select(7), 1, "READ_MISS commands sent while two are open"},
};

constexpr Reserved kReserved[] = {{1, second_select(4)}, {2, 0x1}};
constexpr std::string_view kSource = "pfm(7), EV5 statistics; sys/pfcntr.h";

}  // namespace

const Table& ev5_table() {
  static constexpr Table table{kSource, {{kFamily, kEv5}}, kReserved};
  return table;
}

const Table& pca56_table() {
  static constexpr Table table{kSource, {{kFamily, kPca56}}, kReserved};
  return table;
}

}  // namespace pmusim::encoder::alpha
