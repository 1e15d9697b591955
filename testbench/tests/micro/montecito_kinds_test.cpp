// Rows of the Montecito by the kinds of what they count: montecito_rows_programs.py makes each kind another number of
// times, and a row counts the sum of its kinds. docs/targets/montecito-core.md says what one of them does.
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

/// Of lookups in L2I: demand fetches and prefetches, hits and misses.
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

// After each fetch the next half line is prefetched: after a first half that of the same line, which L2I has or which
// is on its way; after a second half that of a line that L2I has not. What is not cacheable L2I has only where the
// fetch's key says so.
TEST(MontecitoL2i, HalfLines) {
  TraceRun r("montecito", "half_lines");
  const std::uint64_t first = 1, second = 3, missed = 7, all = first + second + missed;
  expect(r, "L2I_READS", Lookups{first + second, first, missed, second + missed});
  expect(r, "L2I_UC_READS", Lookups{first + second, 0, missed, all});
  expect(r, "L2I_RECIRCULATES", Lookups{0, 0, 0, missed});
  expect(r, "L2I_", {{"DEMAND_READS", 2 * all}, {"PREFETCHES", 2 * all}});
}

// The tags are written before the data: in three of the cycles in which a request may come it finds its line, and
// waits.
TEST(MontecitoL2i, LinesOnTheirWay) {
  TraceRun r("montecito", "code_on_its_way");
  const std::uint64_t cycles = 3;
  expect(r, "L2I_RECIRCULATES", {{"_HIT_DMND", cycles}, {"_HIT_PFTCH", cycles}, {"_HIT_ALL", 2 * cycles}});
}

// L3 is busy with the load in one of the cycles in which a fetch may come, whether L2I has its line or not.
TEST(MontecitoL2i, WhileL3IsBusy) {
  TraceRun had("montecito", "had_each_cycle"), missed("montecito", "missed_each_cycle");
  expect(had, "L2I_L3_REJECTS", Lookups{1, 0, 0, 0});
  expect(missed, "L2I_L3_REJECTS", Lookups{0, 0, 1, 0});
}

// Two of the conflicts of a demand fetch find the line, as one of a prefetch does; far away each jump's own prefetches
// are in its way.
TEST(MontecitoL2i, Conflicts) {
  TraceRun hinted("montecito", "hinted"), far("montecito", "far_code");
  const std::uint64_t jumps = 8;
  expect(hinted, "L2I_HIT_CONFLICTS", Lookups{2, 1, 0, 1});
  expect(far, "L2I_HIT_CONFLICTS", Lookups{0, 0, jumps, 0});
  // When it comes again one of the prefetches has asked for its line.
  expect(far, "L2I_RECIRCULATES", {{"_MISS_DMND", jumps}, {"_ALL_DMND", jumps}, {"_HIT_ALL", 0}});
}

// A load or lfetch alone skips the queue, and calls the request to L3 off when L2D has its line, or its own attempt
// when it has not. What skips it and hits is not issued from it.
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
  r.expect("BE_L1D_FPU_BUBBLE_L1D_AR_CR", semaphores + flushes);  // a cycle each
}

// What one of two does to the other. A request that waits for a line from memory recirculates once more than it must;
// so do those that find the line asked for (limbo), on its way, or in their set, and the loads of what a store has
// missed: they come when the line does, a cycle after it.
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
          {"MISSES", asked - in_a_bundle},  // of two in a cycle one is counted
          {"FILL_MESI_STATE_M", of_stores},
          {"FILL_MESI_STATE_E", asked - of_stores}});
}

TEST(MontecitoL2d, LinesThatAnotherCacheHas) {
  TraceRun r("montecito", "shared");
  r.expect("L2D_FILL_MESI_STATE_S", 4);
}

// In one of the cycles in which a store may come the line is written, in one of those of a load its data pass by.
TEST(MontecitoL2d, BesideAFill) {
  TraceRun r("montecito", "each_cycle");
  expect(r, "L2D_OZQ_CANCELS0_", {{"FILL_ST_CONF", 1}, {"OZDATA_CONF", 1}});
}

// A load of a line on its way, one cycle later each time: L3 has not taken the request yet; the line comes in three
// cycles or two; in the next one. A lookup in L3 meets another line's fill in one of twelve cycles, and a snoop of the
// line asked for or of the one that gives way in one.
TEST(MontecitoL2d, OneCycleLaterEachTime) {
  TraceRun loads("montecito", "about_to_come"), fills("montecito", "met_by_fills"),
      snoops("montecito", "met_by_snoops");
  expect(loads, "L2D_FORCE_RECIRC_", {{"LIMBO", 1}, {"TAG_OK", 2}, {"FILL_HIT", 1}, {"OZQ_MISS", 30}});
  expect(fills, "L2D_L3ACCESS_CANCEL_", {{"P2_COV_SNP_FILL_NOSNP", 1}});
  expect(snoops, "L2D_L3ACCESS_CANCEL_", {{"P2_COV_SNP_TEM", 1}, {"P2_COV_SNP_VIC", 1}});
}

