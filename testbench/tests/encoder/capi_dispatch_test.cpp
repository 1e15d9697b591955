// pfm_dispatch_events on both PMUs, with and without the model-specific block.
#include <perfmon/pfmlib_athlon.h>
#include <perfmon/pfmlib_ppc750gx.h>

#include <cstring>
#include <memory>
#include <vector>

#include "capi.h"

namespace pmusim::encoder::test {
namespace {

TEST_F(Athlon, DispatchGivesSelectorsAndCountersInInputOrder) {
  Call call({"RETIRED_UOPS", "DATA_CACHE_REFILLS:L2_OWNED:L2_SHARED", "SNOOP_HITS"});
  call.in->pfp_events[1].plm = PFM_PLM0;
  call.in->pfp_events[2].plm = PFM_PLM0 | PFM_PLM1;
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  ASSERT_EQ(call.out->pfp_pmc_count, 3u);
  ASSERT_EQ(call.out->pfp_pmd_count, 3u);
  const std::uint64_t expected[] = {0x004100C1, 0x00420A42, 0x00430773};
  for (unsigned i = 0; i < 3; ++i) {
    const pfmlib_reg_t& pmc = call.out->pfp_pmcs[i];
    const pfmlib_reg_t& pmd = call.out->pfp_pmds[i];
    EXPECT_EQ(pmc.reg_value, expected[i]);
    EXPECT_EQ(pmc.reg_num, i);
    EXPECT_EQ(pmc.reg_addr, 0xC0010000u + i);
    EXPECT_EQ(pmc.reg_alt_addr, 0xC0010000u + i);
    EXPECT_EQ(pmd.reg_value, 0u);
    EXPECT_EQ(pmd.reg_num, i);
    EXPECT_EQ(pmd.reg_addr, 0xC0010004u + i);
    EXPECT_EQ(pmd.reg_alt_addr, i) << "the number for RDPMC";
  }
  EXPECT_EQ(call.out->pfp_pmcs[3].reg_value, 0u) << "the rest of the output is cleared";
  EXPECT_EQ(call.out->reserved[6], 0u);
}

TEST_F(Athlon, DispatchReadsTheModelBlock) {
  pfmlib_athlon_input_param_t model{};
  model.pfp_athlon_counters[0] = {255, PFM_ATHLON_SEL_INV};
  model.pfp_athlon_counters[1] = {0, PFM_ATHLON_SEL_EDGE | PFM_ATHLON_SEL_PC | PFM_ATHLON_SEL_INT};
  Call call({"RETIRED_UOPS", "CPU_CLK_UNHALTED"});
  call.in->pfp_dfl_plm = PFM_PLM0 | PFM_PLM3;
  ASSERT_EQ(call.dispatch(&model), PFMLIB_SUCCESS) << pfm_last_error();
  EXPECT_EQ(call.out->pfp_pmcs[0].reg_value, 0xFFC300C1u);
  EXPECT_EQ(call.out->pfp_pmcs[1].reg_value, 0x005F0076u);
}

TEST_F(Athlon, DispatchChecksInOrder) {
  Call call({"RETIRED_UOPS"});
  pfmlib_athlon_input_param_t model{};
  EXPECT_EQ(pfm_dispatch_events(call.in.get(), nullptr, nullptr, &model), PFMLIB_ERR_INVAL);
  call.in->pfp_dfl_plm = 0;
  EXPECT_EQ(call.dispatch(), PFMLIB_ERR_INVAL);
  call.in->pfp_dfl_plm = PFM_PLM3;
  call.in->pfp_event_count = 512;
  EXPECT_EQ(call.dispatch(), PFMLIB_ERR_INVAL);
  EXPECT_EQ(Call({}).dispatch(), PFMLIB_SUCCESS) << "nothing is legal";
  call.in->pfp_event_count = 5;
  call.in->pfp_events[0].event = 57;
  EXPECT_EQ(call.dispatch(), PFMLIB_ERR_NOASSIGN) << "the number is tested before the events";
  call.in->pfp_event_count = 1;
  EXPECT_EQ(call.dispatch(), PFMLIB_ERR_INVAL);
  call.in->pfp_events[0].event = descriptor("RETIRED_UOPS");
  call.in->pfp_events[0].num_masks = 1;
  EXPECT_EQ(call.dispatch(), PFMLIB_ERR_UMASK);
  call.in->pfp_events[0].event = descriptor("SNOOP_HITS");
  call.in->pfp_events[0].unit_masks[0] = 4;
  EXPECT_EQ(call.dispatch(), PFMLIB_ERR_UMASK);
  unsigned char first = 0;
  std::memcpy(&first, call.out.get(), 1);
  EXPECT_EQ(first, 0xff) << "the output is untouched before the checks are done";
}

TEST_F(Athlon, DispatchAvoidsUnavailableRegisters) {
  Call call({"RETIRED_UOPS", "RETIRED_UOPS"});
  pfm_regmask_set(&call.in->pfp_unavail_pmcs, 0);
  pfm_regmask_set(&call.in->pfp_unavail_pmcs, 2);
  pfm_regmask_set(&call.in->pfp_unavail_pmcs, 300);  // no such register: ignored
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS);
  EXPECT_EQ(call.out->pfp_pmcs[0].reg_num, 1u);
  EXPECT_EQ(call.out->pfp_pmds[1].reg_num, 3u);
  pfm_regmask_set(&call.in->pfp_unavail_pmcs, 1);
  EXPECT_EQ(call.dispatch(), PFMLIB_ERR_NOASSIGN);
  EXPECT_NE(std::string(pfm_last_error()).find("PerfCtr3"), std::string::npos) << pfm_last_error();
}

TEST_F(Athlon, TheSameEventTwiceAndTheDefaultMask) {
  Call call({"DATA_CACHE_REFILLS", "DATA_CACHE_REFILLS:ALL"});
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS);
  EXPECT_EQ(call.out->pfp_pmcs[0].reg_value, 0x00411F42u);
  EXPECT_EQ(call.out->pfp_pmcs[1].reg_value, 0x00411F42u);
}

