// Counts of the 750GX micro-traces. ppc750gx_programs.py describes what they execute. Latencies: User's Manual, Table
// 6-3, at the 4:1 bus of the default preset; a table search that finds its entry in memory takes 77 cycles.
#include <gtest/gtest.h>

#include "run.h"

namespace pmusim::micro {
namespace {

constexpr std::uint64_t search_in_memory = 77;
constexpr std::uint64_t divide_instead_of_add = 19 - 1;  // latencies
const Settings correct_path_only = {{"core.wrong_path", "off"}};

TraceRun run_ppc750gx(const std::string& trace, const Settings& settings = {}) {
  return TraceRun("ppc750gx", trace, settings);
}

TEST(Ppc750gx, StraightLine) {
  TraceRun r = run_ppc750gx("straight");
  const std::uint64_t instructions = 24, lines = instructions * 4 / 32;
  r.expect("NOTHING", 0);
  r.expect("INSTRUCTIONS_COMPLETED", instructions);
  r.expect("INSTRUCTIONS_DISPATCHED", instructions);
  r.expect("INTEGER_OPERATIONS", instructions);
  r.expect("FPU_INSTRUCTIONS", 0);
  r.expect("SYSTEM_UNIT_INSTRUCTIONS", 0);
  r.expect("LOADS_AND_STORES", 0);
  r.expect("PROCESSOR_CYCLES", r.cycles());
  r.expect("L1_ICACHE_MISSES", lines);
  r.expect("L2_I_MISSES", lines);
  r.expect("ITLB_MISSES", 1);
  r.expect("ITLB_TABLE_SEARCH_CYCLES", search_in_memory);
  r.expect("DTLB_TABLE_SEARCH_CYCLES", 0);
  // At most four instructions per fetch; each line misses at least once.
  const std::uint64_t fetches = r.count("EAS_DELIVERED");
  EXPECT_GE(fetches, instructions / 4);
  r.expect("INSTRUCTION_FETCH_MISSES", lines, fetches);
}

TEST(Ppc750gx, ReservedSelectorsHold) {
  TraceRun r = run_ppc750gx("straight");
  for (const oracle::EventName& event : oracle::events("ppc750gx")) {
    if (event.name.starts_with("PM_RSVD_")) r.expect(std::string(event.name), 0);
  }
}

TEST(Ppc750gx, InstructionPages) {
  TraceRun r = run_ppc750gx("two_pages");
  r.expect("ITLB_MISSES", 2);
  r.expect("ITLB_TABLE_SEARCH_CYCLES", 2 * search_in_memory);
  r.expect("L1_ICACHE_MISSES", 2);
  r.expect("L2_I_MISSES", 2);
  r.expect("INSTRUCTIONS_COMPLETED", 2);  // the branch is folded
}

TEST(Ppc750gx, Cycles) {
  TraceRun shorter = run_ppc750gx("idle_100"), longer = run_ppc750gx("idle_300");
  EXPECT_EQ(longer.count("PROCESSOR_CYCLES") - shorter.count("PROCESSOR_CYCLES"), 300u - 100u);
}

// The bit of weight 2^k rises first after 2^k ticks, then every 2^(k+1).
std::uint64_t edges(std::uint64_t last_cycle, std::uint64_t tick, std::uint64_t weight) {
  return (last_cycle / tick + weight) / (2 * weight);
}

TEST(Ppc750gx, TimeBase) {
  const std::uint64_t weights[] = {0x1, 0x100, 0x1000, 0x10000};
  for (const auto& [trace, tick] : {std::pair{"idle_100", 16u}, {"idle_1200000", 16u}, {"time_base", 10u}}) {
    TraceRun r = run_ppc750gx(trace);
    for (unsigned bit = 0; bit < 4; ++bit) {
      oracle::Request request = ask("TBL_BIT_TRANSITIONS");
      request.time_base_bit = bit;
      r.expect(request, edges(r.cycles() - 1, tick, weights[bit]));
    }
  }
}

// The run is far too short for 256 ticks: the write is the only edge of the upper bits.
// A stopped clock clocks no counter, but the time base runs on (docs/targets/ppc750gx.md). Its lowest bit rises every
// second tick, every 32 cycles, so that it rises 10 and 20 times in 320 and 640 cycles wherever these begin.
TEST(Ppc750gx, StoppedClock) {
  TraceRun r = run_ppc750gx("stopped");
  r.expect("PROCESSOR_CYCLES", r.cycles() - 320 - 640);
  r.expect("TBL_BIT_TRANSITIONS", edges(r.cycles() - 1, 16, 1) - 10 - 20);
  r.expect("INSTRUCTIONS_COMPLETED", 3);
}

TEST(Ppc750gx, TimeBaseWrite) {
  TraceRun counted = run_ppc750gx("time_base_write");
  for (unsigned bit = 1; bit < 4; ++bit) {
    oracle::Request request = ask("TBL_BIT_TRANSITIONS");
    request.time_base_bit = bit;
    counted.expect(request, 1);
  }
}

TEST(Ppc750gx, Ordering) {
  TraceRun r = run_ppc750gx("ordering");
  r.expect("EIEIO_INSTRUCTIONS", 3);
  r.expect("SYNC_INSTRUCTIONS", 2);
  r.expect("INSTRUCTIONS_COMPLETED", 6);
}

TEST(Ppc750gx, Reservation) {
  TraceRun r = run_ppc750gx("reservation");
  r.expect("RESERVED_LOADS", 2);
  r.expect("STORE_CONDITIONAL_INSTRUCTIONS", 3);
  r.expect("STORE_CONDITIONAL_INSTRUCTIONS_RESERVATION_INTACT", 1);
  r.expect("LOADS_AND_STORES", 2 + 3);
}

TEST(Ppc750gx, LoadsAndStores) {
  TraceRun r = run_ppc750gx("accesses");
  r.expect("LOADS_AND_STORES", 8);
  r.expect("INSTRUCTIONS_COMPLETED", 8 + 5);
}

TEST(Ppc750gx, Units) {
  TraceRun r = run_ppc750gx("units");
  r.expect("SYSTEM_UNIT_INSTRUCTIONS", 7);
  r.expect("FPU_INSTRUCTIONS", 5);
  r.expect("INTEGER_OPERATIONS", 4);
  r.expect("LOADS_AND_STORES", 2);
  r.expect("INSTRUCTIONS_COMPLETED", 7 + 5 + 4 + 2);
}

// Five lines, each loaded twice. In addition the table search reads one entry each for code and data.
TEST(Ppc750gx, DataLines) {
  TraceRun r = run_ppc750gx("lines");
  r.expect("L1_DCACHE_MISSES", 5);
  r.expect("L2_DATA_MISSES", 5 + 2);
  r.expect("DTLB_MISSES", 1);
  r.expect("DTLB_TABLE_SEARCH_CYCLES", search_in_memory);
  r.expect("L1_CASTOUTS_TO_L2", 0);
}

TEST(Ppc750gx, CastoutsBeginBehindTheEighthWay) {
  TraceRun eight = run_ppc750gx("conflict_8");
  eight.expect("L1_DCACHE_MISSES", 8);  // no misses in the second round
  eight.expect("L1_CASTOUTS_TO_L2", 0);
  TraceRun eleven = run_ppc750gx("conflict_11");
  eleven.expect("L1_DCACHE_MISSES", 11);
  eleven.expect("L1_CASTOUTS_TO_L2", 11 - 8);
}

// Lines evicted from L1 are in L2: every L1 miss except the first load of a line hits L2.
TEST(Ppc750gx, ReloadsHitL2) {
  TraceRun eight = run_ppc750gx("reload_8");
  eight.expect("L1_DCACHE_MISSES", 8);
  eight.expect("L2_ACCESSES", 0);
  TraceRun nine = run_ppc750gx("reload_9");
  const std::uint64_t misses = nine.count("L1_DCACHE_MISSES");
  EXPECT_GT(misses, 9u);
  nine.expect("L2_ACCESSES", misses - 9);
  nine.expect("L2_HITS", 0);  // there is no cache operation
}

// The same for code: eight lines stay, nine do not, and lines evicted from L1 are in L2.
TEST(Ppc750gx, CodeReloadsHitL2) {
  TraceRun eight = run_ppc750gx("code_reload_8", correct_path_only),
           nine = run_ppc750gx("code_reload_9", correct_path_only);
  eight.expect("L1_ICACHE_MISSES", 8);
  eight.expect("L2_I_MISSES", 8);
  nine.expect("L2_I_MISSES", 9);
  EXPECT_GT(nine.count("L1_ICACHE_MISSES"), 9u);
}

// 15 modified lines: 8 stay in L1, so 7 go to L2, which has 4 ways for them; at least 3 must be cast out.
TEST(Ppc750gx, L2Castouts) {
  TraceRun eight = run_ppc750gx("l2_conflict_8");
  eight.expect("L2_CASTOUTS", 0);
  TraceRun fifteen = run_ppc750gx("l2_conflict_15");
  fifteen.expect("L1_CASTOUTS_TO_L2", 15 - 8);
  fifteen.expect("L2_CASTOUTS", 15 - 8 - 4, 15 - 8);
}

TEST(Ppc750gx, CacheOperations) {
  TraceRun r = run_ppc750gx("cache_operations");
  r.expect("L2_HITS", 2);
  r.expect("L2_ACCESSES", 2);
  r.expect("L1_DCACHE_MISSES", 2);  // only the loads; cache operations do not count
}

// Nine modified lines, eight in L1, one in L2. Each of the nine is pushed and the agent is retried.
TEST(Ppc750gx, Snoops) {
  TraceRun r = run_ppc750gx("snoops");
  r.expect("SNOOPS", 9 + 2);
  r.expect("SNOOP_RETRIES", 9 + 1);
  r.expect("L2_CASTOUTS_MODIFIED_SNOOPS", 1);
  r.expect("L2_CASTOUTS", 1);
}

// The same nine lines. A kill pushes a modified line, a write with kill discards it (UM Table 3-5).
TEST(Ppc750gx, KillsPushAndWritesWithKillDoNot) {
  TraceRun kills = run_ppc750gx("kills");
  kills.expect("SNOOPS", 9);
  kills.expect("SNOOP_RETRIES", 9);
  kills.expect("L2_CASTOUTS_MODIFIED_SNOOPS", 1);
  kills.expect("L2_CASTOUTS", 1);
  TraceRun writes = run_ppc750gx("write_kills");
  writes.expect("SNOOPS", 9);
  writes.expect("SNOOP_RETRIES", 0);
  writes.expect("L2_CASTOUTS_MODIFIED_SNOOPS", 0);
  writes.expect("L2_CASTOUTS", 0);
}

TEST(Ppc750gx, ResolvedBranches) {
  TraceRun r = run_ppc750gx("resolved_branches");
  r.expect("BRANCHES_NOT_TAKEN", 5);
  r.expect("UNRESOLVED_BRANCHES", 0);
  r.expect("TAKEN_BRANCHES", 0);  // none of the taken branches was predicted
  r.expect("MISPREDICTED_BRANCHES", 0);
}

// Two-bit history, initially strongly not taken: iterations 1 and 2 are predicted to fall through, 3 to 10 to be taken;
// the tenth falls through.
TEST(Ppc750gx, PredictedLoop) {
  TraceRun r = run_ppc750gx("loop", correct_path_only);
  r.expect("UNRESOLVED_BRANCHES", 10);
  r.expect("BRANCHES_NOT_TAKEN", 2);
  r.expect("TAKEN_BRANCHES", 7);
  r.expect("MISPREDICTED_BRANCHES", 2 + 1);
  EXPECT_EQ(r.count("SPECULATIVE_BRANCHES") + r.count("SECOND_STREAM_RESOLVED_BRANCHES"), 7u);
  r.expect("INSTRUCTIONS_COMPLETED", 2 + 10 + 1);
  TraceRun wrong_path = run_ppc750gx("loop");
  EXPECT_GE(wrong_path.count("INSTRUCTIONS_DISPATCHED"), wrong_path.count("INSTRUCTIONS_COMPLETED"));
}

TEST(Ppc750gx, IabrMatches) {
  TraceRun r = run_ppc750gx("loop");
  oracle::Request request = ask("IABR_MATCHES");
  request.breakpoint = oracle::breakpoint_translation;
  request.address = 0x10008;  // the divide
  r.expect(request, 10);
  request.address = 0x10010;  // after the loop
  r.expect(request, 1);
  request.address = 0x1000c;  // the branch, which is folded and never retires
  r.expect(request, 0);
  request.address = 0x10008;
  request.breakpoint = 0;  // the program runs with address translation
  r.expect(request, 0);
}

// The branch's target is executed translated by the program and untranslated by the handler.
TEST(Ppc750gx, IabrAndTranslation) {
  TraceRun r = run_ppc750gx("shared_code");
  oracle::Request request = ask("IABR_MATCHES");
  request.address = 0x10020;
  for (const std::uint32_t translation : {0u, oracle::breakpoint_translation}) {
    request.breakpoint = translation;
    r.expect(request, 1);
  }
  oracle::Request marked = ask("INSTRUCTIONS_COMPLETED");
  marked.marked = true;
  r.expect(marked, 1);
  marked.marked = false;
  r.expect(marked, 1 + 1 + 2 + 1);
}

// An instruction that depends on a divide instead of an addition waits longer by the difference of their latencies.
TEST(Ppc750gx, SecondStream) {
  TraceRun one = run_ppc750gx("chain_1"), two = run_ppc750gx("chain_2"), longer = run_ppc750gx("chain_2_longer");
  one.expect("SPECULATIVE_BRANCHES", 1);
  one.expect("SECOND_STREAM_RESOLVED_BRANCHES", 0);
  one.expect("SECOND_UNRESOLVED_BRANCH_STALLS", 0);
  two.expect("UNRESOLVED_BRANCHES", 2);
  two.expect("SPECULATIVE_BRANCHES", 1);
  two.expect("SECOND_STREAM_RESOLVED_BRANCHES", 1);
  two.expect("BPU_BLOCKED_CYCLES", 0);
  EXPECT_EQ(longer.count("SECOND_UNRESOLVED_BRANCH_STALLS") - two.count("SECOND_UNRESOLVED_BRANCH_STALLS"),
            divide_instead_of_add);
}

TEST(Ppc750gx, ThirdBranchIsBlocked) {
  TraceRun three = run_ppc750gx("chain_3"), longer = run_ppc750gx("chain_3_longer");
  EXPECT_GT(three.count("BPU_BLOCKED_CYCLES"), 0u);
  EXPECT_EQ(longer.count("BPU_BLOCKED_CYCLES") - three.count("BPU_BLOCKED_CYCLES"), divide_instead_of_add);
}

TEST(Ppc750gx, BranchWaitsForLink) {
  TraceRun one = run_ppc750gx("link_wait"), two = run_ppc750gx("link_wait_longer"),
           by_count = run_ppc750gx("count_wait");
  EXPECT_GT(one.count("BPU_LR_CR_STALL_CYCLES"), 0u);
  EXPECT_EQ(two.count("BPU_LR_CR_STALL_CYCLES") - one.count("BPU_LR_CR_STALL_CYCLES"), divide_instead_of_add);
  by_count.expect("BPU_LR_CR_STALL_CYCLES", 0);
}

// Latencies 20, 21 and 63; two further loads of 63 cycles are not tracked.
TEST(Ppc750gx, LoadMissThreshold) {
  TraceRun r = run_ppc750gx("latencies");
  const auto above = [&](std::uint32_t threshold, std::uint64_t expected) {
    oracle::Request request = ask("L1_LOAD_MISSES");
    request.threshold = threshold;
    r.expect(request, expected);
  };
  above(0, 3);
  above(19, 3);
  above(20, 2);
  above(21, 1);
  above(62, 1);
  above(63, 0);
  TraceRun equal = run_ppc750gx("latencies", {{"pmu.threshold_compare", "greater_equal"}});
  oracle::Request request = ask("L1_LOAD_MISSES");
  request.threshold = 63;
  equal.expect(request, 1);
  TraceRun all = run_ppc750gx("latencies", {{"pmu.threshold_untracked", "counted"}});
  request.threshold = 62;
  all.expect(request, 3);
}

TEST(Ppc750gx, LoadMissCycles) {
  TraceRun shorter = run_ppc750gx("load_wait_30"), longer = run_ppc750gx("load_wait_50");
  shorter.expect("L1_LOAD_MISS_CYCLES", 29, 31);  // the first or the last cycle may count
  EXPECT_EQ(longer.count("L1_LOAD_MISS_CYCLES") - shorter.count("L1_LOAD_MISS_CYCLES"), 20u);
}

// Two pages of a set stay in the TLB; three evict one another, the least recently used first.
TEST(Ppc750gx, TlbReach) {
  TraceRun two = run_ppc750gx("pages_2"), three = run_ppc750gx("pages_3");
  two.expect("DTLB_MISSES", 2);
  two.expect("DTLB_TABLE_SEARCH_CYCLES", 2 * search_in_memory);
  three.expect("DTLB_MISSES", 2 * 3);
}

TEST(Ppc750gx, PrivilegeAndMark) {
  TraceRun r = run_ppc750gx("privilege");
  const auto completed = [&](bool user, bool kernel, std::optional<bool> marked, std::uint64_t expected) {
    oracle::Request request = ask("INSTRUCTIONS_COMPLETED");
    request.user = user;
    request.kernel = kernel;
    request.marked = marked;
    r.expect(request, expected);
  };
  completed(true, true, std::nullopt, 1 + 2 + 4 + 8);
  completed(true, false, std::nullopt, 1 + 8);
  completed(false, true, std::nullopt, 2 + 4);
  completed(true, true, true, 4 + 8);
  completed(true, true, false, 1 + 2);
  completed(true, false, true, 8);
  completed(false, true, false, 2);
  completed(false, false, std::nullopt, 0);
}

}  // namespace
}  // namespace pmusim::micro
