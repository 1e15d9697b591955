// The C API's look-ups and its grammar EVENT[:MASK...].
#include <vector>

#include "capi.h"

namespace pmusim::encoder::test {
namespace {

std::vector<std::string> masks_of(const pfmlib_event_t& e) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < e.num_masks; ++i) {
    char name[64];
    EXPECT_EQ(pfm_get_event_mask_name(e.event, e.unit_masks[i], name, sizeof name), PFMLIB_SUCCESS);
    names.emplace_back(name);
  }
  return names;
}

using Names = std::vector<std::string>;

TEST_F(Athlon, FindsByNameInAnyCaseAndUpToTheColon) {
  const unsigned expected = descriptor("RETIRED_UOPS");
  unsigned idx = 0;
  EXPECT_EQ(got(pfm_find_event_byname, "retired_uops"), expected);
  EXPECT_EQ(got(pfm_find_event_byname, "Retired_Uops:total nonsense"), expected);
  EXPECT_EQ(pfm_find_event("RETIRED_UOPS:x", &idx), PFMLIB_SUCCESS);
  for (const char* wrong : {"RETIRED_UOP", "RETIRED_UOPSS", "", ":", " RETIRED_UOPS"}) {
    EXPECT_EQ(pfm_find_event_byname(wrong, &idx), PFMLIB_ERR_NOTFOUND) << wrong;
    EXPECT_EQ(pfm_find_event(wrong, &idx), PFMLIB_ERR_NOTFOUND) << wrong;
  }
}

TEST_F(Athlon, TheLastErrorNamesTheNearestEvent) {
  unsigned idx = 0;
  ASSERT_EQ(pfm_find_event("RETIRED_UOP", &idx), PFMLIB_ERR_NOTFOUND);
  EXPECT_NE(std::string(pfm_last_error()).find("did you mean RETIRED_UOPS?"), std::string::npos) << pfm_last_error();
}

TEST_F(Athlon, FindsByCodeInEveryBase) {
  const unsigned expected = descriptor("RETIRED_INSTRUCTIONS");
  for (const char* text : {"192", "0xc0", "0XC0", "0300"}) EXPECT_EQ(got(pfm_find_event, text), expected) << text;
  unsigned idx = 0;
  EXPECT_EQ(pfm_find_event("192x", &idx), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_find_event("0x", &idx), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_find_event("2147483648", &idx), PFMLIB_ERR_INVAL) << "above INT_MAX";
  EXPECT_EQ(pfm_find_event("99999999999999999999999", &idx), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_find_event("2147483647", &idx), PFMLIB_ERR_NOTFOUND);
  EXPECT_EQ(pfm_find_event("219", &idx), PFMLIB_ERR_NOTFOUND) << "DBh is no K7 event";
  EXPECT_EQ(got(pfm_find_event_bycode, 0xc0), expected);
  EXPECT_EQ(pfm_find_event_bycode(-1, &idx), PFMLIB_ERR_NOTFOUND);
}

TEST_F(Athlon, FindsTheNextOfACode) {
  const unsigned first = descriptor("RETIRED_INSTRUCTIONS");
  unsigned next = 0;
  EXPECT_EQ(got(pfm_find_event_bycode_next, 0xc0, 0), first);
  EXPECT_EQ(pfm_find_event_bycode_next(0xc0, first, &next), PFMLIB_ERR_NOTFOUND) << "codes are unique here";
  EXPECT_EQ(pfm_find_event_bycode_next(0xc0, ~0u, &next), PFMLIB_ERR_NOTFOUND);
}

TEST_F(Ppc750, CodesAreThoseOfTheFirstCounterAndMayRepeat) {
  unsigned idx = 0;
  ASSERT_EQ(pfm_find_event_bycode(5, &idx), PFMLIB_SUCCESS);
  Names found;
  do {
    char name[64];
    ASSERT_EQ(pfm_get_event_name(idx, name, sizeof name), PFMLIB_SUCCESS);
    found.emplace_back(name);
  } while (pfm_find_event_bycode_next(5, idx, &idx) == PFMLIB_SUCCESS);
  EXPECT_EQ(found, (Names{"EIEIO_INSTRUCTIONS", "L1_ICACHE_MISSES", "L1_DCACHE_MISSES", "L2_CASTOUTS"}));
}

