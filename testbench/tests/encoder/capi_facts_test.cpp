// The C API's facts about events, masks and registers, with the buffer rules of libpfm 3.10.
#include <perfmon/pfmlib_athlon.h>
#include <perfmon/pfmlib_ppc750gx.h>

#include <cstdlib>
#include <cstring>

#include "capi.h"

namespace pmusim::encoder::test {
namespace {

constexpr unsigned kNoEvent = 57;  // one past the Athlon's last descriptor

TEST_F(Athlon, CountsOfMasks) {
  unsigned count = 0;
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

TEST(Facts, OfEveryPmu) {
  struct Row {
    const char* name;
    int type;
    unsigned events, pmcs, pmds, counters, width;
    std::uint64_t impl_pmcs, impl_pmds, impl_counters;
    const char *cycles, *instructions;
  };
  const Row rows[] = {
      {"athlon", 256, 57, 4, 4, 4, 48, 0xf, 0xf, 0xf, "CPU_CLK_UNHALTED", "RETIRED_INSTRUCTIONS"},
      // four counters and SIA
      {"ppc750gx", 257, 43, 2, 5, 4, 32, 0x3, 0x1f, 0xf, "PROCESSOR_CYCLES", "INSTRUCTIONS_COMPLETED"},
      {"itanium2", 3, 497, 16, 18, 4, 47, 0xffff, 0x3ffff, 0xf0, "CPU_CYCLES", "IA64_INST_RETIRED"},
      {"dual-core Itanium 2", 4, 637, 27, 36, 12, 47, 0xffffull | 0x7ffull << 32,
       0xfff0ull | 0xffull << 32 | 0xffffull << 48, 0xfff0, "CPU_OP_CYCLES_ALL", "IA64_INST_RETIRED"},
      {"alpha-ev4", 258, 17, 3, 2, 2, 16, 0xb, 0x3, 0x3, "PF_CYCLES", "PF_ISSUES"},
      {"alpha-ev5", 259, 46, 4, 3, 3, 16, 0xf, 0x7, 0x7, "PF5_MUX2_C_CYCLES", "PF5_MUX0_ISSUES"},
      {"alpha-pca56", 260, 46, 4, 3, 3, 16, 0xf, 0x7, 0x7, "PF5_MUX2_C_CYCLES", "PF5_MUX0_ISSUES"},
      {"alpha-ev6", 261, 10, 3, 2, 2, 20, 0xb, 0x3, 0x3, "PF6_MUX1_CYCLES", "PF6_MUX0_RET_INSTRUCTIONS"},
      {"alpha-ev67", 262, 48, 3, 2, 2, 20, 0xb, 0x3, 0x3, "CYCLES1", "RETINST"}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    ASSERT_EQ(pfm_force_pmu(row.type), PFMLIB_SUCCESS);
    char name[32];
    EXPECT_EQ(pfm_get_pmu_name(name, sizeof name), PFMLIB_SUCCESS);
    EXPECT_STREQ(name, row.name);
    EXPECT_EQ(got(pfm_get_pmu_type), row.type);
    EXPECT_EQ(pfm_is_pmu_supported(row.type), PFMLIB_SUCCESS);
    EXPECT_EQ(got(pfm_get_num_events), row.events);
    EXPECT_EQ(got(pfm_get_num_pmcs), row.pmcs);
    EXPECT_EQ(got(pfm_get_num_pmds), row.pmds);
    EXPECT_EQ(got(pfm_get_num_counters), row.counters);
    EXPECT_EQ(got(pfm_get_hw_counter_width), row.width);
    const std::pair<pfm_err_t (*)(pfmlib_regmask_t*), std::uint64_t> masks[] = {
        {pfm_get_impl_pmcs, row.impl_pmcs},
        {pfm_get_impl_pmds, row.impl_pmds},
        {pfm_get_impl_counters, row.impl_counters}};
    for (const auto& [list, first] : masks) {
      const pfmlib_regmask_t mask = got(list);
      EXPECT_EQ(mask.bits[0], first);
      for (unsigned word = 1; word < PFMLIB_REG_BV; ++word) EXPECT_EQ(mask.bits[word], 0u);
    }
    const pfmlib_event_t cycles = got(pfm_get_cycle_event), instructions = got(pfm_get_inst_retired_event);
    EXPECT_EQ(cycles.event, descriptor(row.cycles));
    EXPECT_EQ(instructions.event, descriptor(row.instructions));
    EXPECT_EQ(cycles.num_masks + instructions.num_masks, 0u);
  }
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
