// Choices for single events and accesses: each value on activity for which it differs from the default.
#include "testbench/tests/pmu_athlon/bench.h"

namespace pmusim::testing {
namespace {

namespace d = activity::detail;
namespace hold = activity::dispatch_hold;
using pmu::Fault;

std::uint64_t count(unsigned code, const HandMade& activity, Flips flips = {}) {
  return counted(all_rings | code, activity, flips);
}
HandMade probe(unsigned detail, activity::RequestRecord request = {}) {
  HandMade activity(10);
  activity.occur(Signal::dcache_lookup, 5, static_cast<std::uint16_t>(detail), activity.add(request));
  return activity;
}

TEST(Choices, DispatchStalls) {
  HandMade activity(10);
  activity.change(State::dispatch_hold, 2, hold::serialize | hold::fp_full | hold::second_stream)
      .change(State::dispatch_hold, 5, hold::fp_full)
      .change(State::dispatch_hold, 6, 0);
  EXPECT_EQ(count(0xd1, activity), 4u);
  EXPECT_EQ(count(0xd1, activity, {{"pmu.dispatch_stalls", "sum"}}), 3 * 2 + 1u);
}

TEST(Choices, DataCacheProbes) {
  const HandMade second = probe(d::access_load | d::lookup_hit | d::access_second_half);
  EXPECT_EQ(count(0x40, second), 1u);
  const HandMade prefetch = probe(d::access_prefetch | d::lookup_miss);
  for (const unsigned code : {0x40u, 0x41u}) EXPECT_EQ(count(code, prefetch), 1u);
  const HandMade pending = probe(d::access_load | d::lookup_pending);
  EXPECT_EQ(count(0x41, pending), 0u);
}

TEST(Choices, MisalignedReferences) {
  activity::RequestRecord within;
  within.address = 2;
  within.size = 4;
  EXPECT_EQ(count(0x47, probe(d::access_load, within)), 0u);
  within.address = 6;
  within.crosses_octet = true;
  EXPECT_EQ(count(0x47, probe(d::access_load, within)), 1u);
}

TEST(Choices, Branches) {
  const auto retiring = [](std::uint32_t traits, std::uint64_t next) {
    activity::InstructionRecord i;
    i.traits = traits;
    i.ip = 0x100;
    i.length = 2;
    i.next_ip = next;
    i.taken = true;
    HandMade activity(10);
    activity.occur(Signal::retire, 5, 0, activity.add(i));
    return activity;
  };
  using activity::Trait;
  const HandMade far = retiring(activity::bit(Trait::far_transfer), 0x900);
  for (const unsigned code : {0xc3u, 0xc5u}) {
    EXPECT_EQ(count(code, far), 0u);
    EXPECT_EQ(count(code, far, {{"pmu.far_mispredicted", "yes"}}), 1u);
  }
  const std::uint32_t jcc = activity::bit(Trait::branch) | activity::bit(Trait::conditional);
  EXPECT_EQ(count(0xc4, retiring(jcc, 0x102)), 1u);
}

TEST(Choices, WrongPath) {
  activity::RequestRecord window;
  activity::InstructionRecord i;
  window.wrong_path = i.wrong_path = true;
  HandMade activity(10);
  activity.occur(Signal::fetch, 1, d::lookup_miss, activity.add(window));
  activity.occur(Signal::translation, 1, d::tlb_walk, activity.add(window));
  activity.occur(Signal::line_fill, 2, 2 << d::fill_found_shift, activity.add(window));
  activity.occur(Signal::segment_load, 3, 0, activity.add(i));
  activity.occur(Signal::return_stack, 4, d::ras_predicts, activity.add(i));
  activity::RequestRecord reference = window;
  reference.address = 0x1006;
  reference.size = 4;
  reference.crosses_octet = true;
  const std::uint32_t of_data = activity.add(reference);
  activity.occur(Signal::dcache_lookup, 5, d::access_load | d::lookup_miss, of_data);
  activity.occur(Signal::line_fill, 6, d::side_data | 2 << d::fill_installed_shift, of_data);
  activity.occur(Signal::translation, 6, d::side_data | d::tlb_second_level_hit, of_data);
  activity.occur(Signal::translation, 7, d::side_data | d::tlb_walk, of_data);
  const unsigned everything[] = {0x20u | units(1),
                                 0x40,
                                 0x41,
                                 0x42 | units(0x1f),
                                 0x43 | units(0x1f),
                                 0x45,
                                 0x46,
                                 0x47,
                                 0x80,
                                 0x81,
                                 0x82,
                                 0x85,
                                 0x88};
  for (const unsigned select : everything) {
    EXPECT_EQ(count(select, activity), 1u) << select;
    EXPECT_EQ(count(select, activity, {{"pmu.wrong_path", "left_out"}}), 0u) << select;
  }
}

TEST(Choices, ResyncsAndReturns) {
  HandMade snooped(10);
  snooped.occur(Signal::resync, 5, d::resync_snoop);
  EXPECT_EQ(count(0xc7, snooped), 1u);
  EXPECT_EQ(count(0xc7, snooped, {{"pmu.snoop_resyncs", "left_out"}}), 0u);
  HandMade stored(10);
  stored.occur(Signal::resync, 5, d::resync_code_store);
  EXPECT_EQ(count(0xc7, stored, {{"pmu.snoop_resyncs", "left_out"}}), 1u);
  activity::InstructionRecord ret;
  ret.traits = activity::bit(activity::Trait::branch) | activity::bit(activity::Trait::near_return);
  ret.mispredicted = true;
  HandMade returned(10);
  returned.occur(Signal::retire, 5, 0, returned.add(ret));
  EXPECT_EQ(count(0xca, returned), 0u);
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

TEST(Choices, EdgeAmount) {
  const HandMade activity = fetch_counts({0, 1, 3, 0, 3, 2});  // rises at 1 and at 3
  EXPECT_EQ(count(fetches | edge, activity), 2u);
  EXPECT_EQ(count(fetches | edge, activity, {{"pmu.edge_amount", "events"}}), 1 + 3u);
}

TEST(Choices, CyclePrivilege) {
  HandMade activity(10);
  activity.state(State::cpl, 3).change(State::cpl, 6, 0);
  EXPECT_EQ(counted(en | usr | clocks, activity), 6u);
}

TEST(Choices, OperatingModes) {
  struct Row {
    activity::OperatingMode mode;
    unsigned cpl;
    const char* parameter;
  };
  using activity::OperatingMode;
  for (const Row& row :
       {Row{OperatingMode::real, 0, "pmu.real_privilege"}, Row{OperatingMode::virtual_8086, 3, "pmu.v86_privilege"},
        Row{OperatingMode::system_management, 0, "pmu.smm_privilege"}}) {
    HandMade activity(10);  // four clocks in protected mode, six in the other mode
    activity.state(State::cpl, row.cpl).change(State::operating_mode, 4, static_cast<std::uint64_t>(row.mode));
    const std::uint32_t own = row.cpl == 0 ? os : usr, other = row.cpl == 0 ? usr : os;
    EXPECT_EQ(counted(en | own | clocks, activity), 10u) << row.parameter;
    EXPECT_EQ(counted(en | other | clocks, activity), 0u) << row.parameter;
    const char* const turned = row.cpl == 0 ? "usr" : "os";
    EXPECT_EQ(counted(en | own | clocks, activity, {{row.parameter, turned}}), 4u) << row.parameter;
    EXPECT_EQ(counted(en | other | clocks, activity, {{row.parameter, turned}}), 6u) << row.parameter;
    EXPECT_EQ(counted(all_rings | clocks, activity, {{row.parameter, "neither"}}), 4u) << row.parameter;
  }
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

TEST(Choices, RetiredUnit) {
  HandMade activity(10);  // three macro-operations, two of which have an address and an execution
  activity.occur(Signal::operation_retire, 5, 2, activity.add(activity::InstructionRecord()), 3);
  EXPECT_EQ(count(0xc1, activity), 3u);
  EXPECT_EQ(count(0xc1, activity, {{"pmu.retired_unit", "operations"}}), 3 + 2u);
  EXPECT_EQ(count(0xc1 | counter_mask(4), activity), 0u);
  EXPECT_EQ(count(0xc1 | counter_mask(4), activity, {{"pmu.retired_unit", "operations"}}), 1u);
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
