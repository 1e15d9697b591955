// Traps of the 21264, with cycles computed by hand. The penalties of the 21264/EV67 manual are cycles from the fetch of
// the instruction to that of its successor after the trap. An instruction fetched in 0 issues in 3.
#include "alpha_log.h"

namespace pmusim::testbench::alpha {
namespace {

namespace d = activity::detail;
using act::Replay;
using act::Trap;

/// The single replay trap: checks its instruction and cause, and returns its cycle.
Cycle replay_of(const AlphaLog& log, std::uint64_t id, Replay why) {
  const auto& traps = log.of(Signal::replay_trap);
  EXPECT_EQ(traps.size(), 1u);
  if (traps.empty()) return 0;
  EXPECT_EQ(traps[0].instruction.id, id);
  EXPECT_EQ(traps[0].detail, static_cast<std::uint16_t>(why));
  EXPECT_EQ(traps[0].more.replay, why);
  EXPECT_EQ(traps[0].more.trap, Trap::replay);
  return traps[0].cycle;
}

/// The first of `all` entries of PALcode: checks its instruction and cause, and returns its cycle.
Cycle entry_of(const AlphaLog& log, std::uint64_t id, Trap why, std::size_t all = 1) {
  const auto& entries = log.of(Signal::pal_entry);
  EXPECT_EQ(entries.size(), all);
  if (entries.empty()) return 0;
  EXPECT_EQ(entries[0].detail, static_cast<std::uint16_t>(why));
  EXPECT_EQ(entries[0].instruction.id, id);
  EXPECT_EQ(entries[0].more.trap, why);
  return entries[0].cycle;
}

// --- replay traps ----------------------------------------------------------------------------------------

TEST(OutOfOrderReplay, WrongSizeCostsThirteenCycles) {
  // A longword is stored; the quadword that contains it is loaded in the same cycle.
  const AlphaLog log = ev67(Script().store(memory(0x2c, 1, 9), 0x8000, 4).load(ldq(3, 9), 0x8000));
  EXPECT_EQ(replay_of(log, 1, Replay::wrong_size), 12u);
  EXPECT_EQ(log.cycles(Signal::instruction_fetch, 1), (Cycles{0, 13}));
  EXPECT_EQ(log.cycles(Signal::kill, 1), (Cycles{12}));
  EXPECT_EQ(log.retired(), 2u);
}

TEST(OutOfOrderReplay, AStoreGivesItsBytesToAYoungerLoad) {
  const AlphaLog log = ev67(Script().store(stq(1, 9), 0x8000).load(memory(0x28, 3, 9), 0x8004, 4).add(addq(3, 3, 4)));
  EXPECT_EQ(log.count(Signal::replay_trap), 0u);
  EXPECT_EQ(only_issue_of(log, 2), 3u + 3);
}

// The store has its address (and data) seven cycles later than the load after it: the latency of a multiply.
Script late_store(std::uint64_t address) {
  return Script().add(mulq(1, 2, 5)).store(stq(5, 9), 0x8000).load(ldq(3, 9), address);
}

TEST(OutOfOrderReplay, ALoadAheadOfAnOlderStoreCostsFourteenCycles) {
  const AlphaLog log = ev67(late_store(0x8000));
  // The store issues in 3 + 7; the load is fetched again 14 - 3 cycles later.
  EXPECT_EQ(replay_of(log, 2, Replay::store_load_order), 3u + 7 + 14 - 3 - 1);
  EXPECT_EQ(log.cycles(Signal::instruction_fetch, 2), (Cycles{0, 21}));
  EXPECT_EQ(ev67(late_store(0x8008)).count(Signal::replay_trap), 0u);
}

TEST(OutOfOrderReplay, ALoadThatWasTrappedWaitsTheNextTime) {
  Script twice = late_store(0x8000);
  twice.go(branch(0x30, 31, -4), 0x1000, "mispredict=none");
  twice.add(mulq(1, 2, 5)).store(stq(5, 9), 0x8000).load(ldq(3, 9), 0x8000);
  EXPECT_EQ(ev67(twice).count(Signal::replay_trap), 1u);
  EXPECT_EQ(ev67(twice, {{"core.store_wait_period", 1}}).count(Signal::replay_trap), 2u);
}

TEST(OutOfOrderReplay, ANewerLoadOfTheSameBytesIsReplayed) {
  // The older load waits for its address; the newer load does not.
  const auto text = [](std::uint64_t address) {
    return Script().add(mulq(1, 2, 5)).load(ldq(3, 5), 0x8000).load(ldq(4, 9), address);
  };
  const AlphaLog log = ev67(text(0x8000));
  EXPECT_EQ(replay_of(log, 2, Replay::load_load_order), 3u + 7 + 14 - 3 - 1);
  EXPECT_EQ(ev67(text(0x8008)).count(Signal::replay_trap), 0u);
}

TEST(OutOfOrderReplay, TheQueuesHaveThirtyTwoEntries) {
  for (const bool store : {false, true}) {
    for (const unsigned more : {31u, 32u}) {
      Script script = slow_load();
      if (store) script.store(stq(1, 9), 0x9000);
      for (unsigned i = 0; i < more; ++i) {
        store ? script.store(stq(1, 9), 0x9008 + 8 * i) : script.load(ldq(4, 9), 0x9000 + 8 * i);
      }
      const AlphaLog log = ev67(script);
      if (more == 31) {
        EXPECT_EQ(log.count(Signal::replay_trap), 0u);
        continue;
      }
      ASSERT_GT(log.count(Signal::replay_trap), 0u);
      for (const AlphaOccurrence& h : log.of(Signal::replay_trap)) {
        EXPECT_EQ(h.instruction.id, more + (store ? 1 : 0));
        EXPECT_EQ(h.more.replay, store ? Replay::store_queue_full : Replay::load_queue_full);
      }
      EXPECT_EQ(log.retired(), more + (store ? 2 : 1));
    }
  }
}

TEST(OutOfOrderReplay, TwoMissesForOnePlaceOfTheBcache) {
  const auto text = [](std::uint64_t second) {
    return Script().load(ldq(3, 9), 0x10000, 8, "dtlb=hit").load(ldq(4, 9), second, 8, "dtlb=hit");
  };
  const AlphaLog log = ev67(text(0x10000 + 0x400000));
  EXPECT_EQ(replay_of(log, 1, Replay::cache_alias), 12u);
  EXPECT_EQ(ev67(text(0x10000 + 0x200000)).count(Signal::replay_trap), 0u);
  EXPECT_EQ(ev67(text(0x10000 + 0x200000), {{"core.bcache_bytes", 0x200000}}).count(Signal::replay_trap), 1u);
}

// --- translation buffers and PALcode ---------------------------------------------------------------------

TEST(OutOfOrderTrap, DtbMiss) {
  const AlphaLog log = ev67(Script().load(ldq(3, 9), 0x8000, 8, "dtlb=walk data=l1"), {{"core.pal_instructions", 4}});
  // PALcode is entered 13 cycles after the fetch of the load. The flow takes 20 cycles, and the last of its four
  // instructions ends seven cycles after its own fetch: the first is fetched in 13 + 20 - 7 - 4. It reads the page
  // table, whose page is not cached, and traps 13 cycles later. The nested flow takes 20; then the four instructions
  // run again.
  EXPECT_EQ(entry_of(log, 0, Trap::dtb_single, 2), 12u);
  ASSERT_EQ(log.count(Signal::pal_entry), 2u);
  EXPECT_EQ(log.of(Signal::pal_entry)[1].more.trap, Trap::dtb_double_3);
  EXPECT_EQ(log.of(Signal::pal_entry)[1].cycle, 22u + 12u);
  EXPECT_TRUE(log.of(Signal::pal_entry)[1].more.pal);
  const Cycle again = 34 + 20 + 1, last = again + 3 + 7;
  EXPECT_EQ(log.cycles_with(State::pal_mode), last - 12);
  EXPECT_EQ(log.at(State::pal_mode, 12), 0u);
  EXPECT_EQ(log.at(State::pal_mode, 13), 1u);
  EXPECT_EQ(log.cycles(Signal::instruction_fetch, 0), (Cycles{0, last + 1}));
  EXPECT_EQ(log.cycles(Signal::kill, 0), (Cycles{12}));
  EXPECT_FALSE(log.of(Signal::kill, 0).front().more.killed_early);
  std::size_t pal = 0;
  for (const AlphaOccurrence& h : log.of(Signal::retire)) pal += h.more.pal ? 1 : 0;
  EXPECT_EQ(pal, 8u);
  EXPECT_EQ(log.retired(), 1u);
  EXPECT_EQ(ev67(Script().load(ldq(3, 9), 0x8000, 8, "dtlb=walk data=l1"), {{"core.four_levels", 1}})
                .of(Signal::pal_entry)
                .back()
                .more.trap,
            Trap::dtb_double_4);
}

TEST(OutOfOrderTrap, TheSecondPageOfATableIsASingleMiss) {
  // 1024 pages share a page of the page table.
  const AlphaLog log =
      ev67(Script().load(ldq(3, 9), 0x8000, 8, "dtlb=walk data=l1").load(ldq(3, 9), 0xa000, 8, "data=l1"));
  ASSERT_EQ(log.count(Signal::pal_entry), 3u);
  EXPECT_EQ(log.of(Signal::pal_entry)[1].more.trap, Trap::dtb_double_3);
  EXPECT_EQ(log.of(Signal::pal_entry)[2].more.trap, Trap::dtb_single);
  EXPECT_EQ(log.of(Signal::pal_entry)[2].instruction.id, 1u);
  EXPECT_EQ(log.cycles_with(State::pal_mode), 20u + 13 + 20 + 20);
}

TEST(OutOfOrderTrap, ItbMissCostsSevenCyclesAndTheFlow) {
  const AlphaLog log = ev67("1000 " + addq(1, 2, 3) + " fetch=l1 itlb=walk\n");
  EXPECT_EQ(entry_of(log, 0, Trap::itb_miss), 6u);
  EXPECT_EQ(log.cycles_with(State::pal_mode), 20u);
  EXPECT_EQ(log.cycles(Signal::instruction_fetch, 0), (Cycles{0, 27}));
  EXPECT_TRUE(log.of(Signal::kill, 0).front().more.killed_early);
  EXPECT_EQ(log.cycles(Signal::retire, 0), (Cycles{27 + 7}));
}

TEST(OutOfOrderTrap, AForcedItbMissNeedsNoIcacheMiss) {
  const std::string add = "1000 " + addq(1, 2, 3);
  const std::string back = "1004 " + branch(0x30, 31, -2) + " T 1000 itlb=hit\n";
  const AlphaLog log = ev67(add + " itlb=hit\n" + back + add + " itlb=walk\n" + back + add + "\n");
  EXPECT_EQ(entry_of(log, 2, Trap::itb_miss), log.cycles(Signal::instruction_fetch, 2).front() + 6);
}

TEST(OutOfOrderTrap, ATrapWaitsUntilItsInstructionIsTheOldest) {
  const AlphaLog log = ev67(slow_load().load(ldq(4, 9), 0xa000, 8, "dtlb=walk data=l1"));
  EXPECT_EQ(entry_of(log, 1, Trap::dtb_single, 2), 104u);
}

TEST(OutOfOrderTrap, ArithmeticTrapsOfInstructionsThatRetire) {
  struct Case {
    std::string word, keys;
    Trap trap;
    Cycle fetch;  ///< fetch of PALcode
  };
  const Case cases[] = {{addq(1, 2, 3), "trap=arithmetic", Trap::arithmetic, 12},
                        {addt(1, 2, 3), "trap=arithmetic", Trap::arithmetic, 13 + 4},
                        {operate(0x17, 0x024, 1, 1, 1), "", Trap::mt_fpcr, 12}};
  for (const Case& c : cases) {
    const AlphaLog log = ev67(Script().add(c.word, c.keys).add(addq(1, 2, 3)));
    EXPECT_EQ(entry_of(log, 0, c.trap), c.fetch - 1);
    EXPECT_EQ(log.cycles(Signal::retire, 0), (Cycles{c.fetch - 1}));
    EXPECT_EQ(log.count(Signal::kill), 1u);  // the instruction after it
    EXPECT_EQ(log.retired(), 2u);
    EXPECT_EQ(log.at(State::cpl, log.end() - 1), 3u);
  }
}

TEST(OutOfOrderTrap, WhatTheSystemEmulatesDoesNotRetire) {
  const std::string reserved = word(0x07u << 26);
  for (const bool unaligned : {true, false}) {
    Script script;
    if (unaligned) {
      script.load(ldq(3, 9), 0x8004, 8);
    } else {
      script.add(reserved);
    }
    const AlphaLog log = ev67(script.add(addq(1, 2, 3)));
    EXPECT_EQ(entry_of(log, 0, unaligned ? Trap::unaligned : Trap::opcdec), 12u);
    EXPECT_EQ(log.cycles(Signal::retire, 0), Cycles{});
    EXPECT_EQ(log.cycles(Signal::kill, 0), (Cycles{12}));
    EXPECT_EQ(log.count(Signal::trap), 1u);
    EXPECT_EQ(log.retired(), 2u);
  }
}

TEST(OutOfOrderTrap, FaultsAreExecutedAgain) {
  const std::string data = Script().load(ldq(3, 9), 0x8000, 8, "dtlb=fault data=l1");
  const std::string code = "1000 " + addq(1, 2, 3) + " fetch=l1 itlb=fault\n";
  for (const bool is_data : {true, false}) {
    const AlphaLog log = ev67(is_data ? data : code);
    // Afterwards the page is present, but not in the translation buffer, and neither is the page of the page table.
    ASSERT_EQ(log.count(Signal::pal_entry), is_data ? 3u : 2u);
    EXPECT_EQ(log.of(Signal::pal_entry)[0].cycle, is_data ? 12u : 6u);
    EXPECT_EQ(log.of(Signal::pal_entry)[0].detail,
              static_cast<std::uint16_t>(is_data ? Trap::dstream_fault : Trap::istream_access));
    EXPECT_EQ(log.cycles(Signal::retire, 0).size(), 1u);
  }
  const AlphaLog fen = ev67(Script().say("pcb fen=0").add(addt(1, 2, 3)));
  EXPECT_EQ(fen.of(Signal::pal_entry).front().more.trap, Trap::fp_disabled);
  EXPECT_EQ(fen.cycles(Signal::retire, 0).size(), 1u);
}

// A directive after an idle time acts at its end.
TEST(OutOfOrderTrap, DirectivesWaitForTheEndOfIdleTime) {
  const AlphaLog log =
      ev67(Script().add(addq(1, 2, 3)).say("ipl 7").say("idle cycles=200").say("ipl 0").add(addq(1, 2, 3)).add(nop()));
  const Cycle begin = log.cycles(Signal::retire, 0).at(0) + 1;
  EXPECT_EQ(log.at(State::ipl, begin + 100), 7u);
  EXPECT_EQ(log.at(State::ipl, only_issue_of(log, 1)), 0u);
  EXPECT_EQ(log.cycles_with(State::idle_thread), 200u);
  EXPECT_GE(only_issue_of(log, 1), begin + 200);
}

TEST(OutOfOrderTrap, CallPalRetiresAndEntersItsFlow) {
  const AlphaLog log = ev67(Script().add(word(0x83)).add(addq(1, 2, 3)));
  EXPECT_EQ(entry_of(log, 0, Trap::call_pal), 7u);
  EXPECT_EQ(log.cycles(Signal::retire, 0), (Cycles{7}));
  EXPECT_EQ(log.cycles_with(State::pal_mode), 20u);
  EXPECT_EQ(log.cycles(Signal::instruction_fetch, 1), (Cycles{28}));
}

// --- the outside -----------------------------------------------------------------------------------------

TEST(OutOfOrderOutside, AnInterruptPreemptsWhatWasFetched) {
  Script script;
  script.go(branch(0x30, 31, 3), 0x1010, "mispredict=none").add(4, addq(1, 2, 3));
  script.at(0x1010).say("interrupt").at(0x2000).add(addq(1, 2, 3)).say("return").at(0x1020).add(addq(1, 2, 3));
  const AlphaLog log = ev67(script);
  ASSERT_EQ(log.count(Signal::pal_entry), 1u);
  const AlphaOccurrence entry = log.of(Signal::pal_entry).front();
  EXPECT_EQ(entry.detail, static_cast<std::uint16_t>(Trap::interrupt));
  EXPECT_EQ(log.cycles_with(State::pal_mode), 40u);
  ASSERT_EQ(log.count(Signal::trap), 1u);
  EXPECT_EQ(log.of(Signal::trap).front().detail, d::trap_maskable);
  const Cycle inside = log.cycles(Signal::retire, 5).front();
  EXPECT_EQ(log.at(State::cpl, inside), 0u);
  EXPECT_GT(log.at(State::ipl, inside), 0u);
  EXPECT_EQ(log.at(State::cpl, log.cycles(Signal::retire, 6).front()), 3u);
  EXPECT_EQ(log.retired(), 7u);
}

TEST(OutOfOrderOutside, DirectivesWaitForStoresThatHaveRetired) {
  const AlphaLog log = ev67(Script().store(stq(1, 9), 0x9000, 8, "dtlb=hit data=mem").say("ipl 3").add(addq(1, 2, 3)));
  EXPECT_EQ(log.cycles(Signal::retire, 0), (Cycles{10}));
  EXPECT_EQ(log.at(State::ipl, 100), 0u);
  EXPECT_EQ(log.at(State::ipl, log.cycles(Signal::retire, 1).front()), 3u);
}

TEST(OutOfOrderOutside, TheClockStopsAndPins) {
  const AlphaLog log = ev67(Script().add(addq(1, 2, 3)).say("stop cycles=50").add(addq(1, 2, 3)));
  EXPECT_EQ(log.end() - log.cycles_with(State::clock), 50u);
  EXPECT_EQ(log.retired(), 2u);
}

TEST(OutOfOrderOutside, ParityErrorIsAMachineCheckOfTheInstruction) {
  const std::string loop = "1000 " + addq(1, 2, 3) + " itlb=hit\n1004 " + branch(0x30, 31, -2) + " T 1000 itlb=hit\n";
  const AlphaLog log = ev67(loop + "! parity addr=1000\n" + loop + "1000 " + addq(1, 2, 3) + "\n");
  EXPECT_EQ(entry_of(log, 2, Trap::machine_check), log.cycles(Signal::instruction_fetch, 2).front() + 6);
  EXPECT_EQ(log.cycles(Signal::retire, 2).size(), 1u);
}

TEST(OutOfOrderOutside, UnknownDirectivesAreErrors) {
  EXPECT_THROW(ev67(Script().say("nmi").add(nop())), std::runtime_error);
}

// --- perturbing mode -------------------------------------------------------------------------------------

TEST(OutOfOrderPerturbing, TheHandlerRunsInKernelModeAndTheProgramGoesOn) {
  Script script;
  script.add(60, addq(3, 3, 3));
  auto core = core::make_alpha_ev67(reader_of(script, trace::Isa::alpha), core::alpha_ev67_parameters());
  Steps<AlphaLog> steps(*core);
  const AlphaLog& log = steps.log;
  EXPECT_TRUE(steps.run(20));
  const std::uint64_t before = core->retired();
  core->take_interrupt(5);
  EXPECT_TRUE(core->in_handler());
  steps.finish(1000);
  EXPECT_FALSE(core->in_handler());
  EXPECT_LT(before, 60u);
  EXPECT_EQ(core->retired(), 60u);
  ASSERT_EQ(log.count(Signal::trap), 1u);
  EXPECT_EQ(log.of(Signal::trap).front().detail, d::trap_maskable | d::trap_monitor);
  EXPECT_EQ(log.of(Signal::pal_entry).front().cycle, 20u);
  EXPECT_EQ(log.of(Signal::pal_entry).front().instruction.id, before);
  unsigned handler = 0;
  for (const AlphaOccurrence& h : log.of(Signal::retire)) {
    if (log.at(State::cpl, h.cycle) == 0) {
      ++handler;
      EXPECT_EQ(log.at(State::ipl, h.cycle), 6u);
    }
  }
  EXPECT_EQ(handler, 5u);
  // Each instruction of the program retires once.
  for (std::uint64_t id = 0; id < 60; ++id) EXPECT_EQ(log.cycles(Signal::retire, id).size(), 1u);
}

}  // namespace
}  // namespace pmusim::testbench::alpha
