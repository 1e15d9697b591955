// What the manuals say of counts that belong together, target by target.
#include <algorithm>
#include <array>

#include "testbench/validate/identities.h"

namespace pmusim::testbench {
namespace {

// --- AMD Athlon ---------------------------------------------------------------------------------------------------

constexpr std::string_view table_11 = "22007, table 11", perfctr = "perfctr's table of 22007, rev. E and K";
constexpr Identity athlon[] = {
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

// --- PowerPC 750GX and 750GL --------------------------------------------------------------------------------------

constexpr std::string_view table_2 = "750GX/GL manual, table 11-2", table_3 = "750GX/GL manual, table 11-3",
                           table_4 = "750GX/GL manual, table 11-4", table_5 = "750GX/GL manual, table 11-5",
                           reference_events = "750GX/GL manual, 11.4: reference events";
constexpr Identity ppc750[] = {
    {"INSTRUCTIONS_COMPLETED <= INSTRUCTIONS_DISPATCHED", reference_events},
    {"INSTRUCTIONS_DISPATCHED <= 2 PROCESSOR_CYCLES", "750GX/GL manual, 11.4: 0, 1 or 2 a cycle"},
    {"INTEGER_OPERATIONS + FPU_INSTRUCTIONS + SYSTEM_UNIT_INSTRUCTIONS + LOADS_AND_STORES <= INSTRUCTIONS_COMPLETED",
     "750GX/GL manual, tables 11-3 to 11-5: an instruction has one unit"},
    {"RESERVED_LOADS + STORE_CONDITIONAL_INSTRUCTIONS <= LOADS_AND_STORES", table_3},
    {"STORE_CONDITIONAL_INSTRUCTIONS_RESERVATION_INTACT <= STORE_CONDITIONAL_INSTRUCTIONS", table_5},
    {"L1_LOAD_MISS_CYCLES <= PROCESSOR_CYCLES", table_4},
    {"INSTRUCTION_FETCH_MISSES <= EAS_DELIVERED", table_3},
    {"L1_ICACHE_MISSES <= INSTRUCTION_FETCH_MISSES", table_3},
    {"L2_I_MISSES <= L1_ICACHE_MISSES", table_3},
    {"L2_HITS <= L2_ACCESSES", "750GX/GL manual, tables 11-2 and 11-4: code 13 are cache operations alone"},
    {"ITLB_MISSES <= ITLB_TABLE_SEARCH_CYCLES", table_2},
    {"DTLB_MISSES <= DTLB_TABLE_SEARCH_CYCLES", table_5},
    {"ITLB_TABLE_SEARCH_CYCLES <= PROCESSOR_CYCLES", table_2},
    {"DTLB_TABLE_SEARCH_CYCLES <= PROCESSOR_CYCLES", table_5},
    {"SPECULATIVE_BRANCHES + SECOND_STREAM_RESOLVED_BRANCHES + MISPREDICTED_BRANCHES <= UNRESOLVED_BRANCHES",
     "750GX/GL manual, tables 11-2 to 11-5: what resolves was unresolved"},
    {"TAKEN_BRANCHES <= SPECULATIVE_BRANCHES + SECOND_STREAM_RESOLVED_BRANCHES + MISPREDICTED_BRANCHES", table_4},
    {"BPU_BLOCKED_CYCLES <= PROCESSOR_CYCLES", table_5},
    {"BPU_LR_CR_STALL_CYCLES <= PROCESSOR_CYCLES", table_4},
    {"SECOND_UNRESOLVED_BRANCH_STALLS <= PROCESSOR_CYCLES", table_2},
    {"SNOOP_RETRIES <= SNOOPS", table_5},
    {"L2_CASTOUTS_MODIFIED_SNOOPS <= L2_CASTOUTS", "750GX/GL manual, tables 11-4 and 11-5"},
    {"L2_CASTOUTS_MODIFIED_SNOOPS <= SNOOPS", table_4},
};

// --- Alpha --------------------------------------------------------------------------------------------------------

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

// --- Itanium 2 and Montecito --------------------------------------------------------------------------------------

constexpr std::string_view event_table = "libpfm's event table", caliper = "HP Caliper's user guide",
                           one_reason = "libpfm's event table: a cycle has one reason";
constexpr Identity ia64[] = {
    {"BACK_END_BUBBLE_ALL = BACK_END_BUBBLE_FE + BE_FLUSH_BUBBLE_ALL + BE_EXE_BUBBLE_ALL + BE_RSE_BUBBLE_ALL + "
     "BE_L1D_FPU_BUBBLE_ALL",
     "HP Caliper's user guide, stall accounting: a cycle without progress has one reason"},
    {"BACK_END_BUBBLE_L1D_FPU_RSE = BE_L1D_FPU_BUBBLE_ALL + BE_RSE_BUBBLE_ALL", event_table},
    {"DISP_STALLED = BE_FLUSH_BUBBLE_ALL + BE_EXE_BUBBLE_ALL + BE_RSE_BUBBLE_ALL + BE_L1D_FPU_BUBBLE_ALL", event_table},
    {"BE_FLUSH_BUBBLE_ALL = BE_FLUSH_BUBBLE_BRU + BE_FLUSH_BUBBLE_XPN", one_reason},
    {"BE_RSE_BUBBLE_ALL = BE_RSE_BUBBLE_BANK_SWITCH + BE_RSE_BUBBLE_AR_DEP + BE_RSE_BUBBLE_OVERFLOW + "
     "BE_RSE_BUBBLE_UNDERFLOW + BE_RSE_BUBBLE_LOADRS",
     one_reason},
    {"BE_EXE_BUBBLE_ALL = BE_EXE_BUBBLE_GRALL + BE_EXE_BUBBLE_FRALL + BE_EXE_BUBBLE_ARCR_PR_CANCEL_BANK", one_reason},
    {"BE_EXE_BUBBLE_ARCR_PR_CANCEL_BANK = BE_EXE_BUBBLE_ARCR + BE_EXE_BUBBLE_PR + BE_EXE_BUBBLE_CANCEL + "
     "BE_EXE_BUBBLE_BANK_SWITCH",
     one_reason},
    {"BE_EXE_BUBBLE_GRGR <= BE_EXE_BUBBLE_GRALL", "HP Caliper's user guide: the rest waits for loads"},
    {"BE_L1D_FPU_BUBBLE_ALL = BE_L1D_FPU_BUBBLE_FPU + BE_L1D_FPU_BUBBLE_L1D", one_reason},
    {"FE_BUBBLE_ALL = FE_BUBBLE_FEFLUSH + FE_BUBBLE_TLBMISS + FE_BUBBLE_IMISS + FE_BUBBLE_FILL_RECIRC + "
     "FE_BUBBLE_BRANCH + FE_BUBBLE_BUBBLE + FE_BUBBLE_IBFULL",
     one_reason},
    {"FE_BUBBLE_GROUP1 = FE_BUBBLE_BUBBLE + FE_BUBBLE_BRANCH", event_table},
    {"FE_BUBBLE_GROUP2 = FE_BUBBLE_IMISS + FE_BUBBLE_TLBMISS", event_table},
    {"FE_BUBBLE_GROUP3 = FE_BUBBLE_FILL_RECIRC + FE_BUBBLE_BRANCH", event_table},
    {"FE_BUBBLE_ALL = FE_BUBBLE_ALLBUT_FEFLUSH_BUBBLE + FE_BUBBLE_FEFLUSH + FE_BUBBLE_BUBBLE", event_table},
    {"FE_BUBBLE_ALL = FE_BUBBLE_ALLBUT_IBFULL + FE_BUBBLE_IBFULL", event_table},
    {"FE_LOST_BW_ALL = FE_LOST_BW_FEFLUSH + FE_LOST_BW_UNREACHED + FE_LOST_BW_IBFULL + FE_LOST_BW_IMISS + "
     "FE_LOST_BW_TLBMISS + FE_LOST_BW_FILL_RECIRC + FE_LOST_BW_BI + FE_LOST_BW_BRQ + FE_LOST_BW_PLP + "
     "FE_LOST_BW_BR_ILOCK + FE_LOST_BW_BUBBLE",
     one_reason},
    {"2 FE_BUBBLE_ALL <= FE_LOST_BW_ALL", "libpfm's event table: a cycle without a bundle loses two"},
    {"BE_LOST_BW_DUE_TO_FE_ALL = BE_LOST_BW_DUE_TO_FE_FEFLUSH + BE_LOST_BW_DUE_TO_FE_UNREACHED + "
     "BE_LOST_BW_DUE_TO_FE_IBFULL + BE_LOST_BW_DUE_TO_FE_IMISS + BE_LOST_BW_DUE_TO_FE_TLBMISS + "
     "BE_LOST_BW_DUE_TO_FE_FILL_RECIRC + BE_LOST_BW_DUE_TO_FE_BI + BE_LOST_BW_DUE_TO_FE_BRQ + "
     "BE_LOST_BW_DUE_TO_FE_PLP + BE_LOST_BW_DUE_TO_FE_BR_ILOCK + BE_LOST_BW_DUE_TO_FE_BUBBLE",
     one_reason},
    {"2 BACK_END_BUBBLE_FE <= BE_LOST_BW_DUE_TO_FE_ALL",
     "libpfm's event table: a cycle lost to the front end alone lacks both bundles"},
    {"BE_LOST_BW_DUE_TO_FE_ALL <= IDEAL_BE_LOST_BW_DUE_TO_FE_ALL",
     "libpfm's event table: the latter counts while the back end is stalled as well"},
    {"IDEAL_BE_LOST_BW_DUE_TO_FE_ALL = IDEAL_BE_LOST_BW_DUE_TO_FE_FEFLUSH + IDEAL_BE_LOST_BW_DUE_TO_FE_UNREACHED + "
     "IDEAL_BE_LOST_BW_DUE_TO_FE_IBFULL + IDEAL_BE_LOST_BW_DUE_TO_FE_IMISS + IDEAL_BE_LOST_BW_DUE_TO_FE_TLBMISS + "
     "IDEAL_BE_LOST_BW_DUE_TO_FE_FILL_RECIRC + IDEAL_BE_LOST_BW_DUE_TO_FE_BI + IDEAL_BE_LOST_BW_DUE_TO_FE_BRQ + "
     "IDEAL_BE_LOST_BW_DUE_TO_FE_PLP + IDEAL_BE_LOST_BW_DUE_TO_FE_BR_ILOCK + IDEAL_BE_LOST_BW_DUE_TO_FE_BUBBLE",
     one_reason},
    {"NOPS_RETIRED + PREDICATE_SQUASHED_RETIRED <= IA64_INST_RETIRED", caliper},
    {"BR_MISPRED_DETAIL_ALL_ALL_PRED <= IA64_INST_RETIRED", caliper},
    {"BR_MISPRED_DETAIL_ALL_ALL_PRED = BR_MISPRED_DETAIL_ALL_CORRECT_PRED + BR_MISPRED_DETAIL_ALL_WRONG_PATH + "
     "BR_MISPRED_DETAIL_ALL_WRONG_TARGET",
     "libpfm's event table: a prediction has one outcome"},
    {"BR_MISPRED_DETAIL_IPREL_ALL_PRED = BR_MISPRED_DETAIL_IPREL_CORRECT_PRED + BR_MISPRED_DETAIL_IPREL_WRONG_PATH + "
     "BR_MISPRED_DETAIL_IPREL_WRONG_TARGET",
     "libpfm's event table: a prediction has one outcome"},
    {"BR_MISPRED_DETAIL_RETURN_ALL_PRED = BR_MISPRED_DETAIL_RETURN_CORRECT_PRED + "
     "BR_MISPRED_DETAIL_RETURN_WRONG_PATH + BR_MISPRED_DETAIL_RETURN_WRONG_TARGET",
     "libpfm's event table: a prediction has one outcome"},
    {"BR_PATH_PRED_ALL_MISPRED_NOTTAKEN + BR_PATH_PRED_ALL_MISPRED_TAKEN + BR_PATH_PRED_ALL_OKPRED_NOTTAKEN + "
     "BR_PATH_PRED_ALL_OKPRED_TAKEN = BR_MISPRED_DETAIL_ALL_ALL_PRED",
     "libpfm's event table: the same branches, by path and direction"},
    {"BR_PATH_PRED_ALL_MISPRED_NOTTAKEN + BR_PATH_PRED_ALL_MISPRED_TAKEN = BR_MISPRED_DETAIL_ALL_WRONG_PATH",
     "libpfm's event table: the same branches, by path and direction"},
    {"BR_PATH_PRED_RETURN_MISPRED_NOTTAKEN + BR_PATH_PRED_RETURN_MISPRED_TAKEN + BR_PATH_PRED_RETURN_OKPRED_NOTTAKEN + "
     "BR_PATH_PRED_RETURN_OKPRED_TAKEN = BR_MISPRED_DETAIL_RETURN_ALL_PRED",
     "libpfm's event table: the same branches, by path and direction"},
    {"BR_PATH_PRED_ALL_OKPRED_TAKEN = BR_PATH_PRED_IPREL_OKPRED_TAKEN + BR_PATH_PRED_RETURN_OKPRED_TAKEN + "
     "BR_PATH_PRED_NRETIND_OKPRED_TAKEN",
     "libpfm's event table: a branch has one type"},
    {"BR_PATH_PRED_ALL_OKPRED_NOTTAKEN = BR_PATH_PRED_IPREL_OKPRED_NOTTAKEN + BR_PATH_PRED_RETURN_OKPRED_NOTTAKEN + "
     "BR_PATH_PRED_NRETIND_OKPRED_NOTTAKEN",
     "libpfm's event table: a branch has one type"},
    {"BR_PATH_PRED_ALL_MISPRED_TAKEN = BR_PATH_PRED_IPREL_MISPRED_TAKEN + BR_PATH_PRED_RETURN_MISPRED_TAKEN + "
     "BR_PATH_PRED_NRETIND_MISPRED_TAKEN",
     "libpfm's event table: a branch has one type"},
    {"BR_PATH_PRED_ALL_MISPRED_NOTTAKEN = BR_PATH_PRED_IPREL_MISPRED_NOTTAKEN + BR_PATH_PRED_RETURN_MISPRED_NOTTAKEN + "
     "BR_PATH_PRED_NRETIND_MISPRED_NOTTAKEN",
     "libpfm's event table: a branch has one type"},
    {"BR_MISPRED_DETAIL2_ALL_UNKNOWN_PATH_CORRECT_PRED + BR_MISPRED_DETAIL2_ALL_UNKNOWN_PATH_WRONG_PATH <= "
     "BR_MISPRED_DETAIL2_ALL_ALL_UNKNOWN_PRED",
     "libpfm's event table: wrong targets have no row of their own"},
    {"BR_MISPRED_DETAIL2_ALL_ALL_UNKNOWN_PRED = BR_PATH_PRED2_ALL_UNKNOWNPRED_TAKEN + "
     "BR_PATH_PRED2_ALL_UNKNOWNPRED_NOTTAKEN",
     event_table},
    {"BR_MISPRED_DETAIL2_ALL_ALL_UNKNOWN_PRED <= BR_MISPRED_DETAIL_ALL_ALL_PRED", event_table},
    {"ENCBR_MISPRED_DETAIL_ALL_ALL_PRED = ENCBR_MISPRED_DETAIL_ALL_CORRECT_PRED + "
     "ENCBR_MISPRED_DETAIL_ALL_WRONG_PATH + ENCBR_MISPRED_DETAIL_ALL_WRONG_TARGET",
     "libpfm's event table: a prediction has one outcome"},
    {"ENCBR_MISPRED_DETAIL_ALL_ALL_PRED <= BR_MISPRED_DETAIL_ALL_ALL_PRED", event_table},
    {"BE_BR_MISPRED_DETAIL_STG + BE_BR_MISPRED_DETAIL_ROT + BE_BR_MISPRED_DETAIL_PFS <= BE_BR_MISPRED_DETAIL_ANY",
     event_table},
    {"INST_CHKA_LDC_ALAT_ALL = INST_CHKA_LDC_ALAT_INT + INST_CHKA_LDC_ALAT_FP", event_table},
    {"INST_FAILED_CHKA_LDC_ALAT_INT <= INST_CHKA_LDC_ALAT_INT", event_table},
    {"INST_FAILED_CHKA_LDC_ALAT_FP <= INST_CHKA_LDC_ALAT_FP", event_table},
    {"INST_FAILED_CHKA_LDC_ALAT_ALL <= INST_FAILED_CHKA_LDC_ALAT_INT + INST_FAILED_CHKA_LDC_ALAT_FP",
     "HP Caliper's user guide: two in a cycle count once"},
    {"ALAT_CAPACITY_MISS_ALL = ALAT_CAPACITY_MISS_INT + ALAT_CAPACITY_MISS_FP", event_table},
    {"MISALIGNED_LOADS_RETIRED <= LOADS_RETIRED", event_table},
    {"MISALIGNED_STORES_RETIRED <= STORES_RETIRED", event_table},
    {"UC_LOADS_RETIRED <= LOADS_RETIRED", event_table},
    {"UC_STORES_RETIRED <= STORES_RETIRED", event_table},
    {"RSE_REFERENCES_RETIRED_ALL = RSE_REFERENCES_RETIRED_LOAD + RSE_REFERENCES_RETIRED_STORE", event_table},
    {"RSE_REFERENCES_RETIRED_LOAD <= LOADS_RETIRED", event_table},
    {"RSE_REFERENCES_RETIRED_STORE <= STORES_RETIRED", event_table},
    {"L1D_READS_SET1 <= L1D_READS_SET0", "libpfm's event table: without the passages that are made again"},
    {"DATA_REFERENCES_SET1 <= DATA_REFERENCES_SET0", "libpfm's event table: without the passages that are made again"},
    {"L1D_READS_SET1 <= DATA_REFERENCES_SET1", "HP Caliper's user guide: reads are some of the references"},
    {"L1D_READ_MISSES_ALL <= L1D_READS_SET0", caliper},
    {"L1D_READ_MISSES_RSE_FILL <= L1D_READ_MISSES_ALL", event_table},
    {"ITLB_MISSES_FETCH_L2ITLB <= ITLB_MISSES_FETCH_L1ITLB", "HP Caliper's user guide: a miss of both levels"},
    {"ITLB_MISSES_FETCH_ALL = ITLB_MISSES_FETCH_L1ITLB", "HP Caliper's user guide: what misses both counts once"},
    {"L1I_FETCH_ISB_HIT + L1I_FETCH_RAB_HIT <= L1I_READS", event_table},
    {"L3_REFERENCES = L3_READS_ALL_ALL + L3_WRITES_ALL_ALL", caliper},
    {"L3_MISSES = L3_READS_ALL_MISS + L3_WRITES_ALL_MISS", caliper},
    {"L3_READS_ALL_ALL = L3_READS_ALL_HIT + L3_READS_ALL_MISS", "libpfm's event table: hit or miss"},
    {"L3_READS_DATA_READ_ALL = L3_READS_DATA_READ_HIT + L3_READS_DATA_READ_MISS", "libpfm's event table: hit or miss"},
    {"L3_READS_DINST_FETCH_ALL = L3_READS_DINST_FETCH_HIT + L3_READS_DINST_FETCH_MISS",
     "libpfm's event table: hit or miss"},
    {"L3_READS_INST_FETCH_ALL = L3_READS_INST_FETCH_HIT + L3_READS_INST_FETCH_MISS",
     "libpfm's event table: hit or miss"},
    {"L3_READS_ALL_ALL = L3_READS_DATA_READ_ALL + L3_READS_INST_FETCH_ALL",
     "libpfm's event table: data or instructions"},
    {"L3_READS_DINST_FETCH_ALL <= L3_READS_INST_FETCH_ALL", "libpfm's event table: without prefetches"},
    {"L3_WRITES_ALL_ALL = L3_WRITES_ALL_HIT + L3_WRITES_ALL_MISS", "libpfm's event table: hit or miss"},
    {"L3_WRITES_DATA_WRITE_ALL = L3_WRITES_DATA_WRITE_HIT + L3_WRITES_DATA_WRITE_MISS",
     "libpfm's event table: hit or miss"},
    {"L3_WRITES_L2_WB_ALL = L3_WRITES_L2_WB_HIT + L3_WRITES_L2_WB_MISS", "libpfm's event table: hit or miss"},
    {"L3_WRITES_ALL_ALL = L3_WRITES_DATA_WRITE_ALL + L3_WRITES_L2_WB_ALL",
     "libpfm's event table: stores and lines that L2 writes back"},
    {"BUS_ALL_IO + BUS_ALL_SELF <= BUS_ALL_ANY", "libpfm's event table: agents"},
    {"BUS_MEMORY_ALL_ANY = BUS_MEMORY_EQ_128BYTE_ANY + BUS_MEMORY_LT_128BYTE_ANY", "libpfm's event table: sizes"},
    {"BUS_MEMORY_ALL_SELF = BUS_MEMORY_EQ_128BYTE_SELF + BUS_MEMORY_LT_128BYTE_SELF", "libpfm's event table: sizes"},
    {"BUS_MEMORY_ALL_ANY <= BUS_ALL_ANY", event_table},
    {"BUS_MEM_READ_ALL_ANY = BUS_MEM_READ_BIL_ANY + BUS_MEM_READ_BRL_ANY + BUS_MEM_READ_BRIL_ANY",
     "libpfm's event table: kinds of reads"},
    {"BUS_MEM_READ_ALL_SELF = BUS_MEM_READ_BIL_SELF + BUS_MEM_READ_BRL_SELF + BUS_MEM_READ_BRIL_SELF",
     "libpfm's event table: kinds of reads"},
    {"BUS_MEM_READ_ALL_ANY <= BUS_MEMORY_ALL_ANY", event_table},
    {"BUS_RD_IO_ANY <= BUS_IO_ANY", event_table},
    {"BUS_WR_WB_EQ_128BYTE_ANY + BUS_WR_WB_CCASTOUT_ANY <= BUS_WR_WB_ALL_ANY", event_table},
};
constexpr Identity itanium2[] = {
    {"BACK_END_BUBBLE_ALL <= CPU_CYCLES", caliper},
    {"IA64_INST_RETIRED <= INST_DISPERSED + IA32_INST_RETIRED",
     "libpfm's event table: what retires has been dispersed"},
    {"IA64_INST_RETIRED <= 6 CPU_CYCLES", "libpfm's event table: six at most"},
    {"BR_MISPRED_DETAIL_ALL_ALL_PRED = BR_MISPRED_DETAIL_IPREL_ALL_PRED + BR_MISPRED_DETAIL_RETURN_ALL_PRED + "
     "BR_MISPRED_DETAIL_NTRETIND_ALL_PRED",
     "libpfm's event table: a branch has one type"},
    {"BE_L1D_FPU_BUBBLE_L1D = BE_L1D_FPU_BUBBLE_L1D_FULLSTBUF + BE_L1D_FPU_BUBBLE_L1D_DCURECIR + "
     "BE_L1D_FPU_BUBBLE_L1D_HPW + BE_L1D_FPU_BUBBLE_L1D_FILLCONF + BE_L1D_FPU_BUBBLE_L1D_DCS + "
     "BE_L1D_FPU_BUBBLE_L1D_L2BPRESS + BE_L1D_FPU_BUBBLE_L1D_TLB + BE_L1D_FPU_BUBBLE_L1D_LDCONF + "
     "BE_L1D_FPU_BUBBLE_L1D_LDCHK + BE_L1D_FPU_BUBBLE_L1D_NAT + BE_L1D_FPU_BUBBLE_L1D_STBUFRECIR + "
     "BE_L1D_FPU_BUBBLE_L1D_NATCONF",
     one_reason},
    {"L2_DATA_REFERENCES_L2_ALL = L2_DATA_REFERENCES_L2_DATA_READS + L2_DATA_REFERENCES_L2_DATA_WRITES",
     "HP Caliper's user guide: a semaphore is both"},
    {"L2_MISSES <= L2_REFERENCES", caliper},
    {"DTLB_INSERTS_HPW_RETIRED <= DTLB_INSERTS_HPW", event_table},
    {"BUS_SNOOPS_HITM_ANY <= BUS_SNOOPS_ANY", event_table},
    {"BUS_RD_INVAL_HITM <= BUS_RD_INVAL_ALL_HITM", event_table},
    {"BUS_RD_INVAL_ALL_HITM + BUS_RD_HITM <= 2 BUS_HITM", event_table},
    {"BUS_LOCK_SELF <= BUS_LOCK_ANY", "libpfm's event table: agents"},
};
constexpr Identity montecito[] = {
    {"BACK_END_BUBBLE_ALL <= CPU_OP_CYCLES_ALL", caliper},
    {"CPU_OP_CYCLES_QUAL <= CPU_OP_CYCLES_ALL", caliper},
    {"IA64_INST_RETIRED <= INST_DISPERSED", "libpfm's event table: what retires has been dispersed"},
    {"BR_MISPRED_DETAIL_ALL_ALL_PRED = BR_MISPRED_DETAIL_IPREL_ALL_PRED + BR_MISPRED_DETAIL_RETURN_ALL_PRED + "
     "BR_MISPRED_DETAIL_NRETIND_ALL_PRED",
     "libpfm's event table: a branch has one type"},
    {"BE_L1D_FPU_BUBBLE_L1D = BE_L1D_FPU_BUBBLE_L1D_FULLSTBUF + BE_L1D_FPU_BUBBLE_L1D_PIPE_RECIRC + "
     "BE_L1D_FPU_BUBBLE_L1D_HPW + BE_L1D_FPU_BUBBLE_L1D_FILLCONF + BE_L1D_FPU_BUBBLE_L1D_AR_CR + "
     "BE_L1D_FPU_BUBBLE_L1D_L2BPRESS + BE_L1D_FPU_BUBBLE_L1D_TLB + BE_L1D_FPU_BUBBLE_L1D_LDCONF + "
     "BE_L1D_FPU_BUBBLE_L1D_LDCHK + BE_L1D_FPU_BUBBLE_L1D_NAT + BE_L1D_FPU_BUBBLE_L1D_STBUFRECIR + "
     "BE_L1D_FPU_BUBBLE_L1D_NATCONF",
     one_reason},
    {"LOADS_RETIRED_INTG <= LOADS_RETIRED", event_table},
    {"L2D_REFERENCES_ALL = L2D_REFERENCES_READS + L2D_REFERENCES_WRITES", "libpfm's event table: a semaphore is both"},
    {"L2D_MISSES <= L2D_INSERT_HITS + L2D_INSERT_MISSES", event_table},
    {"L2I_READS_ALL_ALL = L2I_READS_HIT_ALL + L2I_READS_MISS_ALL", "libpfm's event table: hit or miss"},
    {"L2I_READS_ALL_DMND = L2I_READS_HIT_DMND + L2I_READS_MISS_DMND", "libpfm's event table: hit or miss"},
    {"L2I_READS_ALL_PFTCH = L2I_READS_HIT_PFTCH + L2I_READS_MISS_PFTCH", "libpfm's event table: hit or miss"},
    {"L2I_READS_ALL_ALL = L2I_READS_ALL_DMND + L2I_READS_ALL_PFTCH", "libpfm's event table: demand or prefetch"},
    {"L2I_UC_READS_ALL_ALL = L2I_UC_READS_ALL_DMND + L2I_UC_READS_ALL_PFTCH",
     "libpfm's event table: demand or prefetch"},
    {"L2I_VICTIMIZATION <= L2I_READS_MISS_ALL", event_table},
    {"L3_LINES_REPLACED <= L3_INSERTS", "libpfm's event table: a victim makes room for a line"},
    {"THREAD_SWITCH_EVENTS_ALL = THREAD_SWITCH_EVENTS_L3MISS + THREAD_SWITCH_EVENTS_TIMER + "
     "THREAD_SWITCH_EVENTS_HINT + THREAD_SWITCH_EVENTS_LP + THREAD_SWITCH_EVENTS_DBG",
     "libpfm's event table: a switch that is taken has one cause"},
    {"THREAD_SWITCH_STALL_GTE_4 <= THREAD_SWITCH_EVENTS_ALL", event_table},
    {"THREAD_SWITCH_STALL_GTE_4096 <= THREAD_SWITCH_STALL_GTE_256", event_table},
    {"THREAD_SWITCH_STALL_GTE_256 <= THREAD_SWITCH_STALL_GTE_4", event_table},
    {"CPU_CPL_CHANGES_LVL0 + CPU_CPL_CHANGES_LVL1 + CPU_CPL_CHANGES_LVL2 + CPU_CPL_CHANGES_LVL3 = "
     "2 CPU_CPL_CHANGES_ALL",
     "libpfm's event table: a change is from one level to another"},
    {"SPEC_LOADS_NATTED_ALL = SPEC_LOADS_NATTED_VHPT_MISS + SPEC_LOADS_NATTED_DEF_TLB_MISS + "
     "SPEC_LOADS_NATTED_DEF_TLB_FAULT + SPEC_LOADS_NATTED_NAT_CNSM + SPEC_LOADS_NATTED_DEF_PSR_ED",
     "libpfm's event table: a load is deferred for one reason"},
    {"FP_FLUSH_TO_ZERO_FTZ_REAL <= FP_FLUSH_TO_ZERO_FTZ_POSS", event_table},
    {"BUS_ALL_SELF <= BUS_ALL_EITHER", "libpfm's event table: either core of the die"},
    {"BUS_ALL_EITHER + BUS_ALL_IO <= BUS_ALL_ANY", "libpfm's event table: agents"},
    {"SI_SCB_INSERTS_ALL_EITHER = SI_SCB_INSERTS_MISS_EITHER + SI_SCB_INSERTS_HIT_EITHER + SI_SCB_INSERTS_HITM_EITHER",
     "libpfm's event table: what the snoop found"},
    {"SI_SCB_SIGNOFFS_ALL <= SI_SCB_SIGNOFFS_MISS + SI_SCB_SIGNOFFS_HIT + SI_SCB_SIGNOFFS_HITM",
     "libpfm\'s event table: what the snoop found, one at most in a cycle"},
    {"SI_WDQ_ECC_ERRORS_ALL_EITHER <= SI_WDQ_ECC_ERRORS_SGL_EITHER + SI_WDQ_ECC_ERRORS_DBL_EITHER", event_table},
    {"SI_WRITEQ_INSERTS_ALL_SELF <= SI_WRITEQ_INSERTS_ALL_EITHER", "libpfm's event table: either core of the die"},
    {"SI_RQ_INSERTS_SELF <= SI_RQ_INSERTS_EITHER", "libpfm's event table: either core of the die"},
};

struct Part {
  std::string_view target;
  std::span<const Identity> identities;
};
constexpr std::array parts{
    Part{"athlon", athlon},        Part{"ppc750gx", ppc750},     Part{"ppc750gl", ppc750},
    Part{"alpha-ev4", ev4},        Part{"alpha-ev5", ev5_both},  Part{"alpha-ev5", ev5},
    Part{"alpha-pca56", ev5_both}, Part{"alpha-pca56", pca56},   Part{"alpha-ev6", ev6},
    Part{"alpha-ev67", ev67},      Part{"itanium2", ia64},       Part{"itanium2", itanium2},
    Part{"montecito", ia64},       Part{"montecito", montecito},
};

}  // namespace

std::vector<Identity> identities_of(std::string_view target) {
  std::vector<Identity> list;
  for (const Part& part : parts) {
    if (part.target == target) list.insert(list.end(), part.identities.begin(), part.identities.end());
  }
  return list;
}

}  // namespace pmusim::testbench
