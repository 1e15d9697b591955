// Stores, castouts and cache operations. A store finishes with its cache access and retires without waiting; from that
// cycle on it leaves the store queue through L1D, in order.
#include <gtest/gtest.h>

#include "program.h"

namespace pmusim::testbench {
namespace {

using activity::LineState;
using activity::Signal;
using activity::State;
using activity::Trait;
namespace d = activity::detail;
using Cycles = std::vector<activity::Cycle>;

constexpr std::uint16_t evicted(std::uint16_t cache, LineState state, std::uint16_t why) {
  return static_cast<std::uint16_t>(cache | static_cast<unsigned>(state) << d::evict_state_shift | why);
}

std::size_t evictions(const Activity& a, std::uint16_t detail) {
  std::size_t n = 0;
  for (const LoggedOccurrence& h : a.of(Signal::line_evict)) n += h.detail == detail ? 1 : 0;
  return n;
}

TEST(Store, HitWritesWhenRetired) {
  const Activity a =
      run(TraceText().op(ppc::lwz(3, 9, 0), "L 2000 4" + warm + warm_data).op(ppc::stw(4, 9, 0), "S 2004 4"));
  // The load accesses in 3. The store starts in 3, is in the queue in 4, retires in 5 and writes in 5.
  EXPECT_EQ(a.when(Signal::retire, 1), 5u);
  EXPECT_EQ(a.cycles(Signal::dcache_lookup, d::access_store | d::lookup_hit), Cycles{5});
  EXPECT_TRUE(a.of(Signal::dcache_lookup)[1].request.store);
}

TEST(Store, MissAllocatesAndDoesNotHoldRetirement) {
  const Activity a = run(TraceText().op(ppc::stw(4, 9, 0), "S 2004 4" + warm + page).op(ppc::filler));
  // Starts in 2, finishes in 3, retires and looks up in 4, line complete in 4 + 70 + 25.
  EXPECT_EQ(a.when(Signal::retire, 0), 4u);
  EXPECT_EQ(a.cycles(Signal::dcache_lookup, d::access_store | d::lookup_miss), Cycles{4});
  const auto fill = a.of(Signal::line_fill);
  ASSERT_EQ(fill.size(), 1u);
  EXPECT_EQ(fill[0].cycle, 99u);
  EXPECT_EQ(fill[0].detail >> d::fill_installed_shift, static_cast<unsigned>(LineState::modified));
  EXPECT_EQ(a.cycles_with(State::load_misses, 1), 0u);
  EXPECT_EQ(a.count(Signal::load_return), 0u);
}

TEST(Store, MissThatDoesNotAllocateGoesToTheBus) {
  const Activity a = run(TraceText().op(ppc::stw(4, 9, 0), "S 2004 4" + warm + page).op(ppc::filler),
                         parameters({{"core.store_allocates", 0}}));
  EXPECT_EQ(a.count(Signal::line_fill), 0u);
  EXPECT_EQ(a.count(Signal::bus_request), 1u);
  EXPECT_EQ(a.when(Signal::retire, 0), 4u);
}

TEST(Store, QueueOfThreeHoldsTheLoadStoreUnit) {
  TraceText t;
  for (unsigned i = 0; i < 5; ++i) t.op(ppc::stw(4, 9, 0), fmt::format("S 2{}00 4", i) + (i == 0 ? warm + page : ""));
  const Activity a = run(t);
  // Cache accesses of stores 0 to 2 in 3, 4, 5. Store 0 misses in 4 and stays in the queue until its line arrives in
  // 99; then store 3 enters, and in 99 + 1 store 4 waits for store 1, whose lookup in 100 misses.
  EXPECT_EQ(a.when(Signal::finish, 2), 5u);
  EXPECT_EQ(a.when(Signal::issue, 3), 5u);
  EXPECT_EQ(a.when(Signal::finish, 3), 100u);
}

TEST(Store, WriteThroughAndInhibited) {
  const Activity a = run(TraceText()
                             .say("memory addr=2000 size=4096 type=wt")
                             .say("memory addr=3000 size=4096 type=uc")
                             .op(ppc::stw(4, 9, 0), "S 2004 4" + warm + page)
                             .op(ppc::stw(4, 9, 0), "S 3004 4 dtlb=hit"));
  EXPECT_EQ(a.count(Signal::line_request), 0u) << "neither allocates";
  EXPECT_EQ(a.count(Signal::dcache_lookup, d::access_store | d::lookup_miss), 1u);
  EXPECT_EQ(a.count(Signal::bus_request, d::bus_write | static_cast<unsigned>(activity::MemoryType::write_through)),
            1u);
  EXPECT_EQ(a.count(Signal::bus_request, d::bus_write, d::bus_type_mask), 1u);
}

TEST(Castout, ModifiedLinesGoToL2AndFromThereToMemory) {
  // L1D and L2 of one line each. Store A. Load B replaces A in L1 and (clean) in L2; A's castout replaces B in L2. Load
  // C replaces A in L2, which is modified there, and B in L1, which is clean.
  const Activity a =
      run(TraceText()
              .op(ppc::stw(4, 9, 0), "S 2000 4" + warm + page)
              .say("idle cycles=1")
              .op(ppc::lwz(3, 9, 0), "L 3000 4 dtlb=hit")
              .say("idle cycles=1")
              .op(ppc::lwz(3, 9, 0), "L 4000 4 dtlb=hit"),
          parameters({{"core.l1d.sets", 1}, {"core.l1d.ways", 1}, {"core.l2.sets", 1}, {"core.l2.ways", 1}}));
  using enum LineState;
  EXPECT_EQ(evictions(a, evicted(d::cache_l1d, modified, d::evict_replacement | d::evict_to_l2)), 1u);
  EXPECT_EQ(evictions(a, evicted(d::cache_l1d, exclusive, d::evict_replacement)), 1u);
  EXPECT_EQ(evictions(a, evicted(d::cache_l2, modified, d::evict_replacement)), 1u);
  EXPECT_EQ(evictions(a, evicted(d::cache_l2, exclusive, d::evict_replacement)), 2u);
  EXPECT_EQ(a.count(Signal::bus_request, d::bus_write), 1u);
  EXPECT_EQ(a.count(Signal::line_evict), 5u);
}

TEST(Castout, L2SectorsHaveTheirOwnState) {
  // Two 32-byte sectors of one 64-byte line, one of them modified: one eviction each, one write.
  const Activity a =
      run(TraceText()
              .op(ppc::stw(4, 9, 0), "S 2000 4" + warm + page)
              .say("idle cycles=1")
              .op(ppc::lwz(3, 9, 0), "L 2020 4")  // replaces A in L1: castout to L2
              .say("idle cycles=1")
              .op(ppc::lwz(3, 9, 0), "L 4000 4 dtlb=hit"),
          parameters({{"core.l1d.sets", 1}, {"core.l1d.ways", 1}, {"core.l2.sets", 1}, {"core.l2.ways", 1}}));
  using enum LineState;
  EXPECT_EQ(evictions(a, evicted(d::cache_l2, modified, d::evict_replacement)), 1u);
  EXPECT_EQ(evictions(a, evicted(d::cache_l2, exclusive, d::evict_replacement)), 1u);
}

TEST(CacheOperation, LookupsInL2AreMarked) {
  // All lines are absent: each operation looks up L1D and then L2, and misses; dcbz makes a line without a request.
  const Activity a = run(TraceText()
                             .op(ppc::dcbz(0, 9), "S 2000 32" + warm + page)
                             .op(ppc::dcbf(0, 9), "L 2100 1")
                             .op(ppc::dcbst(0, 9), "L 2200 1")
                             .op(ppc::dcbi(0, 9), "L 2300 1"));
  constexpr std::uint16_t op = d::side_data | d::access_cache_operation;
  EXPECT_EQ(a.count(Signal::l2_lookup, op | d::lookup_miss), 4u);
  EXPECT_EQ(a.count(Signal::l2_lookup, d::lookup_hit), 0u);
  EXPECT_EQ(a.count(Signal::dcache_lookup, op | d::lookup_miss), 4u);
  EXPECT_EQ(a.count(Signal::line_request), 0u);
  for (const LoggedOccurrence& h : a.of(Signal::retire)) {
    EXPECT_TRUE(h.instruction.has(Trait::cache_operation));
    EXPECT_FALSE(h.instruction.has(Trait::load) || h.instruction.has(Trait::store));
  }
}

TEST(CacheOperation, HitsInL2AndPushes) {
  // A load brings the line into both; a store makes it modified in L1. dcbst writes it and keeps it in L1, while the
  // older one in L2 becomes invalid (UM 9.2). dcbf of the clean line takes it from L1 and finds nothing in L2.
  const Activity a = run(TraceText()
                             .op(ppc::lwz(3, 9, 0), "L 2000 4" + warm + page)
                             .op(ppc::stw(4, 9, 0), "S 2004 4")
                             .op(ppc::dcbst(0, 9), "L 2000 1")
                             .op(ppc::dcbf(0, 9), "L 2000 1"));
  EXPECT_EQ(a.count(Signal::l2_lookup, d::access_cache_operation | d::lookup_hit), 1u);
  EXPECT_EQ(a.count(Signal::l2_lookup, d::access_cache_operation | d::lookup_miss), 1u);
  EXPECT_EQ(a.count(Signal::bus_request, d::bus_write), 1u);
  EXPECT_EQ(evictions(a, evicted(d::cache_l1d, LineState::exclusive, d::evict_cache_operation)), 1u);
  EXPECT_EQ(evictions(a, evicted(d::cache_l2, LineState::exclusive, d::evict_cache_operation)), 1u);
}

TEST(CacheOperation, DcbzThroughput) {
  // 3:6: starts in 2 and 8.
  const Activity a = run(TraceText().op(ppc::dcbz(0, 9), "S 2000 32" + warm + page).op(ppc::dcbz(0, 9), "S 2020 32"));
  EXPECT_EQ(a.cycles(Signal::issue), (Cycles{2, 8}));
  EXPECT_EQ(a.cycles(Signal::finish), (Cycles{4, 10}));
}

TEST(CacheOperation, TouchBringsALineWithoutHoldingAnything) {
  const Activity a = run(
      TraceText().op(ppc::dcbt(0, 9), "L 2000 1 dtlb=hit" + warm).op(ppc::lwz(3, 9, 0), "L 3000 4 data=l1 dtlb=hit"));
  EXPECT_EQ(a.count(Signal::line_request), 0u) << "its page is not in the TLB: nothing happens";
  const Activity b =
      run(TraceText().op(ppc::lwz(3, 9, 0), "L 2100 4 data=l1 dtlb=hit" + warm).op(ppc::dcbt(0, 9), "L 2000 1"));
  // The load accesses in 3, the touch in 4; it finishes then.
  EXPECT_EQ(b.cycles(Signal::dcache_lookup, d::access_prefetch | d::access_cache_operation | d::lookup_miss),
            Cycles{4});
  EXPECT_EQ(b.when(Signal::retire, 1), 5u);
  EXPECT_EQ(b.count(Signal::line_request, d::access_prefetch), 1u);
  EXPECT_EQ(b.cycles_with(State::load_misses, 1), 0u);
}

TEST(CacheOperation, IcbiEmptiesTheBtic) {
  const auto trace = [](bool with_icbi) {
    const std::uint32_t second = with_icbi ? ppc::icbi(0, 9) : ppc::addi(4, 0, 1);
    const std::string access = with_icbi ? "L 5000 4 dtlb=hit" : "";
    TraceText t;
    for (int i = 0; i < 2; ++i) {
      t.op(ppc::addi(3, 0, 1), i == 0 ? warm : "").op(second, access);
      for (unsigned n = 0; n < 5; ++n) t.op(ppc::divw(5, 6, 7));  // time for icbi to take effect
      t.taken(ppc::b(-28), 0x1000);
    }
    return t.op(ppc::addi(3, 0, 1));
  };
  // The first branch misses the BTIC. The second hits it, unless icbi has emptied it: then the target is fetched once
  // more.
  const auto fetches_of_target = [](const Activity& a) {
    std::size_t n = 0;
    for (const LoggedOccurrence& h : a.of(Signal::fetch)) n += h.request.address == 0x1000 ? 1 : 0;
    return n;
  };
  EXPECT_EQ(fetches_of_target(run(trace(false))), 2u);
  EXPECT_EQ(fetches_of_target(run(trace(true))), 3u);
}

TEST(CacheOperation, IcbiEmptiesTheSet) {
  // The program's only line of code is 1000. A way has 4 KB, so that 1000, 2000 and 5000 have one index and 5020 has
  // the next one (UM 3.4.2.6: the lookup of icbi uses the index only).
  const auto emptied = [](const std::string& address) {
    const Activity a = run(TraceText().op(ppc::icbi(0, 9), "L " + address + " 4 dtlb=hit" + warm));
    return evictions(a, evicted(d::cache_l1i, LineState::exclusive, d::evict_cache_operation));
  };
  EXPECT_EQ(emptied("1000"), 1u);
  EXPECT_EQ(emptied("2000"), 1u);
  EXPECT_EQ(emptied("5000"), 1u);
  EXPECT_EQ(emptied("5020"), 0u);
}

TEST(CacheOperation, DcbzOfInhibitedMemoryIsAnError) {
  EXPECT_THROW((void)run(TraceText().say("memory addr=2000 size=4096 type=uc").op(ppc::dcbz(0, 9), "S 2000 32")),
               core::CoreError);
}

TEST(Ordering, SyncWaitsForMemoryEieioForStores) {
  // The store's line is complete in 99; sync and eieio start when the store has left the queue.
  const Activity s = run(TraceText().op(ppc::stw(4, 9, 0), "S 2004 4" + warm + page).op(ppc::sync));
  EXPECT_EQ(s.when(Signal::issue, 1), 99u);
  const Activity e = run(TraceText().op(ppc::stw(4, 9, 0), "S 2004 4" + warm + page).op(ppc::eieio));
  EXPECT_EQ(e.when(Signal::issue, 1), 99u);
  // The load has retired in 74; its line is in flight until 98.
  const Activity l = run(TraceText().op(ppc::lwz(4, 9, 0), "L 2004 4" + warm + page).op(ppc::sync));
  EXPECT_EQ(l.when(Signal::issue, 1), 98u);
  const Activity m = run(TraceText().op(ppc::lwz(4, 9, 0), "L 2004 4" + warm + page).op(ppc::eieio));
  EXPECT_EQ(m.when(Signal::issue, 1), 74u);
}

TEST(Ordering, StoreMultipleLongerThanTheQueue) {
  const Activity a = run(TraceText().op(ppc::stmw(24, 9, 0), "S 2000 32" + warm + page).op(ppc::filler));
  EXPECT_EQ(a.count(Signal::retire), 2u);
  EXPECT_EQ(a.count(Signal::dcache_lookup, d::access_store), 8u);
  const Activity slow = run(TraceText().op(ppc::stmw(24, 9, 0), "S 2000 32" + warm + page).op(ppc::filler),
                            parameters({{"core.latency.store_multiple", 5}}));
  EXPECT_EQ(slow.when(Signal::finish, 0), a.when(Signal::finish, 0) + 3);
}

}  // namespace
}  // namespace pmusim::testbench
