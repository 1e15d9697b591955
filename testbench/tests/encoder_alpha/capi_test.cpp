// The Alphas in the C API: PMC0-3 are the arguments of WRPERFMON functions 2, 3, 4 and 1.
#include "testbench/tests/encoder/capi.h"

#include <perfmon/pfmlib_alpha.h>

#include <memory>

#include "alpha.h"

extern "C" unsigned long long pmctr_from_c(void);
extern "C" unsigned long long pctr_ctl_from_c(void);

namespace pmusim::encoder::test {
namespace {

struct AlphaCall : Call {
  pfmlib_alpha_input_param_t model{};

  AlphaCall(int type, const std::vector<const char*>& events) : Call((pfm_force_pmu(type), events)) {
    in->pfp_dfl_plm = PFM_PLM0 | PFM_PLM3;
  }
  int dispatch() { return Call::dispatch(&model); }
  /// The argument of a function, or ~0 if it is not called.
  [[nodiscard]] unsigned long long argument(unsigned long long function) const {
    for (unsigned i = 0; i < out->pfp_pmc_count; ++i)
      if (out->pfp_pmcs[i].reg_addr == function) return out->pfp_pmcs[i].reg_value;
    return ~0ULL;
  }
};

TEST(AlphaCapi, FunctionsInTheOrderOfUse) {
  AlphaCall call(PFMLIB_ALPHA_EV5_PMU, {"PF5_MUX0_ISSUES", "PF5_MUX2_C_CYCLES"});
  call.model.pfp_alpha_counters[1].freq = 256;
  call.model.pfp_alpha_flags = PFM_ALPHA_FL_PAL;
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  ASSERT_EQ(call.out->pfp_pmc_count, 4u);
  const unsigned functions[] = {2, 3, 4, 1};
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(call.out->pfp_pmcs[i].reg_addr, functions[i]);
    EXPECT_EQ(call.out->pfp_pmcs[i].reg_num, i);
  }
  EXPECT_EQ(call.argument(PFM_ALPHA_WRPERFMON_SELECT), 0x8000'000CULL);
  EXPECT_EQ(call.argument(PFM_ALPHA_WRPERFMON_OPTIONS), 0ULL);
  EXPECT_EQ(call.argument(PFM_ALPHA_WRPERFMON_FREQUENCY), 1ULL << 8 | 3ULL << 4);
  EXPECT_EQ(call.argument(PFM_ALPHA_WRPERFMON_ENABLE), 5ULL);
  ASSERT_EQ(call.out->pfp_pmd_count, 2u);
  EXPECT_EQ(call.out->pfp_pmds[1].reg_num, 2u);
}

TEST(AlphaCapi, LevelsAndFlags) {
  AlphaCall call(PFMLIB_ALPHA_EV5_PMU, {"PF5_MUX0_CYCLES"});
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS);
  EXPECT_EQ(call.argument(3), 1ULL << 9) << "PALmode only when it is asked for";
  call.in->pfp_dfl_plm = PFM_PLM3;
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS);
  EXPECT_EQ(call.argument(3), 1ULL << 9 | 1ULL << 8);
  call.model.pfp_alpha_flags = PFM_ALPHA_FL_ES | PFM_ALPHA_FL_MARKED;
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  EXPECT_EQ(call.argument(3), 1ULL << 30 | 1ULL << 9 | 1ULL << 8 | 1);
  AlphaCall ev6(PFMLIB_ALPHA_EV6_PMU, {"PF6_MUX0_CYCLES"});
  ev6.model.pfp_alpha_flags = PFM_ALPHA_FL_PAL;
  EXPECT_EQ(ev6.dispatch(), PFMLIB_ERR_INVAL);
  ev6.model.pfp_alpha_flags = 0;
  ev6.in->pfp_dfl_plm = PFM_PLM3;
  EXPECT_EQ(ev6.dispatch(), PFMLIB_ERR_INVAL) << "no filter by mode";
  ev6.in->pfp_dfl_plm = PFM_PLM0 | PFM_PLM3;
  ev6.model.pfp_alpha_counters[0].freq = 256;
  EXPECT_EQ(ev6.dispatch(), PFMLIB_ERR_INVAL);
}

TEST(AlphaCapi, Codes) {
  AlphaCall pair(PFMLIB_ALPHA_EV67_PMU, {"CYCLES0", "CYCLES1"});
  EXPECT_EQ(pair.dispatch(), PFMLIB_ERR_EVTINCOMP);
  EXPECT_NE(std::string(pfm_last_error()).find("RETINST with CYCLES1"), std::string::npos);
  AlphaCall same(PFMLIB_ALPHA_EV4_PMU, {"PF_CYCLES", "PF_ISSUES"});
  EXPECT_EQ(same.dispatch(), PFMLIB_ERR_NOASSIGN);
  same.model.pfp_alpha_unavail_counters = 8;
  EXPECT_EQ(same.dispatch(), PFMLIB_ERR_INVAL);
  AlphaCall without(PFMLIB_ALPHA_EV4_PMU, {"PF_CYCLES"});
  without.model.pfp_alpha_unavail_counters = 1;
  EXPECT_EQ(without.dispatch(), PFMLIB_ERR_NOASSIGN);
}

TEST(AlphaCapi, OwnCalls) {
  ASSERT_EQ(pfm_force_pmu(PFMLIB_ALPHA_EV67_PMU), PFMLIB_SUCCESS);
  EXPECT_EQ(pfm_alpha_get_profileme_statistic(descriptor("PF67_PM_RETIRE")), 40);
  EXPECT_EQ(pfm_alpha_get_profileme_statistic(descriptor("REPLAY")), 0);
  unsigned most = 0;
  EXPECT_EQ(got(pfm_alpha_get_event_maxincr, descriptor("RETINST")), 8u);
  ASSERT_EQ(pfm_force_pmu(PFMLIB_ATHLON_PMU), PFMLIB_SUCCESS);
  EXPECT_EQ(pfm_alpha_get_event_maxincr(0, &most), PFMLIB_ERR_NOTSUPP);
  EXPECT_EQ(pfm_alpha_get_profileme_statistic(0), 0);
}

TEST(AlphaCapi, RegistersFromC) {
  EXPECT_EQ(pmctr_from_c(), 0x8000'0000ULL | 3ULL << 14 | 1ULL << 9 | 0xFULL << 4 | 2ULL | 77ULL << 48);
  EXPECT_EQ(pctr_ctl_from_c(), 1ULL << 4 | 3ULL << 2 | 5ULL << 28 | 9ULL << 6);
}

}  // namespace
}  // namespace pmusim::encoder::test
