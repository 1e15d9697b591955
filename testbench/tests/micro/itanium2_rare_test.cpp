// Counts of the micro-traces of itanium2_rare_programs.py.
#include <gtest/gtest.h>

#include <string>

#include "run.h"

namespace pmusim::micro {
namespace {

TEST(Itanium2Rare, DebugFaultsAreTakenWhilePsrDbIsSet) {
  TraceRun r = run_itanium2("debug_faults");
  const std::uint64_t loads_before = 3, loads = 4, stores = 2, loads_behind = 1;
  const auto on = [](const std::string& event, bool reads, bool writes) {
    oracle::Request request = ask(event);
    oracle::ia64::DataBreakpoint breakpoint;
    breakpoint.range = {0x6000000000200000, 0x6000000000200008};
    breakpoint.read = reads;
    breakpoint.write = writes;
    request.ia64.breakpoints = {breakpoint};
    return request;
  };
  r.expect(on("DATA_DEBUG_REGISTER_FAULT", true, true), loads + stores);
  r.expect(on("DATA_DEBUG_REGISTER_FAULT", true, false), loads);
  r.expect(on("DATA_DEBUG_REGISTER_FAULT", false, true), stores);
  r.expect(on("DATA_DEBUG_REGISTER_MATCHES", true, true), loads_before + loads + stores + loads_behind);
}

TEST(Itanium2Rare, OwnPortsAndLocks) {
  TraceRun r = run_itanium2("own_ports");
  const std::uint64_t reads = 2, writes = 3, locks = 4, of_device = 1;
  r.expect("BUS_RD_IO_SELF", reads);
  r.expect("BUS_RD_IO_IO", of_device);
  r.expect("BUS_RD_IO_ANY", reads + of_device);
  r.expect("BUS_IO_SELF", reads + writes);
  r.expect("BUS_IO_ANY", reads + writes + of_device);
  r.expect("BUS_LOCK_SELF", locks);
  r.expect("BUS_LOCK_ANY", locks);
}

TEST(Itanium2Rare, UnknownIndirectBranches) {
  TraceRun r = run_itanium2("unknown_indirect");
  r.expect("BR_PATH_PRED2_NRETIND_UNKNOWNPRED_TAKEN", 3);
  r.expect("BR_PATH_PRED2_NRETIND_UNKNOWNPRED_NOTTAKEN", 0);
}

TEST(Itanium2Rare, KindsOfBranchesInBundlesOfSeveral) {
  TraceRun r = run_itanium2("multiway_kinds");
  const std::uint64_t returns = 4, indirect = 1, relative = returns + indirect;
  r.expect("ENCBR_MISPRED_DETAIL_OVERSUB_ALL_PRED", returns);
  r.expect("ENCBR_MISPRED_DETAIL_ALL2_ALL_PRED", indirect);
  r.expect("ENCBR_MISPRED_DETAIL_ALL_ALL_PRED", returns + indirect + relative);
}

// Bundles missing at the buffer's exit count as lost only while the back end could accept them.
TEST(Itanium2Rare, NothingIsLostAtTheExitWhileTheBackEndIsHeld) {
  TraceRun r = run_itanium2("held_exit");
  const std::uint64_t loops = 3, missing_beside_the_loop = 1;
  r.expect("IDEAL_BE_LOST_BW_DUE_TO_FE_PLP", loops * missing_beside_the_loop);
  r.expect("BE_LOST_BW_DUE_TO_FE_PLP", 0);
  EXPECT_GT(r.count("IDEAL_BE_LOST_BW_DUE_TO_FE_BR_ILOCK"), 0u);
  r.expect("BE_LOST_BW_DUE_TO_FE_BR_ILOCK", 0);
  const std::uint64_t jumps = 2, missing_beside_the_jump = 1;
  EXPECT_EQ(r.count("IDEAL_BE_LOST_BW_DUE_TO_FE_FILL_RECIRC") - r.count("BE_LOST_BW_DUE_TO_FE_FILL_RECIRC"),
            jumps * missing_beside_the_jump);
}

TEST(Itanium2Rare, LoadsOfWhatWasStoredRightBefore) {
  TraceRun r = run_itanium2("store_ages");
  r.expect("L2_OZQ_CANCELS1_L2A_ST_MAT", 1);
  r.expect("L2_OZQ_CANCELS1_L2D_ST_MAT", 2);
  r.expect("L2_OZQ_CANCELS2_L2C_ST_MAT", 4);
}

TEST(Itanium2Rare, FetchesThatMeetSnoops) {
  TraceRun r = run_itanium2("snooped_fetches");
  const std::uint64_t lines = 6;
  EXPECT_GE(r.count("L2_IFET_CANCELS_CHG_PRIO"), lines);
  r.expect("L2_IFET_CANCELS_PREEMPT", 0);
}

TEST(Itanium2Rare, KindsOfWrongPredictions) {
  TraceRun r = run_itanium2("wrong_kinds");
  const std::uint64_t indirect = 3, returns = 1;
  const std::uint64_t returns_path = 2, returns_target = 3, indirect_path = 1, indirect_target = 1;
  r.expect("BR_PATH_PRED_NRETIND_MISPRED_TAKEN", indirect + indirect_path);
  r.expect("BR_PATH_PRED_RETURN_MISPRED_TAKEN", returns + returns_path);
  r.expect("ENCBR_MISPRED_DETAIL_OVERSUB_WRONG_PATH", returns_path);
  r.expect("ENCBR_MISPRED_DETAIL_OVERSUB_WRONG_TARGET", returns_target);
  r.expect("ENCBR_MISPRED_DETAIL_ALL2_WRONG_PATH", indirect_path);
  r.expect("ENCBR_MISPRED_DETAIL_ALL2_WRONG_TARGET", indirect_target);
}

TEST(Itanium2Rare, TwoInACycle) {
  TraceRun r = run_itanium2("in_pairs");
  for (const char* event : {"MISALIGNED_LOADS_RETIRED", "MISALIGNED_STORES_RETIRED", "UC_LOADS_RETIRED",
                            "UC_STORES_RETIRED", "INST_CHKA_LDC_ALAT_INT", "INST_CHKA_LDC_ALAT_FP",
                            "ALAT_CAPACITY_MISS_FP", "L2_OZQ_CANCELS0_LATE_ACQUIRE", "L2_STORE_HIT_SHARED_ANY"}) {
    oracle::Request request = ask(event);
    request.threshold = 1;
    r.expect(request, 1);
  }
  r.expect("MISALIGNED_LOADS_RETIRED", 2);
  r.expect("INST_CHKA_LDC_ALAT_FP", 2);
  r.expect("INST_FAILED_CHKA_LDC_ALAT_FP", 0);
}

// A floating-point load takes one cycle more than an integer load, so an integer load returns together with the
// floating-point loads of the cycle before.
TEST(Itanium2Rare, MoreLoadsThanL2HasPorts) {
  const std::uint64_t turns = 3, ports = 4, at_once = 5;
  TraceRun r = run_itanium2("ports_of_l2");
  r.expect("L2_OZQ_CANCELS2_OZ_DATA_CONF", turns * (at_once - ports));
  TraceRun enough("itanium2", "ports_of_l2", {{"core.l2_ports", "5"}});
  enough.expect("L2_OZQ_CANCELS2_OZ_DATA_CONF", 0);
}

// A line of L3 holds two lines of L1I. Four lines after the branch's target are prefetched; the target's own line is in
// L1I.
TEST(Itanium2Rare, CodeThatL3HasAndL2HasNot) {
  TraceRun r = run_itanium2("code_in_l3");
  EXPECT_GT(r.count("L3_READS_INST_FETCH_HIT"), 0u);
  r.expect("L3_READS_DINST_FETCH_HIT", 0);
}

TEST(Itanium2Rare, FirstFetchesOfWhatWasAskedForAhead) {
  TraceRun under_way = run_itanium2("loop_under_way"), in_stream = run_itanium2("loop_in_stream");
  under_way.expect("L1I_FETCH_RAB_HIT", 1);
  in_stream.expect("L1I_FETCH_ISB_HIT", 1);
}

TEST(Itanium2Rare, ChecksThatFindNoEntry) {
  TraceRun r = run_itanium2("failed_checks");
  const std::uint64_t check_loads = 1, checks = 1;
  r.expect("DATA_EAR_ALAT", check_loads + checks);
}

TEST(Itanium2Rare, AccessesThatBeginBeforeARange) {
  TraceRun r = run_itanium2("straddling");
  const std::uint64_t inside = 5;  // two more begin before it
  oracle::Request request = ask("LOADS_RETIRED");
  request.ia64.data = {{0x6000000000200000, 0x6000000000200040}};
  r.expect(request, inside);
}

// By default every held syllable has one cause, so that nothing is counted twice; with all causes recorded, the second
// shifts have two.
TEST(Itanium2Rare, SyllablesHeldForTwoReasons) {
  const std::uint64_t extractions = 5;
  const char* const both[] = {"SYLL_OVERCOUNT_EXPL", "SYLL_OVERCOUNT_IMPL", "SYLL_OVERCOUNT_ALL"};
  TraceRun first = run_itanium2("held_twice");
  first.expect("SYLL_NOT_DISPERSED_EXPL", extractions);
  first.expect("SYLL_NOT_DISPERSED_IMPL", 0);
  TraceRun all("itanium2", "held_twice", {{"core.held_causes", "all"}});
  all.expect("SYLL_NOT_DISPERSED_EXPL", extractions);
  all.expect("SYLL_NOT_DISPERSED_IMPL", extractions);
  all.expect("SYLL_NOT_DISPERSED_EXPL_OR_IMPL", extractions);  // each held syllable once
  for (const char* row : both) all.expect(row, 0);             // pmu.syllable_overcount=nothing
  first.set("pmu.syllable_overcount", 1);
  all.set("pmu.syllable_overcount", 1);
  for (const char* row : both) {
    first.expect(row, 0);
    all.expect(row, extractions);
  }
}

// The second data TLB takes four cycles, after which the load passes through the pipe again.
TEST(Itanium2Rare, LatenciesBeginWithTheFirstPassage) {
  TraceRun r = run_itanium2("new_pages");
  const std::uint64_t limit = 16;
  std::uint64_t from_first = 0;
  for (const std::uint64_t latency : {15u, 16u, 19u, 20u}) from_first += latency >= limit ? 1 : 0;
  r.expect("DATA_EAR_CACHE_LAT16", from_first);
}

}  // namespace
}  // namespace pmusim::micro