TEST_F(Athlon, FindsMasksByNameOrExactCode) {
  const unsigned refills = descriptor("DATA_CACHE_REFILLS");
  unsigned by_name = ~0u, by_code = ~0u;
  EXPECT_EQ(pfm_find_event_mask(refills, "l2_owned", &by_name), PFMLIB_SUCCESS);
  EXPECT_EQ(pfm_find_event_mask(refills, "0x8", &by_code), PFMLIB_SUCCESS);
  EXPECT_EQ(by_name, by_code);
  EXPECT_EQ(got(pfm_get_event_mask_code, refills, by_name), 8u);
  unsigned mask = 0;
  for (const char* wrong : {"", "L2_OWNE", "3", "0x20", "8x", "-8"})
    EXPECT_EQ(pfm_find_event_mask(refills, wrong, &mask), PFMLIB_ERR_UMASK) << wrong;
  EXPECT_EQ(pfm_find_event_mask(57, "ALL", &mask), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_find_event_mask(descriptor("RETIRED_UOPS"), "ALL", &mask), PFMLIB_ERR_UMASK);
}

TEST_F(Athlon, FullEventsInOrderOfMention) {
  EXPECT_EQ(masks_of(event("DATA_CACHE_REFILLS:L2_OWNED:l2_invalid")), (Names{"L2_OWNED", "L2_INVALID"}));
  EXPECT_EQ(masks_of(event("DATA_CACHE_REFILLS:L2_OWNED:0x8:L2_OWNED")), Names{"L2_OWNED"}) << "kept once";
  EXPECT_EQ(masks_of(event("DATA_CACHE_REFILLS:0x1f")), Names{"ALL"}) << "the exact code of one mask";
  EXPECT_EQ(masks_of(event("DATA_CACHE_REFILLS:0x9")), (Names{"L2_INVALID", "L2_OWNED"})) << "a combination";
  EXPECT_EQ(masks_of(event("DATA_CACHE_REFILLS:L2_SHARED:0x9")), (Names{"L2_SHARED", "L2_INVALID", "L2_OWNED"}));
  EXPECT_EQ(masks_of(event("DATA_CACHE_REFILLS")), Names{}) << "the default needs no mention";
  EXPECT_EQ(masks_of(event("retired_uops")), Names{});
  const pfmlib_event_t e = event("DATA_CACHE_REFILLS:ALL");
  EXPECT_EQ(e.plm, 0u);
  EXPECT_EQ(e.flags, 0u);
}

TEST_F(Athlon, FullEventsThatAreWrong) {
  const struct {
    const char* text;
    int code;
  } rows[] = {
      {"NO_SUCH_EVENT", PFMLIB_ERR_NOTFOUND},
      {"192", PFMLIB_ERR_NOTFOUND},  // this API accepts no codes
      {"", PFMLIB_ERR_NOTFOUND},
      {"RETIRED_UOPS:", PFMLIB_ERR_UMASK},
      {"RETIRED_UOPS:u", PFMLIB_ERR_UMASK},
      {"RETIRED_UOPS:0", PFMLIB_ERR_UMASK},
      {"DATA_CACHE_REFILLS:", PFMLIB_ERR_UMASK},
      {"DATA_CACHE_REFILLS:u", PFMLIB_ERR_UMASK},
      {"DATA_CACHE_REFILLS:L2_SHARED:", PFMLIB_ERR_UMASK},
      {"DATA_CACHE_REFILLS:L2_SHARED::L2_OWNED", PFMLIB_ERR_UMASK},
      {"DATA_CACHE_REFILLS:0x21", PFMLIB_ERR_UMASK},
      {"DATA_CACHE_REFILLS:0", PFMLIB_ERR_UMASK},
      {"DATA_CACHE_REFILLS:1x", PFMLIB_ERR_UMASK},
  };
  for (const auto& row : rows) {
    pfmlib_event_t e;
    EXPECT_EQ(pfm_find_full_event(row.text, &e), row.code) << row.text;
  }
}

TEST_F(Ppc750, ReservedNamesAreNotFoundAndTheSentenceSaysWhy) {
  unsigned idx = 0;
  EXPECT_EQ(pfm_find_event("PM_RSVD_1_13", &idx), PFMLIB_ERR_NOTFOUND);
  EXPECT_NE(std::string(pfm_last_error()).find("reserved"), std::string::npos);
  pfmlib_event_t e;
  EXPECT_EQ(pfm_find_full_event("L1_LOAD_MISSES:t", &e), PFMLIB_ERR_UMASK);
}

}  // namespace
}  // namespace pmusim::encoder::test
