// The contents of the Athlon's caches: an L2 that excludes the lines of L1D, its victims, its replacement order, the
// states after a snoop, and the branch history.
#include <cstdio>
#include <initializer_list>
#include <map>

#include "trace_log.h"

namespace pmusim::testbench {
namespace {

namespace d = activity::detail;
using activity::LineState;
using activity::Trait;

constexpr std::uint16_t left(std::uint16_t cache, LineState state) {
  return static_cast<std::uint16_t>(cache | static_cast<unsigned>(state) << d::evict_state_shift |
                                    d::evict_replacement);
}
std::uint64_t victims(const TraceLog& log, std::uint16_t cache, LineState state) {
  const std::uint16_t whole = left(cache, state);
  std::uint64_t count = 0;
  for (const LoggedOccurrence& h : log.of(Signal::line_evict, whole))
    count += (h.detail & ~d::evict_to_l2) == whole ? 1 : 0;
  return count;
}

/// Accesses to lines 32 KB apart, which share a set of L1D (64 KB, two ways) and of the L2 configured here.
Script accesses(const std::string& bytes, const std::string& kind, std::initializer_list<const char*> addresses) {
  Script text;
  for (const char* address : addresses) text.add(bytes, kind + ' ' + address + " 4 dtlb=hit");
  return text;
}
/// An L2 of `ways` lines in each of 512 sets.
models::Parameters l2_of(std::int64_t ways) {
  return plain({{"core.l2_ways", ways}, {"core.l2_bytes", ways * 512 * 64}});
}

// The L2 on the die is exclusive (models 4 and 6): a line that moves to L1D leaves L2, so a snoop that hits in L1D hits
// nowhere else.
TEST(L2, HasNotWhatL1dGotFromIt) {
  Script text = accesses(load, "L", {"8000", "10000", "18000", "8000"});
  text.say("idle cycles=500").say("snoop kind=read addr=8000").add("90");
  const TraceLog log = run(text);
  ASSERT_EQ(log.count(Signal::snoop), 1u);
  const std::uint16_t seen = log.of(Signal::snoop)[0].detail;
  EXPECT_NE(seen & d::snoop_hits_l1d, 0);
  EXPECT_EQ(seen & d::snoop_hits_l2, 0);
}

// Of five lines the last two stay in L1D. Of the three victims two stay in L2; the third is written to memory if a
// store has modified it.
TEST(L2, WritesModifiedVictimsBack) {
  const auto addresses = {"8000", "10000", "18000", "20000", "28000"};
  const TraceLog stores = run(accesses(store, "S", addresses), l2_of(2));
  EXPECT_EQ(victims(stores, d::cache_l1d, LineState::modified), 3u);
  EXPECT_EQ(victims(stores, d::cache_l2, LineState::modified), 1u);
  EXPECT_EQ(stores.count(Signal::bus_request, d::bus_write), 1u);
  const TraceLog loads = run(accesses(load, "L", addresses), l2_of(2));
  EXPECT_EQ(victims(loads, d::cache_l2, LineState::exclusive), 1u);
  EXPECT_EQ(loads.count(Signal::bus_request, d::bus_write), 0u);
}

/// Jumps along lines of code 32 KB apart; the n-th visit of a line executes its n-th 16 bytes.
std::string code_visits(const std::string& lines) {
  std::map<char, unsigned> visits;
  std::vector<std::uint64_t> places;
  for (const char line : lines) places.push_back(0x8000u * (line - 'A' + 1u) + 16u * visits[line]++);
  std::string text;
  for (std::size_t i = 0; i < places.size(); ++i) {
    char words[96];
    if (i + 1 == places.size()) {
      (void)std::snprintf(words, sizeof words, "%llx 90 itlb=hit\n", static_cast<unsigned long long>(places[i]));
    } else {
      const auto distance = static_cast<std::uint32_t>(places[i + 1] - (places[i] + 5));
      (void)std::snprintf(words, sizeof words, "%llx e9%02x%02x%02x%02x T %llx itlb=hit\n",
                          static_cast<unsigned long long>(places[i]), distance & 0xff, distance >> 8 & 0xff,
                          distance >> 16 & 0xff, distance >> 24, static_cast<unsigned long long>(places[i + 1]));
    }
    text += words;
  }
  return text;
}

// Three ways hold A, B and C. L1I has two ways, so the next visit of A reads it from L2: B is then the least recently
// used line, and D replaces it.
TEST(L2, ReplacesTheLineThatCodeReadLongestAgo) {
  const TraceLog log = run(code_visits("ABCADCA"), l2_of(3));
  EXPECT_EQ(log.count(Signal::l2_lookup, d::lookup_miss), 4u) << "A, B, C and D once";
  EXPECT_EQ(log.count(Signal::l2_lookup, d::lookup_hit), 3u) << "A, C and A again";
}

// MOESI: a read snoop changes a modified line to owned and an exclusive line to shared; other states do not change.
TEST(Snoops, AReadLeavesAModifiedLineOwned) {
  for (const auto& [before, after] : {std::pair{"M", LineState::owned},
                                      {"O", LineState::owned},
                                      {"E", LineState::shared},
                                      {"S", LineState::shared}}) {
    Script text;
    text.say(std::string("state addr=8000 line=") + before).say("snoop kind=read addr=8000");
    for (const char* address : {"10000", "18000"}) text.add(load, std::string("L ") + address + " 4 dtlb=hit");
    EXPECT_EQ(victims(run(text), d::cache_l1d, after), 1u) << before;
  }
}

TEST(Snoops, AReadLeavesAModifiedLineOfL2Owned) {
  Script text;
  text.say("state addr=8000 line=M");
  for (const char* address : {"10000", "18000"}) text.add(load, std::string("L ") + address + " 4 dtlb=hit");
  text.say("idle cycles=500").say("snoop kind=read addr=8000").add(load, "L 8000 4 dtlb=hit");
  const TraceLog log = run(text);
  const auto owned = static_cast<unsigned>(LineState::owned);
  EXPECT_EQ(log.count(Signal::line_fill, static_cast<std::uint16_t>(owned << d::fill_found_shift |
                                                                    owned << d::fill_installed_shift | d::side_data)),
            1u);
}

// The history predicts a branch that alternates; counters alone mispredict half of the time.
TEST(Prediction, LearnsABranchByTurnsFromItsHistory) {
  constexpr unsigned turns = 200, learning = 100;
  std::string text;
  for (unsigned i = 0; i < turns; ++i) {
    text += i % 2 == 0 ? hit(0x1000, "7402", "T 1004") : hit(0x1000, "7402") + hit(0x1002, "90") + hit(0x1003, "90");
    text += hit(0x1004, "ebfa", "T 1000");
  }
  text += hit(0x1000, "90");
  const auto wrong = [&](std::int64_t bits) {
    std::uint64_t branches = 0, mispredicted = 0;
    for (const LoggedOccurrence& h : run(text, plain({{"core.history_bits", bits}})).of(Signal::retire)) {
      if (!h.instruction.has(Trait::conditional) || ++branches <= learning) continue;
      mispredicted += h.instruction.mispredicted ? 1 : 0;
    }
    EXPECT_EQ(branches, turns);
    return mispredicted;
  };
  EXPECT_EQ(wrong(8), 0u);
  EXPECT_GE(wrong(0), (turns - learning) / 2);
}

// Three lines of a set: the first is in L2 when another processor takes it. The fourth load must request it again.
TEST(L2, GivesUpWhatASnoopInvalidates) {
  const auto reads = [](const std::string& kind) {
    Script text = accesses(load, "L", {"8000", "10000", "18000"});
    text.say("idle cycles=500").say("snoop kind=" + kind + " addr=8000").add(load, "L 8000 4 dtlb=hit");
    return run(text).count(Signal::bus_request, 0, d::bus_write);
  };
  EXPECT_EQ(reads("read"), 3u);
  EXPECT_EQ(reads("invalidate"), 4u);
}

// The instruction side reads executed lines from L2 and, if it prefetches, also the lines after them.
TEST(L2, TellsFetchFromPrefetch) {
  const auto lookups = [](std::int64_t prefetch, std::uint16_t access) {
    const TraceLog log = run("1000 90\n", plain({{"core.instruction_prefetch", prefetch}}));
    return log.count(Signal::l2_lookup, access, d::side_data);
  };
  EXPECT_EQ(lookups(0, d::access_load), 1u);
  EXPECT_EQ(lookups(0, d::access_prefetch), 0u);
  EXPECT_EQ(lookups(1, d::access_load), 1u);
  EXPECT_EQ(lookups(1, d::access_prefetch), 1u);
}

}  // namespace
}  // namespace pmusim::testbench
