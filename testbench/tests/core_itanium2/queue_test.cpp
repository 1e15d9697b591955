// L2's ordered queue, L3 and the bus: rules on small traces, and every cause of a cancelled or repeated attempt.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "mixture.h"
#include "record.h"

namespace pmusim::testbench::ia64 {
namespace {

namespace d = activity::detail;
namespace dd = act::detail;

namespace qc = act::queue_cancel;
constexpr unsigned late = qc::first | qc::adjacent;

std::string fp_load(unsigned reg) { return bundle(stop(mmi), ldfd | r1(reg) | r3(9), nop, nop); }
std::string at(char kind, std::uint64_t address) { return fmt::format("{}0 {:x} 8 dtlb=hit", kind, address); }
/// Cancelled attempts with this cause which have of the bits of `among` those of `set`.
std::uint64_t cancels(const Record& r, act::QueueCancel why, unsigned among = 0, unsigned set = 0) {
  const auto& all = r.of(Signal::queue_cancel);
  return static_cast<std::uint64_t>(std::count_if(all.begin(), all.end(), [&](const Ia64Occurrence& h) {
    return (h.detail & qc::cause_mask) == static_cast<std::uint16_t>(why) && (h.detail & among) == set;
  }));
}
std::uint64_t cancels_in(const Record& r, act::QueueCancel why, act::QueueStage stage) {
  return cancels(r, why, 3u << qc::stage_shift, queue_stage(stage));
}
/// Recirculations with this cause.
std::uint64_t rounds(const Record& r, act::Recirculate why) {
  const auto& all = r.of(Signal::force_recirculate);
  return static_cast<std::uint64_t>(std::count_if(all.begin(), all.end(), [&](const Ia64Occurrence& h) {
    return (h.detail & act::recirculate::cause_mask) == static_cast<std::uint16_t>(why);
  }));
}

/// Loads a line into L2, then waits until the load is finished.
Script warm(std::uint64_t address) { return Script().add(fp_load(8), at('L', address)).repeat(320, nops); }

TEST(OrderedQueue, ALoadAloneSkipsIt) {
  const Record r = run(warm(data).add(fp_load(9), at('L', data)).repeat(20, nops));
  const auto bypasses = r.of(Signal::bypass, 0, dd::bypass_l3);
  ASSERT_EQ(bypasses.size(), 2u);
  EXPECT_EQ(bypasses[1].detail, 0u);  // data, first stage, to L2
  EXPECT_EQ(r.of(Signal::load_return).back().request.end - r.of(Signal::load_return).back().request.start, 6u);
}

TEST(OrderedQueue, TwoLoadsOfABankTakeTwoCycles) {
  // The same 16 bytes of two lines in different sets, in one cycle.
  const std::string pair = bundle(stop(mmi), ldfd | r1(9) | r3(9), ldfd | r1(10) | r3(9), nop);
  const auto loads = [&](std::uint64_t second) {
    return run(warm(data)
                   .add(fp_load(8), at('L', data + 256))
                   .repeat(320, nops)
                   .add(pair, fmt::format("L0 {:x} 8 L1 {:x} 8 dtlb=hit", data, second))
                   .repeat(20, nops));
  };
  EXPECT_EQ(cancels(loads(data + 256), act::QueueCancel::bank), 1u);
  EXPECT_EQ(cancels(loads(data + 256 + 16), act::QueueCancel::bank), 0u);
}

TEST(OrderedQueue, FourLoadsACycleUntilNoPortIsLeft) {
  // Four FP loads a group, each from another bank: L2 returns four a cycle. Groups that do not stall issue in
  // consecutive cycles.
  constexpr unsigned groups = 24;
  const auto span = [&](std::int64_t ports) {
    Script s = Script();
    for (unsigned line = 0; line < 16; ++line) s.add(fp_load(8), at('L', data + 128 * line));
    s.repeat(600, nops);
    for (unsigned i = 0; i < groups; ++i) {
      const std::uint64_t where = data + 64 * i % 2048;
      const unsigned reg = 32 + 4 * i;  // no register is written twice
      s.add(bundle(mmi, ldfd | r1(reg) | r3(9), ldfd | r1(reg + 1) | r3(9), nop),
            fmt::format("L0 {:x} 8 L1 {:x} 8 dtlb=hit", where, where + 16));
      s.add(bundle(stop(mmi), ldfd | r1(reg + 2) | r3(9), ldfd | r1(reg + 3) | r3(9), nop),
            fmt::format("L0 {:x} 8 L1 {:x} 8 dtlb=hit", where + 32, where + 48));
    }
    const Record r = run(s.repeat(40, nops), plain({{"core.l2_ports", ports}}));
    const auto& loads = r.of(Signal::data_reference);
    EXPECT_EQ(cancels(r, act::QueueCancel::return_port) != 0, ports < 4);
    return loads.back().cycle - loads[16].cycle + 1;
  };
  EXPECT_EQ(span(4), groups);
  // With two ports, the queue takes the other loads until it is full.
  EXPECT_GT(span(2), groups + 8);
}

TEST(OrderedQueue, ALoadWaitsForAStoreInTheArrays) {
  for (const Cycle behind : {0u, 1u, 2u, 3u, 4u}) {
    Script s = warm(data);
    s.add(one_store, at('S', data));
    if (behind > 1) s.repeat(static_cast<unsigned>(behind) - 1, nops);
    if (behind > 0) s.add(fp_load(9), at('L', data));
    const Record r = run(s.repeat(20, nops));
    const std::uint64_t a = cancels_in(r, act::QueueCancel::store_data, act::QueueStage::l2a),
                        m = cancels_in(r, act::QueueCancel::store_data, act::QueueStage::l2d),
                        c = cancels_in(r, act::QueueCancel::store_data, act::QueueStage::l2c);
    EXPECT_EQ(a, behind == 1 ? 1u : 0u) << behind;
    EXPECT_EQ(m, behind == 2 ? 1u : 0u) << behind;
    EXPECT_EQ(c, behind == 3 ? 1u : 0u) << behind;
  }
}

TEST(OrderedQueue, SecondMissesOfALineGoRound) {
  Script s;
  s.add(fp_load(8), at('L', data)).add(fp_load(9), at('L', data + 64)).repeat(320, nops);
  const Record r = run(s);
  EXPECT_EQ(rounds(r, act::Recirculate::miss), 1u);
  EXPECT_EQ(rounds(r, act::Recirculate::line_under_way), 1u);
  EXPECT_EQ(r.count(Signal::l2_lookup, d::lookup_miss), 1u);
  EXPECT_EQ(r.count(Signal::l2_lookup, d::lookup_pending), 1u);
  EXPECT_EQ(r.count(Signal::l3_lookup), 1u);
  const auto& returns = r.of(Signal::load_return);
  ASSERT_EQ(returns.size(), 2u);
  EXPECT_EQ(returns[0].cycle + 1, returns[1].cycle);
}

TEST(OrderedQueue, ReleasesWaitAndAcquiresHold) {
  Script s = warm(data);
  s.add(fp_load(9), at('L', data + 4096))
      .add(bundle(stop(mmi), st8_rel | r2(10) | r3(9), nop, nop), at('S', data))
      .repeat(320, nops);
  const Record release = run(s);
  EXPECT_EQ(cancels(release, act::QueueCancel::release, qc::first, qc::first), 1u);
  EXPECT_EQ(cancels(release, act::QueueCancel::release, qc::first, 0), 1u);
  EXPECT_GT(release.cycles_in(State::l2_queue, act::l2_queue::has_release, act::l2_queue::has_release), 150u);
  Script t = warm(data);
  t.add(bundle(stop(mmi), ld8_acq | r1(10) | r3(9), nop, nop), at('L', data + 8192))
      .add(fp_load(9), at('L', data))
      .repeat(320, nops);
  const Record acquire = run(t);
  EXPECT_EQ(cancels(acquire, act::QueueCancel::acquire, late, late), 1u);
  EXPECT_EQ(cancels(acquire, act::QueueCancel::acquire), 2u);
  EXPECT_GT(acquire.cycles_in(State::l2_queue, act::l2_queue::has_acquire, act::l2_queue::has_acquire), 150u);
}

TEST(OrderedQueue, AnAcquireIsLateForTheNextCycleAlone) {
  for (const unsigned between : {0u, 1u, 2u}) {
    Script s = warm(data);
    s.add(bundle(stop(mmi), ld8_acq | r1(10) | r3(9), nop, nop), at('L', data + 8192));
    if (between > 0) s.repeat(between, nops);
    const Record r = run(s.add(fp_load(9), at('L', data)).repeat(320, nops));
    EXPECT_EQ(cancels(r, act::QueueCancel::acquire, late, late), between == 0 ? 1u : 0u) << between;
    EXPECT_EQ(cancels(r, act::QueueCancel::acquire), between == 0 ? 2u : 1u) << between;
    if (between > 0) continue;
    // It is retried in the next cycle, and is then no longer late.
    std::vector<Ia64Occurrence> acquires;
    std::ranges::copy_if(r.of(Signal::queue_cancel), std::back_inserter(acquires), [](const Ia64Occurrence& h) {
      return (h.detail & qc::cause_mask) == static_cast<std::uint16_t>(act::QueueCancel::acquire);
    });
    ASSERT_EQ(acquires.size(), 2u);
    EXPECT_EQ(acquires[0].detail & late, late);
    EXPECT_EQ(acquires[1].detail & late, qc::adjacent);
    EXPECT_EQ(acquires[1].cycle, acquires[0].cycle + 1);
  }
}

TEST(Bus, QueuesAreAsFullAsTheirRequests) {
  // The sum of a queue's occupancy over all cycles equals the sum of the residence times: here of one read.
  const Record r = run(Script().add(fp_load(8), at('L', data)).repeat(2, nops));
  Cycle inserted = r.of(Signal::bus_queue_insert).front().cycle, returned = r.of(Signal::load_return).front().cycle;
  const auto fill = [&](unsigned shift) {
    return r.cycles_in(State::bus_queues, std::uint64_t{1} << shift, std::uint64_t{0xff} << shift);
  };
  const Cycle waits = fill(act::bus_queues::requests_shift);
  EXPECT_EQ(fill(act::bus_queues::in_order_shift), 4u * 5) << "four bus clocks to the snoop result";
  EXPECT_EQ(fill(act::bus_queues::in_order_shift) + fill(act::bus_queues::deferred_shift),
            fill(act::bus_queues::memory_reads_shift));
  EXPECT_EQ(inserted + waits + fill(act::bus_queues::memory_reads_shift), returned);
  EXPECT_EQ(returned % 5, 0u) << "a line ends with a bus clock";
}

}  // namespace
}  // namespace pmusim::testbench::ia64
