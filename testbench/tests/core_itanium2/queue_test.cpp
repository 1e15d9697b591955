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

TEST(L2, DirtyVictimsAreWrittenToL3) {
  // Nine lines of one set of eight ways: the first, modified, is replaced.
  Script s;
  for (unsigned i = 0; i < 9; ++i) s.add(one_store, at('S', data + i * 32768)).repeat(320, nops);
  const Record r = run(s);
  EXPECT_EQ(r.count(Signal::l3_lookup, d::access_writeback), 1u);
  EXPECT_EQ(r.count(Signal::l3_lookup, d::access_writeback | d::lookup_hit), 1u);
  EXPECT_EQ(r.count(Signal::l3_lookup, dd::l3_for_ownership), 9u);
  EXPECT_EQ(r.count(Signal::line_evict, d::cache_l2 | d::evict_replacement, 1), 1u);
  EXPECT_EQ(r.count(Signal::bus_transaction), 9u);
}

TEST(L3, AVictimOfL2MakesItsLineModified) {
  // L2 of one set of two ways: two other lines displace the stored line. L3 of one set of four: the line then leaves
  // L3.
  Script s;
  s.add(one_store, at('S', data)).repeat(320, nops);
  for (unsigned i = 1; i < 5; ++i) s.add(fp_load(8 + i), at('L', data + i * 65536)).repeat(320, nops);
  const Record r =
      run(s, plain({{"core.l3_bytes", 65536}, {"core.l3_ways", 4}, {"core.l2_bytes", 1024}, {"core.l2_ways", 2}}));
  std::uint64_t writes = 0;
  for (const Ia64Occurrence& h : r.of(Signal::bus_transaction)) {
    writes += (h.detail & dd::bus_kind_mask) == static_cast<unsigned>(act::BusKind::write_line) ? 1 : 0;
  }
  EXPECT_EQ(r.count(Signal::l3_lookup, d::access_writeback), 1u);
  EXPECT_EQ(writes, 1u);
}

