// The functions of libpfm_itanium2(3), libpfm_montecito(3) and the generic ones on these PMUs, also with wrong
// arguments: what the suite manual_pages does not hold.
#include "testbench/tests/encoder/capi.h"

#include <perfmon/pfmlib_athlon.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "testbench/tests/manual_pages/pages.h"

namespace pmusim::encoder::test {
namespace {

template <class Page>
class Ia64 : public ManualPage<Page> {
 protected:
  void TearDown() override { pfm_set_quirks(nullptr); }
};
TYPED_TEST_SUITE(Ia64, BothPages);
using Itanium2 = Ia64<Itanium2Page>;
using Montecito = Ia64<MontecitoPage>;

/// A request on the heap: its blocks are large.
template <class Page>
std::unique_ptr<Request<Page>> request(std::initializer_list<const char*> events) {
  auto made = std::make_unique<Request<Page>>();
  for (const char* name : events) made->in.pfp_events[made->in.pfp_event_count++] = event(name);
  return made;
}

struct Facts {
  const char* cycles;
  unsigned events, counters;
};
template <class Page>
constexpr Facts facts{"CPU_CYCLES", 497, 4};
template <>
constexpr Facts facts<MontecitoPage>{"CPU_OP_CYCLES_ALL", 637, 12};

TYPED_TEST(Ia64, FindsEventsByNameAndCode) {
  const unsigned cycles = descriptor(facts<TypeParam>.cycles);
  EXPECT_EQ(got(pfm_find_event, "0x12"), cycles);
  EXPECT_EQ(descriptor("ia64_inst_retired"), descriptor("IA64_INST_RETIRED"));
  EXPECT_EQ(got(pfm_get_max_event_name_len), std::strlen("BR_MISPRED_DETAIL2_NRETIND_UNKNOWN_PATH_CORRECT_PRED"));
  const std::string full(facts<TypeParam>.cycles);
  pfmlib_event_t event{};
  EXPECT_EQ(pfm_find_full_event((full + ":u").c_str(), &event), PFMLIB_ERR_UMASK) << "it has no unit masks";
  EXPECT_EQ(pfm_find_full_event((full + ":").c_str(), &event), PFMLIB_ERR_UMASK);
  unsigned idx = 0;
  EXPECT_EQ(pfm_find_event("L3_MISSE", &idx), PFMLIB_ERR_NOTFOUND);
  EXPECT_NE(std::string(pfm_last_error()).find("L3_MISSES"), std::string::npos) << pfm_last_error();
  for (const unsigned counter : {4u, 3u + facts<TypeParam>.counters, ~0u})
    EXPECT_EQ(got(pfm_get_event_code_counter, cycles, counter), 0x12) << counter;
  int code = 0;
  for (const unsigned counter : {3u, 4u + facts<TypeParam>.counters})
    EXPECT_EQ(pfm_get_event_code_counter(cycles, counter, &code), PFMLIB_ERR_INVAL) << counter;
}

TEST_F(Itanium2, EventsAndTheirCounters) {
  const unsigned all = descriptor("IA64_INST_RETIRED");
  EXPECT_EQ(got(pfm_find_event_bycode, 8), all);
  EXPECT_EQ(got(pfm_find_event_bycode_next, 8, all), descriptor("IA64_INST_RETIRED_THIS"));
  EXPECT_EQ(got(pfm_get_event_counters, descriptor("L2_FORCE_RECIRC_ANY")).bits[0], 0x10u);
  EXPECT_EQ(got(pfm_get_event_counters, descriptor("CPU_CYCLES")).bits[0], 0xf0u);
  EXPECT_EQ(got(pfm_get_num_event_masks, 0), 0u);
  EXPECT_EQ(got(pfm_get_event_mask_code, 0, 7), 0u);
  char name[8];
  EXPECT_EQ(pfm_get_event_mask_name(0, 0, name, sizeof name), PFMLIB_ERR_NOTSUPP);
  char* text = nullptr;
  EXPECT_EQ(pfm_get_event_mask_description(0, 99, &text), PFMLIB_SUCCESS);
  std::free(text);
}

TEST_F(Montecito, EventsAndTheirCounters) {
  EXPECT_EQ(got(pfm_find_event_bycode, 8), descriptor("IA64_INST_RETIRED_THIS"));
  EXPECT_EQ(descriptor("IA64_INST_RETIRED"), 635u) << "the alias stands at the end";
  EXPECT_EQ(descriptor("BRANCH_EVENT"), 636u);
  for (const auto& [name, expected] : {std::pair{"CPU_OP_CYCLES_ALL", 0xfff0u}, std::pair{"BUS_ALL_SELF", 0x3f0u},
                                       std::pair{"ER_SNOOPQ_REQ_HI", 0x3f0u}, std::pair{"SI_CYCLES", 0xfff0u},
                                       std::pair{"CPU_OP_CYCLES_HALTED", 0x400u}}) {
    EXPECT_EQ(got(pfm_get_event_counters, descriptor(name)).bits[0], expected) << name;
  }
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
  EXPECT_EQ(event("L3_READS_ALL_MISS:m:3:E").num_masks, 2u);
  pfmlib_event_t wrong{};
  EXPECT_EQ(pfm_find_full_event("L3_READS_ALL_MISS", &wrong), PFMLIB_ERR_UMASK) << "none is the default";
  EXPECT_EQ(pfm_find_full_event("L3_READS_ALL_MISS:0xf", &wrong), PFMLIB_ERR_UMASK) << "codes are no bits";
  const auto call = request<MontecitoPage>({"L3_READS_ALL_MISS:M:E", "L3_READS_ALL_MISS:I"});
  ASSERT_EQ(call->dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  EXPECT_EQ(call->pmc(4).value_or(0) >> 27, 0xcu);
  EXPECT_EQ(call->pmc(5).value_or(0) >> 27, 0x1u);
}

TEST_F(Montecito, ThreadTypes) {
  for (const auto& [name, expected] :
       {std::pair{"CPU_OP_CYCLES_ALL", PFMLIB_MONT_EVT_CAUSAL}, std::pair{"NOPS_RETIRED", PFMLIB_MONT_EVT_ACTIVE},
        std::pair{"L2D_MISSES", PFMLIB_MONT_EVT_FLOATING}, std::pair{"BUS_ALL_ANY", PFMLIB_MONT_EVT_SELF_FLOATING}}) {
    EXPECT_EQ(got(pfm_mont_get_event_type, descriptor(name)), expected) << name;
  }
}

struct GroupAndSet {
  const char* name;
  int group, set;
};

template <class Page>
void expect_groups(std::initializer_list<GroupAndSet> rows) {
  for (const GroupAndSet& row : rows) {
    int group = 77, set = 77;
    EXPECT_EQ(Page::get_event_group(descriptor(row.name), &group), PFMLIB_SUCCESS);
    EXPECT_EQ(Page::get_event_set(descriptor(row.name), &set), PFMLIB_SUCCESS);
    EXPECT_EQ(group, row.group) << row.name;
    EXPECT_EQ(set, row.set) << row.name;
  }
}

TEST_F(Itanium2, GroupsAndSets) {
  expect_groups<Itanium2Page>({{"STORES_RETIRED", PFMLIB_ITA2_EVT_L1_CACHE_GRP, 4},
                               {"L2_OPS_ISSUED_RMW", PFMLIB_ITA2_EVT_L2_CACHE_GRP, 4},
                               {"CPU_CYCLES", PFMLIB_ITA2_EVT_NO_GRP, PFMLIB_ITA2_EVT_NO_SET}});
}

TEST_F(Montecito, GroupsAndSets) {
  // libpfm's set numbers are twice those of the hardware.
  expect_groups<MontecitoPage>({{"STORES_RETIRED", PFMLIB_MONT_EVT_L1D_CACHE_GRP, 8},
                                {"LOADS_RETIRED_INTG", PFMLIB_MONT_EVT_L1D_CACHE_GRP, 12},
                                {"L2D_FILLB_FULL_THIS", PFMLIB_MONT_EVT_L2D_CACHE_GRP, 14},
                                {"L2D_OZQ_CANCELS1_ANY", PFMLIB_MONT_EVT_L2D_CACHE_GRP, 0},
                                {"L2D_VICTIMB_FULL_THIS", PFMLIB_MONT_EVT_L2D_CACHE_GRP, 16},
                                {"L2D_MISSES", PFMLIB_MONT_EVT_NO_GRP, PFMLIB_MONT_EVT_NO_SET}});
  ASSERT_EQ(pfm_set_quirks("libpfm-3.10"), PFMLIB_SUCCESS);
  expect_groups<MontecitoPage>(
      {{"L2D_MISSES", 7, PFMLIB_MONT_EVT_NO_SET}, {"L2D_VICTIMB_FULL_THIS", PFMLIB_MONT_EVT_L2D_CACHE_GRP, 0}});
  ASSERT_EQ(pfm_set_quirks("ungrouped-seven"), PFMLIB_SUCCESS);
  expect_groups<MontecitoPage>({{"L2D_MISSES", 7, PFMLIB_MONT_EVT_NO_SET}});
}

TYPED_TEST(Ia64, KindsNeedNoSelectionOfThisPmu) {
  const unsigned alat = descriptor("DATA_EAR_ALAT"), early = descriptor("L1I_EAR_CACHE_LAT4");
  ASSERT_EQ(pfm_force_pmu(PFMLIB_ATHLON_PMU), PFMLIB_SUCCESS);
  EXPECT_EQ(TypeParam::is_dear_alat(alat), 1);
  unsigned long umask = 0;
  EXPECT_EQ(TypeParam::get_event_umask(early, &umask), PFMLIB_SUCCESS);
  EXPECT_EQ(umask, 0xffu) << "that of PMC10 or PMC37";
}

TYPED_TEST(Ia64, WrongArgumentsAreRefused) {
  for (const unsigned i : {facts<TypeParam>.events, ~0u}) {
    EXPECT_EQ(TypeParam::is_ear(i), 0);
    EXPECT_EQ(TypeParam::is_branch_buffer(i), 0);
    EXPECT_EQ(TypeParam::support_darr(i), 0);
    unsigned most = 0;
    unsigned long umask = 0;
    int word = 0;
    typename TypeParam::EarMode mode;
    EXPECT_EQ(TypeParam::get_event_maxincr(i, &most), PFMLIB_ERR_INVAL);
    EXPECT_EQ(TypeParam::get_event_umask(i, &umask), PFMLIB_ERR_INVAL);
    EXPECT_EQ(TypeParam::get_event_group(i, &word), PFMLIB_ERR_INVAL);
    EXPECT_EQ(TypeParam::get_event_set(i, &word), PFMLIB_ERR_INVAL);
    EXPECT_EQ(TypeParam::get_ear_mode(i, &mode), PFMLIB_ERR_INVAL) << "libpfm reads past the end of its table";
    EXPECT_EQ(pfm_mont_support_all(i), 0);
    EXPECT_EQ(pfm_mont_get_event_type(std::max(i, facts<MontecitoPage>.events), &word), PFMLIB_ERR_INVAL);
  }
}

TYPED_TEST(Ia64, NullBlocksAreRefused) {
  const auto call = request<TypeParam>({"LOADS_RETIRED"});
  EXPECT_EQ(pfm_dispatch_events(&call->in, &call->model_in, nullptr, &call->model_out), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_dispatch_events(&call->in, nullptr, &call->out, &call->model_out), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_dispatch_events(&call->in, nullptr, &call->out, nullptr), PFMLIB_SUCCESS);
  EXPECT_EQ(pfm_dispatch_events(&call->in, &call->model_in, &call->out, nullptr), PFMLIB_SUCCESS);
  call->data_range(0x1000, 0x2000);
  EXPECT_EQ(pfm_dispatch_events(&call->in, &call->model_in, &call->out, nullptr), PFMLIB_ERR_INVAL);
}

TYPED_TEST(Ia64, CountsOutOfRangeAreRefused) {
  const auto call = request<TypeParam>({facts<TypeParam>.cycles});
  const auto code = [&](unsigned events) {
    call->in.pfp_event_count = events;
    return call->dispatch();
  };
  EXPECT_EQ(code(facts<TypeParam>.counters + 1), PFMLIB_ERR_NOASSIGN);
  EXPECT_EQ(code(PFMLIB_MAX_PMCS), PFMLIB_ERR_INVAL);
  EXPECT_EQ(code(0), PFMLIB_SUCCESS) << "a free-running EAR or trace buffer needs no event";
  for (unsigned i = 1; i < facts<TypeParam>.counters; ++i) call->in.pfp_events[i] = call->in.pfp_events[0];
  EXPECT_EQ(code(facts<TypeParam>.counters), PFMLIB_SUCCESS) << "the same event on every counter";
  EXPECT_EQ(call->out.pfp_pmcs[facts<TypeParam>.counters - 1].reg_num, 3 + facts<TypeParam>.counters);
}

// The caller's output block may have any contents.
TYPED_TEST(Ia64, OldContentsOfTheOutputDoNotMatter) {
  const auto call = request<TypeParam>({"LOADS_RETIRED"});
  call->data_range(0x1000, 0x2000);
  std::memset(static_cast<void*>(&call->model_out), 0xff, sizeof call->model_out);
  std::memset(&call->out, 0xff, sizeof call->out);
  ASSERT_EQ(pfm_dispatch_events(&call->in, &call->model_in, &call->out, &call->model_out), PFMLIB_SUCCESS);
  const auto& range = TypeParam::drange(call->model_out);
  EXPECT_EQ(range.rr_nbr_used, 2u);
  EXPECT_EQ(range.rr_br[0].reg_value, 0x1000u);
  EXPECT_EQ(range.rr_br[2].reg_value, 0u);
}

TYPED_TEST(Ia64, FineModeIsFoundInTheOutput) {
  const auto call = request<TypeParam>({"FP_OPS_RETIRED"});
  call->code_range(0x4000000000001010, 0x40000000000010f0, 0);
  ASSERT_EQ(call->dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  const auto fine = [&] { return TypeParam::irange_is_fine(&call->out, &call->model_out); };
  EXPECT_EQ(fine(), 1);
  EXPECT_EQ(TypeParam::irange_is_fine(nullptr, &call->model_out), 0);
  EXPECT_EQ(TypeParam::irange_is_fine(&call->out, nullptr), 0);
  call->out.pfp_pmc_count = PFMLIB_MAX_PMCS;
  EXPECT_EQ(fine(), 0);
  TypeParam::irange(call->model_in).rr_flags = TypeParam::no_fine;
  ASSERT_EQ(call->dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  EXPECT_EQ(fine(), 0);
}

// libpfm rounds on this processor, whether it was detected or forced.
TEST_F(Montecito, FineBoundsAreAlwaysRounded) {
  for (const char* words : {"", "libpfm-3.10", "unrounded-fine", "libpfm-3.10,unrounded-fine"}) {
    ASSERT_EQ(pfm_set_quirks(words), PFMLIB_SUCCESS);
    const auto call = request<MontecitoPage>({"FP_OPS_RETIRED"});
    call->code_range(0x1010, 0x80f0, 0);
    ASSERT_EQ(call->dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
    EXPECT_EQ(call->model_out.pfp_mont_irange.rr_br[0].reg_value, 0x1000u) << words;
    EXPECT_EQ(call->model_out.pfp_mont_irange.rr_infos[0].rr_soff, 0x10u) << words;
  }
}

TEST_F(Montecito, BothThreadsAreRefusedBehindThePlacement) {
  const auto call = request<MontecitoPage>({"LOADS_RETIRED", "L1DTLB_TRANSFER"});
  call->model_in.pfp_mont_counters[0].flags = PFMLIB_MONT_FL_EVT_ALL_THRD;
  EXPECT_EQ(call->dispatch(), PFMLIB_ERR_EVTSET) << "found first";
  call->in.pfp_event_count = 1;
  EXPECT_EQ(call->dispatch(), PFMLIB_ERR_NOTSUPP);
  call->model_in.pfp_mont_counters[0].flags = PFMLIB_MONT_FL_EVT_ACTIVE_ONLY | PFMLIB_MONT_FL_EVT_ALWAYS;
  EXPECT_EQ(call->dispatch(), PFMLIB_SUCCESS);
}

TEST_F(Montecito, FetchEventsNeedToKnowWhichFetches) {
  const auto call = request<MontecitoPage>({"L1I_FILLS"});
  call->code_range(0x1000, 0x1100, 0);
  EXPECT_EQ(call->dispatch(), PFMLIB_ERR_IRRFLAGS);
  EXPECT_NE(std::string(pfm_last_error()).find("L1I_FILLS"), std::string::npos);
  // Pair 0 tags demand fetches, pair 1 prefetches.
  for (const auto& [flags, first, pairs] :
       {std::tuple{PFMLIB_MONT_IRR_DEMAND_FETCH, 0u, 4u}, std::tuple{PFMLIB_MONT_IRR_PREFETCH_MATCH, 2u, 4u},
        std::tuple{PFMLIB_MONT_IRR_DEMAND_FETCH | PFMLIB_MONT_IRR_PREFETCH_MATCH, 0u, 8u}}) {
    call->model_in.pfp_mont_irange.rr_flags = static_cast<unsigned>(flags);
    ASSERT_EQ(call->dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
    EXPECT_EQ(call->model_out.pfp_mont_irange.rr_br[0].reg_num, first);
    EXPECT_EQ(call->model_out.pfp_mont_irange.rr_nbr_used, pairs);
    EXPECT_EQ(call->model_out.pfp_mont_irange.rr_infos[1].rr_eoff, 0u) << "one range was asked for";
  }
}

// Only the value of PMC12 decides whether the buffer conflicts with the D-EAR; levels are truncated to four bits.
TEST_F(Itanium2, ABranchBufferThatIsOffGoesWithTheDataEar) {
  const auto call = request<Itanium2Page>({"DATA_EAR_TLB_ALL"});
  pfmlib_ita2_btb_t& btb = call->model_in.pfp_ita2_btb;
  btb.btb_used = 1;
  btb.btb_plm = 0x10;
  ASSERT_EQ(call->dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  EXPECT_EQ(call->pmc(12), 0u);
  EXPECT_EQ(call->out.pfp_pmd_count, 1u + 3 + 9);
  btb.btb_tm = 1;
  EXPECT_EQ(call->dispatch(), PFMLIB_ERR_EVTINCOMP);
}

/// Returns the start offset of the second of two fine ranges, which libpfm leaves 0.
unsigned long second_offset() {
  const auto call =
      request<Itanium2Page>({"IA64_TAGGED_INST_RETIRED_IBRP0_PMC8", "IA64_TAGGED_INST_RETIRED_IBRP1_PMC9"});
  call->code_range(0x1000, 0x1100, 0);
  call->model_in.pfp_ita2_irange.rr_limits[1] = {0, 0x5010, 0x5080};
  EXPECT_EQ(call->dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  return call->model_out.pfp_ita2_irange.rr_infos[1].rr_soff;
}

TEST_F(Itanium2, QuirksAreChosenByNameOrByTheEnvironmentAndTheLastToSpeakCounts) {
  for (const char* words : {"libpfm-3.10", "short-cover,Fine-Offsets", "", static_cast<const char*>(nullptr)})
    EXPECT_EQ(pfm_set_quirks(words), PFMLIB_SUCCESS);
  EXPECT_EQ(pfm_set_quirks("short-cove"), PFMLIB_ERR_INVAL);
  EXPECT_NE(std::string(pfm_last_error()).find("short-cover"), std::string::npos) << pfm_last_error();
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
