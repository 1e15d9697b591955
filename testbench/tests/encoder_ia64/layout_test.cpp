// The binary layout that programs compiled against libpfm 3.10 rely on (LP64), the values of the constants, and the
// register views.
#include <gtest/gtest.h>
#include <perfmon/pfmlib_itanium2.h>
#include <perfmon/pfmlib_montecito.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" unsigned long long encode_itanium2_from_c(void);
extern "C" unsigned long long encode_montecito_from_c(void);

namespace {

// clang-tidy reports a macro and the number that it stands for as redundant. Their equality is what is tested here.
// NOLINTBEGIN(misc-redundant-expression)
// What both processors have under names of their own.
#define PMUSIM_COMMON_LAYOUT(NAME, name)                                                      \
  static_assert(PFMLIB_##NAME##_FL_EVT_NO_QUALCHECK == 1 && PFMLIB_##NAME##_RR_INV == 1 &&    \
                PFMLIB_##NAME##_RR_NO_FINE_MODE == 2 && PFMLIB_##NAME##_EVT_NO_GRP == 0 &&    \
                PFMLIB_##NAME##_EVT_NO_SET == -1 && PFMLIB_##NAME##_EAR_CACHE_MODE == 0 &&    \
                PFMLIB_##NAME##_EAR_TLB_MODE == 1 && PFMLIB_##NAME##_EAR_ALAT_MODE == 2);     \
  static_assert(sizeof(pfmlib_##name##_input_rr_desc_t) == 24 &&                              \
                offsetof(pfmlib_##name##_input_rr_desc_t, rr_start) == 8 &&                   \
                offsetof(pfmlib_##name##_input_rr_desc_t, rr_end) == 16);                     \
  static_assert(sizeof(pfmlib_##name##_output_rr_desc_t) == 16 &&                             \
                offsetof(pfmlib_##name##_output_rr_desc_t, rr_eoff) == 8);                    \
  static_assert(sizeof(pfmlib_##name##_input_rr_t) == 8 + 4 * 24 + 8 &&                       \
                offsetof(pfmlib_##name##_input_rr_t, rr_limits) == 8 &&                       \
                offsetof(pfmlib_##name##_input_rr_t, rr_used) == 8 + 4 * 24);                 \
  static_assert(sizeof(pfmlib_##name##_output_rr_t) == 8 + 4 * 16 + 8 * 32 &&                 \
                offsetof(pfmlib_##name##_output_rr_t, rr_infos) == 8 &&                       \
                offsetof(pfmlib_##name##_output_rr_t, rr_br) == 8 + 4 * 16);                  \
  static_assert(offsetof(pfmlib_##name##_output_param_t, pfp_##name##_irange) == 328 &&       \
                offsetof(pfmlib_##name##_output_param_t, reserved) == 656 &&                  \
                sizeof(pfmlib_##name##_output_param_t) == 704);                               \
  static_assert(sizeof(pfmlib_##name##_ear_t) == 24 && sizeof(pfm_##name##_pmc_reg_t) == 8 && \
                sizeof(pfm_##name##_pmd_reg_t) == 8)
PMUSIM_COMMON_LAYOUT(ITA2, ita2);
PMUSIM_COMMON_LAYOUT(MONT, mont);

static_assert(PMU_ITA2_FIRST_COUNTER == 4 && PMU_ITA2_NUM_COUNTERS == 4 && PMU_ITA2_NUM_PMCS == 16 &&
              PMU_ITA2_NUM_PMDS == 18 && PMU_ITA2_NUM_BTB == 8 && PMU_ITA2_COUNTER_WIDTH == 47);
static_assert(PFMLIB_ITA2_EVT_L1_CACHE_GRP == 1 && PFMLIB_ITA2_EVT_L2_CACHE_GRP == 2);
static_assert(PFMLIB_ITA2_ISM_BOTH == 0 && PFMLIB_ITA2_ISM_IA32 == 1 && PFMLIB_ITA2_ISM_IA64 == 2);
static_assert(sizeof(pfmlib_ita2_counter_t) == 12 && offsetof(pfmlib_ita2_counter_t, thres) == 4 &&
              offsetof(pfmlib_ita2_counter_t, ism) == 8);
static_assert(sizeof(pfmlib_ita2_opcm_t) == 16 && offsetof(pfmlib_ita2_opcm_t, pmc_val) == 8);
// Six bytes, padded to the next word.
static_assert(sizeof(pfmlib_ita2_btb_t) == 12 && offsetof(pfmlib_ita2_btb_t, btb_ds) == 1 &&
              offsetof(pfmlib_ita2_btb_t, btb_tm) == 2 && offsetof(pfmlib_ita2_btb_t, btb_ptm) == 3 &&
              offsetof(pfmlib_ita2_btb_t, btb_ppm) == 4 && offsetof(pfmlib_ita2_btb_t, btb_brt) == 5 &&
              offsetof(pfmlib_ita2_btb_t, btb_plm) == 8);
static_assert(offsetof(pfmlib_ita2_ear_t, ear_mode) == 4 && offsetof(pfmlib_ita2_ear_t, ear_ism) == 8 &&
              offsetof(pfmlib_ita2_ear_t, ear_plm) == 12 && offsetof(pfmlib_ita2_ear_t, ear_umask) == 16);
static_assert(offsetof(pfmlib_ita2_input_param_t, pfp_ita2_flags) == 48 &&
              offsetof(pfmlib_ita2_input_param_t, pfp_ita2_pmc8) == 56 &&
              offsetof(pfmlib_ita2_input_param_t, pfp_ita2_pmc9) == 72 &&
              offsetof(pfmlib_ita2_input_param_t, pfp_ita2_iear) == 88 &&
              offsetof(pfmlib_ita2_input_param_t, pfp_ita2_dear) == 112 &&
              offsetof(pfmlib_ita2_input_param_t, pfp_ita2_btb) == 136 &&
              offsetof(pfmlib_ita2_input_param_t, pfp_ita2_drange) == 152 &&
              offsetof(pfmlib_ita2_input_param_t, pfp_ita2_irange) == 264 &&
              offsetof(pfmlib_ita2_input_param_t, reserved) == 376 && sizeof(pfmlib_ita2_input_param_t) == 384);

static_assert(PMU_MONT_FIRST_COUNTER == 4 && PMU_MONT_NUM_COUNTERS == 12 && PMU_MONT_NUM_PMCS == 27 &&
              PMU_MONT_NUM_PMDS == 36 && PMU_MONT_NUM_ETB == 16 && PMU_MONT_COUNTER_WIDTH == 47);
static_assert(PFMLIB_MONT_FL_EVT_ALL_THRD == 2 && PFMLIB_MONT_FL_EVT_ACTIVE_ONLY == 4 &&
              PFMLIB_MONT_FL_EVT_ALWAYS == 8);
static_assert(PFMLIB_MONT_IRR_DEMAND_FETCH == 4 && PFMLIB_MONT_IRR_PREFETCH_MATCH == 8);
static_assert(PFMLIB_MONT_EVT_L1D_CACHE_GRP == 1 && PFMLIB_MONT_EVT_L2D_CACHE_GRP == 2);
static_assert(PFMLIB_MONT_EVT_ACTIVE == 0 && PFMLIB_MONT_EVT_FLOATING == 1 && PFMLIB_MONT_EVT_CAUSAL == 2 &&
              PFMLIB_MONT_EVT_SELF_FLOATING == 3);
static_assert(sizeof(pfmlib_mont_counter_t) == 8 && offsetof(pfmlib_mont_counter_t, thres) == 4);
// Five bytes, padded to the next word.
static_assert(sizeof(pfmlib_mont_opcm_t) == 24 && offsetof(pfmlib_mont_opcm_t, opcm_m) == 1 &&
              offsetof(pfmlib_mont_opcm_t, opcm_i) == 2 && offsetof(pfmlib_mont_opcm_t, opcm_f) == 3 &&
              offsetof(pfmlib_mont_opcm_t, opcm_b) == 4 && offsetof(pfmlib_mont_opcm_t, opcm_match) == 8 &&
              offsetof(pfmlib_mont_opcm_t, opcm_mask) == 16);
// etb_ds, which is not in libpfm's header, uses the padding after etb_used.
static_assert(sizeof(pfmlib_mont_etb_t) == 12 && offsetof(pfmlib_mont_etb_t, etb_ds) == 1 &&
              offsetof(pfmlib_mont_etb_t, etb_plm) == 4 && offsetof(pfmlib_mont_etb_t, etb_tm) == 8 &&
              offsetof(pfmlib_mont_etb_t, etb_ptm) == 9 && offsetof(pfmlib_mont_etb_t, etb_ppm) == 10 &&
              offsetof(pfmlib_mont_etb_t, etb_brt) == 11);
static_assert(sizeof(pfmlib_mont_ipear_t) == 12 && offsetof(pfmlib_mont_ipear_t, ipear_plm) == 4 &&
              offsetof(pfmlib_mont_ipear_t, ipear_delay) == 8);
static_assert(offsetof(pfmlib_mont_ear_t, ear_mode) == 4 && offsetof(pfmlib_mont_ear_t, ear_plm) == 8 &&
              offsetof(pfmlib_mont_ear_t, ear_umask) == 16);
// Twelve counters of 8 bytes, a word, two opcode matchers of 24, two EARs of 24, ETB and IP-EAR of 12, two ranges of
// 112.
static_assert(offsetof(pfmlib_mont_input_param_t, pfp_mont_flags) == 96 &&
              offsetof(pfmlib_mont_input_param_t, pfp_mont_opcm1) == 104 &&
              offsetof(pfmlib_mont_input_param_t, pfp_mont_opcm2) == 128 &&
              offsetof(pfmlib_mont_input_param_t, pfp_mont_iear) == 152 &&
              offsetof(pfmlib_mont_input_param_t, pfp_mont_dear) == 176 &&
              offsetof(pfmlib_mont_input_param_t, pfp_mont_etb) == 200 &&
              offsetof(pfmlib_mont_input_param_t, pfp_mont_ipear) == 212 &&
              offsetof(pfmlib_mont_input_param_t, pfp_mont_drange) == 224 &&
              offsetof(pfmlib_mont_input_param_t, pfp_mont_irange) == 336 &&
              offsetof(pfmlib_mont_input_param_t, reserved) == 448 && sizeof(pfmlib_mont_input_param_t) == 456);
// NOLINTEND(misc-redundant-expression)

TEST(Ia64Headers, WorkFromC) {
  EXPECT_EQ(encode_itanium2_from_c(), 0x1228u);
  EXPECT_EQ(encode_montecito_from_c(), 0x2001208u);
}

/// Decrements one field of a view from 0, which sets all its bits; returns the register.
#define VIEW_FIELD(kind, view, field) \
  [] {                                \
    kind##_reg_t reg{};               \
    --reg.view.field;                 \
    std::uint64_t word = 0;           \
    std::memcpy(&word, &reg, 8);      \
    return word;                      \
  }()

TEST(Itanium2Header, FieldsAreWhereTheRegistersHaveThem) {
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc_ita2_counter_reg, pmc_plm), 0xful);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc_ita2_counter_reg, pmc_oi), 1ul << 5);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc_ita2_counter_reg, pmc_pm), 1ul << 6);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc_ita2_counter_reg, pmc_es), 0xfful << 8);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc_ita2_counter_reg, pmc_umask), 0xful << 16);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc_ita2_counter_reg, pmc_thres), 7ul << 20);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc_ita2_counter_reg, pmc_enable), 1ul << 23);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc_ita2_counter_reg, pmc_ism), 3ul << 24);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc8_9_ita2_reg, opcm_mask), 0x7fffffful << 3);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc8_9_ita2_reg, opcm_match), 0x7fffffful << 33);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc8_9_ita2_reg, opcm_m), 1ul << 63);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc10_ita2_cache_reg, iear_umask), 0xfful << 5);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc10_ita2_cache_reg, iear_ism), 3ul << 14);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc10_ita2_tlb_reg, iear_ct), 3ul << 12);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc11_ita2_reg, dear_mode), 3ul << 7);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc11_ita2_reg, dear_ism), 3ul << 24);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc12_ita2_reg, btbc_ds), 1ul << 7);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc12_ita2_reg, btbc_brt), 3ul << 14);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc13_ita2_reg, darc_cfg_dbrp3), 3ul << 27);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc13_ita2_reg, darc_ena_dbrp0), 1ul << 45);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc13_ita2_reg, darc_ena_dbrp3), 1ul << 48);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc14_ita2_reg, iarc_ibrp3), 1ul << 10);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc14_ita2_reg, iarc_fine), 1ul << 13);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmc, pmc15_ita2_reg, opcmc_ibrp3_pmc9), 1ul << 3);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmd, pmd_ita2_counter_reg, pmd_sxt47), 0x1fffful << 47);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmd, pmd0_ita2_reg, iear_iaddr), ~0ul << 5);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmd, pmd1_ita2_reg, iear_overflow), 1ul << 12);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmd, pmd2_ita2_reg, dear_daddr), ~0ul);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmd, pmd3_ita2_reg, dear_stat), 3ul << 14);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmd, pmd8_15_ita2_reg, btb_addr), ~0ul << 4);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmd, pmd8_15_ds_ita2_reg, btb_pred), 0xffffful << 41);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmd, pmd8_15_ds_ita2_reg, btb_hiaddr), 7ul << 61);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmd, pmd16_ita2_reg, btbi_full), 1ul << 3);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmd, pmd16_ita2_reg, btbi_pmd8ext_b1), 1ul << 4);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmd, pmd16_ita2_reg, btbi_pmd15ext_bruflush), 1ul << 33);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmd, pmd17_ita2_reg, dear_vl), 1ul << 3);
  EXPECT_EQ(VIEW_FIELD(pfm_ita2_pmd, pmd17_ita2_reg, dear_iaddr), ~0ul << 4);
}

