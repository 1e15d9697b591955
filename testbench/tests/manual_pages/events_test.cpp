// The statements about single events, for every event of the two tables.
#include "testbench/tests/manual_pages/pages.h"

extern "C" int prototypes_of_the_pages(void);

namespace pmusim::encoder::test {
namespace {

// 18 functions in the synopsis of the Itanium 2, 19 in that of the Montecito.
TEST(ManualPages, HaveTheSynopses) { EXPECT_EQ(prototypes_of_the_pages(), 18 + 19); }

bool begins(const std::string& name, std::string_view with) { return name.compare(0, with.size(), with) == 0; }

TYPED_TEST(ManualPage, KindsFollowTheNames) {
  unsigned ears = 0;
  for (unsigned i = 0; i < number_of_events(); ++i) {
    const std::string name = name_of(i);
    const bool dear_cache = begins(name, "DATA_EAR_CACHE"), dear_tlb = begins(name, "DATA_EAR_TLB");
    const bool dear_alat = begins(name, "DATA_EAR_ALAT");
    const bool iear_cache = begins(name, "L1I_EAR_CACHE"), iear_tlb = begins(name, "L1I_EAR_TLB");
    const bool dear = dear_cache || dear_tlb || dear_alat, iear = iear_cache || iear_tlb;
    EXPECT_EQ(TypeParam::is_ear(i), dear || iear) << name;
    EXPECT_EQ(TypeParam::is_dear(i), dear) << name;
    EXPECT_EQ(TypeParam::is_dear_cache(i), dear_cache) << name;
    EXPECT_EQ(TypeParam::is_dear_tlb(i), dear_tlb) << name;
    EXPECT_EQ(TypeParam::is_dear_alat(i), dear_alat) << name;
    EXPECT_EQ(TypeParam::is_iear(i), iear) << name;
    EXPECT_EQ(TypeParam::is_iear_cache(i), iear_cache) << name;
    EXPECT_EQ(TypeParam::is_iear_tlb(i), iear_tlb) << name;
    EXPECT_EQ(TypeParam::is_branch_buffer(i), name == TypeParam::branch_event || name == "BRANCH_EVENT") << name;
    ears += dear || iear;
  }
  EXPECT_EQ(ears, 19u + 17u) << "DATA_EAR_... and L1I_EAR_...";
}

TYPED_TEST(ManualPage, AModeIsThatOfTheNameAndOthersHaveNone) {
  for (unsigned i = 0; i < number_of_events(); ++i) {
    const std::string name = name_of(i);
    auto mode = static_cast<typename TypeParam::EarMode>(77);
    const int result = TypeParam::get_ear_mode(i, &mode);
    if (TypeParam::is_ear(i) == 0) {
      EXPECT_EQ(result, PFMLIB_ERR_INVAL) << name;
      EXPECT_EQ(static_cast<int>(mode), 77) << name;
      continue;
    }
    EXPECT_EQ(result, PFMLIB_SUCCESS) << name;
    const auto has = [&](const char* word) { return name.find(word) != std::string::npos; };
    EXPECT_EQ(static_cast<int>(mode), has("_TLB") ? 1 : has("_ALAT") ? 2 : 0) << name;
  }
}

/// Whether an event is accepted with a filter, by the library itself.
template <class Page>
bool accepted(unsigned i, void (*filter)(Request<Page>&), unsigned flags = 0) {
  Request<Page> request({i});
  filter(request);
  Page::counters_of(request.model_in)[0].flags = flags;
  const int result = request.dispatch();
  if (result != PFMLIB_SUCCESS && result != PFMLIB_ERR_FEATCOMB)
    ADD_FAILURE() << name_of(i) << ": " << pfm_strerror(result) << ": " << pfm_last_error();
  return result == PFMLIB_SUCCESS;
}

TYPED_TEST(ManualPage, AFilterIsAcceptedIfTheEventHasItOrIsNotChecked) {
  unsigned with[3] = {}, events = number_of_events();
  for (unsigned i = 0; i < events; ++i) {
    const int supported[] = {TypeParam::support_opcm(i), TypeParam::support_iarr(i), TypeParam::support_darr(i)};
    using Filter = void (*)(Request<TypeParam>&);
    const Filter filters[] = {[](auto& request) { TypeParam::match_all(request.model_in); },
                              [](auto& request) { request.code_range(0x4000, 0x4100); },
                              [](auto& request) { request.data_range(0x4000, 0x4100); }};
    for (unsigned k = 0; k < 3; ++k) {
      EXPECT_EQ(accepted<TypeParam>(i, filters[k]), supported[k] == 1) << name_of(i) << " filter " << k;
      EXPECT_TRUE(accepted<TypeParam>(i, filters[k], TypeParam::no_qualcheck)) << name_of(i) << " filter " << k;
      with[k] += supported[k];
    }
  }
  for (const unsigned n : with) EXPECT_TRUE(n > 0 && n < events) << "not every event can be filtered";
  EXPECT_EQ(TypeParam::support_iarr(descriptor(TypeParam::unfiltered)), 0) << "the page's example";
}

TYPED_TEST(ManualPage, UnitMaskIsThatOfTheControlRegister) {
  for (unsigned i = 0; i < number_of_events(); ++i) {
    unsigned long umask = ~0ul;
    ASSERT_EQ(TypeParam::get_event_umask(i, &umask), PFMLIB_SUCCESS);
    if (TypeParam::is_ear(i) == 1 || TypeParam::is_branch_buffer(i) == 1) continue;  // they program another register
    Request<TypeParam> request({i});
    ASSERT_EQ(request.dispatch(), PFMLIB_SUCCESS) << name_of(i) << ": " << pfm_last_error();
    EXPECT_EQ(umask, request.umask()) << name_of(i);
  }
}

TYPED_TEST(ManualPage, IncrementsGroupsAndSetsAreInTheirRanges) {
  unsigned in_groups[3] = {};
  for (unsigned i = 0; i < number_of_events(); ++i) {
    unsigned most = 0;
    int group = 9, set = 99;
    ASSERT_EQ(TypeParam::get_event_maxincr(i, &most), PFMLIB_SUCCESS);
    ASSERT_EQ(TypeParam::get_event_group(i, &group), PFMLIB_SUCCESS);
    ASSERT_EQ(TypeParam::get_event_set(i, &set), PFMLIB_SUCCESS);
    EXPECT_TRUE(most >= 1 && most <= 15) << name_of(i) << ' ' << most;
    ASSERT_TRUE(group >= 0 && group <= 2) << name_of(i) << ' ' << group;
    EXPECT_EQ(set == -1, group == 0) << name_of(i) << ": an event has a set if it has a group";
    ++in_groups[group];
  }
  for (const unsigned n : in_groups) EXPECT_GT(n, 0u) << "no group, the first and the second level's";
  unsigned most = 0;
  EXPECT_EQ(TypeParam::get_event_maxincr(descriptor("NOPS_RETIRED"), &most), PFMLIB_SUCCESS);
  EXPECT_EQ(most, 6u) << "six instructions retire in a cycle";
}

// Every pair of events of the first group that are in different sets. (The second group of the Montecito has two sets
// that are on different counters: docs/libpfm3.md.)
TYPED_TEST(ManualPage, EventsOfTwoSetsAreNotMeasuredTogether) {
  std::vector<std::pair<unsigned, int>> members;
  for (unsigned i = 0; i < number_of_events(); ++i) {
    int group = 0, set = 0;
    ASSERT_EQ(TypeParam::get_event_group(i, &group), PFMLIB_SUCCESS);
    ASSERT_EQ(TypeParam::get_event_set(i, &set), PFMLIB_SUCCESS);
    if (group == 1) members.emplace_back(i, set);
  }
  unsigned refused = 0;
  for (const auto& [first, set] : members) {
    for (const auto& [second, other] : members) {
      if (set >= other) continue;
      Request<TypeParam> request({first, second});
      EXPECT_NE(request.dispatch(), PFMLIB_SUCCESS) << name_of(first) << ' ' << name_of(second);
      ++refused;
    }
  }
  EXPECT_GT(refused, 0u);
}

}  // namespace
}  // namespace pmusim::encoder::test
