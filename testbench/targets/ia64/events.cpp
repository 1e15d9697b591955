// What is known of each event that Itanium 2 and Montecito count alike: how often in a cycle, its counters, its
// filters. Sources: libpfm 3.10's tables of events; Itanium 2 reference manual for software development and
// optimization, 10.3, by which events of the L1D caches are on PMC5, which selects their set. No trace causes some of
// them under the default parameters: the core records one cause for each syllable that is held, and a full buffer of
// bundles or branches never lacks them at its exit.
#include "testbench/judge/trial/identities.h"
#include "testbench/targets/ia64/judging.h"

namespace pmusim::testbench {

namespace {

using namespace facts;  // NOLINT: the words of the table

// clang-format off
constexpr EventFacts table[] = {
    {"ALAT_CAPACITY_MISS_*", at_most(2), any, from_timing, by_all},
    {"BACK_END_BUBBLE_*", condition, any, from_timing, unfiltered},
    {"BE_BR_MISPRED_DETAIL_*", at_most(1), any, from_timing, by_tag},
    {"BE_EXE_BUBBLE_*", condition, any, from_timing, unfiltered},
    {"BE_FLUSH_BUBBLE_*", condition, any, from_timing, unfiltered},
    {"BE_L1D_FPU_BUBBLE_*", condition, on({1}), from_timing, unfiltered},
    {"BE_LOST_BW_DUE_TO_FE_*", at_most(2), any, from_timing, unfiltered},
    {"BE_LOST_BW_DUE_TO_FE_BRQ", not_by_default(2), any, from_timing, unfiltered},
    {"BE_LOST_BW_DUE_TO_FE_IBFULL", not_by_default(2), any, from_timing, unfiltered},
    {"BE_RSE_BUBBLE_*", condition, any, from_timing, unfiltered},
    {"BRANCH_EVENT", at_most(1), any, from_timing, by_tag},
    {"BR_MISPRED_DETAIL_*", at_most(3), any, from_timing, by_tag},
    {"BR_MISPRED_DETAIL_ALL_ALL_PRED", at_most(3), any, from_instructions, by_tag},
    {"BR_MISPRED_DETAIL_IPREL_ALL_PRED", at_most(3), any, from_instructions, by_tag},
    {"BR_MISPRED_DETAIL_RETURN_ALL_PRED", at_most(3), any, from_instructions, by_tag},
    {"BR_MISPRED_DETAIL2_*", at_most(2), any, from_timing, by_tag},
    {"BR_PATH_PRED_*", at_most(3), any, from_timing, by_tag},
    {"BR_PATH_PRED2_*", at_most(2), any, from_timing, by_tag},
    {"DATA_DEBUG_REGISTER_FAULT", at_most(1), any, from_timing, unfiltered},
    {"DATA_DEBUG_REGISTER_MATCHES", at_most(1), any, from_timing, by_all},
    {"DATA_EAR_ALAT", at_most(1), any, from_timing, by_all},
    {"DATA_EAR_CACHE_LAT*", at_most(1), any, from_timing, by_all},
    {"DATA_EAR_EVENTS", at_most(1), any, from_timing, by_all},
    {"DATA_EAR_TLB_*", at_most(1), any, from_timing, by_all},
    {"DATA_REFERENCES_SET0", at_most(4), on({1}), from_timing, by_all},
    {"DATA_REFERENCES_SET1", at_most(4), on({1}), from_timing, by_all},
    {"DISP_STALLED", condition, any, from_timing, unfiltered},
    {"ENCBR_MISPRED_DETAIL_*", at_most(3), any, from_timing, by_tag},
    {"FE_BUBBLE_*", condition, any, from_timing, unfiltered},
    {"FE_LOST_BW_*", at_most(2), any, from_timing, unfiltered},
    {"FP_FAILED_FCHKF", at_most(1), any, from_timing, by_code},
    {"FP_FALSE_SIRSTALL", at_most(1), any, from_timing, by_code},
    {"FP_TRUE_SIRSTALL", at_most(1), any, from_timing, by_code},
    {"IA64_INST_RETIRED", at_most(6), any, from_instructions, by_tag},
    {"IA64_TAGGED_INST_RETIRED_*", at_most(6), any, from_timing, by_tag},
    {"IDEAL_BE_LOST_BW_DUE_TO_FE_*", at_most(2), any, from_timing, unfiltered},
    {"IDEAL_BE_LOST_BW_DUE_TO_FE_BRQ", not_by_default(2), any, from_timing, unfiltered},
    {"IDEAL_BE_LOST_BW_DUE_TO_FE_IBFULL", not_by_default(2), any, from_timing, unfiltered},
    {"INST_CHKA_LDC_ALAT_ALL", at_most(2), any, from_instructions, by_all},
    {"INST_CHKA_LDC_ALAT_FP", at_most(2), any, from_instructions, by_all},
    {"INST_CHKA_LDC_ALAT_INT", at_most(2), any, from_instructions, by_all},
    {"INST_DISPERSED", at_most(6), any, from_timing, by_code},
    {"INST_FAILED_CHKA_LDC_ALAT_*", at_most(1), any, from_timing, by_all},
    {"INST_FAILED_CHKS_RETIRED_*", at_most(1), any, from_timing, unfiltered},
    {"ISB_BUNPAIRS_IN", at_most(1), any, from_timing, by_code | both_ranges},
    {"ITLB_MISSES_FETCH_*", at_most(1), any, from_timing, by_code},
    {"L1DTLB_TRANSFER", at_most(1), on({1}), from_timing, by_all},
    {"L1D_READS_SET0", at_most(2), on({1}), from_timing, by_all},
    {"L1D_READS_SET1", at_most(2), on({1}), from_timing, by_all},
    {"L1D_READ_MISSES_*", at_most(2), on({1}), from_timing, by_all},
    {"L1ITLB_INSERTS_HPW", at_most(1), any, from_timing, by_code},
    {"L1I_EAR_CACHE_LAT*", at_most(1), any, from_timing, by_code},
    {"L1I_EAR_CACHE_RAB", at_most(1), any, from_timing, by_code},
    {"L1I_EAR_EVENTS", at_most(1), any, from_timing, by_code},
    {"L1I_EAR_TLB_*", at_most(1), any, from_timing, by_code},
    {"L1I_FETCH_ISB_HIT", at_most(1), any, from_timing, by_code | both_ranges},
    {"L1I_FETCH_RAB_HIT", at_most(1), any, from_timing, by_code | both_ranges},
    {"L1I_FILLS", at_most(1), any, from_timing, by_code | both_ranges},
    {"L1I_PREFETCHES", at_most(1), any, from_timing, by_code | second_range},
    {"L1I_PREFETCH_STALL_*", condition, any, from_timing, unfiltered},
    {"L1I_PURGE", at_most(1), any, from_timing, by_code},
    {"L1I_PVAB_OVERFLOW", at_most(1), any, from_timing, unfiltered},
    {"L1I_RAB_ALMOST_FULL", condition, any, from_timing, unfiltered},
    {"L1I_RAB_FULL", condition, any, from_timing, unfiltered},
    {"L1I_READS", at_most(1), any, from_timing, by_code},
    {"L1I_SNOOP", at_most(1), any, from_timing, by_all},
    {"L1I_STRM_PREFETCHES", at_most(1), any, from_timing, by_code | second_range},
    {"L2DTLB_MISSES", at_most(4), on({1}), from_timing, by_all},
    {"L3_MISSES", at_most(1), any, from_timing, by_all},
    {"L3_REFERENCES", at_most(1), any, from_timing, by_all},
    {"LOADS_RETIRED", at_most(4), on({1}), from_timing, by_all},
    {"MEM_READ_CURRENT_*", at_most(1), any, from_timing, unfiltered},
    {"MISALIGNED_LOADS_RETIRED", at_most(4), on({1}), from_instructions, by_all},
    {"MISALIGNED_STORES_RETIRED", at_most(2), on({1}), from_instructions, by_all},
    {"NOPS_RETIRED", at_most(6), any, from_instructions, by_tag},
    {"PREDICATE_SQUASHED_RETIRED", at_most(6), any, from_instructions, by_tag},
    {"RSE_CURRENT_REGS_2_TO_0", number_up_to(7), any, from_timing, unfiltered},
    {"RSE_CURRENT_REGS_5_TO_3", number_up_to(7), any, from_timing, unfiltered},
    {"RSE_CURRENT_REGS_6", number_up_to(1), any, from_timing, unfiltered},
    {"RSE_DIRTY_REGS_2_TO_0", number_up_to(7), any, from_timing, unfiltered},
    {"RSE_DIRTY_REGS_5_TO_3", number_up_to(7), any, from_timing, unfiltered},
    {"RSE_DIRTY_REGS_6", number_up_to(1), any, from_timing, unfiltered},
    {"RSE_EVENT_RETIRED", at_most(1), any, from_timing, unfiltered},
    {"RSE_REFERENCES_RETIRED_*", at_most(2), any, from_timing, by_all},
    {"SERIALIZATION_EVENTS", at_most(1), any, from_timing, unfiltered},
    {"STORES_RETIRED", at_most(2), on({1}), from_timing, by_all},
    {"SYLL_NOT_DISPERSED_*", at_most(5), any, from_timing, by_code},
    {"SYLL_OVERCOUNT_*", not_by_default(2), any, from_timing, by_code},
    {"UC_LOADS_RETIRED", at_most(4), on({1}), from_timing, by_all},
    {"UC_STORES_RETIRED", at_most(2), on({1}), from_timing, by_all},
};
// clang-format on

// Relations among the counts of Itanium 2 and Montecito that the manuals state.

constexpr Identity list[] = {
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
    {"LOADS_RETIRED = trace:loads + RSE_REFERENCES_RETIRED_LOAD + HPW_DATA_REFERENCES", unconfirmed},
    {"STORES_RETIRED = trace:stores + RSE_REFERENCES_RETIRED_STORE", unconfirmed},
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

}  // namespace

std::span<const EventFacts> ia64::events() { return table; }

std::span<const Identity> ia64::identities() { return list; }

}  // namespace pmusim::testbench
