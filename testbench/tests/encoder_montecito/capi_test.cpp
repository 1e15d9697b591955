// The functions of libpfm_montecito(3) and the generic ones on this PMU, also with wrong arguments.
#include "testbench/tests/encoder/capi.h"

#include <gtest/gtest.h>
#include <perfmon/pfmlib_athlon.h>
#include <perfmon/pfmlib_montecito.h>

#include <cstring>
#include <memory>
#include <string>

namespace pmusim::encoder::test {
namespace {

constexpr unsigned kEvents = 637;

class Montecito : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(pfm_force_pmu(PFMLIB_MONTECITO_PMU), PFMLIB_SUCCESS); }
  void TearDown() override { pfm_set_quirks(nullptr); }
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
  std::unique_ptr<pfmlib_mont_input_param_t> model_in = std::make_unique<pfmlib_mont_input_param_t>();
  std::unique_ptr<pfmlib_mont_output_param_t> model_out = std::make_unique<pfmlib_mont_output_param_t>();
  explicit Call(std::initializer_list<const char*> events) {
    in->pfp_dfl_plm = PFM_PLM3;
    for (const char* name : events)
      EXPECT_EQ(pfm_find_full_event(name, &in->pfp_events[in->pfp_event_count++]), PFMLIB_SUCCESS) << name;
  }
  int dispatch() { return pfm_dispatch_events(in.get(), model_in.get(), out.get(), model_out.get()); }
  [[nodiscard]] unsigned long long pmc(unsigned number) const {
    for (unsigned i = 0; i < out->pfp_pmc_count; ++i)
      if (out->pfp_pmcs[i].reg_num == number) return out->pfp_pmcs[i].reg_value;
    ADD_FAILURE() << "PMC" << number << " is not written";
    return 0;
  }
};

TEST_F(Montecito, DescribesItself) {
  char name[32];
  EXPECT_EQ(pfm_get_pmu_name(name, sizeof name), PFMLIB_SUCCESS);
  EXPECT_STREQ(name, "dual-core Itanium 2");
  EXPECT_EQ(got(pfm_get_pmu_type), 4);
  EXPECT_EQ(pfm_is_pmu_supported(4), PFMLIB_SUCCESS);
  EXPECT_EQ(got(pfm_get_num_events), kEvents);
  EXPECT_EQ(got(pfm_get_num_pmcs), 27u);
  EXPECT_EQ(got(pfm_get_num_pmds), 36u);
  EXPECT_EQ(got(pfm_get_num_counters), 12u);
  EXPECT_EQ(got(pfm_get_hw_counter_width), 47u);
  EXPECT_EQ(got(pfm_get_impl_pmcs).bits[0], 0xffffu | 0x7fful << 32);
  EXPECT_EQ(got(pfm_get_impl_pmds).bits[0], 0xfff0u | 0xfful << 32 | 0xfffful << 48);
  EXPECT_EQ(got(pfm_get_impl_counters).bits[0], 0xfff0u);
}

TEST_F(Montecito, FindsEventsByNameAndCode) {
  unsigned idx = 0;
  EXPECT_EQ(got(pfm_find_event_bycode, 8), descriptor("IA64_INST_RETIRED_THIS"));
  EXPECT_EQ(got(pfm_find_event, "0x12"), descriptor("cpu_op_cycles_all"));
  pfmlib_event_t event{};
  EXPECT_EQ(pfm_get_cycle_event(&event), PFMLIB_SUCCESS);
  EXPECT_EQ(event.event, descriptor("CPU_OP_CYCLES_ALL"));
  EXPECT_EQ(pfm_get_inst_retired_event(&event), PFMLIB_SUCCESS);
  EXPECT_EQ(event.event, descriptor("IA64_INST_RETIRED"));
  EXPECT_EQ(event.event, 635u) << "the alias stands at the end";
  EXPECT_EQ(descriptor("BRANCH_EVENT"), 636u);
  EXPECT_EQ(pfm_find_event("CPU_CYCLES", &idx), PFMLIB_ERR_NOTFOUND);
  EXPECT_EQ(pfm_find_event("L3_MISSE", &idx), PFMLIB_ERR_NOTFOUND);
  EXPECT_NE(std::string(pfm_last_error()).find("L3_MISSES"), std::string::npos) << pfm_last_error();
}

