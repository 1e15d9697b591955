// Properties of any pair of traces: block cuts do not matter, nothing is lost, every cause is reached.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "bench.h"
#include "testbench/tests/core_itanium2/mixture.h"

namespace pmusim::testbench::montecito {
namespace {

namespace d = activity::detail;
namespace dd = act::detail;

models::Parameters small(const Changes& changes = {}) {
  const Changes sizes = {{"core.l2_bytes", 8192},  {"core.l2_ways", 4}, {"core.l2i_bytes", 8192}, {"core.l2i_ways", 2},
                         {"core.l3_bytes", 65536}, {"core.l3_ways", 4}, {"core.quantum", 500}};
  return changed(changed(core::montecito_parameters(), sizes), changes);
}
std::string first_text() { return mixture({7, 1200, 0x4000, false, true, true}).text(); }
std::string second_text() {
  Script s = mixture({8, 1200, 0x8000, false, true, true});
  for (unsigned i = 0; i < 4; ++i)
    s.repeat(40, nops).add(bundle(stop(mmi), pause, nop, nop)).repeat(40, nops).say("halt cycles=300");
  return s.add(nops).text();
}
std::vector<std::uint64_t> program_of(const Record& r, unsigned thread) {
  std::vector<std::uint64_t> ids;
  constexpr std::uint64_t special = std::uint64_t{5} << 61;
  for (const Ia64Occurrence& h : r.of(Signal::retire)) {
    if (h.instruction.thread == thread && (h.instruction.id & special) == 0)
      ids.push_back(h.instruction.id & ~(std::uint64_t{1} << 62));
  }
  return ids;
}

TEST(Blocks, CutsDoNotMatter) {
  const auto from = [&](Cycle cycles) {
    return run(*core_with({first_text(), second_text()}, small()), cycles).digest();
  };
  const std::uint64_t whole = from(10'000'000);
  for (const Cycle cycles : {1u, 7u, 1000u}) EXPECT_EQ(from(cycles), whole) << "blocks of " << cycles;
}

TEST(Threads, EachRunsItsTraceInOrder) {
  const Record both = run(*core_with({first_text(), second_text()}, small()));
  EXPECT_GT(both.count(Signal::thread_switch), 20u);
  EXPECT_EQ(program_of(both, 0), program_of(run(*core_with({first_text()}, small())), 0));
  EXPECT_EQ(program_of(both, 1), program_of(run(*core_with({second_text()}, small())), 0));
  // While a thread is active, no instruction of the other thread moves; a request's data returns to its thread.
  for (const Signal s : {Signal::dispatch, Signal::retire, Signal::kill}) {
    for (const Ia64Occurrence& h : both.of(s)) EXPECT_EQ(h.instruction.thread, both.at(State::thread, h.cycle));
  }
  for (const Ia64Occurrence& h : both.of(Signal::load_return)) {
    if (h.half.owner != activity::no_ref) {
      EXPECT_EQ(h.request.thread, h.instruction.thread);
    }
  }
  EXPECT_EQ(both.count(Signal::retire), program_of(both, 0).size() + program_of(both, 1).size());
}

TEST(Threads, RecordedProgramsRunTogether) {
  const std::filesystem::path folder = std::filesystem::path(PMUSIM_SOURCE_DIR) / "isa-traces" / "recorded";
  const auto retired = [&](const std::vector<std::string>& names) {
    std::vector<std::unique_ptr<trace::Reader>> traces;
    traces.reserve(names.size());
    for (const std::string& name : names) traces.push_back(trace::open(folder / ("ia64-" + name + ".pmt")));
    const auto core = core::make_montecito(std::move(traces), core::montecito_parameters());
    std::array<std::uint64_t, 2> of_thread{};
    std::uint64_t switched = 0;
    activity::Block block;
    for (bool more = true; more;) {
      block.restart(core->now());
      more = core->run(core->now() + 50000, block);
      for (const auto& o : block.column(Signal::retire)) ++of_thread[block.instructions[o.ref].thread];
      switched += block.column(Signal::thread_switch).size();
    }
    EXPECT_EQ(switched != 0, names.size() == 2);
    return of_thread;
  };
  const auto both = retired({"pipelined", "recursion-O3"});
  EXPECT_EQ(both[0], retired({"pipelined"})[0]);
  EXPECT_EQ(both[1], retired({"recursion-O3"})[0]);
}

TEST(Threads, TheBooksOfSwitchingBalance) {
  const Record r = run(*core_with({first_text(), second_text()}, small()));
  // The active thread changes with each switch, in the next cycle.
  std::vector<Cycle> changed;
  for (const auto& [cycle, value] : r.changes(State::thread)) changed.push_back(cycle);
  ASSERT_EQ(changed.size(), switches(r).size() + 1);
  for (std::size_t i = 0; i < switches(r).size(); ++i) EXPECT_EQ(changed[i + 1], switches(r)[i] + 1);
  // Each switch is due in its own cycle and not in the next.
  for (const Cycle at : switches(r)) {
    EXPECT_NE(r.at(State::switching, at) & act::switching::due, 0u);
    EXPECT_EQ(r.at(State::switching, at + 1) & act::switching::due, 0u);
  }
}

TEST(Threads, InterruptsAnywhereLoseNothing) {
  const Record undisturbed = run(*core_with({first_text(), second_text()}, small()));
  for (const Cycle period : {97u, 311u}) {
    auto core = core_with({first_text(), second_text()}, small());
    Record r;
    activity::Block block;
    std::uint64_t interrupts = 0;
    for (bool more = true; more;) {
      block.restart(core->now());
      more = core->run(core->now() + period, block);
      r.append(block);
      if (!more || core->in_handler()) continue;
      core->take_interrupt(4);
      ++interrupts;
    }
    for (const unsigned thread : {0u, 1u}) EXPECT_EQ(program_of(r, thread), program_of(undisturbed, thread));
    EXPECT_EQ(r.count(Signal::trap, d::trap_monitor), interrupts);
  }
}

TEST(Threads, RunInstructionsCountsBoth) {
  auto core = core_with({first_text(), second_text()}, small());
  activity::Block block;
  block.restart(0);
  EXPECT_TRUE(core->run_instructions(1500, block));
  EXPECT_GE(core->retired(), 1500u);
  EXPECT_LE(core->retired(), 1501u);
}

TEST(Causes, AreAllReached) {
  std::set<unsigned> cancels, rounds, l3_cancels, operations, fills, writes, gates, causes, switched_bits;
  std::set<unsigned> retries;
  std::uint64_t aborts = 0, castouts = 0, collisions = 0;
  const auto gather = [&](const Record& r) {
    for (const Ia64Occurrence& h : r.of(Signal::queue_cancel)) {
      cancels.insert(h.detail);
      cancels.insert(h.detail & ~(act::queue_cancel::store | act::queue_cancel::same_set));
    }
    for (const Ia64Occurrence& h : r.of(Signal::force_recirculate)) rounds.insert(h.detail);
    for (const Ia64Occurrence& h : r.of(Signal::l3_cancel)) l3_cancels.insert(h.detail & act::l3_cancel_reason_mask);
    for (const Ia64Occurrence& h : r.of(Signal::queue_issue)) operations.insert(h.detail);
    for (const Ia64Occurrence& h : r.of(Signal::l2_fill)) fills.insert(h.detail);
    for (const Ia64Occurrence& h : r.of(Signal::thread_switch_gated)) gates.insert(h.detail);
    for (const Ia64Occurrence& h : r.of(Signal::thread_switch)) causes.insert(cause_of(h));
    for (const auto& [cycle, value] : r.changes(State::switching)) {
      for (const std::uint64_t bit : {1, 2, 4, 8, 16}) {
        if ((value & bit) != 0) switched_bits.insert(static_cast<unsigned>(bit));
      }
    }
    aborts += r.count(Signal::l2i_abort);
    for (const Ia64Occurrence& h : r.of(Signal::l2i_retry)) retries.insert(h.detail);
    collisions += r.count(Signal::interface_collision);
    for (const Ia64Occurrence& h : r.of(Signal::interface_insert)) {
      const unsigned queue = h.detail & act::interface_queue_mask;
      if (queue == static_cast<unsigned>(act::InterfaceQueue::write))
        writes.insert(h.detail >> act::interface_kind_shift & 7u);
      castouts += queue == static_cast<unsigned>(act::InterfaceQueue::clean_castout) ? 1 : 0;
    }
  };
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u, 12u, 13u, 14u, 15u, 16u}) {
    gather(run(*core_with({mixture({seed, 2000, 0x8000, seed % 2 == 0, seed % 3 != 0, true}).text(),
                           mixture({seed + 50, 2000, 0x4000, false, true, true}).text()},
                          small({{"core.fill_buffers", 4},
                                 {"core.request_queue", 3},
                                 {"core.l1i_bytes", seed > 3 ? 1024 : 16384},
                                 {"core.l2_ports", seed > 6 ? 1 : 4}}))));
  }
  const auto all = [](const std::set<unsigned>& found, std::initializer_list<unsigned> wanted, const char* what) {
    for (const unsigned one : wanted) EXPECT_TRUE(found.contains(one)) << what << " " << one;
  };
  const auto n = [](auto value) { return static_cast<unsigned>(value); };
  using Q = act::QueueCancel;
  using S2 = act::QueueStage;
  using act::queue_stage;
  namespace q = act::queue_cancel;
  all(cancels,
      {n(Q::recirculating),
       n(Q::recirculating) | q::first,
       n(Q::still_missing),
       n(Q::store_order) | queue_stage(S2::l2m),
       n(Q::store_data) | queue_stage(S2::l2a),
       n(Q::store_data) | queue_stage(S2::l2m),
       n(Q::store_data) | queue_stage(S2::l2d),
       n(Q::store_data) | queue_stage(S2::l2c),
       n(Q::acquire),
       n(Q::release),
       n(Q::bank),
       n(Q::semaphore),
       n(Q::no_attempt_left) | q::first,
       n(Q::write_back_read),
       n(Q::sync),
       n(Q::fence),
       n(Q::fill),
       n(Q::return_port),
       n(Q::missed_bypass) | q::first,
       n(Q::sibling_order) | q::first,
       n(Q::bypass_of_release) | q::first},
      "queue_cancel");
  using R = act::Recirculate;
  using P = act::LinePhase;
  using act::line_phase;
  namespace rd = act::recirculate;
  all(rounds,
      {n(R::line_under_way) | line_phase(P::requested), n(R::line_under_way) | line_phase(P::accepted),
       n(R::line_under_way) | line_phase(P::accepted) | rd::store, n(R::line_under_way) | line_phase(P::in_tags),
       n(R::line_under_way) | line_phase(P::arrives), n(R::tags_written), n(R::snoop), n(R::no_fill_buffer),
       n(R::set_under_way), n(R::miss), n(R::l1d_line_written)},
      "force_recirculate");
  EXPECT_TRUE(std::any_of(rounds.begin(), rounds.end(), [&](unsigned detail) {
    return (detail & rd::cause_mask) == n(R::line_under_way) && (detail & rd::prefetch) != 0;
  }));
  using L = act::L3Cancel;
  all(l3_cancels,
      {n(L::l3_busy), n(L::l2_hit), n(L::bus_queue_full), n(L::snoop_of_request), n(L::fill), n(L::write_back)},
      "l3_cancel");
  all(operations, {0, 1, 2, 3, 4, 5}, "queue_issue");
  all(fills, {0, 1, 2, 4, 1 | dd::l2_fill_pending}, "l2_fill");
  using S = act::SwitchCause;
  all(causes, {n(S::l3_miss), n(S::timer)}, "thread_switch");
  all(gates, {n(act::SwitchGate::pipeline), n(act::SwitchGate::forward_progress)}, "thread_switch_gated");
  all(switched_bits, {1, 4, 16}, "switching");
  EXPECT_GT(aborts, 0u);
  for (const unsigned why : {dd::retry_conflict, dd::retry_rejected, dd::retry_recirculated}) {
    for (const unsigned side : {0u, unsigned{d::access_prefetch}}) {
      for (const unsigned result : {d::lookup_hit, d::lookup_miss}) {
        if (why == dd::retry_recirculated && side == 0 && result == d::lookup_hit) continue;  // tested separately
        all(retries, {why | side | result}, "l2i_retry");
      }
    }
  }
  EXPECT_GT(castouts, 0u);
  EXPECT_GT(collisions, 0u);
  using W = act::InterfaceWrite;

  all(writes, {n(W::implicit), n(W::explicit_), n(W::coalesced_8a)}, "interface_insert");
}

TEST(Parameters, TheOwnOnesMatter) {
  const auto digest = [&](const models::Parameters& p) {
    return run(*core_with({first_text(), second_text()}, p), 10'000'000).digest();
  };
  const std::uint64_t usual = digest(small());
  for (const auto& [name, value] : Changes{{"core.l2i_bytes", 16384},
                                           {"core.l2i_ways", 1},
                                           {"core.switch_cycles", 16},
                                           {"core.quantum", 499},
                                           {"core.switch_on_miss", 0},
                                           {"core.switch_on_return", 0},
                                           {"core.urgency", 0},
                                           {"core.forward_progress", 0},
                                           {"core.shared_prediction", 0},
                                           {"core.second_memory", 0}}) {
    EXPECT_NE(digest(small({{name, value}})), usual) << name;
  }
}

}  // namespace
}  // namespace pmusim::testbench::montecito
