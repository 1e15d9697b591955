// The data event address register: its captures, and the resulting values of PMD2, PMD3 and PMD17.
#include "testbench/tests/pmu_itanium2/bench.h"

namespace pmusim::testing {
namespace {

constexpr std::uint64_t cache = 0, tlb = at(7, 1), alat = at(7, 2);
constexpr std::uint64_t umask(unsigned u) { return at(16, u); }

/// A monitor with the D-EAR programmed and its event on PMC4.
std::unique_ptr<Monitor> capturing(std::uint64_t mode, Flips flips = {}, std::uint64_t extra = 0) {
  auto m = counting({event(data_ear) | any_level | extra}, flips);
  put(*m, pmc(11), any_level | mode);
  return m;
}
std::uint64_t latency_of(Monitor& m) { return get(m, pmd(3)) & 0x1fff; }
std::uint64_t stat_of(Monitor& m) { return get(m, pmd(3)) >> 14; }

TEST(DataEar, RegistersOfALoad) {
  auto m = capturing(cache | umask(0));
  Activity activity(40);
  const std::uint32_t i = activity.instruction({.ip = 0x4050, .slot = 1});
  activity.syllable(i).window = 0x4040;
  activity.syllable(i).second_bundle = true;
  activity.load(0x8018, 3, 23, i);
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(2)), 0x8018u);
  EXPECT_EQ(get(*m, pmd(3)), 0x4000u + 20);          // stat 1
  EXPECT_EQ(get(*m, pmd(17)), 0x4040u + 8 + 4 + 1);  // vl, bn, slot 1
  const std::uint64_t word = get(*m, pmd(17));
  EXPECT_EQ(((word >> 4) + (word >> 2 & 1)) << 4 | (word & 3), 0x4051u) << "IP of the sample";
  EXPECT_EQ(get(*m, pmd(4)), 1u);
}

TEST(DataEar, LatencyThresholds) {
  for (unsigned u = 0; u <= 10; ++u) {
    const Cycle least = Cycle{4} << u;
    for (const Cycle latency : {least - 1, least}) {
      auto m = capturing(cache | umask(u));
      Activity activity(5000);
      activity.load(0x8000, 1, 1 + latency);
      m->consume(activity.block(), 0, 5000);
      EXPECT_EQ(get(*m, pmd(4)), latency == least ? 1u : 0u) << u;
      EXPECT_EQ(latency_of(*m), latency == least ? latency : 0) << u;
    }
  }
  for (unsigned u = 11; u <= 15; ++u) {
    Activity activity(9000);
    activity.load(0x8000, 1, 8500);
    auto m = capturing(cache | umask(u));
    m->consume(activity.block(), 0, 9000);
    EXPECT_EQ(get(*m, pmd(4)), 0u);
    auto as_10 = capturing(cache | umask(u), {{"pmu.dear_umask", "as_10"}});
    as_10->consume(activity.block(), 0, 9000);
    EXPECT_EQ(get(*as_10, pmd(4)), 1u);
    EXPECT_EQ(get(*as_10, pmd(3)), 0x4000u | 0x2000u | (8499u - 8192u)) << "overflow of 13 bits";
  }
}

TEST(DataEar, OneLoadAtATime) {
  // Loads in cycles 2, 5 and 12; the first returns in 12, so that the tracker is free from 13 on.
  auto m = capturing(cache);
  Activity activity(60);
  activity.load(0x8000, 2, 12);
  activity.load(0x9000, 5, 30);
  activity.load(0xa000, 12, 31);
  activity.load(0xb000, 13, 33);
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 2u);
  EXPECT_EQ(get(*m, pmd(2)), 0xb000u);
  EXPECT_EQ(latency_of(*m), 20u);
}

TEST(DataEar, HitsAndKilledLoadsFreeTheTracker) {
  auto m = capturing(cache);
  Activity activity(60);
  const std::uint32_t hit = activity.request(0x8000);
  activity.occur(Signal::data_reference, 2, d::access_load, hit);
  activity.occur(Signal::dcache_lookup, 2, d::lookup_hit, hit);
  const std::uint32_t killed = activity.request(0x9000);
  activity.occur(Signal::data_reference, 3, d::access_load, killed);
  activity.occur(Signal::request_kill, 6, 0, killed);
  activity.load(0xa000, 6, 20);  // not tracked: the tracker is free from cycle 7 on
  activity.load(0xb000, 7, 30);
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 1u);
  EXPECT_EQ(get(*m, pmd(2)), 0xb000u);
}

