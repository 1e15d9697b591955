// Properties of any trace: block cuts do not matter; the back end is in one state a cycle; the counts of instructions
// and requests are consistent.
#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "mixture.h"
#include "pmusim/trace/ia64.h"
#include "record.h"
#include "testbench/tests/core_parts/recorded.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench::ia64 {
namespace {

namespace d = activity::detail;
namespace dd = act::detail;
namespace fs = std::filesystem;

Script everything() {
  Script s = mixture({7, 1500, 0x4000, false, true, true});
  s.say("psr up=0").say("pin dp1 level=1 cycles=33").add(nops).say("interrupt").at(0xe000000000000000).add(nops);
  s.say("return")
      .say("psr sp=1 up=0")
      .at(0x4000000000090000)
      .add(bundle(stop(mmi), sum_up, nop, nop))
      .add(nops)
      .say("interrupt")
      .at(0xe000000000000000)
      .add(nops)
      .say("return")
      .say("psr sp=0")
      .at(0x4000000000098000)
      .add(nops)
      .say("halt cycles=50")
      .add(nops)
      .say("mode ia32")
      .say("idle cycles=30");
  s.say("mode native").say("tb ratio=7/2").say("process 3").add(bundle(stop(mmi), srlz_i, nop, nop));
  s.add(bundle(stop(mmi), break_m, nop, nop)).add(bundle(stop(mmi), ptc_l, nop, nop)).repeat(3, nops);
  // Every producer and a consumer of its result.
  const std::string use = bundle(stop(mmi), add | r1(12) | r2(10), nop, nop);
  const std::string fp_use = bundle(stop(mfi), nop, fma_d | r1(11) | r3(10), nop);
  s.add(bundle(stop(mmi), getf_sig | r1(10) | r2(9), nop, nop)).add(use);
  s.add(bundle(stop(mmi), setf_sig | r1(10) | r2(9), nop, nop)).add(fp_use);
  s.add(bundle(stop(mfi), nop, fma_d | r1(10) | r3(9), nop), "ftz=1").add(fp_use);
  s.add(bundle(stop(mfi), nop, fcmp_eq | to_p6 | r2(9), nop)).add(bundle(stop(mmi), add | r1(13) | qp(6), nop, nop));
  s.add(bundle(stop(mii), nop, nop, mov_from_b0 | r1(10))).add(use);
  s.add(bundle(stop(mmi), nop, mov_from_ccv | r1(10), nop)).add(use);
  s.add(bundle(stop(mmi), nop, mov_from_bspstore | r1(10), nop)).add(use);
  s.add(bundle(stop(mii), nop, nop, shl | r1(10) | r2(9))).add(use);
  s.add(bundle(stop(mmi), add | r1(10) | r2(9), nop, nop)).add(bundle(stop(mii), nop, nop, shl | r1(12) | r2(10)));
  const std::string shift_use = bundle(stop(mii), nop, nop, shl | r1(12) | r2(10));
  s.add(bundle(stop(mmi), ld8 | r1(10) | r3(9), nop, nop), "L0 6000000000000000 8 dtlb=hit data=l1").add(shift_use);
  s.add(bundle(stop(mmi), ld8 | r1(10) | r3(9), nop, nop), "L0 6000000000000000 8 dtlb=hit data=l1");
  s.add(bundle(stop(mmi), setf_sig | r1(10) | r2(10), nop, nop));
  s.add(bundle(stop(mmi), getf_sig | r1(10) | r2(10), nop, nop)).add(shift_use);
  s.add(bundle(stop(mfi), nop, fma_d | r1(10) | r3(9), nop));
  s.add(bundle(stop(mmi), stfd | r2(10) | r3(9), nop, nop), "S0 6000000000000100 8");
  s.add(bundle(stop(mmi), ld8 | r1(10) | r3(9), nop, nop), "L0 6000000000000100 8").add(use);
  s.add(bundle(stop(mmi), st1 | r2(9) | r3(9), nop, nop), "S0 6000000000000101 1");
  s.add(bundle(stop(mmi), ld8 | r1(10) | r3(9), nop, nop), "L0 6000000000000100 8").add(use);
  s.add(bundle(stop(mmi), ld8 | r1(10) | r3(9), nop, nop), "L0 6000000000000200 8 dtlb=l2 data=mem").add(use).add(use);
  s.add(bundle(stop(mib), nop, nop, bsw_0)).add(bundle(stop(mmi), add | r1(12) | r2(16), nop, nop));
  for (unsigned i = 0; i < 40; ++i) {
    if (i == 32) s.say("snoop kind=invalidate addr=6000000000000080");
    s.add(bundle(stop(mmi), ld8_a | r1(32 + i) | r3(9), nop, nop),
          fmt::format("L0 {:x} 8", 0x6000000000000000 + 8 * i));
  }
  s.go(bundle(stop(mib), nop, nop, br_b1), 2, 0x40000000000a0000);
  const std::uint64_t loop = s.pc();
  for (unsigned i = 0; i < 5; ++i) s.go(bundle(stop(mib), nop, nop, br_cloop(0)), 2, loop);
  s.add(bundle(stop(mib), nop, nop, br_cloop(0)));
  s.go(bundle(stop(mmi), chk_s(10, 512), nop, nop), 0, s.pc() + 512, "", "x--").repeat(3, nops);
  s.add(bundle(stop(mmi), ld8 | r1(10) | r3(9), nop, nop), "L0 6000000000000000 8");
  s.add(bundle(stop(mmi), ld8 | r1(11) | r3(10), nop, nop), "L0 6000000000000008 8");
  // Back and forth between two pages, by branches of every class.
  constexpr std::uint64_t here = 0x40000000000b0000, there = 0x40000000000c0400;
  s.go(bundle(stop(mib), nop, nop, br_b1), 2, here);
  for (unsigned i = 0; i < 60; ++i) {
    s.go(bundle(stop(mbb), nop, nop_b, br_sptk(there - here)), 2, there);
    const std::string skip = bundle(stop(mib), nop, nop, br_dptk(32) | qp(6));
    if (i % 3 != 0) {
      s.go(skip, 2, there + 32);
    } else {
      s.add(skip, "", "xxp").add(nops);
    }
    s.go(bundle(stop(mib), nop, nop, br_b1), 2, here);
  }
  s.add(bundle(stop(mbb), nop, nop_b, br_dpnt(16) | qp(6)), "", "xxp");
  // After a load with a waiting consumer: as many bundles as the buffer holds, with as many branches as the queue
  // holds.
  const std::string slow = bundle(stop(mmi), ld8 | r1(10) | r3(9), nop, nop);
  s.go(bundle(stop(mib), nop, nop, br_b1), 2, 0x40000000000d0000);
  s.say("idle cycles=300").add(slow, "L0 6000000000000000 8 dtlb=hit data=mem").add(use);
  s.repeat(12, bundle(stop(mbb), nop, br_dpnt(256) | qp(6), br_dpnt(256) | qp(6)), "", "xpp");
  s.add(bundle(stop(mii), nop, extr | r1(12) | r3(9), extr | r1(13) | r3(9))).repeat(3, nops);
  return s;
}

TEST(Blocks, CutsDoNotMatter) {
  const std::string text = everything().text();
  const auto from = [&](Cycle cycles) { return run(*core_of(text, core::itanium2_parameters()), cycles).digest(); };
  const std::uint64_t whole = from(10'000'000);
  for (const Cycle cycles : {1u, 7u, 1000u}) EXPECT_EQ(from(cycles), whole) << "blocks of " << cycles;
  EXPECT_EQ(from(10'000'000), whole) << "the same again";
}

TEST(Blocks, CutsDoNotMatterForRecordedPrograms) {
  for (const auto& file : recorded_traces("ia64-")) {
    const std::string name = file.filename().string();
    if (name != "ia64-pipelined.pmt" && name != "ia64-recursion-O3.pmt") continue;  // the small ones
    const auto from = [&](Cycle cycles) {
      return run(*core::make_itanium2(trace::open(file), core::itanium2_parameters()), cycles).digest();
    };
    const std::uint64_t whole = from(10'000'000);
    for (const Cycle cycles : {7u, 1000u}) EXPECT_EQ(from(cycles), whole) << file << ", blocks of " << cycles;
  }
}

TEST(Blocks, RunInstructionsStopsBehindTheCycleOfTheLast) {
  auto core = core_of(Script().repeat(30, bundle(mmi, nop, nop, nop)).text());
  activity::Block block;
  block.restart(0);
  EXPECT_TRUE(core->run_instructions(3, block));
  EXPECT_EQ(core->retired(), 4u);  // two bundles a cycle, and no cycle is split
}

TEST(Perturbing, InterruptsAnywhereLoseNothing) {
  const std::string text = everything().text();
  const auto program = [](const Record& r) {
    std::vector<std::uint64_t> ids;
    for (const Ia64Occurrence& h : r.of(Signal::retire)) {
      if (h.instruction.id >> 61 == 0) ids.push_back(h.instruction.id);
    }
    return ids;
  };
  auto quiet = core_of(text, core::itanium2_parameters());
  const Record undisturbed = run(*quiet);
  for (const Cycle period : {53u, 211u}) {
    auto core = core_of(text, core::itanium2_parameters());
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
    EXPECT_EQ(core->retired(), undisturbed.retired());
    EXPECT_EQ(program(r), program(undisturbed));
    EXPECT_EQ(r.count(Signal::trap, d::trap_monitor), interrupts);
    EXPECT_GT(interrupts, 100u);
  }
}

/// Totals of a whole run.
struct Books {
  std::uint64_t retired = 0, dispatched = 0, killed = 0, trapped = 0, fetched = 0, data = 0, final = 0, bad_stages = 0;
  std::uint64_t cycles = 0, in_states = 0, returns = 0, reads_that_missed = 0, most_retired = 0;
  std::uint64_t held_more = 0;
};

Books balance(core::Core& core) {
  Books b;
  activity::Block block;
  for (bool more = true; more;) {
    block.restart(core.now());
    more = core.run(core.now() + 50000, block);
    std::map<std::uint32_t, std::uint64_t> in_cycle;
    for (const auto& o : block.column(Signal::retire))
      b.most_retired = std::max(b.most_retired, in_cycle[o.at] += o.amount);
    std::map<std::uint32_t, std::uint64_t> held;
    for (const auto& o : block.column(Signal::syllable_held)) held[o.at] += o.amount;
    for (const auto& [at, amount] : held) b.held_more += amount > 5 ? 1 : 0;
    b.retired += block.column(Signal::retire).size();
    b.dispatched += block.column(Signal::dispatch).size();
    b.killed += block.column(Signal::kill).size();
    for (const auto& o : block.column(Signal::trap)) b.trapped += o.ref != activity::no_ref ? 1 : 0;
    for (const auto& o : block.column(Signal::access_retire)) {
      const act::Request& r = block.ia64_requests[o.ref];
      b.final += r.requester == act::Requester::data ? 1 : 0;
    }
    for (const auto& o : block.column(Signal::data_reference)) {
      const act::Request& r = block.ia64_requests[o.ref];
      b.data += r.requester == act::Requester::data && (o.detail & dd::access_replayed) == 0 ? 1 : 0;
    }
    for (const auto& o : block.column(Signal::load_return)) {
      EXPECT_NE(block.ia64_requests[o.ref].served, act::Served::unknown);
      EXPECT_GE(block.requests[o.ref].end, block.requests[o.ref].start);
    }
    const auto& column = block.state(State::back_end);
    std::uint64_t value = column.initial, from = 0;
    const auto close = [&](std::uint64_t to) {
      const std::uint64_t stage_of = value & stage_mask;
      b.bad_stages += stage_of > static_cast<std::uint64_t>(act::BackEnd::front_end) ? 1 : 0;
      b.in_states += to - from;
      from = to;
    };
    for (const auto& change : column.changes) {
      close(change.at);
      value = change.value;
    }
    close(block.end - block.begin);
  }
  b.cycles = core.now();
  return b;
}

void expect_balanced(core::Core& core) {
  const Books b = balance(core);
  EXPECT_EQ(b.in_states, b.cycles) << "one state a cycle";
  EXPECT_EQ(b.bad_stages, 0u);
  EXPECT_EQ(b.dispatched, b.retired + b.killed + b.trapped) << "what is dispersed retires, is killed, or traps";
  EXPECT_EQ(b.data, b.final) << "every access of a retired instruction becomes final once";
  EXPECT_LE(b.most_retired, 6u);
  EXPECT_EQ(b.held_more, 0u) << "at most five of six syllables are held";
}

TEST(Parameters, EveryOneMattersAndItsLimitsRun) {
  const Script s = everything();
  const auto digest = [&](const models::Parameters& parameters) {
    return run(*core_of(s.text(), parameters), 10'000'000).digest();
  };
  // Small caches and a small ITLB, so that requests reach the levels after them.
  const models::Parameters defaults = changed(core::itanium2_parameters(), {{"core.l2_bytes", 8192},
                                                                            {"core.l2_ways", 4},
                                                                            {"core.l3_bytes", 65536},
                                                                            {"core.l3_ways", 4},
                                                                            {"core.l1itlb_entries", 2}});
  const std::uint64_t usual = digest(defaults);
  std::size_t tried = 0;
  for (const models::ParameterInfo& info : defaults.infos()) {
    if (info.name == "core.handler") continue;  // only take_interrupt() uses it
    if (tried++ % sampling != 0) continue;
    bool matters = false;
    const std::int64_t twice = info.default_value <= info.maximum / 2 ? info.default_value * 2 : info.maximum;
    for (const std::int64_t value : {info.minimum, info.default_value + 1, twice, info.maximum}) {
      if (value < info.minimum || value > info.maximum || value == info.default_value) continue;
      models::Parameters changed = defaults;
      changed.set(info.name, value);
      try {
        matters = digest(changed) != usual || matters;
      } catch (const models::ParameterError&) {
        continue;  // it does not fit the other parameters
      }
    }
    EXPECT_TRUE(matters) << info.name;
  }
}

TEST(Books, BalanceForMixtures) {
  for (const unsigned seed : {1u, 2u, 3u, 4u}) {
    SCOPED_TRACE(seed);
    expect_balanced(
        *core_of(mixture({seed, 2000, 0x10000, seed % 2 == 0, true, true}).text(), core::itanium2_parameters()));
  }
}

TEST(Books, L3LooksUpOneRequestACycle) {
  // L2 of 8 KB: modified lines are written back and looked up in L3, too.
  const models::Parameters parameters =
      changed(core::itanium2_parameters(), {{"core.l2_bytes", 8192}, {"core.l2_ways", 4}});
  std::size_t written_back = 0;
  for (const unsigned seed : {1u, 2u, 3u, 4u}) {
    const Record r = run(mixture({seed, 2000, 0x10000, false, true, true}), parameters);
    std::map<Cycle, std::uint64_t> lookups;
    for (const Ia64Occurrence& h : r.of(Signal::l3_lookup)) lookups[h.cycle] += h.amount;
    for (const auto& [cycle, count] : lookups) EXPECT_EQ(count, 1u) << "cycle " << cycle;
    written_back += r.of(Signal::l3_lookup, d::access_writeback).size();
  }
  EXPECT_GT(written_back, 100u);
}

TEST(Books, TheBufferAgreesWithTheBackEnd) {
  // Without a bundle at the exit the back end waits for the front end; a window of two bundles lacks none.
  const Record r = run(mixture({5, 1000, 0x4000, false, false, false}), core::itanium2_parameters());
  std::map<Cycle, bool> second;
  for (const Ia64Occurrence& h : r.of(Signal::dispatch)) second[h.cycle] |= h.syllable.second_bundle;
  std::uint64_t waits = 0;
  const auto& states = r.changes(State::back_end);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Cycle to = i + 1 < states.size() ? states[i + 1].first : r.end();
    if (states[i].second != act::back_end(act::BackEnd::front_end)) continue;
    for (Cycle c = states[i].first; c < to && waits < 500; ++c, ++waits) {
      EXPECT_EQ(r.at(State::buffer_exit, c) & 3, 2u) << "cycle " << c;
    }
  }
  EXPECT_GT(waits, 0u);
  for (const auto& [cycle, both] : second)
    EXPECT_EQ(r.at(State::buffer_exit, cycle) & 3, both ? 0u : r.at(State::buffer_exit, cycle) & 1);
}

