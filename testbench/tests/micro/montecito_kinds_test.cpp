// Rows of the Montecito by kind: montecito_rows_programs.py performs each kind a different number of times, and a row
// counts the sum of its kinds. docs/targets/montecito-core.md describes the effects of a single one.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>

#include "run.h"

namespace pmusim::micro {
namespace {

using Counts = std::initializer_list<std::pair<const char*, std::uint64_t>>;
void expect(TraceRun& r, const std::string& event, Counts counts) {
  for (const auto& [row, expected] : counts) r.expect(event + row, expected);
}

/// Lookups in L2I: demand fetches and prefetches, hits and misses.
struct Lookups {
  std::uint64_t hit_demand, hit_prefetch, miss_demand, miss_prefetch;
};
void expect(TraceRun& r, const std::string& event, const Lookups& n) {
  expect(r, event,
         {{"_HIT_DMND", n.hit_demand},
          {"_HIT_PFTCH", n.hit_prefetch},
          {"_HIT_ALL", n.hit_demand + n.hit_prefetch},
          {"_MISS_DMND", n.miss_demand},
          {"_MISS_PFTCH", n.miss_prefetch},
          {"_MISS_ALL", n.miss_demand + n.miss_prefetch},
          {"_ALL_DMND", n.hit_demand + n.miss_demand},
          {"_ALL_PFTCH", n.hit_prefetch + n.miss_prefetch},
          {"_ALL_ALL", n.hit_demand + n.hit_prefetch + n.miss_demand + n.miss_prefetch}});
}

// After each fetch the next half line is prefetched: after a first half the second half of the same line, which is in
// L2I or in flight; after a second half the first half of the next line, which is not in L2I. For uncacheable code L2I
// hits only where the fetch's key forces it.
TEST(MontecitoL2i, HalfLines) {
  TraceRun r("montecito", "half_lines");
  const std::uint64_t first = 1, second = 3, missed = 7, all = first + second + missed;
  expect(r, "L2I_READS", Lookups{first + second, first, missed, second + missed});
  expect(r, "L2I_UC_READS", Lookups{first + second, 0, missed, all});
  expect(r, "L2I_RECIRCULATES", Lookups{0, 0, 0, missed});
  expect(r, "L2I_", {{"DEMAND_READS", 2 * all}, {"PREFETCHES", 2 * all}});
}

// The tags are written before the data: a request that arrives in one of three cycles finds its line's tag but must
// wait for the data.
TEST(MontecitoL2i, LinesOnTheirWay) {
  TraceRun r("montecito", "code_on_its_way");
  const std::uint64_t cycles = 3;
  expect(r, "L2I_RECIRCULATES", {{"_HIT_DMND", cycles}, {"_HIT_PFTCH", cycles}, {"_HIT_ALL", 2 * cycles}});
}

// L3 is busy with the load in one of the cycles in which a fetch can arrive, whether or not L2I has the fetch's line.
TEST(MontecitoL2i, WhileL3IsBusy) {
  TraceRun had("montecito", "had_each_cycle"), missed("montecito", "missed_each_cycle");
  expect(had, "L2I_L3_REJECTS", Lookups{1, 0, 0, 0});
  expect(missed, "L2I_L3_REJECTS", Lookups{0, 0, 1, 0});
}

// In two conflicts a demand fetch hits L2I, in one a prefetch does; in the far code each jump conflicts with the
// prefetches started by the jump itself.
TEST(MontecitoL2i, Conflicts) {
  TraceRun hinted("montecito", "hinted"), far("montecito", "far_code");
  const std::uint64_t jumps = 8;
  expect(hinted, "L2I_HIT_CONFLICTS", Lookups{2, 1, 0, 1});
  expect(far, "L2I_HIT_CONFLICTS", Lookups{0, 0, jumps, 0});
  // When the fetch retries, one of the prefetches has already requested its line.
  expect(far, "L2I_RECIRCULATES", {{"_MISS_DMND", jumps}, {"_ALL_DMND", jumps}, {"_HIT_ALL", 0}});
}

// A lone load or lfetch bypasses the queue. It cancels its request to L3 if L2D has its line, or else its own attempt
// in L2D. An access that bypasses the queue and hits is not issued from the queue.
TEST(MontecitoL2d, FarApart) {
  TraceRun r("montecito", "far_apart");
  const std::uint64_t fp_missed = 7, fp_hit = 5, integer_hit = 3, integer_missed = 4, hit = 4, stores_missed = 2,
                      bytes = 6, semaphores = 2, lfetches = 3, flushes = 3;
  const std::uint64_t loads_hit = fp_hit + integer_hit, loads_missed = fp_missed + integer_missed;
  const std::uint64_t skip_missed = loads_missed + lfetches, missed = skip_missed + stores_missed;
  const std::uint64_t reads = loads_hit + loads_missed + lfetches + semaphores;
  const std::uint64_t writes = hit + stores_missed + bytes + semaphores;
  expect(r, "L2D_",
         {{"INSERT_HITS", loads_hit + hit + bytes + semaphores + flushes},
          {"INSERT_MISSES", missed},
          {"MISSES", missed},
          {"REFERENCES_READS", reads},
          {"REFERENCES_WRITES", writes},
          {"REFERENCES_ALL", reads + writes},
          {"BYPASS_L2_DATA1", loads_hit + skip_missed},
          {"BYPASS_L3_DATA1", missed},
          {"FILL_MESI_STATE_E", skip_missed},
          {"FILL_MESI_STATE_M", stores_missed}});
  expect(r, "L2D_OPS_ISSUED_",
         {{"INT_LOAD", integer_missed},
          {"FP_LOAD", fp_missed},
          {"RMW", bytes + semaphores},
          {"STORE", hit + stores_missed},
          {"LFETCH", lfetches},
          {"OTHER", flushes}});
  expect(r, "L2D_",
         {{"FORCE_RECIRC_OZQ_MISS", missed},
          {"FORCE_RECIRC_RECIRC", missed},
          {"ISSUED_RECIRC_OZQ_ACC", missed},
          {"OZQ_CANCELS1_LATE_SPEC_BYP", skip_missed},
          {"OZQ_CANCELS1_ANY", skip_missed},
          {"L3ACCESS_CANCEL_SPEC_L3_BYP", loads_hit},
          {"L3ACCESS_CANCEL_ANY", loads_hit}});
  r.expect("L3_INSERTS", missed);
  r.expect("BE_L1D_FPU_BUBBLE_L1D_AR_CR", semaphores + flushes);  // one cycle each
}

// Effects of one access on another. A request that waits for a line from memory recirculates once more than necessary;
// so do requests that find their line already requested (limbo), in flight, or another request in their set, and loads
// of bytes from a store that missed: they succeed one cycle after the fill of the line.
TEST(MontecitoL2d, Together) {
  TraceRun r("montecito", "together");
  const std::uint64_t in_a_bundle = 5, banks = 4, behind = 7, reads = 3, writes = 6, in_the_set = 2, of_stores = 8;
  const std::uint64_t asked = 2 * in_a_bundle + 2 * banks + behind + reads + writes + 2 * in_the_set + of_stores;
  const std::uint64_t rounds = behind + reads + writes + in_the_set + of_stores;
  expect(r, "L2D_FORCE_RECIRC_",
         {{"OZQ_MISS", asked},
          {"LIMBO", behind},
          {"SECONDARY_READ", reads},
          {"SECONDARY_WRITE", writes},
          {"SECONDARY_ALL", reads + writes},
          {"SAME_INDEX", in_the_set},
          {"TAG_NOTOK", of_stores},
          {"RECIRC", asked + rounds}});
  expect(r, "L2D_",
         {{"OZQ_CANCELS0_BANK_CONF", banks},
          {"BYPASS_L2_DATA2", banks},
          {"OZQ_CANCELS0_L2M_ST_MAT", of_stores},
          {"OZQ_CANCELS0_RECIRC", rounds},
          {"L3ACCESS_CANCEL_INV_L3_BYP", in_a_bundle},
          {"L3ACCESS_CANCEL_SPEC_L3_BYP", 2 * banks},
          {"L3ACCESS_CANCEL_ANY", in_a_bundle + 2 * banks},
          {"MISSES", asked - in_a_bundle},  // two misses in one cycle count as one
          {"FILL_MESI_STATE_M", of_stores},
          {"FILL_MESI_STATE_E", asked - of_stores}});
}

TEST(MontecitoL2d, LinesThatAnotherCacheHas) {
  TraceRun r("montecito", "shared");
  r.expect("L2D_FILL_MESI_STATE_S", 4);
}

// In one of the cycles in which a store can arrive the line is being written; in one of those of a load the fill's data
// bypass.
TEST(MontecitoL2d, BesideAFill) {
  TraceRun r("montecito", "each_cycle");
  expect(r, "L2D_OZQ_CANCELS0_", {{"FILL_ST_CONF", 1}, {"OZDATA_CONF", 1}});
}

// A load of a line in flight, in each case one cycle later: L3 has not accepted the request yet; the line arrives in
// three cycles or in two; it arrives in the next cycle. A lookup in L3 conflicts with another line's fill in one of
// twelve cycles; it conflicts with a snoop of the requested line in one, and with a snoop of the victim line in one.
TEST(MontecitoL2d, OneCycleLaterEachTime) {
  TraceRun loads("montecito", "about_to_come"), fills("montecito", "met_by_fills"),
      snoops("montecito", "met_by_snoops");
  expect(loads, "L2D_FORCE_RECIRC_", {{"LIMBO", 1}, {"TAG_OK", 2}, {"FILL_HIT", 1}, {"OZQ_MISS", 30}});
  expect(fills, "L2D_L3ACCESS_CANCEL_", {{"P2_COV_SNP_FILL_NOSNP", 1}});
  expect(snoops, "L2D_L3ACCESS_CANCEL_", {{"P2_COV_SNP_TEM", 1}, {"P2_COV_SNP_VIC", 1}});
}

// A bundle that issues alone leaves three slots that the front end has not filled, in each cycle in which part of it is
// dispersed. Of two bundles with stops the second is held once; a stop within a bundle holds two syllables; of two
// moves from a branch register the second is held for lack of I0; movl loses one syllable.
TEST(MontecitoSyllables, Held) {
  TraceRun r("montecito", "windows");
  const std::uint64_t alone = 6, pairs = 4, movl = 3, stopped = 2, moves = 7;
  const std::uint64_t explicit_stops = 3 * pairs + 2 * stopped, implicit = moves, mlx = movl,
                      front_end = 3 * (alone + pairs + movl + 2 * stopped + 2 * moves);
  const std::pair<const char*, std::uint64_t> reasons[] = {
      {"EXPL", explicit_stops}, {"IMPL", implicit}, {"FE", front_end}, {"MLX", mlx}};
  for (unsigned set = 1; set < 15; ++set) {
    std::string row;
    std::uint64_t expected = 0;
    for (unsigned i = 0; i < 4; ++i) {
      if ((set >> i & 1) == 0) continue;
      row += (row.empty() ? "" : "_OR_") + std::string(reasons[i].first);
      expected += reasons[i].second;
    }
    r.expect("SYLL_NOT_DISPERSED_" + row, expected);
  }
  r.expect("SYLL_NOT_DISPERSED_ALL", explicit_stops + implicit + front_end + mlx);
}

// The same as the Itanium 2's NTRETIND rows, under another name.
TEST(MontecitoBranches, IndirectOnes) {
  TraceRun r("montecito", "branches");
  const std::uint64_t right = 3, path = 2, target = 1;
  expect(
      r, "BR_MISPRED_DETAIL_NRETIND_",
      {{"ALL_PRED", right + path + target}, {"CORRECT_PRED", right}, {"WRONG_PATH", path}, {"WRONG_TARGET", target}});
}

// Every bundle ends with a stop and therefore retires in a separate cycle. With pmu.qualified_cycles=1 the cycles until
// the retirement are counted, too: the difference equals the difference of the idle times, except for cycles without a
// clock.
TEST(MontecitoCycles, OfTaggedInstructions) {
  TraceRun bundles("montecito", "pair_0"), some("montecito", "idle_100"), more("montecito", "idle_300"),
      halted("montecito", "halted");
  bundles.expect("CPU_OP_CYCLES_QUAL", 8 + 1 + 4);
  EXPECT_EQ(some.count("CPU_OP_CYCLES_QUAL"), more.count("CPU_OP_CYCLES_QUAL"));
  const std::uint64_t stands = 200 + 300, groups = 4;
  halted.expect("CPU_OP_CYCLES_QUAL", groups);
  for (TraceRun* r : {&bundles, &some, &more, &halted}) r->set("pmu.qualified_cycles", 1);  // waiting included
  EXPECT_EQ(more.count("CPU_OP_CYCLES_QUAL") - some.count("CPU_OP_CYCLES_QUAL"), 300u - 100u);
  const std::uint64_t behind = bundles.cycles() - bundles.count("CPU_OP_CYCLES_QUAL");
  EXPECT_LT(behind, 10u) << "cycles in which the pipe runs empty";
  halted.expect("CPU_OP_CYCLES_QUAL", halted.cycles() - behind - stands);
}

TEST(MontecitoCycles, Halted) {
  TraceRun r("montecito", "halted");
  r.set("pmu.halted_cycles", 1);  // halted cycles are counted
  r.expect("CPU_OP_CYCLES_HALTED", 7 * (200 + 300));
}

TEST(MontecitoRetirement, FlushedToZero) {
  TraceRun one("montecito", "fp"), two("montecito", "apart");
  expect(one, "FP_FLUSH_TO_ZERO_FTZ_", {{"REAL", 1}, {"POSS", 1}});
  expect(two, "FP_FLUSH_TO_ZERO_FTZ_", {{"REAL", 2}, {"POSS", 2}});
}

/// Expected counts of one thread's monitor at all privilege levels.
void expect_of(TraceRun& r, std::int64_t thread, const std::string& event, Counts counts) {
  r.set("pmu.thread", thread);
  for (const auto& [row, expected] : counts) {
    oracle::Request request = ask(event + row);
    request.ia64.levels = 15;
    r.expect(request, expected);
  }
}
std::uint64_t count_of(TraceRun& r, std::int64_t thread, const std::string& row) {
  r.set("pmu.thread", thread);
  oracle::Request request = ask(row);
  request.ia64.levels = 15;
  return r.count(request);
}

// A hint switches threads one cycle after the instructions issued with it have retired, if there are any: a pending
// load does not count. A thread with a switch request pending when it starts must first retire an instruction. A switch
// to a sleeping thread is delayed.
TEST(MontecitoThreads, WhatHoldsASwitchUp) {
  const std::uint64_t hints = 3 + 5, requests = 3, of_the_other = 16;
  TraceRun r("montecito", "held_up"), longer("montecito", "held_up_longer");
  for (TraceRun* run : {&r, &longer}) {
    const std::uint64_t asleep = run == &longer ? 1 : 0;  // 1000 cycles of sleep end before the hint
    expect_of(*run, 0, "THREAD_SWITCH_GATED_",
              {{"PIPE", hints}, {"FWDPRO", requests}, {"LP", 0}, {"ALL", hints + requests}});
    expect_of(*run, 1, "THREAD_SWITCH_GATED_",
              {{"PIPE", of_the_other - asleep}, {"FWDPRO", 0}, {"LP", asleep}, {"ALL", of_the_other}});
  }
}

// Cycles of a switch, by the change of the count when another duration changes.
TEST(MontecitoThreads, CyclesOfASwitch) {
  const std::uint64_t fetches = 5, loads = 4, hints = 16, cycles = 1000, longer_cycles = 4000, more = 6;
  const std::string event = "THREAD_SWITCH_CYCLE_";
  TraceRun r("montecito", "held_up"), longer("montecito", "held_up_longer");
  TraceRun slow_fetch("montecito", "held_up", {{"core.l2_instruction", std::to_string(7 + more)}});
  TraceRun slow_load("montecito", "held_up", {{"core.l2_integer", std::to_string(5 + more)}});
  const auto grows = [&](TraceRun& other, const char* row, std::uint64_t by) {
    EXPECT_EQ(count_of(other, 0, event + row) - count_of(r, 0, event + row), by) << row;
  };
  for (const char* row : {"CRAB", "ANYSTALL", "TOTAL"}) grows(slow_fetch, row, fetches * more);
  for (const char* row : {"L2D", "ANYSTALL", "TOTAL"}) grows(slow_load, row, loads * more);
  grows(slow_fetch, "L2D", 0);
  grows(slow_load, "CRAB", 0);
  grows(longer, "PCR", longer_cycles - cycles);
  expect_of(r, 1, event, {{"ALL_GATED", hints}, {"CRAB", 0}, {"L2D", 0}, {"ANYSTALL", 0}, {"PCR", 0}});
}

}  // namespace
}  // namespace pmusim::micro
