// What is known of each event of the Alphas: its counter, and how often it occurs in a cycle. Sources: pfm(7) and
// sys/pfcntr.h of Tru64 UNIX; Alpha Architecture Handbook, appendix E; manuals of the 21164PC and the 21264A.
#include "testbench/targets/alpha/judging.h"

namespace pmusim::testbench {
namespace {

using namespace facts;  // NOLINT: the words of the tables

// clang-format off
constexpr EventFacts ev4_events[] = {
    {"PF_ISSUES", at_most(1), on({0}), from_timing, unfiltered},
    {"PF_PIPEDRY", condition, on({0}), from_timing, unfiltered},
    {"PF_LOADI", at_most(1), on({0}), from_timing, unfiltered},
    {"PF_PIPEFROZEN", condition, on({0}), from_timing, unfiltered},
    {"PF_BRANCHI", at_most(1), on({0}), from_timing, unfiltered},
    {"PF_CYCLES", every_cycle, on({0}), from_timing, unfiltered},
    {"PF_PALMODE", condition, on({0}), from_timing, unfiltered},
    {"PF_NONISSUES", at_most(1), on({0}), from_timing, unfiltered},
    {"PF_EXTPIN0", at_most(1), on({0}), from_timing, unfiltered},
    {"PF_DCACHE", at_most(1), on({1}), from_timing, unfiltered},
    {"PF_ICACHE", at_most(1), on({1}), from_timing, unfiltered},
    {"PF_DUAL", condition, on({1}), from_timing, unfiltered},
    {"PF_BRANCHMISS", at_most(1), on({1}), from_timing, unfiltered},
    {"PF_FPINST", at_most(1), on({1}), from_instructions, unfiltered},
    {"PF_INTOPS", at_most(1), on({1}), from_instructions, unfiltered},
    {"PF_STOREI", at_most(1), on({1}), from_timing, unfiltered},
    {"PF_EXTPIN1", at_most(1), on({1}), from_timing, unfiltered},
};
constexpr EventFacts ev5_both_events[] = {
    {"PF5_MUX0_CYCLES", every_cycle, on({0}), from_timing, unfiltered},
    {"PF5_MUX0_ISSUES", at_most(4), on({0}), from_timing, unfiltered},
    {"PF5_MUX1_NON_ISSUE_CYCLES", condition, on({1}), from_timing, unfiltered},
    {"PF5_MUX1_SPLIT_ISSUE_CYCLES", condition, on({1}), from_timing, unfiltered},
    {"PF5_MUX1_PIPELINE_DRY", condition, on({1}), from_timing, unfiltered},
    {"PF5_MUX1_REPLAY_TRAP", at_most(1), on({1}), from_timing, unfiltered},
    {"PF5_MUX1_SINGLE_ISSUE_CYCLES", condition, on({1}), from_timing, unfiltered},
    {"PF5_MUX1_DUAL_ISSUE_CYCLES", condition, on({1}), from_timing, unfiltered},
    {"PF5_MUX1_TRIPLE_ISSUE_CYCLES", condition, on({1}), from_timing, unfiltered},
    {"PF5_MUX1_QUAD_ISSUE_CYCLES", condition, on({1}), from_timing, unfiltered},
    {"PF5_MUX1_FLOW_CHANGE", at_most(1), on({1}), from_timing, unfiltered},
    {"PF5_MUX1_INTEGER_OPERATE", at_most(2), on({1}), from_instructions, unfiltered},
    {"PF5_MUX1_C_FP_INSTRUCTIONS", at_most(2), on({1}), from_instructions, unfiltered},
    {"PF5_MUX1_C_LOAD_INSTRUCTIONS", at_most(2), on({1}), from_instructions, unfiltered},
    {"PF5_MUX1_C_STORE_INSTRUCTIONS", at_most(1), on({1}), from_instructions, unfiltered},
    {"PF5_MUX1_C_ICACHE_ACCESS", at_most(1), on({1}), from_timing, unfiltered},
    {"PF5_MUX1_C_DCACHE_ACCESS", at_most(2), on({1}), from_timing, unfiltered},
    {"PF5_MUX2_C_LONG_STALLS", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_PC_MISPR", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_BRANCH_MISPREDICTS", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_ICACHE_MISSES", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_ITB_MISS", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_DCACHE_MISSES", at_most(2), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_DTB_MISS", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_LOADS_MERGED", at_most(2), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_LDU_REPLAYS", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_WB_MAF_FULL_REPLAYS", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_CYCLES", every_cycle, on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_MEM_BARRIER", condition, on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_LOAD_LOCKED", at_most(1), on({2}), from_instructions, unfiltered},
    {"PF5_MUX1_C_BCACHE_VICTIM", at_most(1), on({1}), from_timing, unfiltered},
};
constexpr EventFacts ev5_events[] = {
    {"PF5_MUX2_C_EXTERNAL", condition, on({2}), from_timing, unfiltered},
    {"PF5_MUX1_C_SCACHE_ACCESS", at_most(1), on({1}), from_timing, unfiltered},
    {"PF5_MUX1_C_SCACHE_READ", at_most(1), on({1}), from_timing, unfiltered},
    {"PF5_MUX1_C_SCACHE_WRITE", at_most(1), on({1}), from_timing, unfiltered},
    {"PF5_MUX1_C_SCACHE_VICTIM", at_most(1), on({1}), from_timing, unfiltered},
    {"PF5_MUX1_C_BCACHE_REF", at_most(1), on({1}), from_timing, unfiltered},
    {"PF5_MUX1_C_SYS_REQ", at_most(1), on({1}), from_timing, unfiltered},
    {"PF5_MUX2_C_SCACHE_MISS", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_SCACHE_READ_MISS", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_SCACHE_WRITE_MISS", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_SCACHE_SH_WRITE", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_SCACHE_WRITE", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_BCACHE_MISS", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_SYS_INV", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_SYS_READ_REQ", at_most(1), on({2}), from_timing, unfiltered},
};
constexpr EventFacts pca56_events[] = {
    {"PF5_MUX2_C_EXTERNAL", never, on({2}), from_timing, unfiltered},
    {"PF5_MUX1_C_BCACHE_READ", at_most(1), on({1}), from_timing, unfiltered},
    {"PF5_MUX1_C_BCACHE_DREAD_HIT", at_most(1), on({1}), from_timing, unfiltered},
    {"PF5_MUX1_C_BCACHE_DREAD_FILL", at_most(1), on({1}), from_timing, unfiltered},
    {"PF5_MUX1_C_BCACHE_WRITE", at_most(1), on({1}), from_timing, unfiltered},
    {"PF5_MUX1_C_BCACHE_CLN_WRT_HIT", at_most(1), on({1}), from_timing, unfiltered},
    {"PF5_MUX1_C_READ_MISS_2", at_most(1), on({1}), from_timing, unfiltered},
    {"PF5_MUX2_C_BCACHE_DREAD", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_BCACHE_READ_HIT", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_BCACHE_READ_FILL", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_BCACHE_WRITE_HIT", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_BCACHE_WRITE_FILL", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_SYS_READ_FLUSH_HIT", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_SYS_READ_FLUSH_MISS", at_most(1), on({2}), from_timing, unfiltered},
    {"PF5_MUX2_C_READ_MISS_3", at_most(1), on({2}), from_timing, unfiltered},
};
constexpr EventFacts ev6_events[] = {
    {"PF6_MUX0_CYCLES", every_cycle, on({0}), from_timing, unfiltered},
    {"PF6_MUX0_RET_INSTRUCTIONS", at_most(8), on({0}), from_instructions, unfiltered},
    {"PF6_MUX1_CYCLES", every_cycle, on({1}), from_timing, unfiltered},
    {"PF6_MUX1_RET_COND_BRANCHES", at_most(4), on({1}), from_instructions, unfiltered},
    {"PF6_MUX1_RET_BRANCH_MISPREDICTS", at_most(1), on({1}), from_timing, unfiltered},
    {"PF6_MUX1_RET_DTB_SINGLE_MISSES", at_most(2), on({1}), from_timing, unfiltered},
    {"PF6_MUX1_RET_DTB_DOUBLE_MISSES", at_most(1), on({1}), from_timing, unfiltered},
    {"PF6_MUX1_RET_ITB_MISSES", at_most(1), on({1}), from_timing, unfiltered},
    {"PF6_MUX1_RET_UNALIGNED_TRAPS", at_most(1), on({1}), from_timing, unfiltered},
    {"PF6_MUX1_REPLAY_TRAP", at_most(1), on({1}), from_timing, unfiltered},
};
constexpr EventFacts ev67_events[] = {
    {"RETINST", at_most(8), on({0}), from_instructions, unfiltered},
    {"CYCLES0", every_cycle, on({0}), from_timing, unfiltered},
    {"CYCLES1", every_cycle, on({1}), from_timing, unfiltered},
    {"BCACHEMISSES", at_most(1), on({1}), from_timing, unfiltered},
    {"REPLAY", at_most(1), on({1}), from_timing, unfiltered},
    // Statistics of profiled instructions, by samples of counter 1.
    {"PF67_PM_*", occurrence, on({1}), from_timing, unfiltered},
    {"PF67_PM_ICACHE_PARITY", never, on({1}), from_timing, unfiltered},  // no activity has parity errors
    {"PF67_PM_DTB_MISS4", never, on({1}), from_timing, unfiltered},      // page tables have three levels
};
// clang-format on

}  // namespace

namespace targets::alpha {

EventTable events_ev4() { return {ev4_events}; }
EventTable events_ev5() { return {ev5_both_events, ev5_events}; }
EventTable events_pca56() { return {ev5_both_events, pca56_events}; }
EventTable events_ev6() { return {ev6_events}; }
EventTable events_ev67() { return {ev67_events}; }

}  // namespace targets::alpha

}  // namespace pmusim::testbench