// A bundle that goes alone leaves three places that the front end has not filled, each time that something of it goes.
// Of two bundles with stops the second is held once; after a stop within a bundle two syllables; of two extractions
// the second one for want of a port; what movl loses.
TEST(MontecitoSyllables, Held) {
  TraceRun r("montecito", "windows");
  const std::uint64_t alone = 6, pairs = 4, movl = 3, stopped = 2, extractions = 7;
  const std::uint64_t explicit_stops = 3 * pairs + 2 * stopped, implicit = extractions, mlx = movl,
                      front_end = 3 * (alone + pairs + movl + 2 * stopped + 2 * extractions);
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

// As the Itanium 2's NTRETIND rows, which have another name there.
TEST(MontecitoBranches, IndirectOnes) {
  TraceRun r("montecito", "branches");
  const std::uint64_t right = 3, path = 2, target = 1;
  expect(
      r, "BR_MISPRED_DETAIL_NRETIND_",
      {{"ALL_PRED", right + path + target}, {"CORRECT_PRED", right}, {"WRONG_PATH", path}, {"WRONG_TARGET", target}});
}

// Every bundle ends with a stop and so retires in a cycle of its own. Those that are awaited count the cycles until
// then, too: as many more as an idle time is longer, but for those without a clock.
TEST(MontecitoCycles, OfTaggedInstructions) {
  TraceRun bundles("montecito", "pair_0"), some("montecito", "idle_100"), more("montecito", "idle_300"),
      halted("montecito", "halted");
  bundles.expect("CPU_OP_CYCLES_QUAL", 8 + 1 + 4);
  EXPECT_EQ(some.count("CPU_OP_CYCLES_QUAL"), more.count("CPU_OP_CYCLES_QUAL"));
  const std::uint64_t stands = 200 + 300, groups = 4;
  halted.expect("CPU_OP_CYCLES_QUAL", groups);
  for (TraceRun* r : {&bundles, &some, &more, &halted}) r->set("pmu.qualified_cycles", 1);  // awaited
  EXPECT_EQ(more.count("CPU_OP_CYCLES_QUAL") - some.count("CPU_OP_CYCLES_QUAL"), 300u - 100u);
  const std::uint64_t behind = bundles.cycles() - bundles.count("CPU_OP_CYCLES_QUAL");
  EXPECT_LT(behind, 10u) << "cycles in which the pipe runs empty";
  halted.expect("CPU_OP_CYCLES_QUAL", halted.cycles() - behind - stands);
}

TEST(MontecitoCycles, Halted) {
  TraceRun r("montecito", "halted");
  r.set("pmu.halted_cycles", 1);  // seven
  r.expect("CPU_OP_CYCLES_HALTED", 7 * (200 + 300));
}

TEST(MontecitoRetirement, FlushedToZero) {
  TraceRun one("montecito", "fp"), two("montecito", "apart");
  expect(one, "FP_FLUSH_TO_ZERO_FTZ_", {{"REAL", 1}, {"POSS", 1}});
  expect(two, "FP_FLUSH_TO_ZERO_FTZ_", {{"REAL", 2}, {"POSS", 2}});
}

/// What one thread's monitor counts at all levels.
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

// A hint gives the pipe away when what was issued beside it has retired, a cycle later, if there is something: not
// beside a load that is waited for. A thread that is asked for as soon as it has the pipe first has to retire
// something. One that is to go to a thread that sleeps waits.
TEST(MontecitoThreads, WhatHoldsASwitchUp) {
  const std::uint64_t hints = 3 + 5, requests = 3, of_the_other = 16;
  TraceRun r("montecito", "held_up"), longer("montecito", "held_up_longer");
  for (TraceRun* run : {&r, &longer}) {
    const std::uint64_t asleep = run == &longer ? 1 : 0;  // a thousand cycles are over before the other's hint
    expect_of(*run, 0, "THREAD_SWITCH_GATED_",
              {{"PIPE", hints}, {"FWDPRO", requests}, {"LP", 0}, {"ALL", hints + requests}});
    expect_of(*run, 1, "THREAD_SWITCH_GATED_",
              {{"PIPE", of_the_other - asleep}, {"FWDPRO", 0}, {"LP", asleep}, {"ALL", of_the_other}});
  }
}

// Cycles: by what comes longer or shorter when something else does.
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
