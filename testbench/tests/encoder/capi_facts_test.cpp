// The C API's facts about events, masks and registers, with the buffer rules of libpfm 3.10.
#include <perfmon/pfmlib_athlon.h>
#include <perfmon/pfmlib_ppc750gx.h>

#include <cstdlib>
#include <cstring>

#include "capi.h"

namespace pmusim::encoder::test {
namespace {

constexpr unsigned kNoEvent = 57;  // one past the Athlon's last descriptor

TEST_F(Athlon, Counts) {
  unsigned count = 0;
  EXPECT_EQ(got(pfm_get_num_events), 57u);
  EXPECT_EQ(got(pfm_get_num_event_masks, descriptor("DATA_CACHE_REFILLS")), 6u);
  EXPECT_EQ(got(pfm_get_num_event_masks, descriptor("RETIRED_UOPS")), 0u);
  EXPECT_EQ(pfm_get_num_event_masks(kNoEvent, &count), PFMLIB_ERR_INVAL);
}

TEST_F(Athlon, LongestName) {
  // L2_REQUESTS with all its masks, each after a colon.
  EXPECT_EQ(got(pfm_get_max_event_name_len),
            std::strlen("L2_REQUESTS:ALL:TAG_READ:TAG_WRITE:INSTRUCTION_READ:LOAD_READ:STORE_READ:SYSTEM_WRITE:"
                        "DC_WRITE:L2_WRITE"));
}

TEST_F(Athlon, EventNameNeedsRoomForTheTerminator) {
  const unsigned uops = descriptor("RETIRED_UOPS");
  char name[64];
  EXPECT_EQ(pfm_get_event_name(uops, name, 13), PFMLIB_SUCCESS);
  EXPECT_STREQ(name, "RETIRED_UOPS");
  EXPECT_EQ(pfm_get_event_name(uops, name, 12), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_get_event_name(uops, name, 0), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_get_event_name(kNoEvent, name, 64), PFMLIB_ERR_INVAL);
}

TEST_F(Athlon, FullNameWantsOneByteMoreForEachMask) {
  pfmlib_event_t e = event("DATA_CACHE_REFILLS:L2_SHARED:L2_OWNED");
  char name[64];
  ASSERT_EQ(pfm_get_full_event_name(&e, name, sizeof name), PFMLIB_SUCCESS);
  EXPECT_STREQ(name, "DATA_CACHE_REFILLS:L2_SHARED:L2_OWNED");
  // 18 characters and the terminator, then 9 and 8 characters, each with a colon.
  const std::size_t needed = 18 + 1 + (9 + 1) + (8 + 1);
  EXPECT_EQ(pfm_get_full_event_name(&e, name, needed), PFMLIB_SUCCESS);
  EXPECT_EQ(pfm_get_full_event_name(&e, name, needed - 1), PFMLIB_ERR_FULL);
  EXPECT_EQ(pfm_get_full_event_name(&e, name, 19), PFMLIB_ERR_FULL);
  EXPECT_EQ(pfm_get_full_event_name(&e, name, 18), PFMLIB_ERR_FULL);
  EXPECT_STREQ(name, "") << "emptied before the name is found not to fit";
  e.num_masks = 0;
  EXPECT_EQ(pfm_get_full_event_name(&e, name, 19), PFMLIB_SUCCESS);
  EXPECT_STREQ(name, "DATA_CACHE_REFILLS");
  EXPECT_EQ(pfm_get_full_event_name(&e, name, 18), PFMLIB_ERR_FULL);
  EXPECT_EQ(pfm_get_full_event_name(&e, name, 0), PFMLIB_ERR_INVAL);
}

TEST_F(Athlon, FullNameChecksTheEventAsDispatchDoes) {
  char name[64];
  pfmlib_event_t e{};
  e.event = kNoEvent;
  EXPECT_EQ(pfm_get_full_event_name(&e, name, 64), PFMLIB_ERR_INVAL);
  e.event = descriptor("RETIRED_UOPS");
  e.num_masks = 1;
  EXPECT_EQ(pfm_get_full_event_name(&e, name, 64), PFMLIB_ERR_UMASK) << "a mask for an event without";
  e.event = descriptor("SNOOP_HITS");
  e.unit_masks[0] = 4;
  EXPECT_EQ(pfm_get_full_event_name(&e, name, 64), PFMLIB_ERR_UMASK) << "one past the last mask";
  e.unit_masks[0] = 3;
  EXPECT_EQ(pfm_get_full_event_name(&e, name, 64), PFMLIB_SUCCESS);
  e.num_masks = 49;
  EXPECT_EQ(pfm_get_full_event_name(&e, name, 64), PFMLIB_ERR_TOOMANY);
}

TEST_F(Athlon, Codes) {
  const unsigned refills = descriptor("DATA_CACHE_REFILLS");
  int code = 0;
  EXPECT_EQ(got(pfm_get_event_code, refills), 0x42);
  EXPECT_EQ(pfm_get_event_code(kNoEvent, &code), PFMLIB_ERR_INVAL);
  for (const unsigned counter : {0u, 3u, ~0u}) EXPECT_EQ(got(pfm_get_event_code_counter, refills, counter), 0x42);
  EXPECT_EQ(pfm_get_event_code_counter(refills, 4, &code), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_get_event_code_counter(kNoEvent, 0, &code), PFMLIB_ERR_INVAL);
}

TEST_F(Ppc750, CodesDependOnTheCounter) {
  int code = 0;
  EXPECT_EQ(got(pfm_get_event_code_counter, descriptor("L1_DCACHE_MISSES"), 2), 5);
  EXPECT_EQ(got(pfm_get_event_code_counter, descriptor("L1_DCACHE_MISSES"), ~0u), 5);
  EXPECT_EQ(pfm_get_event_code_counter(descriptor("L1_DCACHE_MISSES"), 0, &code), PFMLIB_ERR_INVAL);
  for (unsigned counter = 0; counter < 4; ++counter)
    EXPECT_EQ(got(pfm_get_event_code_counter, descriptor("INSTRUCTIONS_DISPATCHED"), counter), 4);
}

unsigned long counters_of(const char* name) {
  pfmlib_regmask_t mask;
  std::memset(&mask, 0xff, sizeof mask);
  EXPECT_EQ(pfm_get_event_counters(descriptor(name), &mask), PFMLIB_SUCCESS);
  for (unsigned word = 1; word < PFMLIB_REG_BV; ++word) EXPECT_EQ(mask.bits[word], 0u);
  return mask.bits[0];
}

TEST_F(Athlon, AnyCounter) {
  EXPECT_EQ(counters_of("RETIRED_UOPS"), 0xfu);
  pfmlib_regmask_t mask;
  EXPECT_EQ(pfm_get_event_counters(kNoEvent, &mask), PFMLIB_ERR_INVAL);
}

TEST_F(Ppc750, OwnCounters) {
  EXPECT_EQ(counters_of("PROCESSOR_CYCLES"), 0xfu);
  EXPECT_EQ(counters_of("L1_LOAD_MISSES"), 0x1u);
  EXPECT_EQ(counters_of("SNOOPS"), 0x2u);
  EXPECT_EQ(counters_of("L2_HITS"), 0x4u);
  EXPECT_EQ(counters_of("SNOOP_RETRIES"), 0x8u);
}

TEST_F(Athlon, DescriptionsAreTheCallers) {
  char* text = nullptr;
  ASSERT_EQ(pfm_get_event_description(0, &text), PFMLIB_SUCCESS);
  EXPECT_GT(std::strlen(text), 8u);
  std::free(text);
  EXPECT_EQ(pfm_get_event_description(kNoEvent, &text), PFMLIB_ERR_INVAL);
  const unsigned hits = descriptor("SNOOP_HITS");
  ASSERT_EQ(pfm_get_event_mask_description(hits, 3, &text), PFMLIB_SUCCESS);
  EXPECT_GT(std::strlen(text), 8u);
  std::free(text);
  EXPECT_EQ(pfm_get_event_mask_description(hits, 4, &text), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_get_event_mask_description(kNoEvent, 0, &text), PFMLIB_ERR_INVAL);
}

TEST_F(Athlon, MaskNamesWantTwoBytesMore) {
  const unsigned hits = descriptor("SNOOP_HITS");
  char name[16];
  EXPECT_EQ(pfm_get_event_mask_name(hits, 1, name, 4), PFMLIB_SUCCESS);
  EXPECT_STREQ(name, "IC");
  EXPECT_EQ(pfm_get_event_mask_name(hits, 1, name, 3), PFMLIB_ERR_FULL) << "one byte stricter than needed";
  EXPECT_EQ(pfm_get_event_mask_name(hits, 4, name, 16), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_get_event_mask_name(hits, 0, name, 0), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_get_event_mask_name(kNoEvent, 0, name, 16), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_get_event_mask_name(descriptor("RETIRED_UOPS"), 0, name, 16), PFMLIB_ERR_NOTSUPP);
}

TEST_F(Athlon, MaskCodes) {
  unsigned code = 0;
  EXPECT_EQ(got(pfm_get_event_mask_code, descriptor("L2_REQUESTS"), 8), 0x80u);
  EXPECT_EQ(pfm_get_event_mask_code(descriptor("L2_REQUESTS"), 9, &code), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_get_event_mask_code(descriptor("RETIRED_UOPS"), 0, &code), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_get_event_mask_code(kNoEvent, 0, &code), PFMLIB_ERR_INVAL);
}

// A model without unit masks.
TEST_F(Ppc750, MasksDoNotExist) {
  EXPECT_EQ(got(pfm_get_event_mask_code, 0, 1234), 0u);
  char name[16];
  EXPECT_EQ(pfm_get_event_mask_name(0, 0, name, 16), PFMLIB_ERR_NOTSUPP);
  char* text = nullptr;
  EXPECT_EQ(pfm_get_event_mask_description(0, 1234, &text), PFMLIB_SUCCESS);
  EXPECT_GT(std::strlen(text), 0u);
  std::free(text);
}

unsigned long first_word(pfm_err_t (*list)(pfmlib_regmask_t*)) {
  pfmlib_regmask_t mask;
  std::memset(&mask, 0xff, sizeof mask);
  EXPECT_EQ(list(&mask), PFMLIB_SUCCESS);
  for (unsigned word = 1; word < PFMLIB_REG_BV; ++word) EXPECT_EQ(mask.bits[word], 0u);
  return mask.bits[0];
}

TEST_F(Athlon, Registers) {
  EXPECT_EQ(first_word(pfm_get_impl_pmcs), 0xfu);
  EXPECT_EQ(first_word(pfm_get_impl_pmds), 0xfu);
  EXPECT_EQ(first_word(pfm_get_impl_counters), 0xfu);
  EXPECT_EQ(got(pfm_get_num_pmcs), 4u);
  EXPECT_EQ(got(pfm_get_num_pmds), 4u);
  EXPECT_EQ(got(pfm_get_num_counters), 4u);
  EXPECT_EQ(got(pfm_get_hw_counter_width), 48u);
}

TEST_F(Ppc750, Registers) {
  EXPECT_EQ(first_word(pfm_get_impl_pmcs), 0x3u);
  EXPECT_EQ(first_word(pfm_get_impl_pmds), 0x1fu) << "four counters and SIA";
  EXPECT_EQ(first_word(pfm_get_impl_counters), 0xfu);
  EXPECT_EQ(got(pfm_get_num_pmcs), 2u);
  EXPECT_EQ(got(pfm_get_num_pmds), 5u);
  EXPECT_EQ(got(pfm_get_num_counters), 4u);
  EXPECT_EQ(got(pfm_get_hw_counter_width), 32u);
}

TEST_F(Athlon, OwnCalls) {
  unsigned most = 0;
  EXPECT_EQ(got(pfm_athlon_get_event_maxincr, descriptor("RETIRED_UOPS")), 3u);
  EXPECT_EQ(pfm_athlon_get_event_maxincr(kNoEvent, &most), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_athlon_get_event_maxincr(0, nullptr), PFMLIB_ERR_INVAL);
  EXPECT_EQ(pfm_ppc750gx_get_event_maxincr(0, &most), PFMLIB_ERR_NOTSUPP);
  EXPECT_EQ(pfm_ppc750gx_uses_threshold(0), 0);
}

TEST_F(Ppc750, OwnCalls) {
  unsigned most = 0;
  EXPECT_EQ(got(pfm_ppc750gx_get_event_maxincr, descriptor("LOADS_AND_STORES")), 2u);
  EXPECT_EQ(pfm_athlon_get_event_maxincr(0, &most), PFMLIB_ERR_NOTSUPP);
  EXPECT_EQ(pfm_ppc750gx_uses_threshold(descriptor("L1_LOAD_MISSES")), 1);
  EXPECT_EQ(pfm_ppc750gx_uses_threshold(descriptor("L1_DCACHE_MISSES")), 0);
  EXPECT_EQ(pfm_ppc750gx_uses_threshold(~0u), 0);
}

}  // namespace
}  // namespace pmusim::encoder::test
