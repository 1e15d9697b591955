// What is known of each event that Itanium 2 and Montecito count alike: how often in a cycle, its counters, its
// filters. Sources: libpfm 3.10's tables of events; Itanium 2 reference manual for software development and
// optimization, 10.3, by which events of the L1D caches are on PMC5, which selects their set. No trace causes some of
// them under the default parameters: the core records one cause for each syllable that is held, and a full buffer of
// bundles or branches never lacks them at its exit.
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

}  // namespace

std::span<const EventFacts> ia64::events() { return table; }

}  // namespace pmusim::testbench