TEST(L3, ReplacedLinesLeaveAllCaches) {
  // An L3 of one set of two ways.
  Script s;
  for (unsigned i = 0; i < 3; ++i) s.add(one_store, at('S', data + i * 65536)).repeat(320, nops);
  const Record r =
      run(s, plain({{"core.l3_bytes", 65536}, {"core.l3_ways", 2}, {"core.l2_bytes", 65536}, {"core.l2_ways", 8}}));
  EXPECT_EQ(r.count(Signal::line_evict, d::cache_l3 | d::evict_replacement), 1u);
  EXPECT_EQ(r.count(Signal::bus_snoop, dd::snoop_self), 1u);
  std::uint64_t writes = 0;
  for (const Ia64Occurrence& h : r.of(Signal::bus_transaction)) {
    writes += (h.detail & dd::bus_kind_mask) == static_cast<unsigned>(act::BusKind::write_line) ? 1 : 0;
  }
  EXPECT_EQ(writes, 1u);
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

/// The details, states and signals that occurred in some mixtures.
class Seen {
 public:
  void add(const Record& r) {
    for (const Signal signal : {Signal::queue_cancel, Signal::fetch_cancel, Signal::force_recirculate,
                                Signal::l3_cancel, Signal::queue_issue, Signal::bypass}) {
      for (const Ia64Occurrence& h : r.of(signal)) seen_[signal].insert(h.detail);
    }
    for (const auto& [cycle, value] : r.changes(State::back_end)) stages_.insert(value);
    for (const auto& [cycle, value] : r.changes(State::l2_queue)) queue_ |= value;
    for (const auto& [cycle, value] : r.changes(State::fetch_buffers)) buffers_ |= value;
    for (const auto& [cycle, value] : r.changes(State::front_end)) fronts_.insert(value >> 8);
    for (std::size_t s = 0; s < activity::signal_count; ++s) {
      if (!r.of(static_cast<Signal>(s)).empty()) signals_.insert(static_cast<Signal>(s));
    }
  }
  /// Some detail has this value in the bits of the mask.
  void expect(Signal signal, unsigned mask, unsigned value) const {
    const auto& details = seen_.at(signal);
    EXPECT_TRUE(std::any_of(details.begin(), details.end(), [&](unsigned detail) { return (detail & mask) == value; }))
        << "signal " << static_cast<int>(signal) << std::hex << ", bits " << mask << ", value " << value;
  }
  void expect_all(Signal signal, unsigned count) const {
    for (unsigned i = 0; i < count; ++i)
      EXPECT_TRUE(seen_.at(signal).contains(static_cast<std::uint16_t>(i)))
          << "signal " << static_cast<int>(signal) << ", detail " << i;
  }
  std::map<Signal, std::set<std::uint16_t>> seen_;
  std::set<std::uint64_t> stages_, fronts_;
  std::set<Signal> signals_;
  std::uint64_t queue_ = 0, buffers_ = 0;
};

TEST(Coverage, EveryCauseIsReached) {
  Seen seen;
  const auto small = [](const Changes& more = {}) {
    const Changes sizes = {{"core.l2_bytes", 16384}, {"core.l2_ways", 4},        {"core.l3_bytes", 65536},
                           {"core.l3_ways", 4},      {"core.l1dtlb_entries", 2}, {"core.l2dtlb_entries", 3}};
    return changed(changed(core::itanium2_parameters(), sizes), more);
  };
  for (const unsigned seed : {1u, 2u, 3u}) {
    Mix mix{seed, 3000, 0x8000, true, true, true};
    seen.add(run(mixture(mix), small()));
    seen.add(run(mixture(mix), small({{"core.victim_buffers", 1}, {"core.queue_entries", 64}, {"core.l2_ports", 1}})));
    seen.add(run(mixture(mix), small({{"core.fill_buffers", 3},
                                      {"core.queue_entries", 64},
                                      {"core.request_queue", 2},
                                      {"core.bus_ratio", 20}})));
    mix.forced_fetch = false;
    seen.add(run(mixture(mix), small({{"core.fill_buffers", 3}, {"core.memory_cycles", 30}})));
    mix.bytes = 0x2000;
    seen.add(run(mixture(mix), small({{"core.l2itlb_entries", 2},
                                      {"core.l1itlb_entries", 1},
                                      {"core.stream_lines", 16},
                                      {"core.request_buffers", 2},
                                      {"core.memory_cycles", 30}})));
  }
  using Q = act::QueueCancel;
  using Stage = act::QueueStage;
  const auto cause = [](auto value) { return static_cast<unsigned>(value); };
  const auto stage = [&](Q value, Stage of) { return cause(value) | queue_stage(of); };
  constexpr unsigned stages = 3u << qc::stage_shift;
  for (const Q why : {Q::missed_bypass, Q::bypass_of_release, Q::sync, Q::fence, Q::compare_value, Q::semaphore,
                      Q::uncacheable, Q::bank, Q::l1d_fill, Q::write_back_read, Q::return_port, Q::l2_error,
                      Q::system_error, Q::recirculating, Q::no_attempt_left, Q::still_missing}) {
    seen.expect(Signal::queue_cancel, qc::cause_mask, cause(why));
  }
  for (const unsigned bits : {0u, unsigned{qc::first}})
    seen.expect(Signal::queue_cancel, qc::cause_mask | qc::first, cause(Q::release) | bits);
  seen.expect(Signal::queue_cancel, qc::cause_mask | late, cause(Q::acquire) | late);
  seen.expect(Signal::queue_cancel, qc::cause_mask | late, cause(Q::acquire));
  for (const unsigned bits : {0u, unsigned{qc::walker}})
    seen.expect(Signal::queue_cancel, qc::cause_mask | qc::walker, cause(Q::fetch) | bits);
  for (const unsigned bits : {0u, unsigned{qc::store}, unsigned{qc::store | qc::same_set}})
    seen.expect(Signal::queue_cancel, qc::cause_mask | qc::store | qc::same_set, cause(Q::fill) | bits);
  for (const Stage of : {Stage::l2a, Stage::l2m, Stage::l2d, Stage::l2c})
    seen.expect(Signal::queue_cancel, qc::cause_mask | stages, stage(Q::store_data, of));
  for (const Stage of : {Stage::l2m, Stage::l2d, Stage::l2c})
    seen.expect(Signal::queue_cancel, qc::cause_mask | stages, stage(Q::store_order, of));
  namespace fc = act::fetch_cancel;
  using F = act::FetchCancel;
  for (const F why : {F::recirculating, F::fill_or_write_back, F::snoop, F::still_missing})
    seen.expect(Signal::fetch_cancel, fc::cause_mask, cause(why));
  for (const unsigned bits : {0u, unsigned{fc::prefetch}})
    seen.expect(Signal::fetch_cancel, fc::cause_mask | fc::first | fc::prefetch, cause(F::data) | fc::first | bits);
  for (const unsigned bits : {0u, 2u << fc::after_data_shift})
    seen.expect(Signal::fetch_cancel, fc::cause_mask | fc::first | 2u << fc::after_data_shift, cause(F::data) | bits);
  namespace rd = act::recirculate;
  using R = act::Recirculate;
  for (unsigned why = 0; why <= cause(R::set_under_way); ++why)
    seen.expect(Signal::force_recirculate, rd::cause_mask, why);
  for (const unsigned bits : {0u, unsigned{rd::prefetch}, unsigned{rd::for_code_prefetch}})
    seen.expect(Signal::force_recirculate, rd::cause_mask | rd::prefetch | rd::for_code_prefetch,
                cause(R::line_under_way) | bits);
  using L = act::L3Cancel;
  for (const L why : {L::l2_hit, L::no_fill_buffer, L::uncacheable_in_flight, L::bus_queue_full})
    seen.expect(Signal::l3_cancel, act::l3_cancel_reason_mask, cause(why));
  for (const unsigned bits : {0u, unsigned{act::l3_cancel_during_write_back}})
    seen.expect(Signal::l3_cancel, act::l3_cancel_reason_mask | act::l3_cancel_during_write_back,
                cause(L::l3_busy) | bits);
  seen.expect_all(Signal::queue_issue, dd::operation_other + 1);
  for (const std::uint16_t kind : {0, 1, 2, 3, 4, 6})
    EXPECT_TRUE(seen.seen_.at(Signal::bypass).contains(kind)) << "bypass " << kind;
  EXPECT_EQ(seen.queue_, 63u);
  EXPECT_EQ(seen.buffers_, 15u);
  for (unsigned cause = act::cause::full_store_buffer; cause <= act::cause::nat_conflict; ++cause) {
    if (cause == act::cause::nat || cause == act::cause::load_check) continue;  // tested separately
    EXPECT_TRUE(seen.stages_.contains(act::back_end(act::BackEnd::l1d_fpu, cause))) << "L1D cause " << cause;
  }
  for (unsigned why = 0; why <= static_cast<unsigned>(act::FrontEnd::unreached); ++why) {
    if (why == static_cast<unsigned>(act::FrontEnd::perfect_loop_prediction) ||
        why == static_cast<unsigned>(act::FrontEnd::branch_interlock) ||
        why == static_cast<unsigned>(act::FrontEnd::branch_queue))
      continue;
    EXPECT_TRUE(seen.fronts_.contains(why)) << "front end " << why;
  }
  EXPECT_TRUE(seen.signals_.contains(Signal::l2_valid_victim));
  EXPECT_TRUE(seen.signals_.contains(Signal::prefetch_lost));
  EXPECT_TRUE(seen.signals_.contains(Signal::request_kill));
  EXPECT_TRUE(seen.signals_.contains(Signal::l1i_snoop));
  EXPECT_TRUE(seen.signals_.contains(Signal::l2_probe));
}

}  // namespace
}  // namespace pmusim::testbench::ia64