TEST(MontecitoHeader, FieldsAreWhereTheRegistersHaveThem) {
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc_mont_counter_reg, pmc_plm), 0xful);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc_mont_counter_reg, pmc_oi), 1ul << 5);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc_mont_counter_reg, pmc_pm), 1ul << 6);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc_mont_counter_reg, pmc_es), 0xfful << 8);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc_mont_counter_reg, pmc_umask), 0xful << 16);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc_mont_counter_reg, pmc_thres), 7ul << 20);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc_mont_counter_reg, pmc_ism), 3ul << 24);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc_mont_counter_reg, pmc_all), 1ul << 26);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc_mont_counter_reg, pmc_i), 1ul << 27);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc_mont_counter_reg, pmc_s), 1ul << 28);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc_mont_counter_reg, pmc_e), 1ul << 29);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc_mont_counter_reg, pmc_m), 1ul << 30);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc32_34_mont_reg, opcm_mask), 0x1fffffffffful);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc32_34_mont_reg, opcm_b), 1ul << 48);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc32_34_mont_reg, opcm_m), 1ul << 51);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc32_34_mont_reg, opcm_inv), 1ul << 56);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc32_34_mont_reg, opcm_ig_ad), 1ul << 57);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc33_35_mont_reg, opcm_match), 0x1fffffffffful);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc36_mont_reg, opcm_ch3_ig_opcm), 1ul << 3);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc37_mont_cache_reg, iear_umask), 0xfful << 5);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc37_mont_tlb_reg, iear_ct), 3ul << 12);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc38_mont_reg, iarc_ig_ibrp3), 1ul << 10);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc38_mont_reg, iarc_fine), 1ul << 13);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc39_mont_reg, etbc_ds), 1ul << 7);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc39_mont_reg, etbc_brt), 3ul << 14);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc40_mont_reg, dear_mode), 3ul << 7);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc40_mont_reg, dear_umask), 0xful << 16);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc41_mont_reg, darc_cfg_dtag3), 3ul << 27);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc41_mont_reg, darc_ena_dbrp0), 1ul << 45);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc42_mont_reg, ipear_mode), 7ul << 8);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmc, pmc42_mont_reg, ipear_delay), 0xfful << 11);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmd, pmd_mont_counter_reg, pmd_sxt47), 0x1fffful << 47);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmd, pmd32_mont_reg, dear_daddr), ~0ul);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmd, pmd33_mont_reg, dear_stat), 3ul << 14);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmd, pmd34_mont_reg, iear_iaddr), ~0ul << 5);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmd, pmd35_mont_reg, iear_ov), 1ul << 12);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmd, pmd36_mont_reg, dear_vl), 1ul << 3);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmd, pmd38_mont_reg, etbi_full), 1ul << 5);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmd, pmd48_63_etb_mont_reg, etb_addr), ~0ul << 4);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmd, pmd48_63_ipear_mont_reg, ipear_cycles), 0xful << 60);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmd, pmd48_63_ipear_ef_mont_reg, ipear_addr), 0xffffffffffffful << 8);
}

// Entry j of the buffer: bits 8j of PMD39 for the first eight, 8(j - 8) + 4 for the others.
TEST(MontecitoHeader, ExtensionsAreInterleaved) {
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmd, pmd39_mont_reg, etb_pmd48ext_b1), 1ul);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmd, pmd39_mont_reg, etb_pmd49ext_bruflush), 2ul << 8);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmd, pmd39_mont_reg, etb_pmd55ext_b1), 1ul << 56);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmd, pmd39_mont_reg, etb_pmd56ext_b1), 1ul << 4);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmd, pmd39_mont_reg, etb_pmd63ext_bruflush), 2ul << 60);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmd, pmd39_ipear_mont_reg, ipear_pmd50ext_cycles), 3ul << 16);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmd, pmd39_ipear_mont_reg, ipear_pmd57ext_f), 4ul << 12);
  EXPECT_EQ(VIEW_FIELD(pfm_mont_pmd, pmd39_ipear_mont_reg, ipear_pmd63ext_ef), 8ul << 60);
}

}  // namespace
