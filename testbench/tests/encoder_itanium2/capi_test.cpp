// The functions of libpfm_itanium2(3) and the generic ones on this PMU, also with wrong arguments.
#include "testbench/tests/encoder/capi.h"

#include <gtest/gtest.h>
#include <perfmon/pfmlib_athlon.h>
#include <perfmon/pfmlib_itanium2.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

namespace pmusim::encoder::test {
namespace {

constexpr unsigned kEvents = 497;

class Itanium2 : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(pfm_force_pmu(PFMLIB_ITANIUM2_PMU), PFMLIB_SUCCESS); }
  static unsigned descriptor(const char* name) {
    unsigned idx = ~0u;
    EXPECT_EQ(pfm_find_event(name, &idx), PFMLIB_SUCCESS) << name;
    return idx;
  }
};

/// A request with all its blocks.
struct Call {
  std::unique_ptr<pfmlib_input_param_t> in = std::make_unique<pfmlib_input_param_t>();
  std::unique_ptr<pfmlib_output_param_t> out = std::make_unique<pfmlib_output_param_t>();
  std::unique_ptr<pfmlib_ita2_input_param_t> model_in = std::make_unique<pfmlib_ita2_input_param_t>();
  std::unique_ptr<pfmlib_ita2_output_param_t> model_out = std::make_unique<pfmlib_ita2_output_param_t>();
  explicit Call(std::initializer_list<const char*> events) {
    in->pfp_dfl_plm = PFM_PLM3;
    for (const char* name : events)
      EXPECT_EQ(pfm_find_event(name, &in->pfp_events[in->pfp_event_count++].event), PFMLIB_SUCCESS) << name;
  }
  int dispatch() { return pfm_dispatch_events(in.get(), model_in.get(), out.get(), model_out.get()); }
};

TEST_F(Itanium2, DescribesItself) {
  char name[32];
  EXPECT_EQ(pfm_get_pmu_name(name, sizeof name), PFMLIB_SUCCESS);
  EXPECT_STREQ(name, "itanium2");
  EXPECT_EQ(got(pfm_get_pmu_type), 3);
  EXPECT_EQ(pfm_is_pmu_supported(3), PFMLIB_SUCCESS);
  EXPECT_EQ(got(pfm_get_num_events), kEvents);
  EXPECT_EQ(got(pfm_get_num_pmcs), 16u);
  EXPECT_EQ(got(pfm_get_num_pmds), 18u);
  EXPECT_EQ(got(pfm_get_num_counters), 4u);
  EXPECT_EQ(got(pfm_get_hw_counter_width), 47u);
  EXPECT_EQ(got(pfm_get_impl_pmcs).bits[0], 0xffffu);
  EXPECT_EQ(got(pfm_get_impl_pmds).bits[0], 0x3ffffu);
  EXPECT_EQ(got(pfm_get_impl_counters).bits[0], 0xf0u);
}

TEST_F(Itanium2, FindsEventsByNameAndCode) {
  unsigned idx = 0;
  EXPECT_EQ(pfm_find_event_bycode(8, &idx), PFMLIB_SUCCESS);
  EXPECT_EQ(idx, descriptor("ia64_inst_retired"));
  EXPECT_EQ(pfm_find_event_bycode_next(8, idx, &idx), PFMLIB_SUCCESS);
  EXPECT_EQ(idx, descriptor("IA64_INST_RETIRED_THIS"));
  EXPECT_EQ(pfm_find_event("0x12", &idx), PFMLIB_SUCCESS);
  EXPECT_EQ(idx, descriptor("CPU_CYCLES"));
  EXPECT_EQ(pfm_find_event("NO_SUCH_EVENT", &idx), PFMLIB_ERR_NOTFOUND);
  pfmlib_event_t event{};
  EXPECT_EQ(got(pfm_get_cycle_event).event, descriptor("CPU_CYCLES"));
  EXPECT_EQ(got(pfm_get_inst_retired_event).event, descriptor("IA64_INST_RETIRED"));
  EXPECT_EQ(pfm_find_full_event("CPU_CYCLES:u", &event), PFMLIB_ERR_UMASK) << "no event has unit masks";
  EXPECT_EQ(pfm_find_full_event("CPU_CYCLES:", &event), PFMLIB_ERR_UMASK);
}

TEST_F(Itanium2, CodesAreTheSameOnEveryCounter) {
  const unsigned only_pmc4 = descriptor("L2_FORCE_RECIRC_ANY");
  int code = 0;
  for (const unsigned counter : {4u, 5u, 6u, 7u, ~0u}) {
    EXPECT_EQ(got(pfm_get_event_code_counter, only_pmc4, counter), 0xb4) << counter;
  }
  EXPECT_EQ(pfm_get_event_code_counter(only_pmc4, 3, &code), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_get_event_code_counter(only_pmc4, 8, &code), PFMLIB_ERR_INVAL);
  EXPECT_EQ(got(pfm_get_event_counters, only_pmc4).bits[0], 0x10u);
  EXPECT_EQ(got(pfm_get_event_counters, descriptor("CPU_CYCLES")).bits[0], 0xf0u);
}

