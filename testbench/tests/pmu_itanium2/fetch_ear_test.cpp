// The instruction event address register: unit masks, latencies, and the resulting values of PMD0 and PMD1.
#include "testbench/tests/pmu_itanium2/bench.h"

namespace pmusim::testing {
namespace {

constexpr std::uint64_t cache_mode(unsigned umask) { return at(13, 1) | at(5, umask); }
constexpr std::uint64_t tlb_mode(unsigned umask) { return at(5, umask); }

std::unique_ptr<Monitor> capturing_fetches(std::uint64_t mode, Flips flips = {}) {
  auto m = counting({event(fetch_ear) | any_level}, flips);
  put(*m, pmc(10), any_level | mode);
  return m;
}
/// True if a miss of this latency is captured.
bool captures(unsigned umask, Cycle latency, std::uint16_t result = d::lookup_miss, Flips flips = {}) {
  auto m = capturing_fetches(cache_mode(umask), flips);
  Activity activity(6000);
  activity.fetch(0x4020, 1, result, 1 + latency);
  m->consume(activity.block(), 0, 6000);
  return get(*m, pmd(4)) != 0;
}

TEST(FetchEar, RegistersOfAMiss) {
  auto m = capturing_fetches(cache_mode(0xff));
  Activity activity(50);
  activity.fetch(0x4035, 3, d::lookup_miss, 20);
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(0)), 0x4021u);  // 32-byte address, stat 1
  EXPECT_EQ(get(*m, pmd(1)), 17u);
  EXPECT_EQ(get(*m, pmd(4)), 1u);
}

TEST(FetchEar, LatencyTable) {
  const std::pair<unsigned, Cycle> rows[] = {{0xff, 4},   {0xfe, 8},    {0xfc, 16},   {0xf8, 32}, {0xf0, 128},
                                             {0xe0, 256}, {0xc0, 1024}, {0x80, 4096}, {0x40, 1}};
  for (const auto& [umask, least] : rows) {
    EXPECT_TRUE(captures(umask, least)) << std::hex << umask;
    EXPECT_EQ(captures(umask, least - 1), false) << std::hex << umask;
    EXPECT_TRUE(captures(umask, least, d::lookup_pending)) << "an outstanding line is a miss too";
  }
  EXPECT_FALSE(captures(0x00, 100));
  EXPECT_TRUE(captures(0x00, 1, d::lookup_pending)) << "request already outstanding";
}

TEST(FetchEar, UnlistedUnitMasks) {
  const Flips exact = {{"pmu.iear_umask", "exact"}};
  const std::pair<unsigned, Cycle> rows[] = {{0xfd, 16},   {0xfb, 32},   {0xf7, 128}, {0xe5, 256},
                                             {0xdf, 1024}, {0xbf, 4096}, {0x7f, 1}};
  for (const auto& [umask, least] : rows) {
    EXPECT_TRUE(captures(umask, least)) << std::hex << umask;
    EXPECT_EQ(captures(umask, least - 1), false) << std::hex << umask;
    EXPECT_FALSE(captures(umask, 5000, d::lookup_miss, exact)) << std::hex << umask;
  }
  EXPECT_TRUE(captures(0xf0, 128, d::lookup_miss, exact));
  EXPECT_TRUE(captures(0x3f, 1, d::lookup_pending));
}

// Bits 11:0 hold up to 4095; bit 12 is set if the latency is 4096 or more.
TEST(FetchEar, LatencyOverflowsAt4096) {
  const auto latency_of = [](activity::Cycle latency) {
    auto m = capturing_fetches(cache_mode(0xff));
    Activity activity(10000);
    activity.fetch(0x4020, 1, d::lookup_miss, 1 + latency);
    m->consume(activity.block(), 0, 10000);
    return get(*m, pmd(1));
  };
  EXPECT_EQ(latency_of(4095), 0xfffu);
  EXPECT_EQ(latency_of(4096), 0x1000u);
  EXPECT_EQ(latency_of(4097), 0x1001u);
  EXPECT_EQ(latency_of(9000), 0x1000u | (9000u - 2 * 4096u)) << "12 bits";
}

TEST(FetchEar, HitsPrefetchesAndStreamBuffer) {
  auto m = capturing_fetches(cache_mode(0x40));
  Activity activity(50);
  activity.fetch(0x4000, 1, d::lookup_hit, 10);
  activity.fetch(0x4040, 12, d::lookup_miss | dd::fetch_stream_buffer, 20);
  const std::uint32_t prefetch = activity.fetch(0x4080, 22, d::lookup_miss | d::access_prefetch, 30);
  activity.more(prefetch).requester = ia64::Requester::prefetch_fetch;
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 0u);
}

TEST(FetchEar, SquashedMisses) {
  Activity activity(50);
  const std::uint32_t r = activity.fetch(0x4000, 1, d::lookup_miss, 20);
  activity.occur(Signal::request_kill, 9, 0, r);
  auto m = capturing_fetches(cache_mode(0xff));
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 0u);
}

TEST(FetchEar, TranslationMode) {
  const std::pair<std::uint16_t, unsigned> results[] = {
      {d::tlb_second_level_hit, 1}, {d::tlb_walk, 2}, {d::tlb_walk | dd::tlb_fault, 3}};
  for (unsigned umask = 0; umask < 8; ++umask) {
    for (const auto& [detail, stat] : results) {
      auto m = capturing_fetches(tlb_mode(umask));
      Activity activity(5);
      const std::uint32_t r = activity.request(0x7fe0);
      activity.more(r).requester = ia64::Requester::demand_fetch;
      activity.occur(Signal::translation, 2, detail, r);
      consume_both(*m, activity.block());
      const bool captured = (umask >> (stat - 1) & 1) != 0;
      EXPECT_EQ(get(*m, pmd(4)), captured ? 1u : 0u) << umask << stat;
      EXPECT_EQ(get(*m, pmd(0)), captured ? 0x7fe0u | stat : 0u);
      EXPECT_EQ(get(*m, pmd(1)), 0u);
    }
  }
}

TEST(FetchEar, CtOneMonitorsNothingAndPmIsBitFour) {
  Activity activity(50);
  activity.fetch(0x4000, 1, d::lookup_miss, 20);
  auto off = capturing_fetches(at(12, 1) | at(5, 0x7f));
  consume_both(*off, activity.block());
  EXPECT_EQ(get(*off, pmd(4)), 0u);
  auto privileged = capturing_fetches(cache_mode(0xff) | at(4, 1));
  consume_both(*privileged, activity.block());
  EXPECT_EQ(get(*privileged, pmd(4)), 0u) << "PSR.pp is 0";
}

}  // namespace
}  // namespace pmusim::testing