TEST_F(Ppc750, DispatchGivesBothControlRegistersAndTheCounters) {
  Call call({"PROCESSOR_CYCLES", "INSTRUCTIONS_COMPLETED"});
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  ASSERT_EQ(call.out->pfp_pmc_count, 2u);
  EXPECT_EQ(call.out->pfp_pmcs[0].reg_num, 1u) << "MMCR1 is written first";
  EXPECT_EQ(call.out->pfp_pmcs[0].reg_addr, 956u);
  EXPECT_EQ(call.out->pfp_pmcs[0].reg_value, 0u);
  EXPECT_EQ(call.out->pfp_pmcs[1].reg_num, 0u);
  EXPECT_EQ(call.out->pfp_pmcs[1].reg_addr, 952u);
  EXPECT_EQ(call.out->pfp_pmcs[1].reg_alt_addr, 936u) << "the user copy";
  EXPECT_EQ(call.out->pfp_pmcs[1].reg_value, 0x40000042u);
  ASSERT_EQ(call.out->pfp_pmd_count, 2u);
  EXPECT_EQ(call.out->pfp_pmds[0].reg_num, 0u);
  EXPECT_EQ(call.out->pfp_pmds[0].reg_addr, 953u);
  EXPECT_EQ(call.out->pfp_pmds[1].reg_addr, 954u);
}

TEST_F(Ppc750, TheWorkedWordWithThresholdInterruptAndDiscount) {
  pfmlib_ppc750gx_input_param_t model{};
  model.pfp_ppc750gx_counters[0].flags = PFM_PPC750GX_SEL_INT;
  model.pfp_ppc750gx_flags = PFM_PPC750GX_FL_DISCOUNT;
  model.pfp_ppc750gx_threshold = 20;
  Call call({"L1_LOAD_MISSES"});
  call.in->pfp_dfl_plm = PFM_PLM0 | PFM_PLM3;
  ASSERT_EQ(call.dispatch(&model), PFMLIB_SUCCESS) << pfm_last_error();
  EXPECT_EQ(call.out->pfp_pmcs[1].reg_value, 0x06148280u);
  Call snoops({"SNOOPS"});
  ASSERT_EQ(snoops.dispatch(&(model = {{{PFM_PPC750GX_SEL_INT, 0}}, 0, 0, 0, 0, {}})), PFMLIB_SUCCESS);
  EXPECT_EQ(snoops.out->pfp_pmcs[1].reg_value, 12u | 0x44004000) << "DP for user level only";
}