TEST_F(Montecito, SomeEventsKnowFewCounters) {
  for (const auto& [name, expected] : {std::pair{"CPU_OP_CYCLES_ALL", 0xfff0u}, std::pair{"BUS_ALL_SELF", 0x3f0u},
                                       std::pair{"ER_SNOOPQ_REQ_HI", 0x3f0u}, std::pair{"SI_CYCLES", 0xfff0u},
                                       std::pair{"CPU_OP_CYCLES_HALTED", 0x400u}}) {
    EXPECT_EQ(got(pfm_get_event_counters, descriptor(name)).bits[0], expected) << name;
  }
  int code = 0;
  EXPECT_EQ(got(pfm_get_event_code_counter, descriptor("CPU_OP_CYCLES_HALTED"), 15), 0x18);
  EXPECT_EQ(pfm_get_event_code_counter(descriptor("CPU_OP_CYCLES_HALTED"), 16, &code), PFMLIB_ERR_INVAL);
}

TEST_F(Montecito, LineStatesAreUnitMasks) {
  const unsigned reads = descriptor("L3_READS_ALL_MISS");
  EXPECT_EQ(got(pfm_get_num_event_masks, reads), 4u);
  EXPECT_EQ(got(pfm_get_num_event_masks, descriptor("L3_MISSES")), 0u);
  char name[8];
  const std::string letters = "ISEM";
  for (unsigned mask = 0; mask < 4; ++mask) {
    EXPECT_EQ(got(pfm_get_event_mask_code, reads, mask), mask) << "codes are places";
    EXPECT_EQ(pfm_get_event_mask_name(reads, mask, name, sizeof name), PFMLIB_SUCCESS);
    EXPECT_EQ(name[0], letters[mask]);
  }
  pfmlib_event_t event{};
  EXPECT_EQ(got(pfm_find_full_event, "L3_READS_ALL_MISS:m:3:E").num_masks, 2u);
  EXPECT_EQ(pfm_find_full_event("L3_READS_ALL_MISS", &event), PFMLIB_ERR_UMASK) << "none is the default";
  EXPECT_EQ(pfm_find_full_event("L3_READS_ALL_MISS:0xf", &event), PFMLIB_ERR_UMASK) << "codes are no bits";
  EXPECT_EQ(pfm_find_full_event("L3_MISSES:M", &event), PFMLIB_ERR_UMASK);
  EXPECT_EQ(got(pfm_get_max_event_name_len), std::strlen("BR_MISPRED_DETAIL2_NRETIND_UNKNOWN_PATH_CORRECT_PRED"));
  Call call{"L3_READS_ALL_MISS:M:E", "L3_READS_ALL_MISS:I"};
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  EXPECT_EQ(call.pmc(4) >> 27, 0xcu);
  EXPECT_EQ(call.pmc(5) >> 27, 0x1u);
}

