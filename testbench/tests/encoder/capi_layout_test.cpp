// The binary layout that programs compiled against libpfm 3.10 rely on (LP64), the values of its constants,
// and the inline helpers.
#include <gtest/gtest.h>
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_athlon.h>
#include <perfmon/pfmlib_ppc750gx.h>

#include <cerrno>
#include <cstddef>

#include "capi.h"

extern "C" {
unsigned long long encode_from_c(void);
unsigned long long mmcr0_from_c(void);
unsigned long long mmcr1_from_c(void);
}

using pmusim::encoder::test::got;

namespace {

// clang-tidy reports a macro and the number that it stands for as redundant. Their equality is what is tested here.
// NOLINTBEGIN(misc-redundant-expression)
static_assert(sizeof(unsigned long) == 8, "the layout is that of LP64");

static_assert(PFMLIB_VERSION == 0x3000a && PFMLIB_MAJ_VERSION(PFMLIB_VERSION) == 3 &&
              PFMLIB_MIN_VERSION(PFMLIB_VERSION) == 10);
static_assert(PFMLIB_MAX_PMCS == 512 && PFMLIB_MAX_PMDS == 512 && PFMLIB_REG_MAX == 512);
static_assert(PFMLIB_MAX_MASKS_PER_EVENT == 48);
static_assert(__PFMLIB_REG_BV_BITS == 64 && PFMLIB_REG_BV == 8);
static_assert(PFMLIB_BVSIZE(1) == 1 && PFMLIB_BVSIZE(64) == 1 && PFMLIB_BVSIZE(65) == 2);
static_assert(__PFMLIB_REGMASK_EL(64) == 1 && __PFMLIB_REGMASK_MASK(65) == 2);
static_assert(PFM_PLM0 == 1 && PFM_PLM1 == 2 && PFM_PLM2 == 4 && PFM_PLM3 == 8 && PFMLIB_PFP_SYSTEMWIDE == 1);

static_assert(PFMLIB_SUCCESS == 0 && PFMLIB_ERR_NOTSUPP == -1 && PFMLIB_ERR_INVAL == -2 && PFMLIB_ERR_NOINIT == -3 &&
              PFMLIB_ERR_NOTFOUND == -4 && PFMLIB_ERR_NOASSIGN == -5 && PFMLIB_ERR_FULL == -6 &&
              PFMLIB_ERR_EVTMANY == -7 && PFMLIB_ERR_MAGIC == -8 && PFMLIB_ERR_FEATCOMB == -9 &&
              PFMLIB_ERR_EVTSET == -10 && PFMLIB_ERR_EVTINCOMP == -11 && PFMLIB_ERR_TOOMANY == -12);
static_assert(PFMLIB_ERR_IRRTOOBIG == -13 && PFMLIB_ERR_IRREMPTY == -14 && PFMLIB_ERR_IRRINVAL == -15 &&
              PFMLIB_ERR_IRRTOOMANY == -16 && PFMLIB_ERR_DRRINVAL == -17 && PFMLIB_ERR_DRRTOOMANY == -18 &&
              PFMLIB_ERR_BADHOST == -19 && PFMLIB_ERR_IRRALIGN == -20 && PFMLIB_ERR_IRRFLAGS == -21 &&
              PFMLIB_ERR_UMASK == -22 && PFMLIB_ERR_NOMEM == -23);

static_assert(PFMLIB_NO_PMU == -1 && PFMLIB_UNKNOWN_PMU == 0 && PFMLIB_GEN_IA64_PMU == 1 && PFMLIB_ITANIUM_PMU == 2 &&
              PFMLIB_ITANIUM2_PMU == 3 && PFMLIB_MONTECITO_PMU == 4 && PFMLIB_AMD64_PMU == 16);
static_assert(PFMLIB_I386_P6_PMU == 32 && PFMLIB_CORE_PMU == PFMLIB_INTEL_CORE_PMU && PFMLIB_INTEL_WSM_PMU == 41 &&
              PFMLIB_GEN_IA32_PMU == 63 && PFMLIB_MIPS_20KC_PMU == 64 && PFMLIB_MIPS_ICE9B_PMU == 78);
static_assert(PFMLIB_POWERPC_PMU == 90 && PFMLIB_CRAYX2_PMU == 96 && PFMLIB_CELL_PMU == 100 &&
              PFMLIB_PPC970_PMU == 110 && PFMLIB_POWER5p_PMU == 115 && PFMLIB_POWER7_PMU == 117 &&
              PFMLIB_SPARC_ULTRA12_PMU == 130 && PFMLIB_SPARC_NIAGARA2_PMU == 136);
static_assert(PFMLIB_ATHLON_PMU == 256 && PFMLIB_PPC750GX_PMU == 257);

static_assert(sizeof(pfmlib_regmask_t) == 64);
static_assert(std::is_same_v<pfm_err_t, int>);

// Two 32-bit words, a 64-bit one, 48 words, a count padded to 8 bytes, two 64-bit words.
static_assert(sizeof(pfmlib_event_t) == 4 + 4 + 8 + 48 * 4 + 8 + 16);
static_assert(offsetof(pfmlib_event_t, event) == 0 && offsetof(pfmlib_event_t, plm) == 4 &&
              offsetof(pfmlib_event_t, flags) == 8 && offsetof(pfmlib_event_t, unit_masks) == 16 &&
              offsetof(pfmlib_event_t, num_masks) == 16 + 192 && offsetof(pfmlib_event_t, reserved) == 16 + 192 + 8);

static_assert(sizeof(pfmlib_reg_t) == 32);
static_assert(offsetof(pfmlib_reg_t, reg_value) == 0 && offsetof(pfmlib_reg_t, reg_addr) == 8 &&
              offsetof(pfmlib_reg_t, reg_num) == 16 && offsetof(pfmlib_reg_t, reg_reserved1) == 20 &&
              offsetof(pfmlib_reg_t, reg_alt_addr) == 24);

static_assert(offsetof(pfmlib_input_param_t, pfp_event_count) == 0 &&
              offsetof(pfmlib_input_param_t, pfp_dfl_plm) == 4 && offsetof(pfmlib_input_param_t, pfp_flags) == 8 &&
              offsetof(pfmlib_input_param_t, reserved1) == 12 && offsetof(pfmlib_input_param_t, pfp_events) == 16);
static_assert(offsetof(pfmlib_input_param_t, pfp_unavail_pmcs) == 16 + 512 * sizeof(pfmlib_event_t) &&
              sizeof(pfmlib_input_param_t) == 16 + 512 * sizeof(pfmlib_event_t) + 64 + 48);

static_assert(offsetof(pfmlib_output_param_t, pfp_pmc_count) == 0 &&
              offsetof(pfmlib_output_param_t, pfp_pmd_count) == 4 && offsetof(pfmlib_output_param_t, pfp_pmcs) == 8 &&
              offsetof(pfmlib_output_param_t, pfp_pmds) == 8 + 512 * 32 &&
              sizeof(pfmlib_output_param_t) == 8 + 2 * 512 * 32 + 56);

static_assert(sizeof(pfmlib_options_t) == 4);
static_assert(sizeof(pfm_athlon_sel_reg_t) == 8 && sizeof(pfm_ppc750gx_mmcr_reg_t) == 8);
static_assert(sizeof(pfmlib_athlon_input_param_t) == 4 * 8 + 32);
static_assert(sizeof(pfmlib_ppc750gx_input_param_t) == 4 * 8 + 4 * 4 + 32);
// NOLINTEND(misc-redundant-expression)

TEST(CHeaders, WorkFromC) {
  EXPECT_EQ(encode_from_c(), 0x004100C0u);
  EXPECT_EQ(mmcr0_from_c(), 0x06148280u);
  EXPECT_EQ(mmcr1_from_c(), 0x29400000u);
}

TEST(CHeaders, OptionBitsAreInOrder) {
  pfmlib_options_t options{};
  options.pfm_debug = 1;
  EXPECT_EQ(*reinterpret_cast<unsigned char*>(&options), 1u);
  options.pfm_verbose = 1;
  EXPECT_EQ(*reinterpret_cast<unsigned char*>(&options), 3u);
}

TEST(CHeaders, NoKernelSessionToStart) {
  errno = 0;
  EXPECT_EQ(pfm_self_start(0), -1);
  EXPECT_EQ(errno, ENOSYS);
  errno = 0;
  EXPECT_EQ(pfm_self_stop(0), -1);
  EXPECT_EQ(errno, ENOSYS);
}

TEST(Regmask, SetIssetClr) {
  pfmlib_regmask_t mask{};
  for (const unsigned bit : {0u, 63u, 64u, 511u}) {
    EXPECT_EQ(pfm_regmask_isset(&mask, bit), 0);
    EXPECT_EQ(pfm_regmask_set(&mask, bit), PFMLIB_SUCCESS);
    EXPECT_EQ(pfm_regmask_isset(&mask, bit), 1);
  }
  unsigned weight = 99;
  EXPECT_EQ(got(pfm_regmask_weight, &mask), 4u);
  EXPECT_EQ(pfm_regmask_clr(&mask, 63), PFMLIB_SUCCESS);
  EXPECT_EQ(pfm_regmask_isset(&mask, 63), 0);
  EXPECT_EQ(pfm_regmask_isset(&mask, 512), 0);
  EXPECT_EQ(pfm_regmask_set(&mask, 512), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_regmask_clr(&mask, 512), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_regmask_clr(nullptr, 0), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_regmask_weight(nullptr, &weight), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_regmask_weight(&mask, nullptr), PFMLIB_ERR_INVAL);
}

TEST(Regmask, Algebra) {
  pfmlib_regmask_t a{}, b{}, c{};
  pfm_regmask_set(&a, 1);
  pfm_regmask_set(&a, 500);
  pfm_regmask_set(&b, 500);
  pfm_regmask_set(&b, 7);
  const auto has = [&](unsigned x, unsigned y, unsigned z) {
    return pfm_regmask_isset(&c, 1) == static_cast<int>(x) && pfm_regmask_isset(&c, 500) == static_cast<int>(y) &&
           pfm_regmask_isset(&c, 7) == static_cast<int>(z);
  };
  EXPECT_EQ(pfm_regmask_and(&c, &a, &b), PFMLIB_SUCCESS);
  EXPECT_TRUE(has(0, 1, 0));
  EXPECT_EQ(pfm_regmask_andnot(&c, &a, &b), PFMLIB_SUCCESS);
  EXPECT_TRUE(has(1, 0, 0));
  EXPECT_EQ(pfm_regmask_or(&c, &a, &b), PFMLIB_SUCCESS);
  EXPECT_TRUE(has(1, 1, 1));
  EXPECT_EQ(pfm_regmask_copy(&c, &a), PFMLIB_SUCCESS);
  EXPECT_EQ(pfm_regmask_eq(&c, &a), 1);
  EXPECT_EQ(pfm_regmask_eq(&c, &b), 0);
  EXPECT_EQ(pfm_regmask_not(&c), PFMLIB_SUCCESS);
  unsigned weight = 0;
  pfm_regmask_weight(&c, &weight);
  EXPECT_EQ(weight, 512u - 2);
  EXPECT_EQ(pfm_regmask_and(nullptr, &a, &b), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_regmask_and(&c, nullptr, &b), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_regmask_and(&c, &a, nullptr), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_regmask_andnot(&c, &a, nullptr), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_regmask_or(&c, nullptr, &a), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_regmask_copy(&c, nullptr), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_regmask_copy(nullptr, &c), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_regmask_not(nullptr), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_regmask_eq(nullptr, &a), 0);
  EXPECT_EQ(pfm_regmask_eq(&a, nullptr), 0);
}

TEST(Compiler, Popcount) {
  EXPECT_EQ(pfmlib_popcnt(0), 0u);
  EXPECT_EQ(pfmlib_popcnt(~0ul), 64u);
  EXPECT_EQ(pfmlib_popcnt(0x8001), 2u);
}

}  // namespace