TEST(Books, BalanceForRecordedPrograms) {
  for (const auto& file : recorded_traces("ia64-")) {
    SCOPED_TRACE(file.string());
    auto core = core::make_itanium2(trace::open(file), core::itanium2_parameters());
    expect_balanced(*core);
  }
}

TEST(Retirement, IsWhatTheTraceSays) {
  // Counted from the trace itself: slots that are reached, predicated-off slots, taken branches.
  for (const auto& file : recorded_traces("ia64-")) {
    SCOPED_TRACE(file.string());
    std::uint64_t slots = 0, off = 0, taken = 0, breaks = 0, accesses = 0;
    const auto reader = trace::open(file);
    for (trace::Item item; reader->next(item);) {
      if (item.directive != nullptr) continue;
      const trace::ia64::Bundle decoded = trace::ia64::decode(*item.instruction.code);
      for (unsigned slot = 0; slot < 3; ++slot) {
        if (decoded.is_mlx() && slot == 1) continue;
        if (item.instruction.mask[slot] == '-') continue;
        ++slots;
        off += item.instruction.mask[slot] == 'p' ? 1 : 0;
        breaks += decoded.slots[slot].kind == trace::ia64::Kind::break_ && item.instruction.mask[slot] == 'x' ? 1 : 0;
      }
      taken += item.instruction.taken ? 1 : 0;
      accesses += item.instruction.accesses.size();
    }
    auto core = core::make_itanium2(trace::open(file), core::itanium2_parameters());
    std::uint64_t retired = 0, squashed = 0, went = 0, stores = 0;
    activity::Block block;
    for (bool more = true; more;) {
      block.restart(core->now());
      more = core->run(core->now() + 50000, block);
      for (const auto& o : block.column(Signal::retire)) {
        ++retired;
        squashed += block.syllables[o.ref].predicate ? 0 : 1;
        went += block.instructions[o.ref].taken ? 1 : 0;
      }
      for (const auto& o : block.column(Signal::access_retire))
        stores += block.ia64_requests[o.ref].requester == act::Requester::data ? 1 : 0;
    }
    EXPECT_EQ(retired + breaks, slots);
    EXPECT_EQ(squashed, off);
    EXPECT_EQ(went, taken);
    EXPECT_LE(stores, accesses);
  }
}

}  // namespace
}  // namespace pmusim::testbench::ia64