TEST_F(Montecito, KindsOfEvents) {
  struct Row {
    const char* name;
    int ear, dear, dear_tlb, dear_cache, dear_alat, iear, iear_tlb, iear_cache, etb, opcm, iarr, darr;
  };
  for (const Row& row :
       {Row{"DATA_EAR_CACHE_LAT4", 1, 1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1},
        Row{"DATA_EAR_TLB_ALL", 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1},
        Row{"DATA_EAR_ALAT", 1, 1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1},
        Row{"L1I_EAR_TLB_VHPT", 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0},
        Row{"L1I_EAR_CACHE_RAB", 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0},
        Row{"ETB_EVENT", 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0}, Row{"BRANCH_EVENT", 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0},
        Row{"SPEC_LOADS_NATTED_ALL", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1},
        Row{"CPU_OP_CYCLES_QUAL", 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0},
        Row{"CPU_OP_CYCLES_ALL", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}) {
    const unsigned i = descriptor(row.name);
    EXPECT_EQ(pfm_mont_is_ear(i), row.ear) << row.name;
    EXPECT_EQ(pfm_mont_is_dear(i), row.dear) << row.name;
    EXPECT_EQ(pfm_mont_is_dear_tlb(i), row.dear_tlb) << row.name;
    EXPECT_EQ(pfm_mont_is_dear_cache(i), row.dear_cache) << row.name;
    EXPECT_EQ(pfm_mont_is_dear_alat(i), row.dear_alat) << row.name;
    EXPECT_EQ(pfm_mont_is_iear(i), row.iear) << row.name;
    EXPECT_EQ(pfm_mont_is_iear_tlb(i), row.iear_tlb) << row.name;
    EXPECT_EQ(pfm_mont_is_iear_cache(i), row.iear_cache) << row.name;
    EXPECT_EQ(pfm_mont_is_etb(i), row.etb) << row.name;
    EXPECT_EQ(pfm_mont_support_opcm(i), row.opcm) << row.name;
    EXPECT_EQ(pfm_mont_support_iarr(i), row.iarr) << row.name;
    EXPECT_EQ(pfm_mont_support_darr(i), row.darr) << row.name;
    EXPECT_EQ(pfm_mont_support_all(i), 0) << row.name;
  }
  ASSERT_EQ(pfm_force_pmu(PFMLIB_ATHLON_PMU), PFMLIB_SUCCESS);
  EXPECT_EQ(pfm_mont_is_etb(636), 1) << "no selection of this PMU is needed";
}

TEST_F(Montecito, ThreadTypes) {
  for (const auto& [name, expected] :
       {std::pair{"CPU_OP_CYCLES_ALL", PFMLIB_MONT_EVT_CAUSAL}, std::pair{"NOPS_RETIRED", PFMLIB_MONT_EVT_ACTIVE},
        std::pair{"L2D_MISSES", PFMLIB_MONT_EVT_FLOATING}, std::pair{"BUS_ALL_ANY", PFMLIB_MONT_EVT_SELF_FLOATING}}) {
    EXPECT_EQ(got(pfm_mont_get_event_type, descriptor(name)), expected) << name;
  }
}

TEST_F(Montecito, GroupsAndSets) {
  struct Row {
    const char* name;
    int group, set;
  };
  // libpfm's set numbers are twice those of the hardware.
  for (const Row& row : {Row{"STORES_RETIRED", PFMLIB_MONT_EVT_L1D_CACHE_GRP, 8},
                         Row{"LOADS_RETIRED_INTG", PFMLIB_MONT_EVT_L1D_CACHE_GRP, 12},
                         Row{"L2D_FILLB_FULL_THIS", PFMLIB_MONT_EVT_L2D_CACHE_GRP, 14},
                         Row{"L2D_OZQ_CANCELS1_ANY", PFMLIB_MONT_EVT_L2D_CACHE_GRP, 0},
                         Row{"L2D_VICTIMB_FULL_THIS", PFMLIB_MONT_EVT_L2D_CACHE_GRP, 16},
                         Row{"L2D_MISSES", PFMLIB_MONT_EVT_NO_GRP, PFMLIB_MONT_EVT_NO_SET}}) {
    EXPECT_EQ(got(pfm_mont_get_event_group, descriptor(row.name)), row.group) << row.name;
    EXPECT_EQ(got(pfm_mont_get_event_set, descriptor(row.name)), row.set) << row.name;
  }
}

TEST_F(Montecito, TheSwitchGivesLibpfmsGroupsAndSets) {
  ASSERT_EQ(pfm_set_quirks("libpfm-3.10"), PFMLIB_SUCCESS);
  EXPECT_EQ(got(pfm_mont_get_event_group, descriptor("L2D_MISSES")), 7);
  EXPECT_EQ(got(pfm_mont_get_event_set, descriptor("L2D_VICTIMB_FULL_THIS")), 0);
  EXPECT_EQ(got(pfm_mont_get_event_set, descriptor("L2D_MISSES")), PFMLIB_MONT_EVT_NO_SET);
  ASSERT_EQ(pfm_set_quirks("ungrouped-seven"), PFMLIB_SUCCESS);
  EXPECT_EQ(got(pfm_mont_get_event_group, descriptor("L2D_MISSES")), 7);
}

TEST_F(Montecito, FactsAboutEvents) {
  unsigned long umask = 0;
  EXPECT_EQ(got(pfm_mont_get_event_maxincr, descriptor("FP_OPS_RETIRED")), 6u);
  EXPECT_EQ(pfm_mont_get_event_umask(descriptor("L1I_EAR_CACHE_LAT4"), &umask), PFMLIB_SUCCESS);
  EXPECT_EQ(umask, 0xffu);
  pfmlib_mont_ear_mode_t mode = PFMLIB_MONT_EAR_CACHE_MODE;
  EXPECT_EQ(pfm_mont_get_ear_mode(descriptor("DATA_EAR_ALAT"), &mode), PFMLIB_SUCCESS);
  EXPECT_EQ(mode, PFMLIB_MONT_EAR_ALAT_MODE);
  EXPECT_EQ(pfm_mont_get_ear_mode(descriptor("L2D_MISSES"), &mode), PFMLIB_ERR_INVAL);
  EXPECT_EQ(mode, PFMLIB_MONT_EAR_ALAT_MODE) << "not updated";
}

TEST_F(Montecito, WrongArgumentsAreRefused) {
  const unsigned ear = descriptor("DATA_EAR_ALAT");
  for (const unsigned i : {kEvents, ~0u}) {
    EXPECT_EQ(pfm_mont_is_ear(i), 0);
    EXPECT_EQ(pfm_mont_is_etb(i), 0);
    EXPECT_EQ(pfm_mont_support_darr(i), 0);
    EXPECT_EQ(pfm_mont_support_all(i), 0);
    unsigned most = 0;
    unsigned long umask = 0;
    int number = 0;
    pfmlib_mont_ear_mode_t mode;
    EXPECT_EQ(pfm_mont_get_event_maxincr(i, &most), PFMLIB_ERR_INVAL);
    EXPECT_EQ(pfm_mont_get_event_umask(i, &umask), PFMLIB_ERR_INVAL);
    EXPECT_EQ(pfm_mont_get_event_group(i, &number), PFMLIB_ERR_INVAL);
    EXPECT_EQ(pfm_mont_get_event_set(i, &number), PFMLIB_ERR_INVAL);
    EXPECT_EQ(pfm_mont_get_event_type(i, &number), PFMLIB_ERR_INVAL);
    EXPECT_EQ(pfm_mont_get_ear_mode(i, &mode), PFMLIB_ERR_INVAL) << "libpfm reads past the end of its table";
  }
  EXPECT_EQ(pfm_mont_get_event_maxincr(ear, nullptr), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_mont_get_event_umask(ear, nullptr), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_mont_get_event_group(ear, nullptr), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_mont_get_event_set(ear, nullptr), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_mont_get_event_type(ear, nullptr), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_mont_get_ear_mode(ear, nullptr), PFMLIB_ERR_INVAL);
}

TEST_F(Montecito, NullBlocksAreRefused) {
  Call call{"LOADS_RETIRED"};
  EXPECT_EQ(pfm_dispatch_events(nullptr, call.model_in.get(), call.out.get(), call.model_out.get()), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_dispatch_events(call.in.get(), call.model_in.get(), nullptr, call.model_out.get()), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_dispatch_events(call.in.get(), nullptr, call.out.get(), call.model_out.get()), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_dispatch_events(call.in.get(), nullptr, call.out.get(), nullptr), PFMLIB_SUCCESS);
  EXPECT_EQ(pfm_dispatch_events(call.in.get(), call.model_in.get(), call.out.get(), nullptr), PFMLIB_SUCCESS);
  call.model_in->pfp_mont_irange.rr_used = 1;
  call.model_in->pfp_mont_irange.rr_limits[0] = {0, 0x1000, 0x2000};
  EXPECT_EQ(pfm_dispatch_events(call.in.get(), call.model_in.get(), call.out.get(), nullptr), PFMLIB_ERR_INVAL);
}

TEST_F(Montecito, CountsOutOfRangeAreRefused) {
  Call call{"CPU_OP_CYCLES_ALL"};
  call.in->pfp_event_count = 13;
  EXPECT_EQ(call.dispatch(), PFMLIB_ERR_NOASSIGN);
  call.in->pfp_event_count = PFMLIB_MAX_PMCS;
  EXPECT_EQ(call.dispatch(), PFMLIB_ERR_INVAL);
  call.in->pfp_event_count = 0;
  EXPECT_EQ(call.dispatch(), PFMLIB_SUCCESS) << "a free-running trace buffer needs no event";
  call.in->pfp_event_count = 12;
  for (unsigned i = 1; i < 12; ++i) call.in->pfp_events[i] = call.in->pfp_events[0];
  EXPECT_EQ(call.dispatch(), PFMLIB_SUCCESS) << "the same event on every counter";
  EXPECT_EQ(call.out->pfp_pmcs[11].reg_num, 15u);
}

// The caller's output block may have any contents.
TEST_F(Montecito, OldContentsOfTheOutputDoNotMatter) {
  Call call{"LOADS_RETIRED"};
  call.model_in->pfp_mont_drange.rr_used = 1;
  call.model_in->pfp_mont_drange.rr_limits[0] = {0, 0x1000, 0x2000};
  std::memset(call.model_out.get(), 0xff, sizeof *call.model_out);
  std::memset(call.out.get(), 0xff, sizeof *call.out);
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  EXPECT_EQ(call.model_out->pfp_mont_drange.rr_nbr_used, 2u);
  EXPECT_EQ(call.model_out->pfp_mont_drange.rr_br[0].reg_value, 0x1000u);
  EXPECT_EQ(call.model_out->pfp_mont_drange.rr_br[2].reg_value, 0u);
}

TEST_F(Montecito, FineModeIsFoundInTheOutput) {
  Call call{"FP_OPS_RETIRED"};
  call.model_in->pfp_mont_irange.rr_used = 1;
  call.model_in->pfp_mont_irange.rr_limits[0] = {0, 0x4000000000001010, 0x40000000000080f0};
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  EXPECT_EQ(pfm_mont_irange_is_fine(call.out.get(), call.model_out.get()), 1);
  EXPECT_EQ(pfm_mont_irange_is_fine(nullptr, call.model_out.get()), 0);
  EXPECT_EQ(pfm_mont_irange_is_fine(call.out.get(), nullptr), 0);
  call.out->pfp_pmc_count = PFMLIB_MAX_PMCS;
  EXPECT_EQ(pfm_mont_irange_is_fine(call.out.get(), call.model_out.get()), 0);
  call.model_in->pfp_mont_irange.rr_flags = PFMLIB_MONT_RR_NO_FINE_MODE;
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  EXPECT_EQ(pfm_mont_irange_is_fine(call.out.get(), call.model_out.get()), 0);
}

// libpfm rounds on this processor, whether it was detected or forced.
TEST_F(Montecito, FineBoundsAreAlwaysRounded) {
  for (const char* words : {"", "libpfm-3.10", "unrounded-fine", "libpfm-3.10,unrounded-fine"}) {
    ASSERT_EQ(pfm_set_quirks(words), PFMLIB_SUCCESS);
    Call call{"FP_OPS_RETIRED"};
    call.model_in->pfp_mont_irange.rr_used = 1;
    call.model_in->pfp_mont_irange.rr_limits[0] = {0, 0x1010, 0x80f0};
    ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
    EXPECT_EQ(call.model_out->pfp_mont_irange.rr_br[0].reg_value, 0x1000u) << words;
    EXPECT_EQ(call.model_out->pfp_mont_irange.rr_infos[0].rr_soff, 0x10u) << words;
  }
}

TEST_F(Montecito, TheByteOfEtbDsMayHoldAnything) {
  Call call{"ETB_EVENT"};
  pfmlib_mont_etb_t& etb = call.model_in->pfp_mont_etb;
  etb = {.etb_used = 1, .etb_ds = 0xff, .etb_plm = 1, .etb_tm = 2, .etb_ptm = 3, .etb_ppm = 3, .etb_brt = 0};
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  EXPECT_EQ(call.pmc(39), 0x3e01u);
}

TEST_F(Montecito, TheBufferTakesInBranchesOrInstructions) {
  Call call{"CPU_OP_CYCLES_ALL"};
  call.model_in->pfp_mont_ipear = {1, 0, 100};
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  EXPECT_EQ(call.pmc(42), 8u | 4u << 8 | 100u << 11);
  EXPECT_EQ(call.out->pfp_pmd_count, 1u + 2 + 16);
  call.model_in->pfp_mont_etb.etb_used = 1;
  EXPECT_EQ(call.dispatch(), PFMLIB_ERR_FEATCOMB);
  Call event{"BRANCH_EVENT"};
  event.model_in->pfp_mont_ipear.ipear_used = 1;
  EXPECT_EQ(event.dispatch(), PFMLIB_ERR_FEATCOMB);
}

// docs/libpfm3.md: through the C API a field keeps the bits that fit in the register, as with libpfm 3.10.
TEST_F(Montecito, FieldsAreCutToTheirWidth) {
  Call call{"CPU_OP_CYCLES_ALL"};
  call.model_in->pfp_mont_ipear = {1, 0, 300};
  ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  EXPECT_EQ(call.pmc(42) >> 11 & 0xff, 300u - 256);
  EXPECT_EQ(call.pmc(42) >> 19, 0u);
  Call branches{"BRANCH_EVENT"};
  branches.model_in->pfp_mont_etb = {
      .etb_used = 1, .etb_ds = 0, .etb_plm = 1, .etb_tm = 4 | 2, .etb_ptm = 3, .etb_ppm = 3, .etb_brt = 4};
  ASSERT_EQ(branches.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  EXPECT_EQ(branches.pmc(39), 0x3e01u) << "as with tm 2 and brt 0";
}

TEST_F(Montecito, BothThreadsAreRefusedBehindThePlacement) {
  Call call{"LOADS_RETIRED", "L1DTLB_TRANSFER"};
  call.model_in->pfp_mont_counters[0].flags = PFMLIB_MONT_FL_EVT_ALL_THRD;
  EXPECT_EQ(call.dispatch(), PFMLIB_ERR_EVTSET) << "found first";
  Call alone{"LOADS_RETIRED"};
  alone.model_in->pfp_mont_counters[0].flags = PFMLIB_MONT_FL_EVT_ALL_THRD;
  EXPECT_EQ(alone.dispatch(), PFMLIB_ERR_NOTSUPP);
  alone.model_in->pfp_mont_counters[0].flags = PFMLIB_MONT_FL_EVT_ACTIVE_ONLY | PFMLIB_MONT_FL_EVT_ALWAYS;
  EXPECT_EQ(alone.dispatch(), PFMLIB_SUCCESS);
}

TEST_F(Montecito, FetchEventsNeedToKnowWhichFetches) {
  Call call{"L1I_FILLS"};
  call.model_in->pfp_mont_irange.rr_used = 1;
  call.model_in->pfp_mont_irange.rr_limits[0] = {0, 0x1000, 0x1100};
  EXPECT_EQ(call.dispatch(), PFMLIB_ERR_IRRFLAGS);
  EXPECT_NE(std::string(pfm_last_error()).find("L1I_FILLS"), std::string::npos);
  // Pair 0 tags demand fetches, pair 1 prefetches.
  for (const auto& [flags, first, number] :
       {std::tuple{PFMLIB_MONT_IRR_DEMAND_FETCH, 0u, 4u}, std::tuple{PFMLIB_MONT_IRR_PREFETCH_MATCH, 2u, 4u},
        std::tuple{PFMLIB_MONT_IRR_DEMAND_FETCH | PFMLIB_MONT_IRR_PREFETCH_MATCH, 0u, 8u}}) {
    call.model_in->pfp_mont_irange.rr_flags = static_cast<unsigned>(flags);
    ASSERT_EQ(call.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
    EXPECT_EQ(call.model_out->pfp_mont_irange.rr_br[0].reg_num, first);
    EXPECT_EQ(call.model_out->pfp_mont_irange.rr_nbr_used, number);
    EXPECT_EQ(call.model_out->pfp_mont_irange.rr_infos[1].rr_eoff, 0u) << "one range was asked for";
  }
}

}  // namespace
}  // namespace pmusim::encoder::test
