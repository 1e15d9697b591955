// Events of the 21064 family: names and values after sys/pfcntr.h of Tru64 UNIX, meaning after its manual page pfm(7).
// The low bit of PCMUX0 is ignored except in the values 0xA and 0xB.
#include "registers.h"

namespace pmusim::encoder::alpha {

namespace {

constexpr Row kRows[] = {
    {"PF_ISSUES", 0, 0x0, 1, "Issue cycles, counted in halves: 1 for a dual issue, 1/2 for a single one"},
    {"PF_PIPEDRY", 0, 0x2, 1,
     "Cycles without issue because no valid instructions have arrived or a trap drains the pipe"},
    {"PF_LOADI", 0, 0x4, 1, "Load instructions; one replayed after a miss of the data cache counts again"},
    {"PF_PIPEFROZEN", 0, 0x6, 1, "Cycles without issue because a register, unit or buffer is not free"},
    {"PF_BRANCHI", 0, 0x8, 1, "Branch instructions of all kinds"},
    {"PF_CYCLES", 0, 0xA, 1, "Every cycle"},
    {"PF_PALMODE", 0, 0xB, 1, "Cycles in PALmode"},
    {"PF_NONISSUES", 0, 0xC, 1, "Cycles without issue, counted in halves: 1 for none, 1/2 for a single issue"},
    {"PF_EXTPIN0", 0, 0xE, 1, "Events on external pin 0, whose meaning is the system's"},
    {"PF_DCACHE", 1, 0, 1, "Data cache probes that take more than a cycle: misses, and hits that had to wait"},
    {"PF_ICACHE", 1, 1, 1, "Misses of the instruction cache"},
    {"PF_DUAL", 1, 2, 1, "Cycles that issue two instructions"},
    {"PF_BRANCHMISS", 1, 3, 1, "Mispredicted branches"},
    {"PF_FPINST", 1, 4, 1, "Floating-point operates; loads, stores and branches are none"},
    {"PF_INTOPS", 1, 5, 1, "Integer operates, LDA and LDAH among them"},
    {"PF_STOREI", 1, 6, 1, "Store instructions"},
    {"PF_EXTPIN1", 1, 7, 1, "Events on external pin 1, whose meaning is the system's"},
};

}  // namespace

const Table& ev4_table() {
  static constexpr Table table{"pfm(7), EV4 statistics; sys/pfcntr.h", {{kRows, {}}}, {}};
  return table;
}

// Events of the 21164 family: names and values after sys/pfcntr.h of Tru64 UNIX, meaning after its manual page pfm(7).
// The maximum of occurrences in a cycle follows from the number of pipes.

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

// Events of the 21264 and 21264A: names and values after sys/pfcntr.h of Tru64 UNIX, meaning after its manual page
// pfm(7) and the 21264/EV67 hardware reference manual, section 6.10. EV67's aggregate events have the names of
// uprofile, since the header names pairs of them.

namespace {

constexpr Row kEv6[] = {
    {"PF6_MUX0_CYCLES", 0, 0, 1, "Every cycle, on counter 0"},
    {"PF6_MUX0_RET_INSTRUCTIONS", 0, 1, 8, "Retired instructions"},
    {"PF6_MUX1_CYCLES", 1, 0, 1, "Every cycle, on counter 1"},
    {"PF6_MUX1_RET_COND_BRANCHES", 1, 1, 4, "Retired conditional branches"},
    {"PF6_MUX1_RET_BRANCH_MISPREDICTS", 1, 2, 1, "Not built into the hardware, which counts cycles instead", false},
    {"PF6_MUX1_RET_DTB_SINGLE_MISSES", 1, 3, 2, "Two for each retired single miss of the DTB"},
    {"PF6_MUX1_RET_DTB_DOUBLE_MISSES", 1, 4, 1, "Retired double misses of the DTB"},
    {"PF6_MUX1_RET_ITB_MISSES", 1, 5, 1, "Retired misses of the ITB"},
    {"PF6_MUX1_RET_UNALIGNED_TRAPS", 1, 6, 1, "Retired unaligned traps"},
    {"PF6_MUX1_REPLAY_TRAP", 1, 7, 1, "Replay traps"},
};
constexpr Reserved kEv6Reserved[] = {{1, 8}, {1, 9}, {1, 10}, {1, 11}, {1, 12}, {1, 13}, {1, 14}, {1, 15}};

constexpr Row kEv67[] = {
    {"RETINST", 0, 0, 8, "Retired instructions; counter 1 then counts cycles or board-level cache misses"},
    {"CYCLES0", 0, 1, 1, "Every cycle, on counter 0; counter 1 then counts replay traps or is not defined"},
    {"CYCLES1", 1, 0, 1, "Every cycle, on counter 1; counter 0 then counts retired instructions"},
    {"BCACHEMISSES", 1, 2, 1, "Misses of the board-level cache and long-latency probes, three cycles early"},
    {"REPLAY", 1, 3, 1, "Replay traps of the memory unit; counter 0 then counts cycles"},
};

constexpr Pair kPairs[] = {
    {"PF67_RET_INST_AND_CYCLES", {"RETINST", "CYCLES1"}},
    {"PF67_CYCLES_AND_UNDEFINED", {"CYCLES0", ""}},
    {"PF67_RET_INST_AND_BCACHE_MISS", {"RETINST", "BCACHEMISSES"}},
    {"PF67_CYCLES_AND_REPLAY_TRAPS", {"CYCLES0", "REPLAY"}},
};

constexpr Statistic kStatistics[] = {
    {1, "PF67_PM_ABORT", "abort", 1, "Samples whose execution aborted"},
    {2, "PF67_PM_ABORT_PER_RET", "abort_per_ret", 1, "Aborted samples for 100 retired ones"},
    {3, "PF67_PM_ARITH_TRAP", "", 1, "Samples that caused an arithmetic trap"},
    {4, "PF67_PM_CBR_TAKEN", "cbr_taken", 1, "Samples that are taken conditional branches"},
    {5, "PF67_PM_CBR_TAKEN_PER_RET", "cbr_taken_per_ret", 1, "Taken conditional branches for 100 retired samples"},
    {6, "PF67_PM_CYCLES", "cycles", 1, "Cycles that the samples were in flight, approximately"},
    {7, "PF67_PM_CYCLES_PER_RET", "cycles_per_ret", 1, "Cycles in flight for one retired sample"},
    {8, "PF67_PM_DELAY", "delay", 1, "Cycles that the samples delayed retirement, approximately"},
    {9, "PF67_PM_DELAY_PER_RET", "delay_per_ret", 1, "Cycles of retire delay for 100 retired samples"},
    {10, "PF67_PM_DSTREAM_FAULT", "", 1, "Samples that caused a fault of the data stream"},
    {11, "PF67_PM_DTB_MISS", "dtb_miss", 1, "Samples that missed the DTB singly"},
    {12, "PF67_PM_DTB_MISS_PER_RET", "dtb_miss_per_ret", 1, "Single DTB misses for 100 retired samples"},
    {13, "PF67_PM_DTB_MISS3", "", 1, "Samples with a double DTB miss under page tables of three levels"},
    {14, "PF67_PM_DTB_MISS4", "", 1, "Samples with a double DTB miss under page tables of four levels"},
    {15, "PF67_PM_EARLY_KILL", "early_kill", 1, "Samples killed no later than in their map cycle"},
    {16, "PF67_PM_EARLY_KILL_PER_RET", "early_kill_per_ret", 1, "Early kills for 100 retired samples"},
    {17, "PF67_PM_FP_DISABLED", "", 1, "Samples that trapped because floating point was disabled"},
    {18, "PF67_PM_FREQ", "freq", 1, "Retired samples, which the tools then average over basic blocks"},
    {19, "PF67_PM_ICACHE_MISS", "icache_miss", 1, "Samples that started a fill of the instruction cache"},
    {20, "PF67_PM_ICACHE_MISS_PER_RET", "icache_miss_per_ret", 1, "Instruction cache misses for 100 retired samples"},
    {21, "PF67_PM_ICACHE_PARITY", "", 1, "Samples with a parity error of the instruction cache"},
    {22, "PF67_PM_INFLT_BCACHE_MISS", "", 2,
     "Board-level cache misses while the samples were in flight, approximately"},
    {23, "PF67_PM_INFLT_REPLAYS", "", 3, "Replay traps while the samples were in flight, approximately"},
    {24, "PF67_PM_INFLT_RETIRES", "", 0, "Instructions retired while the samples were in flight, approximately"},
    {25, "PF67_PM_INTERRUPT", "", 1, "Samples that an interrupt came before"},
    {26, "PF67_PM_ISTREAM_ACCVIO", "", 1, "Samples with an access violation of the instruction stream"},
    {27, "PF67_PM_ITB_MISS", "", 1, "Samples that missed the ITB"},
    {28, "PF67_PM_LDST_ALIGN_TRAP", "", 1, "Samples that trapped as unaligned loads or stores"},
    {29, "PF67_PM_LDST_ORDER_TRAP", "", 1, "Samples that trapped for the order of a load and a store"},
    {30, "PF67_PM_MAP_STALL", "map_stall", 1, "Samples that stalled before they were mapped"},
    {31, "PF67_PM_MAP_STALL_PER_RET", "map_stall_per_ret", 1, "Map stalls for 100 retired samples"},
    {32, "PF67_PM_MCHK_TRAP", "", 1, "Samples that ended in a machine check"},
    {33, "PF67_PM_MISPREDICT", "mispredict", 1, "Samples that were mispredicted"},
    {34, "PF67_PM_MISPREDICT_PER_RET", "mispredict_per_ret", 1, "Mispredictions for 100 retired samples"},
    {35, "PF67_PM_MT_FPCR_TRAP", "", 1, "Samples that trapped for writing the floating-point control register"},
    {36, "PF67_PM_OPCDEC_TRAP", "", 1, "Samples with a reserved opcode"},
    {37, "PF67_PM_REPLAY_TRAP", "replay_trap", 1, "Samples that caused a replay trap"},
    {38, "PF67_PM_REPLAY_TRAP_PER_RET", "replay_trap_per_ret", 1, "Replay traps for 100 retired samples"},
    {39, "PF67_PM_RESET", "", 1, "Samples that ended in a reset"},
    {40, "PF67_PM_RETIRE", "retired", 1, "Samples that retired"},
    {41, "PF67_PM_TRAP", "trap", 1, "Samples that caused any trap"},
    {42, "PF67_PM_TRAP_PER_RET", "trap_per_ret", 1, "Traps for 100 retired samples"},
    {43, "PF67_PM_VALID", "", 1, "Samples with the valid bit"},
};

}  // namespace

const Table& ev6_table() {
  static constexpr Table table{"pfm(7), EV6 statistics; sys/pfcntr.h", {{kEv6, {}}}, kEv6Reserved};
  return table;
}

const Table& ev67_table() {
  static constexpr Table table{
      "pfm(7), EV67 statistics; sys/pfcntr.h; EV67 manual table 5-16", {{kEv67, {}}}, {}, kStatistics};
  return table;
}

std::span<const Pair> pairs() { return kPairs; }

}  // namespace pmusim::encoder::alpha
