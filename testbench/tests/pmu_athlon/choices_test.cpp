// Choices for single events and accesses, and behaviours that have none. parameters/pmu_test.cpp has the choices that
// change a count of the micro-traces.
#include "testbench/tests/pmu_athlon/bench.h"

namespace pmusim::testing {
namespace {

namespace d = activity::detail;
namespace hold = activity::dispatch_hold;
using pmu::Fault;

std::uint64_t count(unsigned code, const HandMade& activity, Flips flips = {}) {
  return counted(all_rings | code, activity, flips);
}

TEST(Choices, WhatTheGuideDoesNotList) {
  const HandMade idle(10);
  EXPECT_EQ(count(0xff, idle), 0u);
  EXPECT_EQ(count(0xff, idle, {{"pmu.undefined_event", "clocks"}}), 10u);
  EXPECT_EQ(count(0xd3, idle, {{"pmu.undefined_event", "clocks"}}), 0u) << "listed, and nothing happens";
  HandMade es(10);
  es.occur(Signal::segment_load, 3, 0);
  const std::uint32_t reserved = 0x20 | units(0x81);  // bit 7 does not belong to a segment register
  EXPECT_EQ(count(reserved, es), 1u);
}

TEST(Choices, IncrementLimit) {
  const HandMade activity = fetch_counts({2, 3, 4, 6, 4});
  EXPECT_EQ(count(fetches, activity), 2 + 3 + 4 + 6 + 4u);
  EXPECT_EQ(count(fetches, activity, {{"pmu.increment_limit", "three"}}), 2 + 3 + 3 + 3 + 3u);
  EXPECT_EQ(count(fetches | counter_mask(4), activity), 3u);
  EXPECT_EQ(count(fetches | counter_mask(4), activity, {{"pmu.increment_limit", "three"}}), 0u);
  EXPECT_EQ(count(fetches | counter_mask(4) | inv, activity, {{"pmu.increment_limit", "three"}}), 5u);
  EXPECT_EQ(count(fetches | counter_mask(3), activity, {{"pmu.increment_limit", "three"}}), 4u);
}

TEST(Choices, RequestPrivilege) {
  activity::RequestRecord made_by_user;
  made_by_user.cpl = 3;
  HandMade activity(10);  // at CPL 0 throughout
  activity.occur(Signal::line_fill, 5, d::side_data | 2 << d::fill_found_shift, activity.add(made_by_user));
  activity.occur(Signal::line_evict, 6, d::cache_l1d | 2 << d::evict_state_shift | d::evict_replacement);
  const std::uint32_t fills = 0x42 | units(0x1f), victims = 0x44 | units(0x1f);
  EXPECT_EQ(counted(en | os | fills, activity), 1u);
  EXPECT_EQ(counted(en | usr | fills, activity), 0u) << "its request was made at CPL 3";
  EXPECT_EQ(counted(en | os | victims, activity), 1u) << "it names no request";
}

TEST(Choices, UpdateProbes) {
  HandMade activity(10);
  activity.occur(Signal::dcache_lookup, 3, d::access_load | d::lookup_hit);
  activity.occur(Signal::dcache_lookup, 5, d::access_store | d::access_update | d::lookup_hit);
  EXPECT_EQ(count(0x40, activity), 2u);
}

TEST(Choices, StringIterations) {
  HandMade activity(10);
  const std::uint32_t movs = activity.add(activity::InstructionRecord());
  activity.occur(Signal::iteration_retire, 4, 0, movs).occur(Signal::iteration_retire, 5, 0, movs);
  activity.occur(Signal::retire, 6, 0, movs);
  EXPECT_EQ(count(instructions, activity), 1u);
}

TEST(Choices, DecoderEmpty) {
  HandMade activity(10);
  activity.change(State::decoder_empty, 2, 1).change(State::decoder_empty, 8, 0);
  activity.change(State::dispatch_hold, 4, hold::far_or_resync).change(State::dispatch_hold, 9, 0);
  EXPECT_EQ(count(0xd0, activity), 2u);
}

TEST(Choices, Init) {
  HandMade activity(10);
  activity.occur(Signal::pin_assert, 5, d::pin_init);
  auto m = programmed(all_rings | clocks);
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, perf_ctr(0)), 10u);
  EXPECT_EQ(get(*m, perf_evt_sel(0)), all_rings | clocks);
}

TEST(Choices, RdpmcIndex) {
  auto m = make_k7({{"pmu.rdpmc_index", "masked"}});
  put(*m, perf_ctr(2), 77);
  EXPECT_EQ(m->read(rdpmc(6), {}).value, 77u);
  EXPECT_EQ(make_k7()->read(rdpmc(6), {}).fault, Fault::general_protection);
}

TEST(Choices, SelectWrite) {
  for (const bool same : {false, true}) {
    auto m = make_k7({{"pmu.select_write", same ? "same_clock" : "next_clock"}});
    const HandMade activity(4);
    pmu::AccessResult result;
    m->consume_with_write(activity.block(), 0, perf_evt_sel(0), all_rings | clocks, {}, result);
    m->consume(activity.block(), 1, 3);
    m->consume_with_write(activity.block(), 3, perf_evt_sel(0), 0, {}, result);
    EXPECT_EQ(get(*m, perf_ctr(0)), 3u) << "one clock more at one end, one less at the other";
    auto starts = make_k7({{"pmu.select_write", same ? "same_clock" : "next_clock"}});
    starts->consume_with_write(activity.block(), 0, perf_evt_sel(0), all_rings | clocks, {}, result);
    EXPECT_EQ(get(*starts, perf_ctr(0)), same ? 1u : 0u);
  }
}

TEST(Choices, ReadOrder) {
  EXPECT_FALSE(make_k7()->reads_own_cycle());
  EXPECT_TRUE(make_k7({{"pmu.read_order", "after"}})->reads_own_cycle());
}

}  // namespace
}  // namespace pmusim::testing
