// Properties of any trace: block cuts do not matter; the back end is in one state a cycle; the counts of instructions
// and requests are consistent.
#include <fmt/format.h>

#include <map>

#include "mixture.h"
#include "pmusim/trace/ia64.h"
#include "record.h"
#include "testbench/tests/core_random/digest.h"
#include "testbench/tests/list_models/programs.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench::ia64 {
namespace {

namespace d = activity::detail;
namespace dd = act::detail;

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
  const auto from = [&](Cycle cycles) { return digest_of(*core_of(text, core::itanium2_parameters()), cycles); };
  const std::uint64_t whole = from(10'000'000);
  for (const Cycle cycles : {1u, 7u, 1000u}) EXPECT_EQ(from(cycles), whole) << "blocks of " << cycles;
  EXPECT_EQ(from(10'000'000), whole) << "the same again";
}

TEST(Parameters, EveryOneMattersAndItsLimitsRun) {
  const Script s = everything();
  const auto digest = [&](const models::Parameters& parameters) {
    return digest_of(*core_of(s.text(), parameters), 10'000'000);
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

// Of the six syllables of a window at most five are held, and every access of a retired instruction becomes final once.
TEST(Books, BalanceForMixtures) {
  for (const unsigned seed : {1u, 2u, 3u, 4u}) {
    SCOPED_TRACE(seed);
    const Record r = run(mixture({seed, 2000, 0x10000, seed % 2 == 0, true, true}), core::itanium2_parameters());
    std::map<Cycle, std::uint64_t> held;
    for (const Ia64Occurrence& h : r.of(Signal::syllable_held)) held[h.cycle] += h.amount;
    for (const auto& [cycle, amount] : held) EXPECT_LE(amount, 5u) << "cycle " << cycle;
    const auto of_data = [](const Ia64Occurrence& h) { return h.half.requester == act::Requester::data; };
    const auto &made = r.of(Signal::data_reference, 0, dd::access_replayed), &final = r.of(Signal::access_retire);
    EXPECT_EQ(std::count_if(made.begin(), made.end(), of_data), std::count_if(final.begin(), final.end(), of_data));
    for (const Ia64Occurrence& h : r.of(Signal::load_return)) EXPECT_NE(h.half.served, act::Served::unknown);
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

TEST(Retirement, IsWhatTheTraceSays) {
  // Counted from the trace itself: slots that are reached, predicated-off slots, taken branches.
  for (const ListedProgram& program : recorded_programs("ia64", 100'000)) {
    SCOPED_TRACE(program.name);
    std::uint64_t slots = 0, off = 0, taken = 0, breaks = 0, accesses = 0;
    const auto reader = program.open();
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
    auto core = core::make_itanium2(program.open(), core::itanium2_parameters());
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
