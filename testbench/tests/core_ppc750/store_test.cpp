// Stores, castouts and cache operations. A store finishes with its cache access and retires without waiting; from that
// cycle on it leaves the store queue through L1D, in order.
#include <gtest/gtest.h>

#include "program.h"

namespace pmusim::testbench::ppc750 {
namespace {

using activity::LineState;
using activity::Signal;
using activity::State;
using activity::Trait;
namespace d = activity::detail;
using Cycles = std::vector<activity::Cycle>;

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
}  // namespace pmusim::testbench::ppc750
