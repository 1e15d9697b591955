// Montecito micro-traces of two threads, montecito_thread_programs.py: the thread for which occurrences count that come
// after their thread was switched out. Each thread's monitor counts its own; with both threads selected, either monitor
// counts the sum.
#include <gtest/gtest.h>

#include "run.h"

namespace pmusim::micro {
namespace {

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

class Abroad : public testing::Test {
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

// Counters of both threads that use the level of their own thread only: thread 0 is always at level 3; thread 1, too,
// until it runs for the first time, and then at level 0. The first hint comes before that.
TEST_F(Abroad, LevelsOfTheOwnThread) {
  const std::uint64_t hints = 6 + 6, hits = 4;
  run_.set("pmu.all_threads_mode", 1);  // use the own thread's level
  for (const std::int64_t thread : {0, 1}) {
    SCOPED_TRACE(thread);
    run_.set("pmu.thread", thread);
    const std::uint64_t early = thread == 0 ? hints : 1;
    run_.expect(at_levels("THREAD_SWITCH_EVENTS_HINT", level_3, true), early);
    run_.expect(at_levels("THREAD_SWITCH_EVENTS_HINT", level_0, true), hints - early);
    run_.expect(at_levels("BUS_RD_HITM_SELF", level_3, true), thread == 0 ? hits : 0);
    run_.expect(at_levels("BUS_RD_HITM_SELF", level_0, true), thread == 0 ? 0 : hits);
  }
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
