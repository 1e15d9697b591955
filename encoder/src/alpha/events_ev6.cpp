// Events of the 21264 and 21264A: names and values after sys/pfcntr.h of Tru64 UNIX, meaning after its manual page
// pfm(7) and the 21264/EV67 hardware reference manual, section 6.10. EV67's aggregate events have the names of
// uprofile, since the header names pairs of them.
#include "table.h"

namespace pmusim::encoder::alpha {
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