TEST(DataEar, ALoadThatIsKilledInTheCycleOfItsDataIsNotCaptured) {
  auto m = capturing(cache);
  Activity activity(40);
  const std::uint32_t killed = activity.load(0x8000, 2, 12);
  activity.occur(Signal::request_kill, 12, 0, killed);
  activity.load(0x9000, 13, 30);
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 1u);
  EXPECT_EQ(get(*m, pmd(2)), 0x9000u);
}

TEST(DataEar, CandidatesAndReplays) {
  Activity activity(80);
  const auto refer = [&](Cycle c, auto change) {
    const std::uint32_t r = activity.load(0x8000 + c, c, c + 9);
    change(activity.more(r));
  };
  refer(0, [](ia64::Request& r) { r.load = false, r.store = true; });
  refer(10, [](ia64::Request& r) { r.prefetch = true; });
  refer(20, [](ia64::Request& r) { r.semaphore = r.store = true; });
  refer(30, [](ia64::Request& r) { r.requester = ia64::Requester::register_stack; });
  refer(40, [](ia64::Request& r) { r.requester = ia64::Requester::page_walker; });
  refer(50, [](ia64::Request& r) { r.fp = true; });
  const std::uint32_t replayed = activity.load(0x9000, 62, 75);
  activity.occur(Signal::data_reference, 70, d::access_load, replayed);
  auto m = capturing(cache);
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 2u) << "the FP load and the last";
  EXPECT_EQ(latency_of(*m), 13u);
  auto reads = capturing(cache, {{"pmu.dear_candidates", "reads"}});
  consume_both(*reads, activity.block());
  EXPECT_EQ(get(*reads, pmd(4)), 3u);
}

TEST(DataEar, FreezeKeepsTheLoadThatWrapped) {
  auto m = capturing(cache, {}, oi);
  put(*m, pmd(4), wrap - 2);
  Activity activity(100);
  for (Cycle c = 0; c < 8; ++c) activity.load(0x8000 + 0x100 * c, 10 * c, 10 * c + 6);
  EXPECT_EQ(consume_both(*m, activity.block()).requests, std::vector<Cycle>{16});
  EXPECT_EQ(get(*m, pmd(2)), 0x8100u);
  EXPECT_EQ(get(*m, pmc(0)), 0x11u);
}

TEST(DataEar, PrivilegeOfTheLoadAndOfTheCounter) {
  // User loads from cycle 20 on; the D-EAR monitors level 3, the counters levels 0 and 3.
  auto m = counting({event(data_ear) | 0x1, event(data_ear) | 0x8});
  put(*m, pmc(11), 0x8);
  Activity activity(50);
  activity.change(State::cpl, 20, 3).change(State::cpl, 30, 0);
  activity.load(0x8000, 5, 15);
  activity.load(0x9000, 22, 28);
  activity.load(0xa000, 29, 40);  // issued by user code; the data returns in the kernel
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(5)), 1u);
  EXPECT_EQ(get(*m, pmd(4)), 1u);
  EXPECT_EQ(get(*m, pmd(2)), 0xa000u);
}

TEST(DataEar, TranslationMode) {
  using ia64::Translation;
  for (unsigned u = 0; u < 16; ++u) {
    for (const Translation where :
         {Translation::first_level, Translation::second_level, Translation::walker, Translation::fault}) {
      auto m = capturing(tlb | umask(u));
      Activity activity(4);
      const std::uint32_t r = activity.request(0x8000, activity.instruction({.ip = 0x4000, .slot = 2}));
      activity.more(r).translation = where;
      activity.occur(Signal::access_retire, 2, 0, r);
      m->consume(activity.block(), 0, 4);
      const auto level = static_cast<unsigned>(where);
      const bool captured = level != 0 && (u >> level & 1) != 0;
      EXPECT_EQ(get(*m, pmd(4)), captured ? 1u : 0u) << u << level;
      EXPECT_EQ(stat_of(*m), captured ? level : 0u);
      EXPECT_EQ(latency_of(*m), 0u);
      EXPECT_EQ(get(*m, pmd(17)), captured ? 0x400au : 0u);
    }
  }
}

