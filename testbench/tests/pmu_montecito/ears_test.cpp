// The data and instruction EARs in Montecito's registers, with threads. pmu_itanium2 tests what they capture.
#include "bench.h"

namespace pmusim::testing {
namespace {

constexpr std::uint64_t cache = 0, tlb = at(7, 1), alat = at(7, 2);

std::unique_ptr<Monitor> with_data_ear(std::uint64_t config, Flips flips = {}) {
  auto m = counting({event(data_ear) | any_level}, flips);
  put(*m, pmc(40), any_level | config);
  return m;
}

TEST(DataEar, EntryByEntry) {
  // A load in the second bundle of window 0x4000, slot 1, that takes 20 cycles.
  Activity a(40);
  const std::uint32_t owner = a.instruction({.ip = 0x4010, .slot = 1});
  a.syllable(owner).window = 0x4000;
  a.syllable(owner).second_bundle = true;
  a.load(0x9876'5432'1000, 5, 25, owner);
  auto m = with_data_ear(cache);
  consume_both(*m, a.block());
  EXPECT_EQ(get(*m, pmd(32)), 0x9876'5432'1000u);
  EXPECT_EQ(get(*m, pmd(33)), 20u + at(14, 1));
  EXPECT_EQ(get(*m, pmd(36)), 0x4000u + 8 + 4 + 1);
  EXPECT_EQ(get(*m, pmd(4)), 1u);
}

TEST(DataEar, LatencyThresholds) {
  for (unsigned umask = 0; umask <= 10; ++umask) {
    const Cycle least = Cycle{4} << umask;
    for (const Cycle latency : {least - 1, least}) {
      Activity a(5000);
      a.load(0x8000, 5, 5 + latency);
      auto m = with_data_ear(cache | at(16, umask));
      m->consume(a.block(), 0, 5000);
      EXPECT_EQ(get(*m, pmd(4)), latency == least ? 1u : 0u) << umask;
    }
  }
}

TEST(DataEar, AMissThatCompletesInTheBackground) {
  // Thread 0 misses in cycle 3. Thread 1 runs from cycle 10 on and misses in cycle 12. Thread 0's data return in cycle
  // 30.
  Activity a(60);
  a.state(State::background_psr, psr::up).change(State::thread, 10, 1);
  a.load(0x8000, 3, 30);
  const std::uint32_t other = a.load(0x9000, 12, 52);
  a.record(other).thread = 1;
  auto m = with_data_ear(cache);
  consume_both(*m, a.block());
  EXPECT_EQ(get(*m, pmd(32)), 0x8000u);
  EXPECT_EQ(get(*m, pmd(33)), 27u + at(14, 1));
  EXPECT_EQ(get(*m, pmd(4)), 1u) << "counted in the background";
  auto second = with_data_ear(cache, {{"pmu.thread", "1"}});
  consume_both(*second, a.block());
  EXPECT_EQ(get(*second, pmd(32)), 0x9000u);
  EXPECT_EQ(get(*second, pmd(33)), 40u + at(14, 1));
}

TEST(DataEar, WhatItFollowsWhenItsThreadLeaves) {
  // Thread 1 is active in cycles 10 to 39. Thread 0 misses in cycle 3, and its data return in cycle 30; the data of a
  // load in cycle 45 return in 57. A load of thread 0 reported in cycle 20 would return in cycle 50.
  Activity a(70);
  a.state(State::background_psr, psr::up).change(State::thread, 10, 1).change(State::thread, 40, 0);
  a.load(0x8000, 3, 30);
  auto follows = with_data_ear(cache);
  consume_both(*follows, a.block());
  EXPECT_EQ(get(*follows, pmd(4)), 1u);
  a.load(0x9000, 20, 50);
  a.load(0xa000, 45, 57);
  auto forgets = with_data_ear(cache, {{"pmu.ear_background", "forgotten"}});
  consume_both(*forgets, a.block());
  EXPECT_EQ(get(*forgets, pmd(32)), 0xa000u);
  EXPECT_EQ(get(*forgets, pmd(33)), 12u + at(14, 1));
  EXPECT_EQ(get(*forgets, pmd(4)), 1u);
}

TEST(FetchEar, WhatItFollowsWhenItsThreadLeaves) {
  Activity a(70);
  a.state(State::background_psr, psr::up).change(State::thread, 10, 1).change(State::thread, 40, 0);
  a.fetch(0x4000, 3, d::lookup_miss, 33);
  a.fetch(0x5000, 45, d::lookup_miss, 57);
  for (const bool forgotten : {false, true}) {
    auto m = counting({event(fetch_ear) | any_level}, {{"pmu.ear_background", forgotten ? "forgotten" : "followed"}});
    put(*m, pmc(37), any_level | at(13, 1) | at(5, 0xff));
    consume_both(*m, a.block());
    EXPECT_EQ(get(*m, pmd(4)), forgotten ? 1u : 2u);
    EXPECT_EQ(get(*m, pmd(35)), 12u);
  }
}

TEST(FetchEar, EntryByEntry) {
  Activity a(60);
  a.fetch(0x4020, 3, d::lookup_miss, 23);
  auto m = counting({event(fetch_ear) | any_level});
  put(*m, pmc(37), any_level | at(13, 1) | at(5, 0xfc));
  consume_both(*m, a.block());
  EXPECT_EQ(get(*m, pmd(34)), 0x4021u);
  EXPECT_EQ(get(*m, pmd(35)), 20u);
  EXPECT_EQ(get(*m, pmd(4)), 1u);
  put(*m, pmc(37), any_level | at(13, 1) | at(5, 0xf8));
  put(*m, pmd(4), 0);
  m->consume(a.block(), 0, 60);
  EXPECT_EQ(get(*m, pmd(4)), 0u) << "at least 32 cycles";
}

TEST(FetchEar, OfTheOwnThread) {
  Activity a(60);
  a.state(State::background_psr, psr::up).change(State::thread, 10, 1);
  a.fetch(0x4000, 3, d::lookup_miss, 33);
  a.record(a.fetch(0x5000, 12, d::lookup_miss, 50)).thread = 1;
  auto m = counting({event(fetch_ear) | any_level});
  put(*m, pmc(37), any_level | at(13, 1) | at(5, 0xff));
  consume_both(*m, a.block());
  EXPECT_EQ(get(*m, pmd(34)), 0x4001u) << "the other thread's miss takes no place of its own";
  EXPECT_EQ(get(*m, pmd(35)), 30u);
}

}  // namespace
}  // namespace pmusim::testing
