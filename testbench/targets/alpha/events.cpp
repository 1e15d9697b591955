// What is known of each event of the Alphas: its counter, and how often it occurs in a cycle. Sources: pfm(7) and
// sys/pfcntr.h of Tru64 UNIX; Alpha Architecture Handbook, appendix E; manuals of the 21164PC and the 21264A.
#include "testbench/judge/trial/identities.h"

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

// Relations among the Alphas' counts that the manuals state.

constexpr std::string_view pfm7 = "pfm(7)";
constexpr Identity ev4[] = {
    {"PF_ISSUES + PF_NONISSUES = PF_CYCLES", "pfm(7): one less issues, in every cycle"},
    {"PF_PIPEDRY + PF_PIPEFROZEN + 2 PF_ISSUES = PF_CYCLES + PF_DUAL",
     "pfm(7): dual, single or no issue, and the two reasons for none"},
    {"PF_DUAL <= PF_ISSUES", pfm7},
    {"PF_LOADI + PF_STOREI + PF_BRANCHI + PF_INTOPS + PF_FPINST <= 2 PF_ISSUES + PF_DCACHE",
     "pfm(7): classes of instructions, an issue is half of two; a load that misses counts again"},
    {"PF_BRANCHMISS <= PF_BRANCHI", pfm7},
    {"PF_PALMODE <= PF_CYCLES", pfm7},
};
constexpr Identity ev5_both[] = {
    {"PF5_MUX1_SPLIT_ISSUE_CYCLES = PF5_MUX1_SINGLE_ISSUE_CYCLES + PF5_MUX1_DUAL_ISSUE_CYCLES + "
     "PF5_MUX1_TRIPLE_ISSUE_CYCLES",
     pfm7},
    {"PF5_MUX1_NON_ISSUE_CYCLES + PF5_MUX1_PIPELINE_DRY + PF5_MUX1_SPLIT_ISSUE_CYCLES + PF5_MUX1_QUAD_ISSUE_CYCLES = "
     "PF5_MUX0_CYCLES",
     "pfm(7): none though instructions are there, none there, some, four"},
    {"PF5_MUX0_ISSUES = PF5_MUX1_SINGLE_ISSUE_CYCLES + 2 PF5_MUX1_DUAL_ISSUE_CYCLES + 3 PF5_MUX1_TRIPLE_ISSUE_CYCLES + "
     "4 PF5_MUX1_QUAD_ISSUE_CYCLES",
     pfm7},
    {"PF5_MUX2_C_CYCLES = PF5_MUX0_CYCLES", pfm7},
    {"PF5_MUX1_INTEGER_OPERATE + PF5_MUX1_C_FP_INSTRUCTIONS + PF5_MUX1_C_LOAD_INSTRUCTIONS + "
     "PF5_MUX1_C_STORE_INSTRUCTIONS + PF5_MUX1_FLOW_CHANGE <= PF5_MUX0_ISSUES",
     "pfm(7): classes of instructions"},
    {"PF5_MUX2_C_LOAD_LOCKED <= PF5_MUX1_C_LOAD_INSTRUCTIONS", pfm7},
    {"PF5_MUX2_C_PC_MISPR + PF5_MUX2_C_BRANCH_MISPREDICTS <= PF5_MUX1_FLOW_CHANGE", pfm7},
    {"PF5_MUX2_C_ICACHE_MISSES <= PF5_MUX1_C_ICACHE_ACCESS", pfm7},
    {"PF5_MUX2_C_ITB_MISS <= PF5_MUX2_C_ICACHE_MISSES",
     "pfm(7): of the misses of the Icache those without a page entry"},
    {"PF5_MUX2_C_DCACHE_MISSES <= PF5_MUX1_C_LOAD_INSTRUCTIONS", "pfm(7): loads whose value is not in the Dcache"},
    {"PF5_MUX2_C_LOADS_MERGED <= PF5_MUX2_C_DCACHE_MISSES", "pfm(7): loads that miss and join another"},
    {"PF5_MUX2_C_DTB_MISS <= PF5_MUX1_C_DCACHE_ACCESS", pfm7},
    {"PF5_MUX2_C_MEM_BARRIER <= PF5_MUX0_CYCLES", pfm7},
};
constexpr Identity ev5[] = {
    {"PF5_MUX1_C_SCACHE_ACCESS = PF5_MUX1_C_SCACHE_READ + PF5_MUX1_C_SCACHE_WRITE", pfm7},
    {"PF5_MUX2_C_SCACHE_MISS = PF5_MUX2_C_SCACHE_READ_MISS + PF5_MUX2_C_SCACHE_WRITE_MISS", pfm7},
    {"PF5_MUX2_C_SCACHE_READ_MISS <= PF5_MUX1_C_SCACHE_READ", pfm7},
    {"PF5_MUX2_C_SCACHE_WRITE_MISS <= PF5_MUX1_C_SCACHE_WRITE", pfm7},
    {"PF5_MUX2_C_SCACHE_WRITE = PF5_MUX1_C_SCACHE_WRITE", "pfm(7): the same statistic on counters 1 and 2"},
    {"PF5_MUX2_C_SCACHE_SH_WRITE <= PF5_MUX1_C_SCACHE_WRITE", pfm7},
    {"PF5_MUX2_C_BCACHE_MISS <= PF5_MUX1_C_BCACHE_REF", pfm7},
    {"PF5_MUX2_C_SYS_INV + PF5_MUX2_C_SYS_READ_REQ <= PF5_MUX1_C_SYS_REQ", pfm7},
};
constexpr Identity pca56[] = {
    {"PF5_MUX2_C_BCACHE_DREAD <= PF5_MUX1_C_BCACHE_READ", pfm7},
    {"PF5_MUX2_C_BCACHE_READ_HIT <= PF5_MUX1_C_BCACHE_READ", pfm7},
    {"PF5_MUX1_C_BCACHE_DREAD_HIT <= PF5_MUX2_C_BCACHE_DREAD", pfm7},
    {"PF5_MUX1_C_BCACHE_DREAD_HIT <= PF5_MUX2_C_BCACHE_READ_HIT", pfm7},
    {"PF5_MUX1_C_BCACHE_DREAD_FILL <= PF5_MUX2_C_BCACHE_READ_FILL", pfm7},
    {"PF5_MUX2_C_BCACHE_WRITE_HIT <= PF5_MUX1_C_BCACHE_WRITE", pfm7},
    {"PF5_MUX1_C_BCACHE_CLN_WRT_HIT <= PF5_MUX2_C_BCACHE_WRITE_HIT", pfm7},
    {"PF5_MUX2_C_SYS_READ_FLUSH_HIT <= PF5_MUX2_C_SYS_READ_FLUSH_MISS", "pfm(7): the latter counts every request"},
};
constexpr Identity ev6[] = {
    {"PF6_MUX1_CYCLES = PF6_MUX0_CYCLES", pfm7},
    {"PF6_MUX1_RET_COND_BRANCHES <= PF6_MUX0_RET_INSTRUCTIONS", pfm7},
    {"PF6_MUX0_RET_INSTRUCTIONS <= 8 PF6_MUX0_CYCLES", "21264/EV67 manual, 2.1: eight instructions retire in a cycle"},
};
constexpr Identity ev67[] = {
    {"CYCLES0 = CYCLES1", pfm7},
    {"RETINST <= 8 CYCLES0", "21264/EV67 manual, 2.1: eight instructions retire in a cycle"},
};

}  // namespace

const CountFacts targets::alpha_ev4::events{.events = {ev4_events}, .identities = {ev4}};
const CountFacts targets::alpha_ev5::events{.events = {ev5_both_events, ev5_events}, .identities = {ev5_both, ev5}};
const CountFacts targets::alpha_pca56::events{.events = {ev5_both_events, pca56_events},
                                              .identities = {ev5_both, pca56}};
const CountFacts targets::alpha_ev6::events{.events = {ev6_events}, .identities = {ev6}};
const CountFacts targets::alpha_ev67::events{.events = {ev67_events}, .identities = {ev67}};

}  // namespace pmusim::testbench
