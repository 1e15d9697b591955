// L1D, TLBs, stores, misalignment, the ALAT: counts from arithmetic and from independent models.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "mixture.h"
#include "record.h"

namespace pmusim::testbench::ia64 {
namespace {

namespace d = activity::detail;
namespace dd = act::detail;

std::string load_at(std::uint64_t address, const std::string& keys = "dtlb=hit") {
  return fmt::format("L0 {:x} 8 {}", address, keys);
}
std::string store_at(std::uint64_t address, const std::string& keys = "dtlb=hit") {
  return fmt::format("S0 {:x} 8 {}", address, keys);
}

// A fetch that misses L2 goes through its recirculation once more. One that hits does not.
TEST(Fetch, AMissOfL2IsRecirculatedOnce) {
  for (const auto& [level, rounds] : {std::pair{"l1", 0u}, {"l2", 0u}, {"l3", 1u}, {"mem", 1u}}) {
    const Record r = run(Script(false).add(bundle(stop(mmi), nop, nop, nop), std::string("itlb=hit fetch=") + level));
    EXPECT_EQ(r.count(Signal::recirculate_done, 0, d::side_data), rounds) << level;
  }
}

TEST(Fetch, TheLineIsInL1iTheCycleAfterItsReturn) {
  const Record r = run(Script(false).add(bundle(stop(mmi), nop, nop, nop), "itlb=hit fetch=l2"));
  ASSERT_EQ(r.of(Signal::fetch_return).size(), 1u);
  ASSERT_EQ(r.of(Signal::line_fill).size(), 1u);
  EXPECT_EQ(r.of(Signal::line_fill)[0].cycle, r.of(Signal::fetch_return)[0].cycle + 1);
}

// The branch prefetches the line after its target. Fetch reaches that line two pairs of bundles later, before its data.
TEST(Fetch, ALineUnderWayIsRequestedInTheCycleAfterItsLookup) {
  const std::string there = "itlb=hit fetch=l1";
  Script s(false);
  s.go(bundle(stop(mib), nop, nop, br_sptk(0x10000) | many), 2, Script::start + 0x10000, there);
  s.repeat(4, nops, there).add(nops, "itlb=hit");
  const Record r = run(s, plain({{"core.instruction_prefetch", 1}, {"core.stream_lines", 1}}));
  const auto looked = r.of(Signal::fetch, d::lookup_pending, d::access_prefetch);
  ASSERT_EQ(looked.size(), 1u);
  std::vector<Cycle> requested;
  for (const Ia64Occurrence& h : r.of(Signal::line_request)) {
    if (h.request.id == looked[0].request.id) requested.push_back(h.cycle);
  }
  EXPECT_EQ(requested, std::vector<Cycle>{looked[0].cycle + 1});
}

TEST(L1D, LatencyFromWhereTheDataIs) {
  // The second load waits for the first one's register: the distance is the latency of the first load.
  const auto latency = [](const std::string& level) {
    const Record r = run(Script()
                             .add(one_load, load_at(data, "dtlb=hit data=" + level))
                             .add(one_load, load_at(data + 4096, "dtlb=hit data=l1")));
    const auto& returns = r.of(Signal::load_return);
    if (!returns.empty()) {
      EXPECT_EQ(returns.front().request.end - returns.front().request.start,
                r.of(Signal::dispatch)[3].cycle - r.of(Signal::dispatch)[0].cycle);
    }
    return r.of(Signal::dispatch)[3].cycle - r.of(Signal::dispatch)[0].cycle;
  };
  EXPECT_EQ(latency("l1"), 1u);
  EXPECT_EQ(latency("l2"), 5u);
  EXPECT_EQ(latency("l3"), 5u + 10);
  EXPECT_GE(latency("mem"), 200u);
}

// Region identifiers are part of a translation (SDM volume 2, 4.1.1.2): each process walks once, and the translations
// of the first process in the second level are still valid when it runs again.
TEST(Tlb, ProcessesShareNoTranslation) {
  const auto again = [](const std::vector<std::string>& processes) {
    Script s;
    s.add(one_load, load_at(data, "data=l1"));
    for (const std::string& process : processes) s.say("process " + process).add(one_load, load_at(data, "data=l1"));
    return run(s);
  };
  const Record other = again({"2"}), back = again({"2", "0"});
  EXPECT_EQ(other.exactly(Signal::translation, d::side_data | d::tlb_walk), 2u);
  EXPECT_EQ(other.exactly(Signal::translation, d::side_data | d::tlb_second_level_hit), 0u);
  EXPECT_EQ(back.exactly(Signal::translation, d::side_data | d::tlb_walk), 2u);
  EXPECT_EQ(back.exactly(Signal::translation, d::side_data | d::tlb_second_level_hit), 1u);
}

TEST(Tlb, FirstLevelHasGranulesOfFourKilobytes) {
  // One page of 16 KB: one walk; then each further granule is a transfer from the second level, which takes 4 cycles.
  Script s;
  for (unsigned i = 0; i < 4; ++i) s.add(one_load, load_at(data + i * 4096, "data=l1"));
  const Record r = run(s);
  EXPECT_EQ(r.exactly(Signal::translation, d::side_data | d::tlb_walk), 1u);
  EXPECT_EQ(r.exactly(Signal::translation, d::side_data | d::tlb_second_level_hit), 3u);
  EXPECT_EQ(r.cycles_in(State::back_end, act::back_end(act::BackEnd::l1d_fpu, act::cause::tlb)), 3u * 4);
  EXPECT_EQ(r.count(Signal::walk_read), 1u);
  EXPECT_EQ(r.exactly(Signal::tlb_insert, d::side_data), 1u);
  // Every access that missed the first level passes the pipe again.
  EXPECT_EQ(r.count(Signal::data_reference, dd::access_replayed), 4u);
  EXPECT_EQ(r.count(Signal::data_reference, 0, dd::access_replayed), 4u);
}

TEST(Tlb, AWalkOfFifteenCyclesHoldsThePipe) {
  // The line of the table is in L2 after the first walk.
  Script s;
  s.add(one_load, load_at(data, "data=l1 dtlb=walk")).add(one_load, load_at(data + 16384, "data=l1 dtlb=walk"));
  const Record r = run(s);
  const auto& lookups = r.of(Signal::data_reference, 0, dd::access_replayed);
  ASSERT_EQ(lookups.size(), 2u);
  const auto& tries = r.of(Signal::data_reference, dd::access_replayed);
  EXPECT_EQ(lookups[1].cycle - tries[1].cycle, 15u);
}

TEST(Tlb, AFaultIsAnInterruption) {
  const Record r = run(Script().add(one_load, load_at(data, "data=l1 dtlb=fault")).add(nops));
  EXPECT_EQ(r.count(Signal::translation, dd::tlb_fault), 1u);
  EXPECT_EQ(r.count(Signal::tlb_insert), 0u);
  EXPECT_EQ(r.cycles_in(State::back_end, act::back_end(act::BackEnd::flush, act::cause::interruption)), 16u);
}

TEST(Accesses, SayWhatTheyAre) {
  Script s;
  s.say("memory addr=6000000000100000 size=4096 type=uc");
  s.add(one_load, load_at(data + 3)).add(one_store, store_at(data + 4)).add(one_load, load_at(data + 0x100000));
  s.add(bundle(stop(mmi), nop, xchg8 | r1(10) | r2(11) | r3(9), nop),
        fmt::format("L1 {0:x} 8 S1 {0:x} 8 dtlb=hit", data + 64));
  s.add(bundle(stop(mmi), ldfd | r1(10) | r3(9), nop, nop), load_at(data + 128));
  s.add(bundle(stop(mmi), lfetch | r3(9), nop, nop), load_at(data + 256));
  const Record r = run(s);
  const auto& retired = r.of(Signal::access_retire);
  ASSERT_EQ(retired.size(), 6u);
  EXPECT_TRUE(retired[0].half.load && retired[0].half.misaligned && retired[0].half.l1d_read);
  EXPECT_TRUE(retired[1].half.store && retired[1].half.misaligned && !retired[1].half.load);
  EXPECT_TRUE(retired[2].half.uncacheable && !retired[2].half.l1d_read && !retired[2].half.misaligned);
  EXPECT_TRUE(retired[3].half.semaphore && retired[3].half.load && retired[3].half.store && retired[3].half.acquire);
  EXPECT_TRUE(retired[4].half.fp && !retired[4].half.l1d_read);
  EXPECT_TRUE(retired[5].half.prefetch && !retired[5].half.load);
  EXPECT_EQ(retired[3].half.requester, act::Requester::data);
}

// SDM volume 1, 4.4.5.3.2: a store of another processor and the removal of a line remove entries. 32 entries, of which
// the first four are from one line; the loads after them displace none if another agent has taken that line.
TEST(Alat, InvalidationsByOthersMakeRoom) {
  const auto displaced = [](const std::string& directive, std::int64_t told) {
    Script s;
    for (unsigned i = 0; i < 36; ++i) {
      if (i == 32) s.say(directive);
      s.add(bundle(stop(mmi), ld8_a | r1(10 + i) | r3(9), nop, nop), load_at(data + 32 * i, "dtlb=hit data=l1"));
    }
    return run(s, plain({{"core.alat_snoops", told}})).count(Signal::alat_displace);
  };
  const std::string line = fmt::format(" addr={:x}", data + 96), none = fmt::format(" addr={:x}", data + 4096);
  for (const char* kind : {"snoop kind=invalidate", "bus kind=read_invalidate_line", "bus kind=invalidate_line",
                           "bus kind=write_line", "bus kind=write_partial"}) {
    EXPECT_EQ(displaced(kind + line, 1), 0u) << kind;
    EXPECT_EQ(displaced(kind + none, 1), 4u) << kind;
    EXPECT_EQ(displaced(kind + line, 0), 4u) << kind;
  }
  for (const char* kind : {"snoop kind=read", "bus kind=read_line", "bus kind=read_current", "bus kind=read_partial"})
    EXPECT_EQ(displaced(kind + line, 1), 4u) << kind;
}

TEST(Alat, CheckLoadsThatMissReadMemory) {
  const std::string check = bundle(stop(mmi), ld8_c_clr | r1(10) | r3(9), nop, nop);
  const Record r = run(Script().add(check).add(check, load_at(data)));
  const auto& retired = r.of(Signal::retire);
  EXPECT_FALSE(retired[0].syllable.check_failed);
  EXPECT_TRUE(retired[3].syllable.check_failed);
  ASSERT_EQ(r.count(Signal::access_retire), 1u);
  EXPECT_TRUE(r.of(Signal::access_retire)[0].half.check_load);
  EXPECT_FALSE(retired[0].syllable.has(act::Kind::fp_check));
  // ldfd.c.clr checks a floating-point register.
  const std::string fp_check = bundle(stop(mmi), ldfd_c_clr | r1(10) | r3(9), nop, nop);
  const Ia64Occurrence fp = run(Script().add(fp_check)).of(Signal::retire)[0];
  EXPECT_TRUE(fp.syllable.has(act::Kind::check_load));
  EXPECT_TRUE(fp.syllable.has(act::Kind::fp_check));
}

/// A line in L1D and L2 whose latest store is long finished; then a store, a load `distance` groups after it, and an
/// addition that needs the loaded value.
struct StoreAndLoad {
  std::uint64_t store = data;
  unsigned bytes = 8;
  Cycle distance = 1;
  std::int64_t overlap = 1;  ///< core.store_overlap