TEST_F(Ppc750, EveryFieldOfTheModelBlock) {
  constexpr unsigned long long snoops = 12;
  const auto mmcr0 = [](const char* name, auto member, unsigned value) {
    Call call({name});
    call.in->pfp_dfl_plm = PFM_PLM0 | PFM_PLM3;
    pfmlib_ppc750gx_input_param_t model{};
    model.*member = value;
    EXPECT_EQ(call.dispatch(&model), PFMLIB_SUCCESS) << pfm_last_error();
    return call.out->pfp_pmcs[1].reg_value;
  };
  constexpr auto flags = &pfmlib_ppc750gx_input_param_t::pfp_ppc750gx_flags;
  EXPECT_EQ(mmcr0("SNOOPS", flags, 0), snoops);
  EXPECT_EQ(mmcr0("SNOOPS", flags, PFM_PPC750GX_FL_MARKED), snoops | 0x08000000);
  EXPECT_EQ(mmcr0("SNOOPS", flags, PFM_PPC750GX_FL_UNMARKED), snoops | 0x10000000);
  EXPECT_EQ(mmcr0("SNOOPS", flags, PFM_PPC750GX_FL_INTONBITTRANS), snoops | 0x00400000 | 0x04000000);
  EXPECT_EQ(mmcr0("SNOOPS", flags, PFM_PPC750GX_FL_TRIGGER), snoops | 0x00002000);
  EXPECT_EQ(mmcr0("SNOOPS", &pfmlib_ppc750gx_input_param_t::pfp_ppc750gx_threshold, 63), snoops | 0x003F0000);
  EXPECT_EQ(mmcr0("TBL_BIT_TRANSITIONS", &pfmlib_ppc750gx_input_param_t::pfp_ppc750gx_rtcselect, 3),
            (3u << 6) | 0x01800000);
}

TEST_F(Ppc750, ModelBlocksThatLeaveNothing) {
  Call call({"PROCESSOR_CYCLES"});
  pfmlib_ppc750gx_input_param_t model{};
  model.pfp_ppc750gx_flags = PFM_PPC750GX_FL_MARKED | PFM_PPC750GX_FL_UNMARKED;
  EXPECT_EQ(call.dispatch(&model), PFMLIB_ERR_FEATCOMB);
  model = {};
  model.pfp_ppc750gx_unavail_counters = 0xf;
  EXPECT_EQ(call.dispatch(&model), PFMLIB_ERR_NOASSIGN);
  model.pfp_ppc750gx_unavail_counters = 0x7;
  EXPECT_EQ(call.dispatch(&model), PFMLIB_SUCCESS);
}

TEST_F(Ppc750, EventsThatDoNotGoTogether) {
  Call same_counter({"L1_LOAD_MISSES", "IABR_MATCHES"});
  EXPECT_EQ(same_counter.dispatch(), PFMLIB_ERR_NOASSIGN);
  Call levels({"PROCESSOR_CYCLES", "SNOOPS"});
  levels.in->pfp_events[1].plm = PFM_PLM0;
  EXPECT_EQ(levels.dispatch(), PFMLIB_ERR_EVTINCOMP);
}

TEST_F(Ppc750, UnavailableControlRegistersTakeTheirCountersAlong) {
  Call call({"PROCESSOR_CYCLES", "PROCESSOR_CYCLES"});
  pfm_regmask_set(&call.in->pfp_unavail_pmcs, 1);
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS);
  EXPECT_EQ(call.out->pfp_pmds[1].reg_num, 1u);
  call.in->pfp_event_count = 1;
  call.in->pfp_events[0] = event("L2_HITS");
  EXPECT_EQ(call.dispatch(), PFMLIB_ERR_NOASSIGN) << "PMC3's selector is in MMCR1";
  call.in->pfp_events[0] = event("SNOOP_RETRIES");
  EXPECT_EQ(call.dispatch(), PFMLIB_ERR_NOASSIGN) << "and so is PMC4's";
  pfm_regmask_set(&call.in->pfp_unavail_pmcs, 0);
  call.in->pfp_events[0] = event("PROCESSOR_CYCLES");
  EXPECT_EQ(call.dispatch(), PFMLIB_ERR_NOASSIGN);
}

}  // namespace
}  // namespace pmusim::encoder::test
