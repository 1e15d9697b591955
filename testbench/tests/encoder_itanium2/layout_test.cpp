// The binary layout that programs compiled against libpfm 3.10 rely on (LP64), the values of the constants, and the
// register views.
#include <gtest/gtest.h>
#include <perfmon/pfmlib_itanium2.h>

#include <cstddef>

extern "C" unsigned long long encode_itanium2_from_c(void);

namespace {

// clang-tidy reports a macro and the number that it stands for as redundant. Their equality is what is tested here.
// NOLINTBEGIN(misc-redundant-expression)
static_assert(PMU_ITA2_FIRST_COUNTER == 4 && PMU_ITA2_NUM_COUNTERS == 4 && PMU_ITA2_NUM_PMCS == 16 &&
              PMU_ITA2_NUM_PMDS == 18 && PMU_ITA2_NUM_BTB == 8 && PMU_ITA2_COUNTER_WIDTH == 47);
static_assert(PFMLIB_ITA2_FL_EVT_NO_QUALCHECK == 1 && PFMLIB_ITA2_RR_INV == 1 && PFMLIB_ITA2_RR_NO_FINE_MODE == 2);
static_assert(PFMLIB_ITA2_EVT_NO_GRP == 0 && PFMLIB_ITA2_EVT_L1_CACHE_GRP == 1 && PFMLIB_ITA2_EVT_L2_CACHE_GRP == 2 &&
              PFMLIB_ITA2_EVT_NO_SET == -1);
static_assert(PFMLIB_ITA2_ISM_BOTH == 0 && PFMLIB_ITA2_ISM_IA32 == 1 && PFMLIB_ITA2_ISM_IA64 == 2);
static_assert(PFMLIB_ITA2_EAR_CACHE_MODE == 0 && PFMLIB_ITA2_EAR_TLB_MODE == 1 && PFMLIB_ITA2_EAR_ALAT_MODE == 2);

static_assert(sizeof(pfmlib_ita2_counter_t) == 12 && offsetof(pfmlib_ita2_counter_t, thres) == 4 &&
              offsetof(pfmlib_ita2_counter_t, ism) == 8);
static_assert(sizeof(pfmlib_ita2_opcm_t) == 16 && offsetof(pfmlib_ita2_opcm_t, pmc_val) == 8);
// Six bytes, padded to the next word.
static_assert(sizeof(pfmlib_ita2_btb_t) == 12 && offsetof(pfmlib_ita2_btb_t, btb_ds) == 1 &&
              offsetof(pfmlib_ita2_btb_t, btb_tm) == 2 && offsetof(pfmlib_ita2_btb_t, btb_ptm) == 3 &&
              offsetof(pfmlib_ita2_btb_t, btb_ppm) == 4 && offsetof(pfmlib_ita2_btb_t, btb_brt) == 5 &&
              offsetof(pfmlib_ita2_btb_t, btb_plm) == 8);
static_assert(sizeof(pfmlib_ita2_ear_t) == 24 && offsetof(pfmlib_ita2_ear_t, ear_mode) == 4 &&
              offsetof(pfmlib_ita2_ear_t, ear_ism) == 8 && offsetof(pfmlib_ita2_ear_t, ear_plm) == 12 &&
              offsetof(pfmlib_ita2_ear_t, ear_umask) == 16);
static_assert(sizeof(pfmlib_ita2_input_rr_desc_t) == 24 && offsetof(pfmlib_ita2_input_rr_desc_t, rr_start) == 8 &&
              offsetof(pfmlib_ita2_input_rr_desc_t, rr_end) == 16);
static_assert(sizeof(pfmlib_ita2_output_rr_desc_t) == 16 && offsetof(pfmlib_ita2_output_rr_desc_t, rr_eoff) == 8);
static_assert(sizeof(pfmlib_ita2_input_rr_t) == 8 + 4 * 24 + 8 && offsetof(pfmlib_ita2_input_rr_t, rr_limits) == 8 &&
              offsetof(pfmlib_ita2_input_rr_t, rr_used) == 8 + 4 * 24);
static_assert(sizeof(pfmlib_ita2_output_rr_t) == 8 + 4 * 16 + 8 * 32 &&
              offsetof(pfmlib_ita2_output_rr_t, rr_infos) == 8 &&
              offsetof(pfmlib_ita2_output_rr_t, rr_br) == 8 + 4 * 16);

static_assert(offsetof(pfmlib_ita2_input_param_t, pfp_ita2_flags) == 48 &&
              offsetof(pfmlib_ita2_input_param_t, pfp_ita2_pmc8) == 56 &&
              offsetof(pfmlib_ita2_input_param_t, pfp_ita2_pmc9) == 72 &&
              offsetof(pfmlib_ita2_input_param_t, pfp_ita2_iear) == 88 &&
              offsetof(pfmlib_ita2_input_param_t, pfp_ita2_dear) == 112 &&
              offsetof(pfmlib_ita2_input_param_t, pfp_ita2_btb) == 136 &&
              offsetof(pfmlib_ita2_input_param_t, pfp_ita2_drange) == 152 &&
              offsetof(pfmlib_ita2_input_param_t, pfp_ita2_irange) == 264 &&
              offsetof(pfmlib_ita2_input_param_t, reserved) == 376 && sizeof(pfmlib_ita2_input_param_t) == 384);
static_assert(offsetof(pfmlib_ita2_output_param_t, pfp_ita2_irange) == 328 &&
              offsetof(pfmlib_ita2_output_param_t, reserved) == 656 && sizeof(pfmlib_ita2_output_param_t) == 704);
static_assert(sizeof(pfm_ita2_pmc_reg_t) == 8 && sizeof(pfm_ita2_pmd_reg_t) == 8);
// NOLINTEND(misc-redundant-expression)

TEST(Itanium2Header, WorksFromC) { EXPECT_EQ(encode_itanium2_from_c(), 0x1228u); }

/// Decrements one field of a view from 0, which sets all its bits; returns the register.
#define CONTROL_FIELD(view, field) \
  [] {                             \
    pfm_ita2_pmc_reg_t reg{};      \
    --reg.view.field;              \
    return reg.pmc_val;            \
  }()
#define DATA_FIELD(view, field) \
  [] {                          \
    pfm_ita2_pmd_reg_t reg{};   \
    --reg.view.field;           \
    return reg.pmd_val;         \
  }()

TEST(Itanium2Header, ControlFieldsAreWhereTheRegistersHaveThem) {
  EXPECT_EQ(CONTROL_FIELD(pmc_ita2_counter_reg, pmc_plm), 0xful);
  EXPECT_EQ(CONTROL_FIELD(pmc_ita2_counter_reg, pmc_oi), 1ul << 5);
  EXPECT_EQ(CONTROL_FIELD(pmc_ita2_counter_reg, pmc_pm), 1ul << 6);
  EXPECT_EQ(CONTROL_FIELD(pmc_ita2_counter_reg, pmc_es), 0xfful << 8);
  EXPECT_EQ(CONTROL_FIELD(pmc_ita2_counter_reg, pmc_umask), 0xful << 16);
  EXPECT_EQ(CONTROL_FIELD(pmc_ita2_counter_reg, pmc_thres), 7ul << 20);
  EXPECT_EQ(CONTROL_FIELD(pmc_ita2_counter_reg, pmc_enable), 1ul << 23);
  EXPECT_EQ(CONTROL_FIELD(pmc_ita2_counter_reg, pmc_ism), 3ul << 24);
  EXPECT_EQ(CONTROL_FIELD(pmc8_9_ita2_reg, opcm_mask), 0x7fffffful << 3);
  EXPECT_EQ(CONTROL_FIELD(pmc8_9_ita2_reg, opcm_match), 0x7fffffful << 33);
  EXPECT_EQ(CONTROL_FIELD(pmc8_9_ita2_reg, opcm_m), 1ul << 63);
  EXPECT_EQ(CONTROL_FIELD(pmc10_ita2_cache_reg, iear_umask), 0xfful << 5);
  EXPECT_EQ(CONTROL_FIELD(pmc10_ita2_cache_reg, iear_ism), 3ul << 14);
  EXPECT_EQ(CONTROL_FIELD(pmc10_ita2_tlb_reg, iear_ct), 3ul << 12);
  EXPECT_EQ(CONTROL_FIELD(pmc11_ita2_reg, dear_mode), 3ul << 7);
  EXPECT_EQ(CONTROL_FIELD(pmc11_ita2_reg, dear_ism), 3ul << 24);
  EXPECT_EQ(CONTROL_FIELD(pmc12_ita2_reg, btbc_ds), 1ul << 7);
  EXPECT_EQ(CONTROL_FIELD(pmc12_ita2_reg, btbc_brt), 3ul << 14);
  EXPECT_EQ(CONTROL_FIELD(pmc13_ita2_reg, darc_cfg_dbrp3), 3ul << 27);
  EXPECT_EQ(CONTROL_FIELD(pmc13_ita2_reg, darc_ena_dbrp0), 1ul << 45);
  EXPECT_EQ(CONTROL_FIELD(pmc13_ita2_reg, darc_ena_dbrp3), 1ul << 48);
  EXPECT_EQ(CONTROL_FIELD(pmc14_ita2_reg, iarc_ibrp3), 1ul << 10);
  EXPECT_EQ(CONTROL_FIELD(pmc14_ita2_reg, iarc_fine), 1ul << 13);
  EXPECT_EQ(CONTROL_FIELD(pmc15_ita2_reg, opcmc_ibrp3_pmc9), 1ul << 3);
}

TEST(Itanium2Header, DataFieldsAreWhereTheRegistersHaveThem) {
  EXPECT_EQ(DATA_FIELD(pmd_ita2_counter_reg, pmd_sxt47), 0x1fffful << 47);
  EXPECT_EQ(DATA_FIELD(pmd0_ita2_reg, iear_iaddr), ~0ul << 5);
  EXPECT_EQ(DATA_FIELD(pmd1_ita2_reg, iear_overflow), 1ul << 12);
  EXPECT_EQ(DATA_FIELD(pmd2_ita2_reg, dear_daddr), ~0ul);
  EXPECT_EQ(DATA_FIELD(pmd3_ita2_reg, dear_stat), 3ul << 14);
  EXPECT_EQ(DATA_FIELD(pmd8_15_ita2_reg, btb_addr), ~0ul << 4);
  EXPECT_EQ(DATA_FIELD(pmd8_15_ds_ita2_reg, btb_pred), 0xffffful << 41);
  EXPECT_EQ(DATA_FIELD(pmd8_15_ds_ita2_reg, btb_hiaddr), 7ul << 61);
  EXPECT_EQ(DATA_FIELD(pmd16_ita2_reg, btbi_full), 1ul << 3);
  EXPECT_EQ(DATA_FIELD(pmd16_ita2_reg, btbi_pmd8ext_b1), 1ul << 4);
  EXPECT_EQ(DATA_FIELD(pmd16_ita2_reg, btbi_pmd15ext_bruflush), 1ul << 33);
  EXPECT_EQ(DATA_FIELD(pmd17_ita2_reg, dear_vl), 1ul << 3);
  EXPECT_EQ(DATA_FIELD(pmd17_ita2_reg, dear_iaddr), ~0ul << 4);
}

}  // namespace
