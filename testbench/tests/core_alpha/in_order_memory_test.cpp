// Caches, write buffer, miss address file, replays and barriers of the in-order chips, and the board cache, with cycles
// computed by hand. Instructions issue from cycle 3 on; load to use of the 21164 is 2 (Dcache), 8 (Scache), 38
// (Bcache), 80.
#include "alpha_log.h"

namespace pmusim::testbench::alpha {
namespace {

namespace d = activity::detail;
namespace ad = act::detail;
using act::IssueStall;
using act::Replay;

const std::string absent = "dtlb=hit";  ///< the caches decide where the data is

// --- latencies -----------------------------------------------------------------------------------------------------

TEST(InOrderMemory, LoadToUse) {
  struct Case {
    const char* where;
    Cycle on_ev4, on_ev5, on_pca56;
  };
  // If the chip does not have a level, the next one is used.
  for (const Case& c : {Case{"l1", 3, 2, 2}, Case{"l2", 10, 8, 10}, Case{"l3", 10, 38, 10}, Case{"mem", 60, 80, 80}}) {
    // The user issues late enough not to assume a hit: it waits for another result until cycle 6.
    const std::string text = Script()
                                 .load(ldq(3, 9), 0x8000, 8, std::string("dtlb=hit data=") + c.where)
                                 .add(ldq(4, 9), "L 8100 8 dtlb=hit data=l1 lat=3")
                                 .add(addq(3, 4, 5));
    const std::string plain =
        Script().load(ldq(3, 9), 0x8000, 8, std::string("dtlb=hit data=") + c.where).add(addq(3, 3, 5));
    EXPECT_EQ(issue_of(ev4(plain), 1), 3 + c.on_ev4) << c.where;
    EXPECT_EQ(issue_of(ev5(text), 2), 3 + std::max<Cycle>(c.on_ev5, 3)) << c.where;
    EXPECT_EQ(issue_of(pca56(text), 2), 3 + std::max<Cycle>(c.on_pca56, 3)) << c.where;
  }
}

TEST(InOrderMemory, WhatALoadFromMemoryLooksUp) {
  const AlphaLog log = ev5(Script().load(ldq(3, 9), 0x8000, 8, absent));
  EXPECT_EQ(cycles_of(log, Signal::dcache_lookup, d::access_load | d::lookup_miss), (Cycles{3}));
  EXPECT_EQ(cycles_of(log, Signal::l2_lookup, d::side_data | d::access_load | d::lookup_miss), (Cycles{4}));
  EXPECT_EQ(cycles_of(log, Signal::l3_lookup, d::side_data | d::access_load | d::lookup_miss), (Cycles{7}));
  EXPECT_EQ(cycles_of(log, Signal::read_miss, 1), (Cycles{7}));
  EXPECT_EQ(cycles_of(log, Signal::bcache_fill, d::side_data | d::access_load), (Cycles{83}));
  EXPECT_EQ(log.cycles(Signal::load_return), (Cycles{83}));
  EXPECT_EQ(log.of(Signal::load_return)[0].request.end, 83u);
  EXPECT_EQ(log.of(Signal::load_return)[0].request.instruction, 0u);
}

// --- replays of the 21164 ------------------------------------------------------------------------------------------

TEST(Ev5Replay, UserOfALoadThatMisses) {
  const AlphaLog log = ev5(Script().load(ldq(3, 9), 0x8000, 8, "dtlb=hit data=l2").add(addq(3, 3, 4)).add(nop()));
  // It issues at 3 + 2 as if the load had hit, and again at 5 + 7, when the data of cycle 11 is available.
  EXPECT_EQ(log.cycles(Signal::issue, 1), (Cycles{5, 12}));
  EXPECT_EQ(cycles_of(log, Signal::replay_trap, Replay::load_use), (Cycles{5}));
  EXPECT_EQ(log.cycles(Signal::kill, 1), (Cycles{5}));
  EXPECT_EQ(log.cycles(Signal::retire, 1), (Cycles{12}));
  for (Cycle c = 6; c < 12; ++c) EXPECT_EQ(stall_at(log, c), IssueStall::trap) << c;
  EXPECT_EQ(log.count(Signal::replay_trap), 1u);
}

TEST(Ev5Replay, ALaterUserWaits) {
  // Four groups: the user is first considered for issue in cycle 6.
  Script script;
  script.load(ldq(3, 9), 0x8000, 8, "dtlb=hit data=l2").add(addq(1, 2, 4)).add(addq(1, 2, 5)).add(addq(1, 2, 6));
  const AlphaLog log = ev5(script.add(addq(1, 2, 4)).add(addq(1, 2, 5)).add(addq(3, 2, 6)).add(addq(1, 2, 7)));
  EXPECT_EQ(log.cycles(Signal::issue, 6), (Cycles{11}));
  EXPECT_EQ(stall_at(log, 6), IssueStall::load_miss);
  EXPECT_EQ(stall_at(log, 10), IssueStall::load_miss);
  EXPECT_EQ(log.count(Signal::replay_trap), 0u);
}

TEST(Ev5Replay, StoreWithAFullWriteBuffer) {
  const Changes two_entries = {
      {"core.write_buffer", 2}, {"core.write_buffer_start", 16}, {"core.write_buffer_age", 65535}};
  // Although the third would merge with the second's entry.
  const std::string text = Script().store(stq(1, 9), 0x8000).store(stq(1, 9), 0x8100).store(stq(1, 9), 0x8108);
  const AlphaLog log = ev5(text, two_entries);
  EXPECT_EQ(cycles_of(log, Signal::replay_trap, Replay::write_buffer_full).at(0), 5u);
  EXPECT_EQ(log.of(Signal::replay_trap)[0].instruction.id, 2u);
  EXPECT_EQ(log.retired(), 3u);
  EXPECT_EQ(ev5(text, {{"core.write_buffer", 3}}).count(Signal::replay_trap), 0u);
}

TEST(Ev5Replay, LoadWithAFullMissFile) {
  // The first load takes one entry of two: a load in E0 may still issue, a load in E1 may not, even if it hits.
  const std::string in_e1 = Script().load(ldq(3, 9), 0x8000, 8, absent).load(ldq(4, 9), 0x8100);
  const std::string in_e0 =
      Script().load(ldq(3, 9), 0x8000, 8, absent).add(addq(1, 2, 5)).load(ldq(4, 9), 0x8100).add(nop());
  const AlphaLog log = ev5(in_e1, {{"core.miss_file", 2}});
  EXPECT_EQ(cycles_of(log, Signal::replay_trap, Replay::miss_file_full).at(0), 3u);
  EXPECT_EQ(log.of(Signal::replay_trap)[0].instruction.id, 1u);
  for (unsigned cycle = 4; cycle < 10; ++cycle) EXPECT_EQ(stall_at(log, cycle), IssueStall::trap) << cycle;
  EXPECT_EQ(ev5(in_e0, {{"core.miss_file", 2}}).count(Signal::replay_trap), 0u);
  EXPECT_EQ(ev5(in_e1, {{"core.miss_file", 3}}).count(Signal::replay_trap), 0u);
}

TEST(Ev5Replay, TwoLoadsOfACycleMissTheSameBlock) {
  const std::string same = Script().load(ldq(3, 9), 0x8000, 8, absent).load(ldq(4, 9), 0x8010, 8, absent);
  const std::string other = Script().load(ldq(3, 9), 0x8000, 8, absent).load(ldq(4, 9), 0x8020, 8, absent);
  EXPECT_EQ(cycles_of(ev5(same), Signal::replay_trap, Replay::memory_order), (Cycles{3}));
  EXPECT_EQ(ev5(other).count(Signal::replay_trap), 0u);
}

TEST(Ev5Replay, LoadBehindAStoreToTheSamePlace) {
  const auto issues = [](unsigned between, std::uint64_t address, const AlphaLog** = nullptr) {
    // The store issues in cycle 3; pairs of adds fill the cycles up to the load's.
    Script script;
    script.store(stq(1, 9), 0x8000).add(addq(1, 2, 3));
    for (unsigned i = 0; i < between; ++i) script.add(2, addq(1, 2, 3));
    return ev5(script.load(ldq(4, 9), address)).cycles(Signal::issue, 2 + 2 * between);
  };
  EXPECT_EQ(issues(0, 0x8000), (Cycles{4, 4 + 7})) << "one cycle after: replay";
  EXPECT_EQ(issues(1, 0x8000), (Cycles{5 + 1})) << "two: waits a cycle";
  EXPECT_EQ(issues(2, 0x8000), (Cycles{6})) << "three: free";
  EXPECT_EQ(issues(0, 0x8008), (Cycles{4})) << "another place";
}

// The write of a store that hits takes the Dcache from any load two cycles later, whatever its address.
TEST(Ev5Issue, NoLoadTwoCyclesBehindAStore) {
  const auto issue = [](const char* level, unsigned between, std::int64_t rule) {
    Script script;
    script.store(stq(1, 9), 0x8000, 8, std::string("dtlb=hit data=") + level).add(addq(1, 2, 3));
    for (unsigned i = 0; i < between; ++i) script.add(2, addq(1, 2, 3));
    return issue_of(ev5(script.load(ldq(4, 9), 0x9000), {{"core.load_behind_store", rule}}), 2 + 2 * between);
  };
  EXPECT_EQ(issue("l1", 0, 1), 4u);
  EXPECT_EQ(issue("l1", 1, 1), 5u + 1) << "two cycles after: waits a cycle";
  EXPECT_EQ(issue("l1", 2, 1), 6u);
  EXPECT_EQ(issue("mem", 1, 1), 5u) << "it does not write the Dcache";
  EXPECT_EQ(issue("mem", 1, 2), 5u + 1) << "after any";
  EXPECT_EQ(issue("l1", 1, 0), 5u);
}

// A result that passes through memory arrives no earlier than a direct one: multiply, store, load, and the use of the
// loaded value.
TEST(InOrderMemory, WhatIsLoadedWaitsForTheDataThatWasStored) {
  const std::string text =
      Script().add(mulq(1, 2, 3)).store(stq(3, 9), 0x8000).add(4, nop()).load(ldq(4, 9), 0x8000).add(addq(4, 4, 5));
  EXPECT_GE(issue_of(ev4(text), 7), 3u + 23 + 3);
  EXPECT_GE(issue_of(ev5(text), 7), 3u + 12 + 2);
}

TEST(Ev5Issue, NoLoadBesideAStore) {
  const AlphaLog log = ev5(Script().store(stq(1, 9), 0x8000).load(ldq(4, 9), 0x9000));
  EXPECT_EQ(log.cycles(Signal::issue), (Cycles{3, 4}));
}

// --- 21064 ---------------------------------------------------------------------------------------------------------

TEST(Ev4Memory, AFullWriteBufferFreezes) {
  const Changes one_entry = {{"core.write_buffer", 1}, {"core.write_buffer_start", 1}};
  // The write is sent in the cycle after its issue, looked up in the next one, and takes memory's 60 cycles.
  const AlphaLog log = ev4(Script().store(stq(1, 9), 0x8000).add(nop()).store(stq(1, 9), 0x8100), one_entry);
  EXPECT_EQ(log.count(Signal::replay_trap), 0u);
  const Cycle freed = 4 + 60;
  EXPECT_EQ(issue_of(log, 2), freed);
  EXPECT_EQ(stall_at(log, 10), IssueStall::write_buffer);
  EXPECT_EQ(stall_at(log, freed - 1), IssueStall::write_buffer);
}

TEST(Ev5Replay, ASingleEntryOfTheMissFileServesBothPipes) {
  const std::string text = Script().load(ldq(3, 9), 0x8000).load(ldq(4, 9), 0x9000);
  const auto core = core::make_alpha_ev5(reader_of(text, trace::Isa::alpha),
                                         changed(core::alpha_ev5_parameters(), {{"core.miss_file", 1}}));
  activity::Block block;
  block.restart(0);
  EXPECT_FALSE(core->run(100'000, block)) << "the second load is replayed again and again";
  EXPECT_EQ(core->retired(), 2u);
}

// Each uncached write takes a separate entry: the second write to a block waits for a free one.
TEST(Ev4Memory, UncachedWritesDoNotJoin) {
  Script script;
  script.say("memory addr=8000 size=4096 type=uc");
  for (unsigned i = 0; i < 6; ++i) script.store(stq(1, 9), 0x8000 + 8 * (i % 4));
  const AlphaLog log = ev4(script, {{"core.write_buffer", 2}, {"core.write_buffer_start", 2}});
  EXPECT_EQ(log.retired(), 6u);
  EXPECT_GT(issue_of(log, 2), 60u) << "memory takes 60 cycles";
}

// pfm(7) has "a load miss" among the causes of a frozen pipe of the 21064, which has no replay traps as the 21164.
TEST(Ev4Memory, AMissThatFindsNoRoomFreezesThePipe) {
  Script script;
  for (unsigned i = 0; i < 3; ++i) script.load(ldq(3 + i, 9), 0x8000 + 0x100 * i, 8, absent);
  const AlphaLog log = ev4(script);
  EXPECT_EQ(cycles_of(log, Signal::replay_trap, Replay::miss_file_full).at(0), 5u);
  EXPECT_GE(log.cycles(Signal::issue, 2).size(), 2u) << "the load issues again";
  EXPECT_EQ(log.cycles(Signal::issue, 2).at(1), 5u + 7) << "core.replay_penalty";
  for (unsigned cycle = 6; cycle < 12; ++cycle) EXPECT_EQ(stall_at(log, cycle), IssueStall::load_miss) << cycle;
  EXPECT_EQ(log.retired(), 3u);
}

// The data of a load that misses arrives 10 cycles later from the Bcache. The load then uses the Abox again; of the
// loads that issue one a cycle, the one of that cycle waits.
TEST(Ev4Memory, ALoadThatMissedTakesTheAboxAgain) {
  Script script;
  script.load(ldq(3, 9), 0x8000, 8, "dtlb=hit data=l3").add(nop());
  for (unsigned i = 0; i < 12; ++i) script.load(ldq(4, 9), 0x9000).add(nop());
  const AlphaLog log = ev4(script);
  EXPECT_EQ(cycles_of(log, Signal::replay_trap, Replay::load_missed), (Cycles{3 + 10}));
  EXPECT_EQ(log.of(Signal::replay_trap)[0].instruction.id, 0u);
  EXPECT_EQ(log.cycles(Signal::issue, 0), (Cycles{3})) << "it does not issue again";
  EXPECT_EQ(issue_of(log, 18), 12u);
  EXPECT_EQ(issue_of(log, 20), 14u);
  EXPECT_EQ(stall_at(log, 13), IssueStall::unit_busy);
  EXPECT_EQ(ev4(script, {{"core.load_replay", 0}}).count(Signal::replay_trap), 0u);
}

TEST(Ev4Memory, TheBcacheDrivesThePins) {
  const Changes small = {{"core.bcache_bytes", 65536}};
  const AlphaLog log = ev4(Script()
                               .say("state addr=8000 line=M")
                               .load(ldq(3, 9), 0x18000, 8, absent)
                               .load(ldq(4, 9), 0x28100, 8, absent)
                               .load(ldq(4, 9), 0x28108, 8, absent)
                               .load(ldq(4, 9), 0x28200, 8, absent),
                           small);
  EXPECT_EQ(cycles_of(log, Signal::pin_assert, 0).size(), 1u) << "8000 is a victim of 18000";
  EXPECT_EQ(cycles_of(log, Signal::pin_assert, 1).size(), 2u) << "28108 comes with 28100";
  const unsigned victim =
      d::cache_l3 | static_cast<unsigned>(activity::LineState::modified) << d::evict_state_shift | d::evict_replacement;
  EXPECT_EQ(cycles_of(log, Signal::line_evict, 0xffff, victim).size(), 1u);
}

// --- stores --------------------------------------------------------------------------------------------------------

TEST(InOrderStore, AnOldEntryGoesOut) {
  Script script;
  script.store(stq(1, 9), 0x8000).add(200, mulq(5, 5, 5));
  const AlphaLog log = ev5(script, {{"core.write_buffer_age", 100}});
  EXPECT_EQ(cycles_of(log, Signal::l2_lookup, d::access_store, d::access_store).at(0), 3 + 100 + 1u);
}

TEST(InOrderStore, SharedAndCleanBlocks) {
  const auto lookup = [](const AlphaLog& log, Signal signal) {
    for (const AlphaOccurrence& h : log.of(signal)) {
      if ((h.detail & d::access_store) != 0) return h.detail;
    }
    return std::uint16_t{0};
  };
  const auto program = [](const char* state) {
    return std::string(Script().say(std::string("state addr=8000 line=") + state).store(stq(1, 9), 0x8000));
  };
  const std::uint16_t hit = d::side_data | d::access_store | d::lookup_hit;
  EXPECT_EQ(lookup(ev5(program("S")), Signal::l2_lookup), hit | ad::access_shared_write);
  EXPECT_EQ(lookup(ev5(program("E")), Signal::l2_lookup), hit);
  EXPECT_EQ(lookup(pca56(program("E")), Signal::l3_lookup), hit | ad::found_clean);
  EXPECT_EQ(lookup(pca56(program("M")), Signal::l3_lookup), hit);
  EXPECT_EQ(lookup(pca56(program("S")), Signal::l3_lookup), hit | ad::found_clean | ad::access_shared_write);
  const AlphaLog misses = pca56(program("I"));
  EXPECT_EQ(lookup(misses, Signal::l3_lookup), d::side_data | d::access_store | d::lookup_miss);
  EXPECT_EQ(cycles_of(misses, Signal::bcache_fill, d::side_data | d::access_store).size(), 1u);
}

TEST(InOrderStore, AModifiedScacheBlockIsAVictim) {
  // Three ways of 32 KB: the fourth block of a set replaces the first.
  Script script;
  for (const char* line : {"8000", "10000", "18000"}) script.say(std::string("state addr=") + line + " line=M");
  const AlphaLog log = ev5(script.load(ldq(3, 9), 0x20000, 8, absent));
  const unsigned victim =
      d::cache_l2 | static_cast<unsigned>(activity::LineState::modified) << d::evict_state_shift | d::evict_replacement;
  EXPECT_EQ(cycles_of(log, Signal::line_evict, 0xffff, victim).size(), 1u);
  EXPECT_EQ(cycles_of(log, Signal::l3_lookup, d::access_writeback, d::access_writeback).size(), 1u);
}

// --- barriers ------------------------------------------------------------------------------------------------------

TEST(InOrderBarrier, WaitsForWritesAndHoldsWhatIsBehind) {
  const AlphaLog log =
      ev5(Script().say("state addr=8000 line=E").store(stq(1, 9), 0x8000).add(mb()).add(addq(1, 2, 3)));
  const Cycle store = issue_of(log, 0);
  // Sent in store + 2, when mb has requested it; looked up in the next cycle; the Scache is done 8 cycles later.
  const Cycle barrier = issue_of(log, 1);
  EXPECT_EQ(barrier, store + 2 + 8);
  EXPECT_EQ(issue_of(log, 2), barrier + 4);
  for (Cycle c = store + 1; c < barrier + 4; ++c) {
    if (c != barrier) {
      EXPECT_EQ(stall_at(log, c), IssueStall::memory_barrier) << c;
    }
  }
}

// --- instruction side ----------------------------------------------------------------------------------------------

/// Instructions without forced outcomes.
std::string plain(unsigned count, unsigned first = 0x1000) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    char line[64];
    (void)std::snprintf(line, sizeof line, "%x ", first + 4 * i);
    text += line + nop() + "\n";
  }
  return text;
}

// The first block of 16 bytes requests the stream; the others find their lines present or on the way.
TEST(InOrderFetch, InstructionsOfTheBlockThatMissedAreMarked) {
  std::vector<std::uint64_t> marked;
  const AlphaLog log = ev5(plain(16));
  for (const AlphaOccurrence& h : log.of(Signal::retire)) {
    if (h.more.fill_stream) marked.push_back(h.instruction.ip);
  }
  ASSERT_EQ(marked.size(), 4u);
  EXPECT_EQ(marked[3], marked[0] + 12);
}

TEST(InOrderFetch, TheFirstLineTakesAnItbMiss) {
  // Fetch in 0 misses Icache and ITB; PALcode from 1 to 20; fetch in 21 misses the Icache, 80 cycles from memory.
  const AlphaLog log = ev5(plain(4));
  EXPECT_EQ(cycles_of(log, Signal::translation, d::tlb_walk), (Cycles{0}));
  EXPECT_EQ(cycles_of(log, Signal::pal_entry, act::Trap::itb_miss), (Cycles{1}));
  EXPECT_EQ(log.cycles_with(State::pal_mode), 20u);
  EXPECT_EQ(cycles_of(log, Signal::fetch, d::lookup_miss), (Cycles{22}));
  EXPECT_EQ(issue_of(log, 0), 22 + 80 + 3u);
}

}  // namespace
}  // namespace pmusim::testbench::alpha
