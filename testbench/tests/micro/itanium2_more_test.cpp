// The micro-traces of itanium2_more_programs.py. Where a count contains a duration that is a choice of the core, two
// runs that differ in one known number of cycles or places are compared. README.md has the rows that are not counted at
// all.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "run.h"

namespace pmusim::micro {
namespace {

/// What other settings add to the count of a row.
std::int64_t added(const std::string& trace, const char* row, const Settings& by, const Settings& before = {}) {
  const auto count = [&](const Settings& settings) {
    const std::uint64_t found = run_itanium2(trace, settings).count(row);
    EXPECT_GT(found, 0u) << row;
    return static_cast<std::int64_t>(found);
  };
  return count(by) - count(before);
}

/// The rows occur, and other settings take their cause away.
void happen_unless(const std::string& trace, std::initializer_list<const char*> rows, const Settings& without,
                   const Settings& settings = {}) {
  TraceRun with = run_itanium2(trace, settings), none = run_itanium2(trace, without);
  for (const char* row : rows) {
    EXPECT_GT(with.count(row), 0u) << row;
    none.expect(row, 0);
  }
}

// Both values are multiples of the bus clock.
constexpr std::int64_t later = 50;
const Settings slower_memory{{"core.memory_cycles", "250"}};  // 200

TEST(Itanium2Order, Releases) {
  TraceRun r = run_itanium2("releases");
  r.expect("L2_OZQ_CANCELS0_LATE_RELEASE", 3);
  r.expect("L2_OZQ_CANCELS1_REL", 3);
  r.expect("L2_OZQ_CANCELS0_LATE_BYP_EFFRELEASE", 1);
  const std::int64_t behind_a_load = 3;
  EXPECT_EQ(added("releases", "L2_OZQ_RELEASE", slower_memory), behind_a_load * later);
}

TEST(Itanium2Order, Acquires) {
  TraceRun r = run_itanium2("acquires");
  r.expect("L2_OZQ_CANCELS0_LATE_ACQUIRE", 2);
  r.expect("L2_OZQ_CANCELS2_ACQ", 2);
  const std::uint64_t latency = 30;
  r.expect("BE_L1D_FPU_BUBBLE_L1D_LDCONF", latency - 1);
  const std::int64_t from_memory = 2;
  EXPECT_EQ(added("acquires", "L2_OZQ_ACQUIRE", slower_memory), from_memory * later);
}

TEST(Itanium2Order, Fences) {
  TraceRun r = run_itanium2("fences");
  r.expect("L2_OZQ_CANCELS1_MFA", 2);
  r.expect("L2_OZQ_CANCELS1_SYNC", 3);
  r.expect("L2_OZQ_CANCELS1_SEM", 4);
  r.expect("L2_OZQ_CANCELS1_CCV", 5);
}

TEST(Itanium2Memory, ErrorsAreCorrected) {
  TraceRun r = run_itanium2("errors");
  r.expect("L2_OZQ_CANCELS1_ECC", 2);
  r.expect("L2_OZQ_CANCELS2_SCRUB", 3);
}

TEST(Itanium2Memory, Victims) {
  TraceRun r = run_itanium2("victims");
  const std::uint64_t ways = 8, lines = 10, known = lines - ways, unknown = lines - ways;
  r.expect("L3_WRITES_L2_WB_HIT", known);
  r.expect("L3_WRITES_L2_WB_MISS", unknown);
  r.expect("L3_WRITES_L2_WB_ALL", known + unknown);
  r.expect("BUS_WR_WB_ALL_SELF", unknown);
  r.expect("BUS_WR_WB_EQ_128BYTE_SELF", unknown);
}

// L3 has twelve ways. Of the second set of fourteen lines, one is in constant use in L2, which L3 does not observe: it
// is the least recently used line when the thirteenth is filled. It is then filled again in place of the second, and
// the fill of the last line evicts another.
TEST(Itanium2Memory, LinesReplacedInL3) {
  TraceRun r = run_itanium2("replaced");
  r.expect("L3_LINES_REPLACED", (14 - 12) + 3);
  r.expect("BUS_SNOOPS_SELF", 1);
  r.expect("BUS_SNOOPS_HITM_SELF", 1);
  r.expect("BUS_BACKSNP_REQ_THIS", 1);
}

// With twice as many ways in as many sets no line is evicted.
TEST(Itanium2Memory, LinesOnTheirWayOut) {
  happen_unless("written_back",
                {"L2_FORCE_RECIRC_VIC_PEND", "L2_OZQ_CANCELS2_CANC_L2C_ST", "L2_OZQ_CANCELS2_READ_WB_CONF"},
                {{"core.l2_ways", "16"}, {"core.l2_bytes", "524288"}});
}

TEST(Itanium2Memory, SharedLines) {
  TraceRun r = run_itanium2("shared");
  r.expect("L2_STORE_HIT_SHARED_ANY", 4);
  r.expect("BUS_MEM_READ_BIL_SELF", 4);
  r.expect("BUS_WR_WB_CCASTOUT_SELF", 3);
  r.expect("BUS_WR_WB_CCASTOUT_ANY", 3);
  r.expect("BUS_WR_WB_EQ_128BYTE_ANY", 0);  // a clean castout has no data
  r.expect("BUS_RD_INVAL_HITM", 2);
  r.expect("L3_LINES_REPLACED", 0);  // flushed and invalidated lines are not replaced
}

// The upper rows of a queue count its entries divided by four or eight: one step below, they are 0. Twenty modified
// lines leave at once.
TEST(Itanium2Memory, EverythingTaken) {
  TraceRun r = run_itanium2("flood");
  const std::uint64_t fetches_without_a_buffer = 1;
  r.expect("L2_L3ACCESS_CANCEL_FILLD_FULL", fetches_without_a_buffer);
  happen_unless("flood", {"L2_FILLB_FULL_THIS", "L2_L3ACCESS_CANCEL_FILLD_FULL", "L2_FORCE_RECIRC_FRC_RECIRC"},
                {{"core.fill_buffers", "64"}});
  happen_unless("flood", {"L2_FORCE_RECIRC_VIC_BUF_FULL"}, {{"core.victim_buffers", "20"}},
                {{"core.victim_buffers", "19"}});
  happen_unless("flood", {"L2_VICTIMB_FULL_THIS"}, {{"core.victim_buffers", "21"}}, {{"core.victim_buffers", "20"}});
  happen_unless("flood", {"L2_L3ACCESS_CANCEL_EBL_REJECT"}, {{"core.request_queue", "64"}});
  happen_unless("flood", {"BUS_IOQ_LIVE_REQ_HI"}, {{"core.in_order_queue", "3"}}, {{"core.in_order_queue", "4"}});
  happen_unless("flood", {"BUS_BRQ_LIVE_REQ_HI"}, {{"core.request_queue", "7"}}, {{"core.request_queue", "8"}});
  // A read is deferred until its line is there; it has a fill buffer.
  happen_unless("flood", {"BUS_OOQ_LIVE_REQ_HI"}, {{"core.fill_buffers", "7"}}, {{"core.fill_buffers", "8"}});
}

TEST(Itanium2Memory, Rounds) {
  TraceRun r = run_itanium2("rounds");
  r.expect("L2_FORCE_RECIRC_L1W", 2);
  r.expect("L2_FORCE_RECIRC_TRAN_PREF", 4);
  const std::uint64_t snoops = 3, cycles_of_tags = 4;
  r.expect("L2_FORCE_RECIRC_SNP_OR_L3", 1, snoops * cycles_of_tags);  // one load a cycle
}

TEST(Itanium2Memory, WaysThatBecomeFree) {
  TraceRun r = run_itanium2("late_ways");
  r.expect("L2_BAD_LINES_SELECTED_ANY", 12);  // each way becomes free long before the line from memory arrives
}

TEST(Itanium2Code, StoresToIt) {
  TraceRun r = run_itanium2("own_code");
  const std::uint64_t stores = 2, flushes = 1;
  r.expect("L2_FORCE_RECIRC_SMC_HIT", stores);
  r.expect("L1I_SNOOP", stores + flushes);
  // A load one cycle later for each line: as many more meet their line on its way as it needs more cycles of the bus.
  const std::int64_t cycles_of_a_clock = 5;
  EXPECT_EQ(added("own_code", "L2_FORCE_RECIRC_IPF_MISS", {{"core.bus_line_clocks", "5"}}), cycles_of_a_clock);
  happen_unless("own_code", {"L2_FORCE_RECIRC_IPF_MISS"}, {{"core.instruction_prefetch", "off"}});
}

TEST(Itanium2Code, BesideData) {
  TraceRun r = run_itanium2("crowded_fetches");
  EXPECT_GT(r.count("L2_IFET_CANCELS_CHG_PRIO"), 0u);
  EXPECT_GT(r.count("L2_IFET_CANCELS_RECIR_OVER_SUB"), 0u);
  // The last third accesses one of 16 banks, but four of 64.
  happen_unless("crowded_fetches", {"L2_IFET_CANCELS_PREEMPT"}, {{"core.l2_banks", "64"}});
}

TEST(Itanium2Code, FarAway) {
  TraceRun r = run_itanium2("far_code");
  const std::uint64_t jumps = 8, slow = 3;
  r.expect("L1I_EAR_CACHE_LAT128", jumps);
  r.expect("L1I_EAR_CACHE_LAT1024", slow);
  r.expect("L1I_EAR_CACHE_LAT4096", slow);
  // Prefetches of more lines than there are request buffers: the next waits for the first to arrive.
  EXPECT_EQ(added("far_code", "L1I_PREFETCH_STALL_FLOW", slower_memory), later);
  happen_unless("far_code", {"L1I_PREFETCH_STALL_FLOW"}, {{"core.request_buffers", "64"}});
}

// Each class is twice not taken and twice taken, in each case once hinted as taken; the target of an indirect branch
// that has not been executed before is unknown.
TEST(Itanium2Branches, OfWhichNothingIsKnown) {
  TraceRun r = run_itanium2("unknown");
  const auto rows = [&](const std::string& kind, std::uint64_t met, std::uint64_t correct, std::uint64_t wrong_path) {
    r.expect("BR_MISPRED_DETAIL2_" + kind + "_ALL_UNKNOWN_PRED", met);
    r.expect("BR_MISPRED_DETAIL2_" + kind + "_UNKNOWN_PATH_CORRECT_PRED", correct);
    r.expect("BR_MISPRED_DETAIL2_" + kind + "_UNKNOWN_PATH_WRONG_PATH", wrong_path);
    r.expect("BR_PATH_PRED2_" + kind + "_UNKNOWNPRED_TAKEN", met / 2);
    r.expect("BR_PATH_PRED2_" + kind + "_UNKNOWNPRED_NOTTAKEN", met / 2);
  };
  rows("IPREL", 4, 1, 2);  // the target of the branch correctly guessed taken is known late
  rows("RETURN", 4, 2, 2);
  rows("NRETIND", 4, 1, 2);
  rows("ALL", 12, 4, 6);
}

TEST(Itanium2Branches, ModuloScheduledLoops) {
  TraceRun r = run_itanium2("modulo_loops");
  r.expect("BE_BR_MISPRED_DETAIL_ROT", 2);
  r.expect("BE_BR_MISPRED_DETAIL_STG", 3);
  r.expect("BE_BR_MISPRED_DETAIL_ANY", 2 + 3);
}

TEST(Itanium2FrontEnd, FullBuffer) {
  TraceRun r = run_itanium2("full_buffer");
  const std::uint64_t loops = 3, bundles = 2;
  r.expect("FE_LOST_BW_PLP", loops * bundles);
  r.expect("BE_LOST_BW_DUE_TO_FE_PLP", loops, loops * bundles);  // one bundle may already be in the buffer
  r.expect("IDEAL_BE_LOST_BW_DUE_TO_FE_PLP", loops, loops * bundles);
  // Fetch needs room for two of eight bundles: the buffer is full with the one that waits and six jumps. A jump that is
  // not known takes three cycles, and one less with one bubble less. Each cycle lacks two bundles.
  const std::int64_t jumps = 8 - 2, of_three = 12 / 3;
  const Settings quicker{{"core.immediate_bubbles", "1"}}, longer{{"core.buffer_bundles", "9"}};
  EXPECT_EQ(added("full_buffer", "FE_BUBBLE_IBFULL", quicker), jumps);
  EXPECT_EQ(added("full_buffer", "FE_LOST_BW_IBFULL", quicker), 2 * jumps);
  EXPECT_EQ(added("full_buffer", "FE_BUBBLE_IBFULL", longer), -3);
  EXPECT_EQ(added("full_buffer", "FE_LOST_BW_IBFULL", longer), 2 * -3);
  // Four bundles of three branches fill the queue of twelve.
  EXPECT_EQ(added("full_buffer", "FE_LOST_BW_BRQ", quicker), 2 * of_three);
  // A full buffer is short of bundles only if passing through it takes longer than filling it.
  r.expect("BE_LOST_BW_DUE_TO_FE_IBFULL", 0);
  r.expect("IDEAL_BE_LOST_BW_DUE_TO_FE_IBFULL", 0);
  const Settings slow{{"core.fetch_to_buffer", "8"}, {"core.immediate_bubbles", "0"}, {"core.multiway_bubbles", "0"}};
  Settings never_full = slow;
  never_full.emplace_back("core.buffer_bundles", "32");
  happen_unless("full_buffer", {"BE_LOST_BW_DUE_TO_FE_IBFULL", "IDEAL_BE_LOST_BW_DUE_TO_FE_IBFULL"}, never_full, slow);
}

// A bundle of three branches issues alone. Four of them fill the branch retirement queue. The first retires in the
// cycle in which the third issues, so that fetch resumes in that of the fourth: then one bundle is missing at the
// buffer's exit. After the last four the program ends.
TEST(Itanium2FrontEnd, BranchRetirementQueue) {
  const std::uint64_t turns = 3, bundles = 12, queue = 12, branches = 3;
  const std::uint64_t fillings = bundles * branches / queue;
  TraceRun r = run_itanium2("retirement_queue");
  r.expect("BE_LOST_BW_DUE_TO_FE_BRQ", turns * (fillings - 1));
  r.expect("IDEAL_BE_LOST_BW_DUE_TO_FE_BRQ", turns * (fillings - 1));
  // Fetch waits for retirement before each filling but the first.
  const auto waits = static_cast<std::int64_t>(turns * (fillings - 1));
  const Settings retires_later{{"core.exe_to_retire", "3"}};  // 2
  EXPECT_EQ(added("retirement_queue", "FE_BUBBLE_BRANCH", retires_later), waits);
  EXPECT_EQ(added("retirement_queue", "FE_LOST_BW_BRQ", retires_later), 2 * waits);
  happen_unless("retirement_queue", {"FE_LOST_BW_BRQ", "FE_BUBBLE_BRANCH"}, {{"core.branch_queue", "36"}});
  // If a branch leaves the queue at dispersal, there is always one more bundle available.
  TraceRun early = run_itanium2("retirement_queue", {{"core.branch_queue_until", "dispersal"}});
  early.expect("BE_LOST_BW_DUE_TO_FE_BRQ", 0);
}

TEST(Itanium2BackEnd, RareStalls) {
  TraceRun r = run_itanium2("rare_stalls");
  const std::uint64_t forward = 3, unat = 4, fp_compare = 2, to_application = 5, bank_switch = 2;
  // The load is two cycles after the store; the fourth cycle would be without a stall.
  r.expect("BE_L1D_FPU_BUBBLE_L1D_STBUFRECIR", forward + 1 - 2);
  r.expect("BE_L1D_FPU_BUBBLE_L1D_NATCONF", unat - 1);
  r.expect("BE_L1D_FPU_BUBBLE_L1D_NAT", 1);
  r.expect("BE_EXE_BUBBLE_PR", fp_compare - 1);
  r.expect("BE_RSE_BUBBLE_AR_DEP", 2 * 2);
  r.expect("BE_EXE_BUBBLE_ARCR", to_application - 1);
  // The entry of the page table and the line of the registers are both read from memory.
  EXPECT_EQ(added("rare_stalls", "BE_RSE_BUBBLE_LOADRS", slower_memory), 2 * later);
  TraceRun kernel = run_itanium2("rare_stalls");  // the bank is switched at level 0
  for (const auto& [row, stall] : {std::pair{"BE_RSE_BUBBLE_BANK_SWITCH", std::uint64_t{1}},
                                   std::pair{"BE_EXE_BUBBLE_BANK_SWITCH", bank_switch - 1}}) {
    oracle::Request request = ask(row);
    request.ia64.levels = 15;
    kernel.expect(request, stall);
  }
}

TEST(Itanium2Memory, ApartFromTheRest) {
  TraceRun r = run_itanium2("apart");
  constexpr std::uint64_t hot = 0x6000000000210000;
  const auto in = [&](const char* row) {
    oracle::Request request = ask(row);
    request.ia64.data = {{hot, hot + 64}};
    return request;
  };
  for (const char* row : {"MISALIGNED_LOADS_RETIRED", "UC_STORES_RETIRED"}) {
    r.expect(row, 3);
    r.expect(in(row), 2);
  }
  r.expect("UC_LOADS_RETIRED", 2 * 3);
  r.expect(in("UC_LOADS_RETIRED"), 2 * 2);
  r.expect("FP_FLUSH_TO_ZERO", 2);
}

// 11 registers are dirty at the third and 81 at the fifth instruction of alloc, call, alloc, call, alloc; each call
// makes the frame before it dirty.
TEST(Itanium2BackEnd, DirtyRegisters) {
  TraceRun r = run_itanium2("dirty");
  const std::uint64_t dirty[] = {0, 0, 11, 11, 11 + 70};
  std::uint64_t low = 0, middle = 0, high = 0;
  for (const std::uint64_t d : dirty) low += d % 8, middle += d / 8 % 8, high += d / 64;
  r.expect("RSE_DIRTY_REGS_2_TO_0", low);
  r.expect("RSE_DIRTY_REGS_5_TO_3", middle);
  r.expect("RSE_DIRTY_REGS_6", high);
}

TEST(Itanium2Order, LoadsOfWhatIsBeingStored) {
  TraceRun r = run_itanium2("store_matches");
  r.expect("L2_OZQ_CANCELS1_L2A_ST_MAT", 2);
  r.expect("L2_OZQ_CANCELS1_L2D_ST_MAT", 2);
  r.expect("L2_OZQ_CANCELS2_L2C_ST_MAT", 2);
  // Two enter in a cycle and one leaves: after the 15th pair 16 entries are taken but one, and each pair waits a cycle.
  const std::uint64_t pairs = 60;
  r.expect("BE_L1D_FPU_BUBBLE_L1D_FULLSTBUF", pairs - (16 - 1));
  TraceRun longer = run_itanium2("store_matches", {{"core.store_buffer", "20"}});
  longer.expect("BE_L1D_FPU_BUBBLE_L1D_FULLSTBUF", pairs - (20 - 1));
}

// On its first execution the branch is unknown, which costs more cycles.
TEST(Itanium2FrontEnd, InterlockedBranches) {
  TraceRun r = run_itanium2("interlocks");
  r.expect("FE_LOST_BW_BR_ILOCK", 2 * 5, 2 * 6);
  // A second cycle of the interlock leaves the exit of the buffer without any bundle.
  const Settings without{{"core.multiway_bubbles", "0"}}, two_cycles{{"core.multiway_bubbles", "2"}};
  for (const char* row : {"BE_LOST_BW_DUE_TO_FE_BR_ILOCK", "IDEAL_BE_LOST_BW_DUE_TO_FE_BR_ILOCK"}) {
    EXPECT_EQ(added("interlocks", row, two_cycles), 2 * 5) << row;
    happen_unless("interlocks", {row}, without);
  }
  EXPECT_GT(r.count("L2_IFET_CANCELS_IFETCH_BYP"), 0u);
}

TEST(Itanium2Code, LinesOnTheirWay) {
  TraceRun r = run_itanium2("straight_on");
  r.expect("L1I_FETCH_RAB_HIT", 4);
}

TEST(Itanium2BackEnd, Traps) {
  TraceRun r = run_itanium2("trapped");
  r.expect("FP_TRUE_SIRSTALL", 2);
  r.expect("FP_FALSE_SIRSTALL", 0);
}

TEST(Itanium2BackEnd, FloatingPointEntriesOfTheAlat) {
  TraceRun r = run_itanium2("fp_alat");
  r.expect("ALAT_CAPACITY_MISS_FP", 35 - 32);
  r.expect("ALAT_CAPACITY_MISS_INT", 0);
}

TEST(Itanium2Rows, OfRegistersThatARequestArms) {
  TraceRun r = run_itanium2("lines");
  oracle::Request request = ask("DATA_DEBUG_REGISTER_MATCHES");
  request.ia64.breakpoints = {{{0x6000000000200000, 0x6000000000200040}}};
  r.expect(request, 2);
  request = ask("L1I_EAR_EVENTS");
  request.ia64.armed = "L1I_EAR_CACHE_LAT0";
  const std::uint64_t lines = 12 * 16 / 64;  // of twelve bundles
  run_itanium2("straight", {{"core.instruction_prefetch", "off"}}).expect(request, lines);
}

}  // namespace
}  // namespace pmusim::micro