  [[nodiscard]] Record run() const {
    const std::string load = bundle(stop(mmi), ld8 | r1(10) | r3(9), nop, nop);
    Script s = Script().add(load, load_at(data, "dtlb=hit")).repeat(300, nops);
    const std::string both = bundle(stop(mmi), (bytes == 1 ? st1 : st8) | r2(8) | r3(9), ld8 | r1(10) | r3(9), nop);
    const std::string store_only = bundle(stop(mmi), (bytes == 1 ? st1 : st8) | r2(8) | r3(9), nop, nop);
    const std::string made = fmt::format("S0 {:x} {}", store, bytes);
    if (distance == 0) {
      s.add(both, fmt::format("{} L1 {:x} 8 dtlb=hit", made, data));
    } else {
      s.add(store_only, made + " dtlb=hit");
      if (distance > 1) s.repeat(static_cast<unsigned>(distance - 1), nops);
      s.add(load, load_at(data, "dtlb=hit"));
    }
    s.add(bundle(stop(mmi), add | r1(11) | r2(10), nop, nop)).repeat(20, nops);
    return testbench::ia64::run(s, plain({{"core.store_overlap", overlap}}));
  }
  /// Cycles from the load to the addition.
  [[nodiscard]] Cycle latency(const Record& r) const {
    const auto& list = r.of(Signal::dispatch);
    const std::size_t load = 3 * (301 + distance);
    return list[load + 3].cycle - list[load].cycle;
  }
  static Cycle recirculated(const Record& r) {
    return r.cycles_in(State::back_end, act::back_end(act::BackEnd::l1d_fpu, act::cause::store_buffer_recirculated));
  }
};

TEST(StoreToLoad, DataOfTheLastThreeCyclesComeFromL2) {
  // The store reaches L2's arrays in the fifth cycle after its own; a load from L2 takes five cycles, of which the
  // first is the way to L2.
  for (const Cycle distance : {0u, 1u, 2u, 3u}) {
    const StoreAndLoad pair{.distance = distance};
    const Record r = pair.run();
    EXPECT_EQ(pair.latency(r), 9 - distance) << distance;
    EXPECT_EQ(r.of(Signal::load_return).back().half.served, act::Served::l2) << distance;
    EXPECT_EQ(StoreAndLoad::recirculated(r), 0u) << distance;
    EXPECT_EQ(r.count(Signal::line_fill, d::side_data), 1u) << "L1D has the line already";
  }
  const StoreAndLoad late{.distance = 4};
  EXPECT_EQ(late.latency(late.run()), 1u);
}

TEST(StoreToLoad, OtherBytesOfTheSameEightCountOthersDoNot) {
  // Both loads need more than the stored byte; the eight bytes of the second load are others.
  const StoreAndLoad within{.store = data + 1, .bytes = 1, .overlap = 0}, beyond{.store = data + 8, .bytes = 1};
  EXPECT_EQ(within.latency(within.run()), 8u);
  EXPECT_EQ(beyond.latency(beyond.run()), 1u);
}

TEST(StoreToLoad, ALoadThatNeedsMoreThanWasStoredPassesThePipeAgain) {
  for (const Cycle distance : {0u, 1u, 2u, 3u, 4u}) {
    const StoreAndLoad pair{.store = data + 1, .bytes = 1, .distance = distance};
    const Record r = pair.run();
    // It passes in the fourth cycle after the store, when L1D has the byte.
    EXPECT_EQ(StoreAndLoad::recirculated(r), 4 - distance) << distance;
    EXPECT_EQ(pair.latency(r), 5 - distance) << distance;
  }
}

TEST(Stalls, OfACancelledLoadOneCycleIsWaitedForAsSuch) {
  // The load missed the first-level DTLB and passed the pipe twice; the wait is for its data.
  Script s;
  s.add(bundle(stop(mmi), ld8 | r1(10) | r3(9), nop, nop), load_at(data, "dtlb=l2 data=mem"));
  s.add(bundle(stop(mmi), add | r1(11) | r2(10), nop, nop));
  const auto waits = [&](std::int64_t value, unsigned cause) {
    return run(s, plain({{"core.cancelled_wait", value}}))
        .cycles_in(State::back_end, act::back_end(act::BackEnd::execute, cause));
  };
  EXPECT_EQ(waits(0, act::cause::cancelled_load), 1u);
  EXPECT_GT(waits(0, act::cause::gr_load), 100u);
  EXPECT_EQ(waits(1, act::cause::gr_load), 0u);
  EXPECT_EQ(waits(1, act::cause::cancelled_load), waits(0, act::cause::gr_load) + 1);
  // Data in L1D: a use as an address waits one more cycle, which is charged to the cancelled load.
  Script hit;
  hit.add(bundle(stop(mmi), ld8 | r1(10) | r3(9), nop, nop), load_at(data, "dtlb=l2 data=l1"));
  hit.add(bundle(stop(mmi), ld8 | r1(11) | r3(10), nop, nop), load_at(data, "dtlb=hit data=l1"));
  EXPECT_EQ(run(hit).cycles_in(State::back_end, act::back_end(act::BackEnd::execute, act::cause::cancelled_load)), 1u);
}

TEST(Stalls, FillsWaitForUnat) {
  Script s;
  s.add(bundle(stop(mmi), st8_spill | r2(10) | r3(9), nop, nop), store_at(data));
  s.add(bundle(stop(mmi), ld8_fill | r1(11) | r3(9), nop, nop), load_at(data + 64, "dtlb=hit data=l1"));
  EXPECT_EQ(run(s).cycles_in(State::back_end, act::back_end(act::BackEnd::l1d_fpu, act::cause::nat_conflict)), 3u);
}

TEST(Stalls, CheckLoadsWaitForTheirAdvancedLoad) {
  Script s;
  s.add(bundle(stop(mmi), ld8_a | r1(10) | r3(9), nop, nop), load_at(data, "dtlb=hit data=l2 lat=30"));
  s.add(bundle(stop(mmi), ld8_c_clr | r1(11) | r3(9), nop, nop), load_at(data + 4096, "dtlb=hit data=l1"));
  EXPECT_EQ(run(s).cycles_in(State::back_end, act::back_end(act::BackEnd::l1d_fpu, act::cause::load_check)), 29u);
}

TEST(Stalls, LoadsDoNotPassAnAcquire) {
  Script s;
  s.add(bundle(stop(mmi), ld8_acq | r1(10) | r3(9), nop, nop), load_at(data, "dtlb=hit data=l2 lat=30"));
  s.add(bundle(stop(mmi), ld8 | r1(11) | r3(9), nop, nop), load_at(data + 4096, "dtlb=hit data=l1"));
  EXPECT_EQ(run(s).cycles_in(State::back_end, act::back_end(act::BackEnd::l1d_fpu, act::cause::load_conflict)), 29u);
}

TEST(Stalls, OnlySoManyLoadsWait) {
  Script s;
  for (unsigned i = 0; i < 5; ++i)
    s.add(bundle(stop(mmi), ld8 | r1(10 + i) | r3(9), nop, nop), load_at(data + 4096 * i, "dtlb=hit data=mem"));
  const Record r = run(s, plain({{"core.load_misses", 4}}));
  EXPECT_GT(r.cycles_in(State::back_end, act::back_end(act::BackEnd::l1d_fpu, act::cause::recirculated)), 100u);
  EXPECT_EQ(r.count(Signal::data_reference, dd::access_replayed), 1u);
}

}  // namespace
}  // namespace pmusim::testbench::ia64
