// Data side and fetch misses. A load: address executes in 7, probe in 9, L2 lookup in 10. Data from L2 arrives in 10 -
// 1 + 8 = 17, from the system (bus idle, request sent in 10) in 10 - 1 + 117 = 126.
#include "trace_log.h"

namespace pmusim::testbench::athlon {
namespace {

namespace d = activity::detail;
using activity::LineState;
using activity::MemoryType;

constexpr std::uint16_t filled(LineState found, LineState installed) {
  return static_cast<std::uint16_t>(d::side_data | static_cast<unsigned>(found) << d::fill_found_shift |
                                    static_cast<unsigned>(installed) << d::fill_installed_shift);
}
std::vector<std::uint16_t> details(const std::vector<LoggedOccurrence>& list) {
  std::vector<std::uint16_t> result;
  result.reserve(list.size());
  for (const LoggedOccurrence& h : list) result.push_back(h.detail);
  return result;
}
TEST(DataCache, LoadMissFromTheSystem) {
  const TraceLog log = run(Script().add(load, "L 8004 4 dtlb=hit"));
  const auto lookups = log.of(Signal::dcache_lookup);
  ASSERT_EQ(lookups.size(), 1u);
  EXPECT_EQ(lookups[0].cycle, 9u);
  EXPECT_EQ(lookups[0].detail, d::side_data | d::access_load | d::lookup_miss);
  EXPECT_EQ(lookups[0].request.address, 0x8004u);
  EXPECT_EQ(log.cycles(Signal::line_request), (std::vector<Cycle>{9}));
  EXPECT_EQ(log.cycles(Signal::l2_lookup), (std::vector<Cycle>{10}));
  EXPECT_EQ(log.cycles(Signal::bus_request), (std::vector<Cycle>{10}));
  EXPECT_EQ(log.of(Signal::bus_request)[0].detail, static_cast<std::uint16_t>(MemoryType::write_back) | d::bus_dram);
  EXPECT_EQ(log.cycles(Signal::line_fill), (std::vector<Cycle>{126}));
  EXPECT_EQ(log.of(Signal::line_fill)[0].detail, filled(LineState::invalid, LineState::exclusive));
  EXPECT_EQ(log.cycles(Signal::load_return), (std::vector<Cycle>{126}));
  EXPECT_EQ(log.of(Signal::load_return)[0].request.end, 126u);
  EXPECT_EQ(log.cycles(Signal::retire), (std::vector<Cycle>{128}));  // a consumer may start in 127
  EXPECT_EQ(log.cycles_with(State::load_misses, ~0ull), 126u - 9u);
}

TEST(DataCache, SplitReferenceProbesTwice) {
  // Bytes 6..9: two octets, one line.
  const TraceLog log = run(Script().add(load, "L 8006 4 dtlb=hit"));
  ASSERT_EQ(log.count(Signal::dcache_lookup), 2u);
  EXPECT_EQ(log.count(Signal::dcache_lookup, d::access_second_half), 1u);
  EXPECT_TRUE(log.of(Signal::dcache_lookup)[0].request.crosses_octet);
  EXPECT_EQ(log.count(Signal::dcache_lookup, d::lookup_miss), 1u);
  // Bytes 4..7 are within one octet.
  EXPECT_FALSE(run(Script().add(load, "L 8004 4 dtlb=hit")).of(Signal::dcache_lookup)[0].request.crosses_octet);
}

TEST(DataCache, SplitReferenceTakesAClockMore) {
  const auto cycles = [](std::uint64_t waits) {
    models::Parameters parameters = plain();
    parameters.set("core.split_waits", waits);
    return run(Script().add(load, "L 8006 4 dtlb=hit"), parameters).cycles(Signal::dcache_lookup);
  };
  const auto after = cycles(1), together = cycles(0);
  ASSERT_EQ(after.size(), 2u);
  ASSERT_EQ(together.size(), 2u);
  EXPECT_EQ(after[1], after[0] + 1);
  EXPECT_EQ(together[1], together[0]);
  // Two hits: nothing but the second probe makes the clock after the first one necessary.
  const TraceLog hits = run(Script().add(load, "L 8006 4 dtlb=hit data=l1"));
  EXPECT_EQ(hits.cycles(Signal::dcache_lookup), (std::vector<Cycle>{9, 10}));
}

// GMP, mpn/x86/k7/mmx/copyi.asm: 4 clocks for 16 bytes if the loads or the stores are unaligned, 6 if both are.
TEST(DataCache, NoStoreSharesTheSecondClockOfASplitLoad) {
  const auto probes = [](const std::string& next) {
    const Script script = Script().add(load, "L 8006 4 dtlb=hit data=l1").add(next[0] == 'S' ? "8903" : load, next);
    return run(script).cycles(Signal::dcache_lookup);
  };
  EXPECT_EQ(probes("S 9010 4 dtlb=hit data=l1"), (std::vector<Cycle>{9, 10, 11}));
  EXPECT_EQ(probes("L 9010 4 dtlb=hit data=l1"), (std::vector<Cycle>{9, 10, 10}));
}

TEST(DataCache, TwoProbesAClockAndStoresOfFourBytesAtMostTogether) {
  const auto both = [](const std::string& access) {
    const TraceLog log = run(Script().add("8b03", access).add("8b03", access));
    return log.cycles(Signal::dcache_lookup);
  };
  EXPECT_EQ(both("L 8000 4 dtlb=hit data=l1"), (std::vector<Cycle>{9, 9}));
  EXPECT_EQ(both("S 8000 4 dtlb=hit data=l1"), (std::vector<Cycle>{9, 10}));  // of one word
  EXPECT_EQ(both("S 8002 2 dtlb=hit data=l1"), (std::vector<Cycle>{9, 10}));
  const auto stores = [](const std::string& first, const std::string& second) {
    return run(Script().add(store, first + " dtlb=hit data=l1").add(store, second + " dtlb=hit data=l1"))
        .cycles(Signal::dcache_lookup);
  };
  EXPECT_EQ(stores("S 8000 4", "S 8004 4"), (std::vector<Cycle>{9, 9}));
  EXPECT_EQ(stores("S 8000 1", "S 8003 1"), (std::vector<Cycle>{9, 10}));
  EXPECT_EQ(both("S 8000 8 dtlb=hit data=l1"), (std::vector<Cycle>{9, 10}));
  const TraceLog mixed = run(Script().add(store, "S 8000 8 dtlb=hit data=l1").add(store, "S 8000 4 dtlb=hit data=l1"));
  EXPECT_EQ(mixed.cycles(Signal::dcache_lookup), (std::vector<Cycle>{9, 10}));
}

TEST(DataCache, FillRequestsWaitForL2) {
  // Two loads that hit in L2: the first is read in 10 and occupies L2 until 18; the second, also probed in 9, waits in
  // 10..17, and its data arrives in 18 - 1 + 8 = 25.
  const std::string rest = " 4 dtlb=hit data=l2";
  const TraceLog log = run(Script().add(load, "L 8000" + rest).add(load, "L 9008" + rest));
  EXPECT_EQ(log.cycles(Signal::l2_lookup), (std::vector<Cycle>{10, 18}));
  EXPECT_EQ(log.cycles(Signal::line_fill), (std::vector<Cycle>{17, 25}));
  EXPECT_EQ(log.cycles_with(State::l2_fill_wait, ~0ull), 8u);
}

// AMD 25112, 5.9: a bank of eight bytes serves one line a clock. The loads are probed in 9, the second one in 10 if
// both read another line of one bank.
TEST(DataCache, TwoLoadsOfAClockReadTwoBanksOrOneLine) {
  const auto second = [](const std::string& address, const Changes& changes) {
    const std::string rest = " 4 dtlb=hit data=l1";
    return run(Script().add(load, "L 8000" + rest).add(load, "L " + address + rest), plain(changes))
        .cycles(Signal::dcache_lookup)
        .back();
  };
  EXPECT_EQ(second("9000", {}), 10u);
  EXPECT_EQ(second("9000", {{"core.bank_conflicts", 0}}), 9u);
  EXPECT_EQ(second("9008", {}), 9u);
  EXPECT_EQ(second("8004", {}), 9u);
  EXPECT_EQ(second("10000", {}), 9u);  // the other way of the same line
  EXPECT_EQ(second("903c", {}), 9u);
}

TEST(DataCache, LineTransfersFillTheBus) {
  // Ratio 10 and four bus clocks a line: the second request is sent 40 clocks after the first.
  const TraceLog log = run(Script().add(load, "L 8000 4 dtlb=hit").add(load, "L 9000 4 dtlb=hit"));
  EXPECT_EQ(log.cycles(Signal::bus_request), (std::vector<Cycle>{10, 50}));
  const TraceLog fast = run(Script().say("tb ratio=5/2").add(load, "L 8000 4 dtlb=hit").add(load, "L 9000 4 dtlb=hit"));
  EXPECT_EQ(fast.cycles(Signal::bus_request), (std::vector<Cycle>{10, 20}));  // 4 x 5/2 = 10 clocks
  EXPECT_EQ(fast.at(State::bus_ratio, 0), 5ull << 16 | 2);
}

TEST(Translation, ThreeClasses) {
  const TraceLog walk = run(Script().add(load, "L 8000 4 data=l1"));
  EXPECT_EQ(walk.cycles(Signal::dcache_lookup), (std::vector<Cycle>{39}));  // 9 + 30
  EXPECT_EQ(walk.count(Signal::translation, d::side_data | d::tlb_walk), 1u);
  const TraceLog forced = run(Script().add("8b03", "L 8000 4").add("8b03", "L 8000 4 dtlb=walk"));
  EXPECT_EQ(forced.count(Signal::translation, d::side_data | d::tlb_walk), 2u) << "though the first level has the page";
  EXPECT_EQ(walk.cycles_with(State::table_walk, 2), 30u);
  const TraceLog second = run(Script().add(load, "L 8000 4 data=l1 dtlb=l2"));
  EXPECT_EQ(second.cycles(Signal::dcache_lookup), (std::vector<Cycle>{14}));  // 9 + 5
  EXPECT_EQ(second.count(Signal::translation, d::side_data | d::tlb_second_level_hit), 1u);
  // 25 pages displace the first from 24 entries, but not from those of L2.
  Script pages;
  for (unsigned i = 0; i < 25; ++i) pages.add(load, "L " + std::to_string(10 + i) + "000 4 data=l1");
  const TraceLog full = run(pages.add(load, "L 10000 4 data=l1"));
  EXPECT_EQ(full.count(Signal::translation, d::side_data | d::tlb_walk), 25u);
  EXPECT_EQ(full.count(Signal::translation, d::side_data | d::tlb_second_level_hit), 1u);
}

TEST(Translation, FetchSide) {
  const TraceLog walk = run("1000 90 fetch=l1\n");
  EXPECT_EQ(walk.count(Signal::translation, d::tlb_walk, d::side_data), 1u);
  EXPECT_EQ(walk.cycles(Signal::fetch), (std::vector<Cycle>{30}));
  const TraceLog second = run("1000 90 fetch=l1 itlb=l2\n");
  EXPECT_EQ(second.count(Signal::translation, d::tlb_second_level_hit, d::side_data), 1u);
  EXPECT_EQ(second.cycles(Signal::fetch), (std::vector<Cycle>{4}));
}

TEST(Translation, AWalkThatFetchLeavesIsDroppedIfAskedFor) {
  // The code after the mispredicted branch is on another page, whose walk takes longer than the branch; the program
  // then executes that page after all.
  const std::string text =
      hit(0xffe, "74e0", "T fe0 mispredict=path") + hit(0xfe0, "eb1e", "T 1000") + "1000 90 fetch=l1\n";
  const auto walks = [&](std::int64_t dropped) {
    return run(text, plain({{"core.redirected_walk", dropped}})).count(Signal::translation, d::tlb_walk, d::side_data);
  };
  EXPECT_EQ(walks(0), 1u);
  EXPECT_EQ(walks(1), 2u);
}

TEST(DataCache, LinesOf32Bytes) {
  const auto misses = [](std::int64_t bytes) {
    return run(Script().add(load, "L 8000 4 dtlb=hit").add(load, "L 8020 4 dtlb=hit"),
               plain({{"core.line_bytes", bytes}}))
        .count(Signal::dcache_lookup, d::lookup_miss);
  };
  EXPECT_EQ(misses(64), 1u);
  EXPECT_EQ(misses(32), 2u);
}

TEST(DataCache, AStoreToWhatWasLoadedIsAnUpdate) {
  const auto updates = [](const std::string& bytes, const std::string& accesses) {
    return run(Script().add(bytes, accesses + " dtlb=hit data=l1")).count(Signal::dcache_lookup, d::access_update);
  };
  EXPECT_EQ(updates("0103", "L 8000 4 S 8000 4"), 1u);  // add [ebx],eax
  EXPECT_EQ(updates("a5", "L 8000 4 S 9000 4"), 0u);    // movs
  EXPECT_EQ(updates(store, "S 8000 4"), 0u);
}

TEST(Fetch, MissFromTheSystemAndPrefetch) {
  const TraceLog log = run("1000 90 itlb=hit\n");
  EXPECT_EQ(log.count(Signal::fetch, d::lookup_miss), 1u);
  EXPECT_EQ(log.cycles(Signal::line_fill), (std::vector<Cycle>{117}));  // looked up in 1; 1 - 1 + 117
  EXPECT_EQ(log.count(Signal::line_fill, d::side_data), 0u);
  EXPECT_EQ(log.cycles(Signal::dispatch), (std::vector<Cycle>{117 + 5}));
  EXPECT_GE(log.cycles_with(State::fetch_stall, 1), 117u);
  const TraceLog ahead = run("1000 90 itlb=hit\n", plain({{"core.instruction_prefetch", 1}}));
  EXPECT_EQ(ahead.count(Signal::line_request, d::access_prefetch), 1u);
  EXPECT_EQ(ahead.count(Signal::line_fill), 2u);
  EXPECT_EQ(ahead.count(Signal::fetch), 1u);
}

TEST(MemoryTypes, BusRequestsCarryTheirType) {
  const auto types = [](const std::string& type, const std::string& access, const std::string& bytes) {
    const TraceLog log =
        run(Script().say("memory addr=8000 size=4096 type=" + type).add(bytes, access + " 8000 4 dtlb=hit"));
    return details(log.of(Signal::bus_request));
  };
  const auto expect = [](MemoryType type, std::uint16_t rest) {
    return std::vector<std::uint16_t>{static_cast<std::uint16_t>(static_cast<std::uint16_t>(type) | rest)};
  };
  EXPECT_EQ(types("uc", "L", load), expect(MemoryType::uncacheable, 0));
  EXPECT_EQ(types("uc", "S", store), expect(MemoryType::uncacheable, d::bus_write));
  EXPECT_EQ(types("wc", "L", load), expect(MemoryType::write_combining, d::bus_dram));
  EXPECT_EQ(types("wc", "S", store), expect(MemoryType::write_combining, d::bus_dram | d::bus_write));
  EXPECT_EQ(types("wt", "L", load), expect(MemoryType::write_through, d::bus_dram));
  EXPECT_EQ(types("wt", "S", store), expect(MemoryType::write_through, d::bus_dram | d::bus_write));
  EXPECT_EQ(types("wp", "L", load), expect(MemoryType::write_protected, d::bus_dram));
  EXPECT_EQ(types("wp", "S", store), expect(MemoryType::write_protected, d::bus_dram | d::bus_write));
  EXPECT_EQ(types("wb", "L", load), expect(MemoryType::write_back, d::bus_dram));
}

TEST(MemoryTypes, WriteCombiningGathersALine) {
  Script text;
  text.say("memory addr=8000 size=4096 type=wc");
  for (unsigned i = 0; i < 16; ++i) {
    const std::string digits = "0123456789abcdef";
    text.add(store, std::string("S 80") + digits[i / 4] + digits[i % 4 * 4] + " 4 dtlb=hit");
  }
  EXPECT_EQ(run(text).count(Signal::bus_request), 1u);
  EXPECT_EQ(run(text).count(Signal::dcache_lookup), 0u);
}

TEST(Ecc, CorrectedAtTheTransferFromTheMarkedSource) {
  const std::string access = "L 8000 4 dtlb=hit";
  EXPECT_EQ(details(run(Script().say("ecc source=system addr=8000").add(load, access)).of(Signal::ecc_correction)),
            (std::vector<std::uint16_t>{0}));
  EXPECT_EQ(run(Script().say("ecc source=l2 addr=8000").add(load, access)).count(Signal::ecc_correction), 0u);
  EXPECT_EQ(
      details(run(Script().say("ecc source=l2 addr=8000").add(load, access + " data=l2")).of(Signal::ecc_correction)),
      (std::vector<std::uint16_t>{d::ecc_from_l2}));
}

}  // namespace
}  // namespace pmusim::testbench::athlon
