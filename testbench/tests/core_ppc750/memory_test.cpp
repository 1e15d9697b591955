// Loads, fetches and translation. A load that starts in cycle c looks up L1 in c+1. If the lookup misses in m, the line
// is requested in m, L2 is looked up in m+1, and the data reaches the register in m+6 from L2 or m+70 from memory. The
// line is in L1 one cycle later from L2, 25 cycles later from memory (24 for the rest of the line).
#include <gtest/gtest.h>

#include "program.h"

namespace pmusim::testbench::ppc750 {
namespace {

using activity::LineState;
using activity::Signal;
using activity::State;
namespace d = activity::detail;
using Cycles = std::vector<activity::Cycle>;

TEST(Memory, LoadMissFromMemory) {
  const Activity a = run(TraceText().op(ppc::lwz(3, 9, 0), "L 2004 4" + warm + page).op(ppc::add(4, 3, 3)));
  EXPECT_EQ(a.cycles(Signal::dcache_lookup, d::lookup_miss | d::access_load | d::side_data), Cycles{3});
  EXPECT_EQ(a.cycles(Signal::line_request, d::side_data), Cycles{3});
  EXPECT_EQ(a.cycles(Signal::l2_lookup, d::side_data | d::lookup_miss), Cycles{4});
  EXPECT_EQ(a.cycles(Signal::bus_request, d::bus_dram, d::bus_write), Cycles{4});
  EXPECT_EQ(a.cycles(Signal::load_return), Cycles{73});
  EXPECT_EQ(a.when(Signal::finish, 0), 73u);
  EXPECT_EQ(a.when(Signal::retire, 0), 74u);
  EXPECT_EQ(a.when(Signal::issue, 1), 74u);
  const auto fill = a.of(Signal::line_fill);
  ASSERT_EQ(fill.size(), 1u);
  EXPECT_EQ(fill[0].cycle, 98u);
  EXPECT_EQ(fill[0].detail, d::side_data | static_cast<unsigned>(LineState::exclusive) << d::fill_installed_shift);
  EXPECT_EQ(a.cycles_with(State::load_misses, 1), 70u);
  EXPECT_EQ(a.at(State::load_misses, 3), 1u);
  EXPECT_EQ(a.at(State::load_misses, 73), 0u);
  const auto request = a.of(Signal::load_return)[0].request;
  EXPECT_EQ(request.start, 3u);
  EXPECT_EQ(request.end, 73u);
  EXPECT_EQ(request.address, 0x2004u);
  EXPECT_EQ(request.ip, 0x1000u);
  EXPECT_TRUE(request.oldest_in_queue);
  EXPECT_FALSE(request.crosses_word);
}

TEST(Memory, LoadMissFromL2) {
  const Activity a = run(TraceText().op(ppc::lwz(3, 9, 0), "L 2004 4 data=l2" + warm + page));
  EXPECT_EQ(a.cycles(Signal::l2_lookup, d::lookup_hit), Cycles{4});
  EXPECT_EQ(a.cycles(Signal::load_return), Cycles{9});
  EXPECT_EQ(a.cycles(Signal::line_fill), Cycles{10});
  EXPECT_EQ(a.count(Signal::bus_request), 0u);
}

TEST(Memory, ForcedLatencyIsWhatTheThresholdSees) {
  for (const unsigned latency : {2u, 20u, 21u, 63u, 64u}) {
    const Activity a =
        run(TraceText().op(ppc::lwz(3, 9, 0), fmt::format("L 2000 4 data=mem lat={}", latency) + warm + page));
    const auto returned = a.of(Signal::load_return);
    ASSERT_EQ(returned.size(), 1u);
    EXPECT_EQ(returned[0].request.end - returned[0].request.start, latency);
  }
}

TEST(Memory, LoadOfALineUnderWayWaitsForTheLine) {
  const Activity a = run(TraceText()
                             .op(ppc::lwz(3, 9, 0), "L 2000 4" + warm + page)
                             .op(ppc::lwz(4, 9, 8), "L 2008 4")
                             .op(ppc::lwz(5, 10, 0), "L 2010 4 data=l1"));
  EXPECT_EQ(a.cycles(Signal::dcache_lookup, d::lookup_pending), Cycles{4});
  EXPECT_EQ(a.cycles(Signal::load_return), (Cycles{73, 98}));
  EXPECT_EQ(a.count(Signal::line_request), 1u);
  const auto returned = a.of(Signal::load_return);
  EXPECT_EQ(returned[0].request.fill_lag, 98 - 73);
  EXPECT_EQ(returned[1].request.fill_lag, 0);
  EXPECT_TRUE(returned[0].request.oldest_in_queue);
  EXPECT_FALSE(returned[1].request.oldest_in_queue);
  EXPECT_EQ(a.cycles(Signal::dcache_lookup, d::lookup_hit), Cycles{5}) << "a hit goes on under two misses";
  EXPECT_EQ(a.at(State::load_misses, 4), 2u);
}

TEST(Memory, FourMissesInFlight) {
  TraceText t;
  for (unsigned i = 0; i < 5; ++i)
    t.op(ppc::lwz(10 + i, 9, 0), fmt::format("L 2{}00 4", i) + (i == 0 ? warm + page : ""));
  const Activity a = run(t);
  // Lookups in 3 to 6. The fifth load finds the load queue full until the first data arrives, in 73. Its line is
  // allocated only when the first line is complete, in 98: it looks up in 98. The bus transfers one line after the
  // other: first words in 73, 98, 123, 148; the fifth, requested in 99, arrives when the bus is free, in 173.
  EXPECT_EQ(a.cycles(Signal::dcache_lookup), (Cycles{3, 4, 5, 6, 98}));
  EXPECT_EQ(a.cycles(Signal::load_return), (Cycles{73, 98, 123, 148, 173}));
  EXPECT_EQ(a.at(State::load_misses, 10), 4u);
}

TEST(Memory, OperandsAcrossADoubleWordTakeTwoAccesses) {
  const Activity a = run(TraceText()
                             .op(ppc::lwz(3, 9, 0), "L 2006 4" + warm + warm_data)
                             .op(ppc::lwz(4, 9, 0), "L 2002 4")
                             .op(ppc::lfd(1, 9, 0), "L 2008 8"));
  const auto looked = a.of(Signal::dcache_lookup);
  ASSERT_EQ(looked.size(), 4u);
  EXPECT_EQ(looked[0].cycle, 3u);
  EXPECT_EQ(looked[1].cycle, 4u);
  EXPECT_TRUE(looked[1].detail & d::access_second_half);
  EXPECT_EQ(looked[1].request.address, 0x2008u);
  EXPECT_EQ(looked[1].request.size, 2u);
  EXPECT_TRUE(looked[0].request.crosses_octet);
  EXPECT_TRUE(looked[0].request.crosses_word);
  EXPECT_TRUE(looked[2].request.crosses_word);
  EXPECT_FALSE(looked[2].request.crosses_octet);
  EXPECT_FALSE(looked[3].request.crosses_word);
}

TEST(Memory, APieceCrossesWhatItsOwnAccessCrosses) {
  // Bytes 2 to 5 and 6 to 9: only the second access crosses a double word.
  const Activity a = run(TraceText().op(ppc::lmw(30, 9, 0), "L 2002 4 L 2006 4" + warm + warm_data));
  const auto looked = a.of(Signal::dcache_lookup);
  ASSERT_EQ(looked.size(), 2u);
  EXPECT_EQ(looked[0].request.address, 0x2002u);
  EXPECT_FALSE(looked[0].request.crosses_octet);
  EXPECT_EQ(looked[1].request.address, 0x2006u);
  EXPECT_TRUE(looked[1].request.crosses_octet);
}

TEST(Memory, TableSearchTimesByWhereTheEntryIs) {
  // Translation takes place with the cache access, in 3. The caches are empty: memory, 77 cycles, 3 to 79.
  const Activity a = run(TraceText().op(ppc::lwz(3, 9, 0), "L 2000 4 data=l1" + warm));
  EXPECT_EQ(a.cycles(Signal::translation, d::side_data | d::tlb_walk), Cycles{3});
  EXPECT_EQ(a.cycles_with(State::table_walk, 2), 77u);
  EXPECT_EQ(a.cycles_with(State::table_walk, 1), 0u);
  EXPECT_EQ(a.cycles(Signal::dcache_lookup, d::access_walk | d::lookup_miss), Cycles{3});
  EXPECT_EQ(a.cycles(Signal::l2_lookup, d::access_walk | d::lookup_miss), Cycles{3});
  EXPECT_EQ(a.cycles(Signal::dcache_lookup, d::lookup_hit, d::access_walk), Cycles{80});
  EXPECT_EQ(a.when(Signal::retire, 0), 81u);

  // The same page again: the entry is in L1, 7 cycles.
  const Activity again = run(
      TraceText().op(ppc::lwz(3, 9, 0), "L 2000 4 data=l1" + warm).op(ppc::lwz(3, 9, 0), "L 2000 4 data=l1 dtlb=walk"));
  EXPECT_EQ(again.cycles_with(State::table_walk, 2), 77u + 7u);
  // In an L1 of one line the data replaces the entry: L2, 13 cycles.
  const Activity small = run(TraceText()
                                 .op(ppc::lwz(3, 9, 0), "L 2000 4" + warm)
                                 .say("idle cycles=1")  // lets the line arrive
                                 .op(ppc::lwz(3, 9, 0), "L 2000 4 data=l1 dtlb=walk"),
                             parameters({{"core.l1d.sets", 1}, {"core.l1d.ways", 1}}));
  EXPECT_EQ(small.cycles_with(State::table_walk, 2), 77u + 13u);
}

TEST(Memory, TableSearchWaitsUntilTheAccessIsRequired) {
  // The load follows a branch that resolves in 23 (see branch_test). It dispatches in 2 and would translate in 4.
  const Activity a = run(TraceText()
                             .op(ppc::divw(5, 6, 7), warm)
                             .op(ppc::cmpwi(0, 5, 0))
                             .op(ppc::beq(0, 0x40))
                             .op(ppc::lwz(8, 9, 0), "L 2000 4"));
  EXPECT_EQ(a.when(Signal::issue, 3), 3u);
  EXPECT_EQ(a.cycles(Signal::translation), Cycles{24});
}

TEST(Memory, NoTranslationWithoutMsrDr) {
  const Activity a =
      run(TraceText().op(ppc::lwz(3, 9, 0), "L 2000 4 data=l1" + warm_line), parameters({{"core.msr", 0x1000}}));
  EXPECT_EQ(a.count(Signal::translation), 0u);
  EXPECT_EQ(a.at(State::cpl, 0), 0u);
}

TEST(Memory, FetchMiss) {
  TraceText t;
  t.op(ppc::addi(3, 0, 1), " itlb=hit");
  for (unsigned i = 1; i < 8; ++i) t.op(ppc::addi(3 + i, 0, 1));
  const Activity a = run(t);
  // Requested in 0, first words in 70: four instructions dispatch from 71 on. The second group finds its line still in
  // flight, in 71, and arrives with the whole line in 70 + 25.
  EXPECT_EQ(a.cycles(Signal::fetch, d::lookup_miss), Cycles{0});
  EXPECT_EQ(a.cycles(Signal::fetch, d::lookup_pending), Cycles{71});
  EXPECT_EQ(a.cycles(Signal::line_request, 0, d::side_data), Cycles{0});
  EXPECT_EQ(a.cycles(Signal::l2_lookup, d::lookup_miss, d::side_data), Cycles{1});
  EXPECT_EQ(a.cycles(Signal::line_fill, 0, d::side_data), Cycles{95});
  EXPECT_EQ(a.cycles(Signal::dispatch), (Cycles{71, 71, 72, 72, 96, 96, 97, 97}));

  const Activity l2 = run(TraceText().op(ppc::filler, " itlb=hit fetch=l2"));
  EXPECT_EQ(l2.cycles(Signal::dispatch), Cycles{7});
}

TEST(Memory, InstructionTableSearch) {
  const Activity a = run(TraceText().op(ppc::filler, " fetch=l1"));
  EXPECT_EQ(a.cycles(Signal::translation, d::tlb_walk, d::side_data), Cycles{0});
  EXPECT_EQ(a.cycles_with(State::table_walk, 1), 77u);
  EXPECT_EQ(a.cycles(Signal::fetch), Cycles{77});
  const Activity forced = run(TraceText().op(ppc::filler, warm).op(ppc::filler, "itlb=walk"));
  EXPECT_EQ(forced.cycles_with(State::table_walk, 1), 77u);
}

TEST(Memory, CachingInhibitedLoadsPassTheCachesBy) {
  const Activity a =
      run(TraceText().say("memory addr=2000 size=4096 type=uc").op(ppc::lwz(3, 9, 0), "L 2000 4" + warm + page));
  EXPECT_EQ(a.count(Signal::dcache_lookup), 0u);
  EXPECT_EQ(a.count(Signal::line_request), 0u);
  EXPECT_EQ(a.count(Signal::load_return), 0u);
  EXPECT_EQ(a.cycles_with(State::load_misses, 1), 0u);
  EXPECT_EQ(a.cycles(Signal::bus_request, 0, d::bus_type_mask | d::bus_write), Cycles{3});
  EXPECT_EQ(a.when(Signal::finish, 0), 73u);
}

TEST(Memory, WithoutL2EverythingComesFromTheBus) {
  const Activity a =
      run(TraceText().op(ppc::lwz(3, 9, 0), "L 2000 4" + warm + page), parameters({{"core.l2.enabled", 0}}));
  EXPECT_EQ(a.count(Signal::l2_lookup), 0u);
  EXPECT_EQ(a.cycles(Signal::load_return), Cycles{73});
}

TEST(Memory, ErrorCorrection) {
  const Activity a = run(TraceText()
                             .say("ecc source=system addr=2000")
                             .say("ecc source=l2 addr=3000")
                             .op(ppc::lwz(3, 9, 0), "L 2000 4" + warm + page)
                             .op(ppc::lwz(4, 9, 0), "L 3000 4 data=l2 dtlb=hit"));
  EXPECT_EQ(a.count(Signal::ecc_correction, 0, d::ecc_from_l2), 1u);
  EXPECT_EQ(a.count(Signal::ecc_correction, d::ecc_from_l2), 1u);
}

}  // namespace
}  // namespace pmusim::testbench::ppc750
