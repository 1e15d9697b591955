// Counts of the Montecito micro-traces, tested like the Itanium 2's: montecito_programs.py describes what they execute.
// The monitors of both threads are checked for traces of two threads.
#include <gtest/gtest.h>

#include "run.h"

namespace pmusim::micro {

namespace {

oracle::Request at_all_levels(const std::string& row) {
  oracle::Request request = ask(row);
  request.ia64.levels = 15;
  return request;
}
oracle::Request of_both(const std::string& row) {
  oracle::Request request = at_all_levels(row);
  request.ia64.all_threads = true;
  return request;
}

/// Expected counts of each thread's own events; with both threads selected, either monitor must count the sum.
void expect_each(TraceRun& run, const std::string& row, std::uint64_t first, std::uint64_t second) {
  for (const std::int64_t thread : {0, 1}) {
    SCOPED_TRACE(thread);
    run.set("pmu.thread", thread);
    run.expect(at_all_levels(row), thread == 0 ? first : second);
    run.expect(of_both(row), first + second);
  }
}

TEST(Montecito, IntegerLoads) {
  TraceRun r("montecito", "integer_loads");
  const std::uint64_t integer = 3, fp = 2, semaphores = 1, lfetches = 1;
  r.expect("LOADS_RETIRED_INTG", integer);
  r.expect("STORES_RETIRED", semaphores);
  r.expect("IA64_INST_RETIRED", 3 * (integer + fp + semaphores + lfetches) + last_bundle);
}

TEST(Montecito, LevelChanges) {
  TraceRun r("montecito", "level_changes");
  r.expect(at_all_levels("CPU_CPL_CHANGES_ALL"), 4);
  r.expect(at_all_levels("CPU_CPL_CHANGES_LVL0"), 2);  // to the level and back
  r.expect(at_all_levels("CPU_CPL_CHANGES_LVL1"), 2);
  r.expect(at_all_levels("CPU_CPL_CHANGES_LVL2"), 0);
  r.expect(at_all_levels("CPU_CPL_CHANGES_LVL3"), 4);
}

TEST(Montecito, SpeculativeLoads) {
  TraceRun r("montecito", "speculative");
  r.expect("SPEC_LOADS_NATTED_NAT_CNSM", 2 + 2);
  for (const char* why : {"VHPT_MISS", "DEF_TLB_MISS", "DEF_TLB_FAULT", "DEF_PSR_ED"}) {
    r.expect(std::string("SPEC_LOADS_NATTED_") + why, 1);
  }
  r.expect("SPEC_LOADS_NATTED_ALL", 2 + 2 + 4);
}

TEST(Montecito, Caches) {
  TraceRun code("montecito", "much_code"), data("montecito", "crowded_sets");
  code.expect("L2I_VICTIMIZATION", 9 + 1 - 8);
  code.expect("L2I_SNOOP_HITS", 2);
  const std::uint64_t sets = 26;
  data.expect("L3_LINES_REPLACED", sets);
}

TEST(Montecito, Halted) {
  TraceRun r("montecito", "halted");
  r.expect("CPU_OP_CYCLES_HALTED", 200 + 300);
  r.expect("CPU_OP_CYCLES_ALL", r.cycles() - 500);
}

// One thread of the pair alone: there is no other thread to switch to.
TEST(Montecito, ThreadsAlone) {
  const std::uint64_t bundles_0 = 8 + 1 + 4, bundles_1 = 6;
  TraceRun first("montecito", "pair_0"), second("montecito", "pair_1");
  first.expect("IA64_INST_RETIRED", 3 * bundles_0);
  first.expect("NOPS_RETIRED", 2);
  first.expect("THREAD_SWITCH_EVENTS_ALL", 0);
  second.expect("IA64_INST_RETIRED", 3 * bundles_1);
}

TEST(Montecito, ThreadsTogether) {
  TraceRun r("montecito", "pair");
  expect_each(r, "IA64_INST_RETIRED", 3 * (8 + 1 + 4), 3 * 6);
  expect_each(r, "NOPS_RETIRED", 2, 0);
  expect_each(r, "THREAD_SWITCH_EVENTS_HINT", 1, 0);
  expect_each(r, "THREAD_SWITCH_EVENTS_LP", 0, 1);  // switch at the thread's end
  expect_each(r, "THREAD_SWITCH_EVENTS_ALL", 1, 1);
  expect_each(r, "CPU_CPL_CHANGES_ALL", 0, 0);
}

// A switch between threads at levels 3 and 1 does not count as a change of level.
TEST(Montecito, ThreadsOfTwoLevels) {
  TraceRun r("montecito", "asked");
  expect_each(r, "THREAD_SWITCH_EVENTS_DBG", 3, 0);
  expect_each(r, "THREAD_SWITCH_EVENTS_HINT", 1, 0);
  expect_each(r, "THREAD_SWITCH_EVENTS_MISSED", 1, 0);
  expect_each(r, "CPU_CPL_CHANGES_ALL", 0, 1);
  expect_each(r, "CPU_CPL_CHANGES_LVL1", 0, 1);
}

// The second thread stalls from its sleep until the first one wakes, 300 cycles after the first one's sleep. The first
// one stalls from its second sleep until the second one wakes, 5000 cycles after the second one's sleep. The second one
// stalls from its end until the first one wakes again, 10000 cycles after the first one's second sleep.
TEST(Montecito, LongStallsBeforeSwitches) {
  TraceRun r("montecito", "dozes");
  for (const char* cycles : {"4", "8", "16", "32", "64", "128", "256"})
    expect_each(r, std::string("THREAD_SWITCH_STALL_GTE_") + cycles, 1, 2);
  for (const char* cycles : {"512", "1024", "2048", "4096"})
    expect_each(r, std::string("THREAD_SWITCH_STALL_GTE_") + cycles, 1, 1);
}

// The line arrives while the other thread runs, but is counted for the first thread.
TEST(Montecito, AMissCompletesInTheBackground) {
  TraceRun r("montecito", "misses");
  expect_each(r, "IA64_INST_RETIRED", 3 * (3 + 1 + 1 + 4), 3 * 300);
  expect_each(r, "THREAD_SWITCH_EVENTS_L3MISS", 1, 0);
  expect_each(r, "THREAD_SWITCH_EVENTS_LP", 0, 1);  // switch at the thread's end
  expect_each(r, "THREAD_SWITCH_EVENTS_ALL", 1, 1);
  expect_each(r, "L3_MISSES", 1, 0);
  expect_each(r, "L2D_FILL_MESI_STATE_E", 1, 0);
  r.set("pmu.floating_background", 1);  // background occurrences are not counted
  expect_each(r, "L3_MISSES", 1, 0);    // still occurred in the foreground
  r.set("pmu.thread", 0);
  r.expect(at_all_levels("L2D_FILL_MESI_STATE_E"), 0);
}

// 300 bundles take more than one quantum of 200 cycles and less than two: the timer switches each thread out once, and
// the first one ends in its second quantum.
TEST(Montecito, TurnsByTheTimer) {
  TraceRun r("montecito", "turns", {{"core.quantum", "200"}});
  expect_each(r, "IA64_INST_RETIRED", 3 * 300, 3 * 300);
  expect_each(r, "THREAD_SWITCH_EVENTS_TIMER", 1, 1);
  expect_each(r, "THREAD_SWITCH_EVENTS_LP", 1, 0);  // switch at the thread's end
  expect_each(r, "THREAD_SWITCH_EVENTS_ALL", 2, 1);
}

// Five sleeps each; the first thread also ends before the last sleep of the second one.
TEST(Montecito, Naps) {
  TraceRun r("montecito", "naps");
  expect_each(r, "THREAD_SWITCH_EVENTS_LP", 5 + 1, 5);
  expect_each(r, "THREAD_SWITCH_EVENTS_ALL", 5 + 1, 5);
}

// The quantum expires while the first thread waits.
TEST(Montecito, ATurnEnds) {
  TraceRun r("montecito", "waits");
  expect_each(r, "THREAD_SWITCH_EVENTS_TIMER", 1, 0);
  expect_each(r, "THREAD_SWITCH_EVENTS_ALL", 1, 1);
}

// Each thread retires the same instructions as when it runs alone, independent of the other thread.
TEST(Montecito, MedleyOfTwoThreads) {
  TraceRun first("montecito", "medley_0"), second("montecito", "medley_1"), together("montecito", "medley");
  for (const char* row : {"IA64_INST_RETIRED", "NOPS_RETIRED", "STORES_RETIRED", "LOADS_RETIRED_INTG"}) {
    EXPECT_GT(first.count(at_all_levels(row)), 0u) << row;
    expect_each(together, row, first.count(at_all_levels(row)), second.count(at_all_levels(row)));
  }
}

// A cancellation because of an ordering request of the other thread; it counts for the thread whose load is cancelled.
TEST(Montecito, TheOtherThreadsOrder) {
  TraceRun r("montecito", "served");
  r.set("pmu.thread", 0);
  r.expect(at_all_levels("L2D_OZQ_CANCELS1_SIBLING_ACQ_REL"), 0);
  r.set("pmu.thread", 1);
  EXPECT_GE(r.count(at_all_levels("L2D_OZQ_CANCELS1_SIBLING_ACQ_REL")), 1u);
}

// Montecito micro-traces of two threads, montecito_thread_programs.py: the thread for which occurrences count that come
// after their thread was switched out. Each thread's monitor counts its own; with both threads selected, either monitor
// counts the sum.

oracle::Request at_levels(const std::string& row, unsigned levels, bool both) {
  oracle::Request request = ask(row);
  request.ia64.levels = levels;
  request.ia64.all_threads = both;
  return request;
}

constexpr unsigned every_level = 15, level_0 = 1, level_3 = 8;

/// Expected counts of a row that only thread 0 causes.
struct Left {
  const char* row;
  std::uint64_t all;
  std::uint64_t in_the_foreground;  ///< while its thread is in the foreground
};

class Abroad : public ::testing::Test {
 protected:
  void expect(const Left& left) {
    SCOPED_TRACE(left.row);
    run_.set("pmu.floating_background", 0);
    for (const std::int64_t thread : {0, 1}) {
      run_.set("pmu.thread", thread);
      run_.expect(at_levels(left.row, every_level, false), thread == 0 ? left.all : 0);
      run_.expect(at_levels(left.row, every_level, true), left.all);
    }
    run_.set("pmu.thread", 0);
    run_.set("pmu.floating_background", 1);  // background occurrences are not counted
    run_.expect(at_levels(left.row, every_level, false), left.in_the_foreground);
  }
  TraceRun run_{"montecito", "abroad"};
};

// The processor reads two lines while another cache has them, and stores to them after that cache has modified them; it
// stores to two lines modified there and reads two; and it reads two lines that the other cache has unmodified.
TEST_F(Abroad, BusTransactions) {
  const std::uint64_t pair = 2;
  for (const Left& left : {Left{"BUS_RD_HIT_SELF", pair + pair, pair}, Left{"BUS_RD_HITM_SELF", pair + pair, 0},
                           Left{"BUS_RD_INVAL_HITM_SELF", pair, 0}, Left{"BUS_RD_INVAL_BST_HITM_SELF", pair, 0},
                           Left{"BUS_HITM_SELF", 3 * pair, 0}}) {
    expect(left);
  }
}

// The replacement of a modified line in L3; the flush of a clean line, after lfetches that fill the request queue.
TEST_F(Abroad, WhatLeaves) {
  expect({"BUS_WR_WB_ALL_SELF", 1 + 1, 0});
  expect({"BUS_WR_WB_CCASTOUT_SELF", 1, 0});
  expect({"SI_WRITEQ_INSERTS_EWB_SELF", 1, 0});
  expect({"SI_CCQ_INSERTS_SELF", 1, 0});
  expect({"L3_LINES_REPLACED", 1, 0});
}

// These occur before the first switch.
TEST_F(Abroad, LinesTakenAway) {
  for (const char* row : {"L2D_BAD_LINES_SELECTED_ANY", "L2D_FILL_MESI_STATE_I"}) {
    run_.set("pmu.thread", 0);
    run_.expect(at_levels(row, every_level, false), 1);
    run_.set("pmu.thread", 1);
    run_.expect(at_levels(row, every_level, false), 0);
  }
}

TEST_F(Abroad, SharedLines) { expect({"L2D_STORE_HIT_SHARED_ANY", 2, 0}); }

// A self-floating event of the background thread, which is at level 3 while the other one is at level 0: counters of
// its own thread use its level; counters of both threads use the level of the active thread, or with
// pmu.self_floating_all=1 its own.
TEST_F(Abroad, LevelsOfSelfFloatingEvents) {
  const char* const row = "BUS_RD_HITM_SELF";
  const std::uint64_t hits = 4;
  run_.set("pmu.thread", 0);
  run_.expect(at_levels(row, level_3, false), hits);
  run_.expect(at_levels(row, level_0, false), 0);
  run_.expect(at_levels(row, level_0, true), hits);
  run_.expect(at_levels(row, level_3, true), 0);
  run_.set("pmu.self_floating_all", 1);  // use the level of the causing thread
  run_.expect(at_levels(row, level_0, true), 0);
  run_.expect(at_levels(row, level_3, true), hits);
}

// Each thread switches six times with a hint; both reach their ends.
TEST_F(Abroad, Switches) {
  const std::uint64_t turns = 6;
  for (const std::int64_t thread : {0, 1}) {
    SCOPED_TRACE(thread);
    run_.set("pmu.thread", thread);
    run_.expect(at_levels("THREAD_SWITCH_EVENTS_HINT", every_level, false), turns);
    run_.expect(at_levels("THREAD_SWITCH_EVENTS_HINT", every_level, true), turns + turns);
    run_.expect(at_levels("THREAD_SWITCH_EVENTS_TIMER", every_level, true), 0);
    run_.expect(at_levels("THREAD_SWITCH_EVENTS_L3MISS", every_level, true), 0);
  }
}

// The chipset's read belongs to no thread: it counts for the active thread.
TEST_F(Abroad, ReadOfNoThread) {
  run_.set("pmu.thread", 0);
  run_.expect(at_levels("MEM_READ_CURRENT_IO", every_level, false), 1);
  run_.set("pmu.thread", 1);
  run_.expect(at_levels("MEM_READ_CURRENT_IO", every_level, false), 0);
  run_.expect(at_levels("MEM_READ_CURRENT_IO", every_level, true), 1);
}

}  // namespace

}  // namespace pmusim::micro