TEST_F(Itanium2, HasNoUnitMasks) {
  EXPECT_EQ(got(pfm_get_num_event_masks, 0), 0u);
  EXPECT_EQ(got(pfm_get_event_mask_code, 0, 7), 0u);
  char name[8];
  EXPECT_EQ(pfm_get_event_mask_name(0, 0, name, sizeof name), PFMLIB_ERR_NOTSUPP);
  char* text = nullptr;
  EXPECT_EQ(pfm_get_event_mask_description(0, 99, &text), PFMLIB_SUCCESS);
  std::free(text);
  EXPECT_EQ(got(pfm_get_max_event_name_len), std::strlen("BR_MISPRED_DETAIL2_NRETIND_UNKNOWN_PATH_CORRECT_PRED"));
}

TEST_F(Itanium2, KindsOfEvents) {
  struct Row {
    const char* name;
    int ear, dear, dear_tlb, dear_cache, dear_alat, iear, iear_tlb, iear_cache, btb, opcm, iarr, darr;
  };
  for (const Row& row : {Row{"DATA_EAR_CACHE_LAT4", 1, 1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1},
                         Row{"DATA_EAR_TLB_ALL", 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1},
                         Row{"DATA_EAR_ALAT", 1, 1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1},
                         Row{"L1I_EAR_TLB_VHPT", 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0},
                         Row{"L1I_EAR_CACHE_RAB", 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0},
                         Row{"BRANCH_EVENT", 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0},
                         Row{"DATA_EAR_EVENTS", 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1},
                         Row{"CPU_CYCLES", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}) {
    const unsigned i = descriptor(row.name);
    EXPECT_EQ(pfm_ita2_is_ear(i), row.ear) << row.name;
    EXPECT_EQ(pfm_ita2_is_dear(i), row.dear) << row.name;
    EXPECT_EQ(pfm_ita2_is_dear_tlb(i), row.dear_tlb) << row.name;
    EXPECT_EQ(pfm_ita2_is_dear_cache(i), row.dear_cache) << row.name;
    EXPECT_EQ(pfm_ita2_is_dear_alat(i), row.dear_alat) << row.name;
    EXPECT_EQ(pfm_ita2_is_iear(i), row.iear) << row.name;
    EXPECT_EQ(pfm_ita2_is_iear_tlb(i), row.iear_tlb) << row.name;
    EXPECT_EQ(pfm_ita2_is_iear_cache(i), row.iear_cache) << row.name;
    EXPECT_EQ(pfm_ita2_is_btb(i), row.btb) << row.name;
    EXPECT_EQ(pfm_ita2_support_opcm(i), row.opcm) << row.name;
    EXPECT_EQ(pfm_ita2_support_iarr(i), row.iarr) << row.name;
    EXPECT_EQ(pfm_ita2_support_darr(i), row.darr) << row.name;
  }
}

TEST_F(Itanium2, KindsNeedNoSelectionOfThisPmu) {
  const unsigned i = descriptor("DATA_EAR_ALAT");
  ASSERT_EQ(pfm_force_pmu(PFMLIB_ATHLON_PMU), PFMLIB_SUCCESS);
  EXPECT_EQ(pfm_ita2_is_dear_alat(i), 1);
  unsigned most = 0;
  EXPECT_EQ(pfm_ita2_get_event_maxincr(i, &most), PFMLIB_SUCCESS);
}

TEST_F(Itanium2, FactsAboutEvents) {
  unsigned long umask = 0;
  EXPECT_EQ(got(pfm_ita2_get_event_maxincr, descriptor("NOPS_RETIRED")), 6u);
  EXPECT_EQ(pfm_ita2_get_event_umask(descriptor("L1I_EAR_CACHE_LAT4"), &umask), PFMLIB_SUCCESS);
  EXPECT_EQ(umask, 0xffu);
  EXPECT_EQ(got(pfm_ita2_get_event_group, descriptor("STORES_RETIRED")), PFMLIB_ITA2_EVT_L1_CACHE_GRP);
  EXPECT_EQ(got(pfm_ita2_get_event_set, descriptor("STORES_RETIRED")), 4);
  EXPECT_EQ(got(pfm_ita2_get_event_group, descriptor("L2_OPS_ISSUED_RMW")), PFMLIB_ITA2_EVT_L2_CACHE_GRP);
  EXPECT_EQ(got(pfm_ita2_get_event_set, descriptor("L2_OPS_ISSUED_RMW")), 4);
  EXPECT_EQ(got(pfm_ita2_get_event_group, descriptor("CPU_CYCLES")), PFMLIB_ITA2_EVT_NO_GRP);
  EXPECT_EQ(got(pfm_ita2_get_event_set, descriptor("CPU_CYCLES")), PFMLIB_ITA2_EVT_NO_SET);
  pfmlib_ita2_ear_mode_t mode = PFMLIB_ITA2_EAR_CACHE_MODE;
  EXPECT_EQ(pfm_ita2_get_ear_mode(descriptor("DATA_EAR_ALAT"), &mode), PFMLIB_SUCCESS);
  EXPECT_EQ(mode, PFMLIB_ITA2_EAR_ALAT_MODE);
  EXPECT_EQ(pfm_ita2_get_ear_mode(descriptor("CPU_CYCLES"), &mode), PFMLIB_ERR_INVAL);
  EXPECT_EQ(mode, PFMLIB_ITA2_EAR_ALAT_MODE) << "not updated";
}

TEST_F(Itanium2, WrongArgumentsAreRefused) {
  const unsigned ear = descriptor("DATA_EAR_ALAT");
  for (const unsigned i : {kEvents, ~0u}) {
    EXPECT_EQ(pfm_ita2_is_ear(i), 0);
    EXPECT_EQ(pfm_ita2_is_btb(i), 0);
    EXPECT_EQ(pfm_ita2_support_darr(i), 0);
    unsigned most = 0;
    unsigned long umask = 0;
    int number = 0;
    pfmlib_ita2_ear_mode_t mode;
    EXPECT_EQ(pfm_ita2_get_event_maxincr(i, &most), PFMLIB_ERR_INVAL);
    EXPECT_EQ(pfm_ita2_get_event_umask(i, &umask), PFMLIB_ERR_INVAL);
    EXPECT_EQ(pfm_ita2_get_event_group(i, &number), PFMLIB_ERR_INVAL);
    EXPECT_EQ(pfm_ita2_get_event_set(i, &number), PFMLIB_ERR_INVAL);
    EXPECT_EQ(pfm_ita2_get_ear_mode(i, &mode), PFMLIB_ERR_INVAL) << "libpfm reads past the end of its table";
  }
  EXPECT_EQ(pfm_ita2_get_event_maxincr(ear, nullptr), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_ita2_get_event_umask(ear, nullptr), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_ita2_get_event_group(ear, nullptr), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_ita2_get_event_set(ear, nullptr), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_ita2_get_ear_mode(ear, nullptr), PFMLIB_ERR_INVAL);
}

TEST_F(Itanium2, NullBlocksAreRefused) {
  Call call{"LOADS_RETIRED"};
  EXPECT_EQ(pfm_dispatch_events(nullptr, call.model_in.get(), call.out.get(), call.model_out.get()), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_dispatch_events(call.in.get(), call.model_in.get(), nullptr, call.model_out.get()), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_dispatch_events(call.in.get(), nullptr, call.out.get(), call.model_out.get()), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_dispatch_events(call.in.get(), nullptr, call.out.get(), nullptr), PFMLIB_SUCCESS);
  EXPECT_EQ(pfm_dispatch_events(call.in.get(), call.model_in.get(), call.out.get(), nullptr), PFMLIB_SUCCESS);
  call.model_in->pfp_ita2_drange.rr_used = 1;
  call.model_in->pfp_ita2_drange.rr_limits[0] = {0, 0x1000, 0x2000};
  EXPECT_EQ(pfm_dispatch_events(call.in.get(), call.model_in.get(), call.out.get(), nullptr), PFMLIB_ERR_INVAL);
}

TEST_F(Itanium2, CountsOutOfRangeAreRefused) {
  Call call{"CPU_CYCLES"};
  call.in->pfp_event_count = 5;
  EXPECT_EQ(call.dispatch(), PFMLIB_ERR_NOASSIGN);
  call.in->pfp_event_count = PFMLIB_MAX_PMCS;
  EXPECT_EQ(call.dispatch(), PFMLIB_ERR_INVAL);
  call.in->pfp_event_count = 0;
  EXPECT_EQ(call.dispatch(), PFMLIB_SUCCESS) << "a free-running EAR needs no event";
}

// The caller's output block may have any contents.
TEST_F(Itanium2, OldContentsOfTheOutputDoNotMatter) {
  Call call{"LOADS_RETIRED"};
  call.model_in->pfp_ita2_drange.rr_used = 1;
  call.model_in->pfp_ita2_drange.rr_limits[0] = {0, 0x1000, 0x2000};
  std::memset(call.model_out.get(), 0xff, sizeof *call.model_out);
  std::memset(call.out.get(), 0xff, sizeof *call.out);
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  EXPECT_EQ(call.model_out->pfp_ita2_drange.rr_nbr_used, 2u);
  EXPECT_EQ(call.model_out->pfp_ita2_drange.rr_br[0].reg_value, 0x1000u);
  EXPECT_EQ(call.model_out->pfp_ita2_drange.rr_br[2].reg_value, 0u);
}

TEST_F(Itanium2, FineModeIsFoundInTheOutput) {
  Call call{"FP_OPS_RETIRED"};
  call.model_in->pfp_ita2_irange.rr_used = 1;
  call.model_in->pfp_ita2_irange.rr_limits[0] = {0, 0x4000000000001010, 0x40000000000010f0};
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  EXPECT_EQ(pfm_ita2_irange_is_fine(call.out.get(), call.model_out.get()), 1);
  EXPECT_EQ(pfm_ita2_irange_is_fine(nullptr, call.model_out.get()), 0);
  EXPECT_EQ(pfm_ita2_irange_is_fine(call.out.get(), nullptr), 0);
  call.out->pfp_pmc_count = PFMLIB_MAX_PMCS;
  EXPECT_EQ(pfm_ita2_irange_is_fine(call.out.get(), call.model_out.get()), 0);
  call.model_in->pfp_ita2_irange.rr_flags = PFMLIB_ITA2_RR_NO_FINE_MODE;
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  EXPECT_EQ(pfm_ita2_irange_is_fine(call.out.get(), call.model_out.get()), 0);
}

// Only the value of PMC12 decides whether the buffer conflicts with the D-EAR; levels are truncated to four bits.
TEST_F(Itanium2, ABranchBufferThatIsOffGoesWithTheDataEar) {
  Call call{"DATA_EAR_TLB_ALL"};
  pfmlib_ita2_btb_t& btb = call.model_in->pfp_ita2_btb;
  btb.btb_used = 1;
  btb.btb_plm = 0x10;
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  const pfmlib_reg_t& last = call.out->pfp_pmcs[call.out->pfp_pmc_count - 1];
  EXPECT_EQ(last.reg_num, 12u);
  EXPECT_EQ(last.reg_value, 0u);
  EXPECT_EQ(call.out->pfp_pmd_count, 1u + 3 + 9);
  btb.btb_tm = 1;
  EXPECT_EQ(call.dispatch(), PFMLIB_ERR_EVTINCOMP);
}

TEST_F(Itanium2, QuirksAreChosenByName) {
  EXPECT_EQ(pfm_set_quirks("libpfm-3.10"), PFMLIB_SUCCESS);
  EXPECT_EQ(pfm_set_quirks("short-cover,Fine-Offsets"), PFMLIB_SUCCESS);
  EXPECT_EQ(pfm_set_quirks("short-cove"), PFMLIB_ERR_INVAL);
  EXPECT_NE(std::string(pfm_last_error()).find("short-cover"), std::string::npos) << pfm_last_error();
  EXPECT_EQ(pfm_set_quirks(""), PFMLIB_SUCCESS);
  EXPECT_EQ(pfm_set_quirks(nullptr), PFMLIB_SUCCESS);
}

/// Returns the start offset of the second of two fine ranges, which libpfm leaves 0.
unsigned long second_offset() {
  Call call{"IA64_TAGGED_INST_RETIRED_IBRP0_PMC8", "IA64_TAGGED_INST_RETIRED_IBRP1_PMC9"};
  call.model_in->pfp_ita2_irange.rr_used = 1;
  call.model_in->pfp_ita2_irange.rr_limits[0] = {0, 0x1000, 0x1100};
  call.model_in->pfp_ita2_irange.rr_limits[1] = {0, 0x5010, 0x5080};
  EXPECT_EQ(call.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  return call.model_out->pfp_ita2_irange.rr_infos[1].rr_soff;
}

TEST_F(Itanium2, TheEnvironmentChoosesQuirksAndTheLastToSpeakCounts) {
  EXPECT_EQ(second_offset(), 0x10u);
  setenv("PFMLIB_QUIRKS", "libpfm-3.10", 1);
  EXPECT_EQ(second_offset(), 0x10u) << "not read before pfm_initialize";
  EXPECT_EQ(pfm_initialize(), PFMLIB_SUCCESS);
  EXPECT_EQ(second_offset(), 0u);
  EXPECT_EQ(pfm_set_quirks(nullptr), PFMLIB_SUCCESS);
  EXPECT_EQ(pfm_force_pmu(PFMLIB_ITANIUM2_PMU), PFMLIB_SUCCESS);
  EXPECT_EQ(second_offset(), 0x10u);
  setenv("PFMLIB_QUIRKS", "nonsense", 1);
  EXPECT_EQ(pfm_initialize(), PFMLIB_ERR_INVAL);
  unsetenv("PFMLIB_QUIRKS");
  EXPECT_EQ(pfm_initialize(), PFMLIB_SUCCESS);
}

}  // namespace
}  // namespace pmusim::encoder::test
