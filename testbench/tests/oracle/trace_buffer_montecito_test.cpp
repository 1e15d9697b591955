// Expected contents of the Montecito's registers: misses that end in the background, branches, and addresses (IP-EAR).
#include <gtest/gtest.h>

#include "machine.h"
#include "testbench/oracle/captures.h"

namespace pmusim::oracle::montecito {
namespace {

using namespace script;  // NOLINT
using i64::Kind;

Insn at_address(std::uint64_t ip, std::uint8_t thread = 0) {
  return but(insn({}), [=](Insn& i) {
    i.record.ip = ip;
    i.record.thread = thread;
  });
}
std::vector<TracedBundle> traced(const Machine& machine, unsigned delay, Cycle wrap,
                                 const Values& parameters = Values(), Cycle stop = activity::never) {
  Request request = row("ETB_EVENT");
  request.ia64.trace_delay = delay;
  AddressTrace trace(request, parameters, "montecito");
  trace.consume(machine.block);
  return trace.buffer_after(wrap, stop);
}
TracedBundle entry(Cycle at, std::uint64_t bundle, unsigned cycles, bool flushed = false) {
  return {at, bundle, cycles, flushed, false, 0};
}

// Retirement in cycles 5, 6 (two bundles), 10 and 90.
Machine retiring() {
  Machine machine(100);
  machine.put(Signal::retire, 5, at_address(0x4000));
  machine.put(Signal::retire, 6, at_address(0x4010));
  machine.put(Signal::retire, 6, at_address(0x4020));
  machine.put(Signal::retire, 10, at_address(0x5230));
  machine.put(Signal::retire, 90, at_address(0x6000));
  return machine;
}

TEST(MontecitoAddressTrace, OneEntryACycle) {
  const Machine machine = retiring();
  const std::vector<TracedBundle> all = {entry(5, 0x4000, 0), entry(6, 0x4010, 0), entry(10, 0x5230, 3),
                                         entry(90, 0x6000, 63)};
  EXPECT_EQ(traced(machine, 0, 99), all) << "79 cycles of bubbles are 63";
  EXPECT_EQ(traced(machine, 0, 9), (std::vector{all[0], all[1]}));
  EXPECT_EQ(traced(machine, 0, 10), (std::vector{all[0], all[1], all[2]}));
  EXPECT_EQ(traced(machine, 1, 9), (std::vector{all[0], all[1], all[2]})) << "a cycle longer";
  EXPECT_EQ(traced(machine, 1, 8), (std::vector{all[0], all[1]}));
  const auto bundles = traced(machine, 0, 9, Values{{"pmu.ipear_entry", 1}});
  EXPECT_EQ(bundles, (std::vector{all[0], all[1], entry(6, 0x4020, 0)}));
  EXPECT_EQ(traced(machine, 0, 99, Values{{"pmu.ipear_cycles", 1}}).at(2).cycles, 4u);
}

TEST(MontecitoAddressTrace, SixteenEntries) {
  Machine machine(100);
  for (unsigned i = 0; i < 20; ++i) machine.put(Signal::retire, 10 + i, at_address(0x4000 + 16 * i));
  const auto held = traced(machine, 0, 99);
  ASSERT_EQ(held.size(), 16u);
  EXPECT_EQ(held.front().bundle, 0x4000u + 16 * 4);
}

TEST(MontecitoAddressTrace, Flushes) {
  Machine machine = retiring();
  machine.state(State::back_end, 7, i64::back_end(i64::BackEnd::flush, i64::cause::interruption));
  machine.state(State::back_end, 9, 0);
  machine.state(State::back_end, 11, i64::back_end(i64::BackEnd::flush, i64::cause::branch));
  machine.state(State::back_end, 12, i64::back_end(i64::BackEnd::execute, i64::cause::fr));
  std::vector<bool> flags;
  for (const TracedBundle& t : traced(machine, 0, 99, Values())) flags.push_back(t.flushed);
  EXPECT_EQ(flags, (std::vector<bool>{false, false, true, true}));
}

// Frozen in cycle 6 with a delay of ten cycles, which another event ends in cycle 12.
TEST(MontecitoAddressTrace, CutShort) {
  const auto expect_cut = [](const Machine& machine, Cycle stop) {
    const auto held = traced(machine, 10, 6, Values(), stop);
    ASSERT_EQ(held.size(), 3u);
    EXPECT_EQ(held[2], (TracedBundle{10, 0x5000, 3, false, true, 4}));
    EXPECT_FALSE(held[1].cut_short);
    EXPECT_EQ(traced(machine, 0, 10, Values(), stop).back(), entry(10, 0x5230, 3)) << "no delay to cut";
  };
  Machine switching = retiring(), trapping = retiring();
  switching.happen(Signal::thread_switch, 12);
  trapping.happen(Signal::trap, 12);
  expect_cut(retiring(), 12);
  expect_cut(switching, activity::never);
  expect_cut(trapping, activity::never);
  Machine foreign = retiring();
  foreign.state(State::thread, 11, 1);
  foreign.happen(Signal::trap, 12);
  EXPECT_FALSE(traced(foreign, 10, 6).back().cut_short) << "the other thread's";
  Machine earlier = retiring();
  earlier.happen(Signal::trap, 5);
  EXPECT_FALSE(traced(earlier, 10, 6).back().cut_short);
}

// The monitor is frozen three cycles after the wrap in cycle 6, from cycle 10 on; its thread was switched out in cycle
// 8, so that the delay does not start.
TEST(MontecitoAddressTrace, FrozenInTheBackground) {
  const Values later{{"pmu.freeze_delay", 3}};
  Machine away = retiring();
  away.happen(Signal::thread_switch, 7);
  away.state(State::thread, 8, 1);
  const auto held = traced(away, 10, 6, later);
  ASSERT_EQ(held.size(), 2u);
  EXPECT_EQ(held[1], (TracedBundle{6, 0x4000, 0, false, true, 10}));
  EXPECT_FALSE(traced(away, 0, 6, later).back().cut_short) << "no delay to cut";
  Machine back = retiring();
  back.state(State::thread, 7, 1);
  back.state(State::thread, 9, 0);
  EXPECT_FALSE(traced(back, 10, 6, later).back().cut_short);
}

// A handler that runs before the freeze reads what has retired until then; no entry is marked as cut short.
TEST(MontecitoAddressTrace, ReadBeforeTheFreeze) {
  Machine machine = retiring();
  machine.happen(Signal::trap, 40);
  const Values later{{"pmu.freeze_delay", 20}};
  EXPECT_EQ(traced(machine, 10, 6, later, 9), (std::vector{entry(5, 0x4000, 0), entry(6, 0x4010, 0)}));
  EXPECT_EQ(traced(machine, 10, 6, later, 12).back(), entry(10, 0x5230, 3));
}

TEST(MontecitoAddressTrace, OwnThreadAlone) {
  Machine machine(30);
  machine.put(Signal::retire, 5, at_address(0x4000));
  machine.state(State::thread, 10, 1);
  machine.put(Signal::retire, 15, at_address(0x8000, 1));
  machine.state(State::thread, 20, 0);
  machine.put(Signal::retire, 25, at_address(0x4010));
  EXPECT_EQ(traced(machine, 0, 29), (std::vector{entry(5, 0x4000, 0), entry(25, 0x4010, 19)}));
  machine.state(State::background_psr, 0, i64::psr::up);
  machine.state(State::background_cpl, 0, 3);
  EXPECT_EQ(traced(machine, 0, 29, Values{{"pmu.thread", 1}}), std::vector{entry(15, 0x8000, 0)});
}

TEST(MontecitoAddressTrace, ByLevel) {
  Machine machine = retiring();
  machine.state(State::cpl, 6, 0);
  machine.state(State::cpl, 7, 3);
  Request request = row("ETB_EVENT");
  request.ia64.levels = 8;
  AddressTrace trace(request, Values(), "montecito");
  trace.consume(machine.block);
  EXPECT_EQ(trace.buffer_after(20), (std::vector{entry(5, 0x4000, 0), entry(10, 0x5230, 4)}));
  trace.forget(10);
  EXPECT_EQ(trace.buffer_after(20).size(), 1u);
}

Machine branching(unsigned branches) {
  Machine machine(200);
  for (unsigned i = 0; i < branches; ++i) {
    Insn made = insn({Kind::branch}, i64::SlotType::b);
    made.record.ip = 0x4000 + 0x100 * i;
    made.record.slot = 2;
    made.record.taken = true;
    made.record.next_ip = 0x4100 + 0x100 * i;
    made.record.thread = i % 3 == 2 ? 1 : 0;
    machine.put(Signal::retire, 10 + 5 * i, made);
  }
  return machine;
}

// Twelve branches, four of them of the other thread: the other eight fill the sixteen entries, and a ninth overwrites
// two.
TEST(MontecitoBranchBuffer, HoldsSixteenEntries) {
  const auto held = [](unsigned branches) {
    BranchList list(row("ETB_EVENT"), Values(), "montecito");
    list.consume(branching(branches).block);
    return list.buffer_after(199);
  };
  ASSERT_EQ(held(12).size(), 16u);
  EXPECT_EQ(held(12).front().bundle, 0x4000u);
  ASSERT_EQ(held(13).size(), 16u);
  EXPECT_EQ(held(13).front().bundle, 0x4100u);
  for (const char* name : {"ETB_EVENT", "BRANCH_EVENT"}) {
    Request request = row(name);
    EXPECT_EQ(counted_by_montecito(branching(12), request), 8u);
    request.ia64.traces_addresses = true;
    EXPECT_EQ(counted_by_montecito(branching(12), request), 0u);
  }
}

// Thread 0 starts a load in cycle 5, is switched out in cycle 10 and gets its data in cycle 25; thread 1 starts a load
// in cycle 12 and, with no load in flight, another in cycle 27.
TEST(MontecitoDataEar, MissThatEndsInTheBackground) {
  Machine machine(60);
  const auto ref = machine.put(Signal::data_reference, 5, load_of(0xa000));
  machine.state(State::thread, 10, 1);
  machine.state(State::psr, 10, 0);
  machine.state(State::background_psr, 10, i64::psr::up);
  machine.state(State::background_cpl, 10, 3);
  Access foreign = load_of(0xb000);
  foreign.record.thread = 1;
  foreign.record.id = 1;
  machine.put(Signal::data_reference, 12, foreign);
  machine.again(Signal::load_return, 25, ref);
  machine.again(Signal::load_return, 50, machine.put(Signal::data_reference, 27, foreign));
  const auto list = make_capture_list(row("DATA_EAR_CACHE_LAT16"), Values(), "montecito");
  list->consume(machine.block);
  ASSERT_EQ(list->captures().size(), 1u);
  EXPECT_EQ(list->captures()[0].latency, 20u);
  EXPECT_EQ(list->captures()[0].address, 0xa000u);
  const Request request = row("DATA_EAR_CACHE_LAT16");
  EXPECT_EQ(counted_by_montecito(machine, request), 1u);
  EXPECT_EQ(counted_by_montecito(machine, request, Values{{"pmu.floating_background", 1}}), 0u);
  EXPECT_EQ(counted_by_montecito(machine, request, Values{{"pmu.thread", 1}}), 0u);
}

}  // namespace
}  // namespace pmusim::oracle::montecito