TEST(DataEar, BehindAMispredictedBranch) {
  // A mispredicted branch retires in cycle 10; with PMC12 in use vl is 0 in cycles 11 and 12. Bits 5:4 alone do not
  // count as use.
  for (const Cycle at_cycle : {10u, 11u, 12u, 13u}) {
    for (const unsigned branches : {0x00u, 0x30u, 0x0fu, 0x40u, 0x80u, 0x8000u}) {
      const bool in_use = branches != 0 && branches != 0x30;
      auto m = capturing(tlb | umask(0xe));
      put(*m, pmc(12), branches);
      Activity activity(20);
      const std::uint32_t b = activity.instruction({.type = ia64::SlotType::b, .kinds = bit(ia64::Kind::branch)});
      activity.syllable(b).prediction = ia64::Prediction::wrong_path;
      activity.occur(Signal::retire, 10, 0, b);
      const std::uint32_t r = activity.request(0x8000, activity.instruction({}));
      activity.more(r).translation = ia64::Translation::walker;
      activity.occur(Signal::access_retire, at_cycle, 0, r);
      consume_both(*m, activity.block());
      const bool disturbed = in_use && (at_cycle == 11 || at_cycle == 12);
      EXPECT_EQ(get(*m, pmd(17)) & 8, disturbed ? 0u : 8u) << at_cycle;
    }
  }
}

TEST(DataEar, AlatMode) {
  auto m = capturing(alat);
  put(*m, pmd(2), 0x77);
  Activity activity(20);
  const auto check = [&](Cycle c, ia64::Kind kind, bool failed) {
    const std::uint32_t i = activity.instruction({.ip = 0x4000 + 0x10 * c, .kinds = bit(kind)});
    activity.syllable(i).check_failed = failed;
    activity.occur(Signal::retire, c, 0, i);
    return i;
  };
  check(2, ia64::Kind::check_advanced, false);
  check(4, ia64::Kind::check_speculative, true);
  check(6, ia64::Kind::check_advanced, true);
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 1u);
  EXPECT_EQ(get(*m, pmd(2)), 0x77u) << "chk.a has no address";
  EXPECT_EQ(get(*m, pmd(17)), 0x4068u);
  EXPECT_EQ(get(*m, pmd(3)), 0x4000u);
  const std::uint32_t load = check(8, ia64::Kind::check_load, true);
  activity.occur(Signal::access_retire, 8, 0, activity.request(0x8888, load));
  auto again = capturing(at(7, 3));
  consume_both(*again, activity.block());
  EXPECT_EQ(get(*again, pmd(4)), 2u) << "mode 3 as mode 2";
  EXPECT_EQ(get(*again, pmd(2)), 0x8888u);
  auto off = capturing(at(7, 3), {{"pmu.ear_mode3", "off"}});
  consume_both(*off, activity.block());
  EXPECT_EQ(get(*off, pmd(4)), 0u);
}

TEST(DataEar, HonoursDataRanges) {
  auto m = capturing(cache);
  put(*m, dbr(0), 0x9000);
  put(*m, dbr(1), 0x00ff'ffff'ffff'f000);
  put(*m, pmc(13), at(3, 2) | at(45, 1));
  Activity activity(60);
  activity.load(0x8000, 2, 30);  // not a candidate
  activity.load(0x9008, 3, 20);
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 1u);
  EXPECT_EQ(get(*m, pmd(2)), 0x9008u);
}

TEST(DataEar, RandomChoice) {
  // A 16-bit LFSR that starts at 1, with taps 16, 14, 13, 11: its bit 0 decides for each candidate.
  unsigned state = 1;
  unsigned expected = 0;
  Activity activity(1000);
  for (Cycle c = 0; c < 100; ++c) {
    activity.load(0x8000, 10 * c, 10 * c + 6);
    expected += state & 1;
    const unsigned bit = (state ^ state >> 2 ^ state >> 3 ^ state >> 5) & 1;
    state = state >> 1 | bit << 15;
  }
  auto m = capturing(cache, {{"pmu.dear_random", "lfsr"}});
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), expected);
  EXPECT_LT(expected, 100u);
}

}  // namespace
}  // namespace pmusim::testing
