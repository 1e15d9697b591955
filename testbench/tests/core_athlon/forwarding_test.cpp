// Loads that read data of older stores (22007E pp. 51-54), references to two pages, PREFETCHW, and data references of a
// wrong path. Addresses execute in cycle 7 and probe in 9; a hit has its result in 10. The data of a store is available
// after the store has executed, in 8 at the earliest.
#include <fmt/format.h>

#include "trace_log.h"

namespace pmusim::testbench::athlon {
namespace {

namespace d = activity::detail;

const std::string hits = " dtlb=hit data=l1";

/// A store, a load into ecx, and a consumer of ecx. consumer() returns the cycle in which the consumer starts.
struct Pair {
  std::string store = "8903", stored = "S 7000 4";  // mov [ebx],eax
  std::string load = "8b0b", loaded = "L 7000 4";   // mov ecx,[ebx]
};
Cycle consumer(const Pair& pair, const Changes& changes = {}, Script before = Script()) {
  const TraceLog log =
      run(before.add(pair.store, pair.stored + hits).add(pair.load, pair.loaded + hits).add("01ca"), plain(changes));
  return log.cycles(Signal::issue).back();
}

Script late_eax(unsigned latency) {  // mov eax,[ebp]: of 0x5000
  return Script().add("8b4500", "L 5000 4 dtlb=hit data=l1 lat=" + std::to_string(latency));
}

TEST(Forwarding, ALoadTakesTheDataOfTheStore) {
  EXPECT_EQ(consumer({.loaded = "L 7004 4"}), 10u);  // another address: a hit
  EXPECT_EQ(consumer({}), 11u);                      // 8 + 3
  EXPECT_EQ(consumer({}, {{"core.store_forward", 6}}), 14u);
  EXPECT_EQ(consumer({}, {{"core.store_forward", 1}}), 10u);  // no earlier than a hit
}

TEST(Forwarding, ALoadWaitsForTheDataOfTheStore) {
  // eax is available in 7 + 20, the store's data in 28, the load's in 31.
  EXPECT_EQ(consumer({}, {}, late_eax(20)), 31u);
  EXPECT_EQ(consumer({.loaded = "L 7004 4"}, {}, late_eax(20)), 11u);  // the third probe of the line: in 10
}

TEST(Forwarding, TheYoungestStoreCounts) {
  // mov [ebx],eax with eax in 67; mov [ebx],edx; mov ecx,[ebx] in the next line: 6 + 2 + 3.
  const TraceLog log = run(late_eax(60)
                               .add("8903", "S 7000 4" + hits)
                               .add("8913", "S 7000 4" + hits)
                               .add("8b0b", "L 7000 4" + hits)
                               .add("89ca"));
  std::vector<Cycle> finished;
  for (const LoggedOccurrence& h : log.of(Signal::finish)) {
    if (h.instruction.id == 3) finished.push_back(h.cycle);
  }
  EXPECT_EQ(finished, std::vector<Cycle>{11});
}

// The store retires in 10 and is written to the cache; the load reads the cache in 11 and has its data in 12.
TEST(Forwarding, ALoadThatMayNotTakeTheDataWaitsForTheCache) {
  const Pair blocked[] = {
      {.store = "668903", .stored = "S 7000 2"},     // narrow to wide
      {.store = "884303", .stored = "S 7003 1"},     // narrow to wide, not at the start
      {.load = "668b4b02", .loaded = "L 7002 2"},    // wide to narrow, other start
      {.stored = "S 7002 4", .loaded = "L 7002 4"},  // misaligned
      {.store = "883b", .stored = "S 7000 1", .load = "8a0b", .loaded = "L 7000 1"},    // from bh
      {.store = "8803", .stored = "S 7000 1", .load = "8a4b01", .loaded = "L 7001 1"},  // only the same doubleword
  };
  for (const Pair& pair : blocked) {
    EXPECT_EQ(consumer(pair), 12u) << pair.stored << ' ' << pair.loaded;
    EXPECT_EQ(consumer(pair, {{"core.blocked_load", 1}}), 11u) << pair.stored << ' ' << pair.loaded;
  }
  // The only case of different sizes that the guide allows: the lower half of an aligned quadword.
  EXPECT_EQ(consumer({.store = "0f7f03", .stored = "S 7000 8"}), 12u);  // movq takes 2 clocks: 9 + 3
  EXPECT_EQ(consumer({.store = "8803", .stored = "S 7000 1", .load = "8a0b", .loaded = "L 7000 1"}), 11u);  // al
}

// All instructions up to the store must retire first: the load of 40 clocks in 48, with it the store.
TEST(Forwarding, ABlockedLoadWaitsForAllThatIsOlder) {
  const Script before = Script().add("8b7500", "L 5000 4 dtlb=hit data=l1 lat=40");  // mov esi,[ebp]
  EXPECT_EQ(consumer({.loaded = "L 7002 4"}, {}, before), 50u);
  EXPECT_EQ(consumer({}, {}, before), 11u);  // a load that takes the data does not wait
}

TEST(Forwarding, WhatALoadHasInCommonWithAStore) {
  const Pair other_byte = {.store = "8803", .stored = "S 7000 1", .load = "8a4b01", .loaded = "L 7001 1"};
  EXPECT_EQ(consumer(other_byte, {{"core.forward_match", 0}}), 10u);
  EXPECT_EQ(consumer(other_byte, {{"core.forward_match", 1}}), 12u);
  const Pair other_page = {.stored = "S 3000 4"};
  EXPECT_EQ(consumer(other_page, {{"core.forward_match", 1}}), 10u);
  EXPECT_EQ(consumer(other_page, {{"core.forward_match", 2}}), 12u);
}

// The load may be allowed to read the cache long before its line arrives.
TEST(Forwarding, ABlockedLoadStillWaitsForItsLine) {
  const auto issues = [](std::int64_t match) {
    return run(Script().add("8903", "S 3000 4" + hits).add("8b0b", "L 7000 4 dtlb=hit data=mem").add("01ca"),
               plain({{"core.forward_match", match}}))
        .cycles(Signal::issue);
  };
  EXPECT_GT(issues(1).back(), 7u + 100u);
  EXPECT_EQ(issues(2), issues(1));
}

TEST(Forwarding, ALatencyThatTheTraceForcesHolds) {
  const TraceLog log =
      run(late_eax(20).add("8903", "S 7000 4" + hits).add("8b0b", "L 7000 4 lat=5" + hits).add("01ca"));
  EXPECT_EQ(log.cycles(Signal::finish).front(), 7u + 5u);
}

// --- two pages ---------------------------------------------------------------------------------------------------

/// Cycles in which data-side translations walk.
std::vector<Cycle> walks(const std::string& text) {
  std::vector<Cycle> found;
  for (const LoggedOccurrence& h : run(text).of(Signal::translation, d::side_data | d::tlb_walk))
    found.push_back(h.cycle);
  return found;
}

TEST(Pages, AReferenceAcrossTwoIsTranslatedTwice) {
  using Cycles = std::vector<Cycle>;
  EXPECT_EQ(walks(hit(0x1000, "8b03", "L 1ff8 4 data=l1")), (Cycles{9}));
  // A walk of 30 clocks, the first half's probe in 39; the second half's translation a clock later.
  EXPECT_EQ(walks(hit(0x1000, "8b03", "L 1ffe 4 data=l1")), (Cycles{9, 40}));
  EXPECT_EQ(walks(hit(0x1000, "8903", "S 1ffe 4 data=l1")), (Cycles{9, 40}));
  const TraceLog log = run(hit(0x1000, "8b03", "L 1ffe 4 data=l1") + hit(0x1002, "01c1"));
  EXPECT_EQ(log.cycles(Signal::dcache_lookup), (Cycles{39, 70}));
  EXPECT_EQ(log.cycles(Signal::issue), (Cycles{7, 71}));
  // Both pages are in the TLB afterwards: references to either hit.
  EXPECT_EQ(walks(hit(0x1000, "8b03", "L 1ffe 4 data=l1") + hit(0x1002, "8b0b", "L 2100 4 data=l1") +
                  hit(0x1004, "8b13", "L 1100 4 data=l1")),
            (Cycles{9, 40}));
}

TEST(Pages, AnUncachedReferenceIsTranslatedTwiceToo) {
  EXPECT_EQ(walks("! memory addr=1000 size=2000 type=uc\n" + hit(0x1000, "8b03", "L 1ffe 4")).size(), 2u);
}

// A walk of 200 clocks, the first half's probe in 209, its line from the system in 210 - 1 + 117 = 326. The second
// page's walk ends in 410, and that half hits.
TEST(Pages, TheFirstHalfArrivesBeforeTheSecondIsProbed) {
  using Cycles = std::vector<Cycle>;
  const TraceLog log = run("! state addr=2000 line=E\n" + hit(0x1000, "8b03", "L 1ffe 4") + hit(0x1002, "01c1"),
                           plain({{"core.dtlb_walk", 200}}));
  EXPECT_EQ(log.cycles(Signal::dcache_lookup), (Cycles{210, 411}));
  EXPECT_EQ(log.cycles(Signal::line_fill), (Cycles{327}));
  EXPECT_EQ(log.cycles(Signal::issue), (Cycles{8, 412}));
}

// --- PREFETCHW ---------------------------------------------------------------------------------------------------

TEST(Prefetch, ToWriteBringsTheLineInAsModified) {
  const auto installed = [](const std::string& bytes, const Changes& changes) {
    const auto fills = run(hit(0x1000, bytes, "L 4000 1 dtlb=hit"), plain(changes)).of(Signal::line_fill, d::side_data);
    EXPECT_EQ(fills.size(), 1u);
    return static_cast<activity::LineState>(fills.at(0).detail >> d::fill_installed_shift & 7u);
  };
  using activity::LineState;
  EXPECT_EQ(installed("0f0d0b", {}), LineState::modified);  // prefetchw [ebx]
  EXPECT_EQ(installed("0f0d03", {}), LineState::exclusive);
  EXPECT_EQ(installed("0f0d0b", {{"core.prefetchw_state", 0}}), LineState::exclusive);
}

// --- wrong path --------------------------------------------------------------------------------------------------

// Code known from a first pass is later on the wrong path of a branch that waits for a load of 60 clocks.
TEST(WrongPath, ReferencesWhoseAddressStandsInTheInstruction) {
  const auto references = [](const std::string& bytes, const std::string& access, const Changes& changes) {
    // 1000 je 1020 (falls through), 1002 the reference, 100x jmp 1040; 1040 cmp eax,[ebp], jmp 1000; je 1020 taken.
    Script script;
    script.add("741e").add(bytes, access + hits);
    const std::uint64_t behind = script.pc() + 2;
    script.go(fmt::format("eb{:02x}", 0x1040 - behind), 0x1040).add("3b4500", "L 9000 4 dtlb=hit data=l1 lat=60");
    script.go("ebbb", 0x1000).go("741e", 0x1020, "", "mispredict=path").add("90");
    const TraceLog log = run(script, plain(changes));
    std::vector<std::uint64_t> addresses;
    for (const LoggedOccurrence& h : log.of(Signal::dcache_lookup)) {
      if (h.request.wrong_path) addresses.push_back(h.request.address);
    }
    return addresses;
  };
  using Addresses = std::vector<std::uint64_t>;
  EXPECT_EQ(references("8b0d00500000", "L 5000 4", {}), (Addresses{0x5000}));  // mov ecx,[5000]
  EXPECT_EQ(references("890d00500000", "S 5000 4", {}), (Addresses{0x5000}));  // mov [5000],ecx
  EXPECT_EQ(references("010d00500000", "L 5000 4 S 5000 4", {}), (Addresses{0x5000, 0x5000}));
  EXPECT_EQ(references("ff3500500000", "L 5000 4 S 7ffc 4", {}), (Addresses{0x5000}));  // push: esp is unknown
  EXPECT_EQ(references("8b0b", "L 5000 4", {}), (Addresses{}));                         // ebx is unknown
  EXPECT_EQ(references("648b0d00500000", "L 5000 4", {}), (Addresses{}));               // the base of fs is unknown
  EXPECT_EQ(references("8b0d00500000", "L 5000 4", {{"core.wrong_path_data", 0}}), (Addresses{}));
}

// A store on a wrong path requests its line but sets no line to Modified.
TEST(WrongPath, StoresModifyNothing) {
  Script script;
  script.add("741e").add("890d00500000", "S 5000 4" + hits).go("eb36", 0x1040);
  script.say("state addr=5000 line=I").add("3b4500", "L 9000 4 dtlb=hit data=l1 lat=60");
  script.go("ebbb", 0x1000).go("741e", 0x1020, "", "mispredict=path").add("90");
  std::vector<unsigned> installed;
  for (const LoggedOccurrence& h : run(script).of(Signal::line_fill, d::side_data)) {
    if (h.request.wrong_path) installed.push_back(h.detail >> d::fill_installed_shift & 7u);
  }
  EXPECT_EQ(installed, std::vector<unsigned>{static_cast<unsigned>(activity::LineState::exclusive)});
}

// A load of many lines, with stores by its own instruction: the first half's line arrives before the second half is
// probed, and the load does not wait for stores of its own instruction.
TEST(Forwarding, NothingWaitsForItsOwnInstruction) {
  const TraceLog log = run(std::string("! isa i386\n10000 8900 S 3ffd 16\n"
                                       "10002 ff30 S 2000 8 S 20003ff8 65535 L 3ffd 65535\n10004 ff30\n"),
                           core::athlon_parameters());
  EXPECT_EQ(log.count(Signal::retire), 3u);
}

}  // namespace
}  // namespace pmusim::testbench::athlon
