// The 21264's pipeline, with cycles computed by hand: fetch f, map f+2, issue f+3, retirement of an integer operate
// f+7. The latencies and penalties of the 21264/EV67 manual are added to these.
#include <array>
#include <map>

#include "alpha_log.h"
#include "models/core/alpha/out_of_order/pipes.h"

namespace pmusim::testbench::alpha {
namespace {

namespace d = activity::detail;
TEST(OutOfOrderPipeline, FourInstructionsACycle) {
  const AlphaLog log = ev67(Script().add(8, addq(1, 2, 3)));
  EXPECT_EQ(log.cycles(Signal::instruction_fetch), (Cycles{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(log.cycles(Signal::dispatch), (Cycles{2, 2, 2, 2, 3, 3, 3, 3}));
  EXPECT_EQ(log.cycles(Signal::issue), (Cycles{3, 3, 3, 3, 4, 4, 4, 4}));
  EXPECT_EQ(log.cycles(Signal::retire), (Cycles{7, 7, 7, 7, 8, 8, 8, 8}));
  EXPECT_EQ(log.retired(), 8u);
}

TEST(OutOfOrderPipeline, ABlockIsAligned) {
  EXPECT_EQ(ev67(Script(0x1008).add(7, addq(1, 2, 3))).cycles(Signal::instruction_fetch),
            (Cycles{0, 0, 1, 1, 1, 1, 2}));
}

// Distance from the issue of a producer to that of its consumer, adjacent in the program. ../timing measures the chains
// of one instruction.
TEST(OutOfOrderPipeline, Latencies) {
  struct Case {
    std::string what, producer, consumer;
    Cycle latency;
    bool load = false;
  };
  const std::string user = addq(3, 3, 4), fp_user = addt(3, 3, 4);
  const std::vector<Case> cases = {
      {"shift", operate(0x12, 0x39, 1, 2, 3), user, 1},
      {"fp add to store", addt(1, 2, 3), memory(0x27, 3, 9), 6},
      {"fp load", memory(0x23, 3, 9), fp_user, 4, true},
      {"bsr", branch(0x34, 3, 0), user, 3},
  };
  for (const Case& c : cases) {
    Script script;
    if (c.load) {
      script.load(c.producer, 0x8000);
    } else {
      script.add(c.producer);
    }
    const AlphaLog log = ev67(script.add(c.consumer));
    EXPECT_EQ(only_issue_of(log, 0), 3u) << c.what;
    EXPECT_EQ(only_issue_of(log, 1) - only_issue_of(log, 0), c.latency) << c.what;
  }
}

// Four adds use L0, U1, L1, U0 in this order: lower and upper alternate; the oldest of a side gets L0 or U1
// (21264/EV67 manual 2.1.1.6, 2.3.2).
TEST(OutOfOrderPipeline, AResultCrossesToTheOtherClusterACycleLater) {
  const auto user_issues = [](unsigned a, unsigned b, std::int64_t delay) {
    Script script;
    for (unsigned c = 20; c < 24; ++c) script.add(addq(1, 2, c));
    const AlphaLog log = ev67(script.add(addq(a, b, 9)), {{"core.cluster_delay", delay}});
    EXPECT_EQ(only_issue_of(log, 3), 3u);
    return only_issue_of(log, 4);
  };
  EXPECT_EQ(user_issues(20, 23, 1), 4u);      // both in the first cluster
  EXPECT_EQ(user_issues(20, 22, 1), 4u + 1);  // one in each cluster
  EXPECT_EQ(user_issues(21, 23, 3), 4u + 3);
  EXPECT_EQ(user_issues(21, 22, 3), 4u);
}

// Table 2-4 of the manual: the delay may apply to multiplies, which issue only in U1, and to multimedia operations,
// which issue only in U0.
TEST(OutOfOrderPipeline, AProductCrossesToTheOtherClusterACycleLater) {
  const auto multiply = [](unsigned a, unsigned c) { return mulq(a, a, c); };
  const auto minimum = [](unsigned a, unsigned c) { return operate(0x1c, 0x38, a, a, c); };
  const auto apart = [](const auto& first, const auto& second) {
    const AlphaLog log = ev67(Script().add(first(1, 20)).add(second(20, 21)));
    return only_issue_of(log, 1) - only_issue_of(log, 0);
  };
  EXPECT_EQ(apart(multiply, multiply), 7u);
  EXPECT_EQ(apart(multiply, minimum), 7u + 1);
  EXPECT_EQ(apart(minimum, minimum), 3u);
  EXPECT_EQ(apart(minimum, multiply), 3u + 1);
}

TEST(OutOfOrderPipeline, PipesByClass) {
  // One multiply and two shifts a cycle; two loads.
  EXPECT_EQ(ev67(Script().add(3, mulq(1, 2, 3))).cycles(Signal::issue), (Cycles{3, 4, 5}));
  EXPECT_EQ(ev67(Script().add(4, operate(0x12, 0x39, 1, 2, 3))).cycles(Signal::issue), (Cycles{3, 3, 4, 4}));
  Script loads;
  for (unsigned i = 0; i < 4; ++i) loads.load(ldq(3, 9), 0x8000 + 8 * i);
  EXPECT_EQ(ev67(loads).cycles(Signal::issue), (Cycles{3, 3, 4, 4}));
  EXPECT_EQ(ev67(Script().add(3, addt(1, 2, 3))).cycles(Signal::issue), (Cycles{3, 4, 5}));
  // Divides occupy the divider, not the adder.
  const AlphaLog log = ev67(Script().add(operate(0x16, 0x0a3, 1, 2, 3)).add(addt(1, 2, 4)));
  EXPECT_EQ(only_issue_of(log, 1), 4u);
  EXPECT_GT(only_issue_of(ev67(Script().add(2, operate(0x16, 0x0a3, 1, 2, 3))), 1), 3u + 10);
}

TEST(OutOfOrderPipeline, AnFpStoreTakesALowerPipeTwoCyclesLater) {
  // It issues in 3. Of the two loads of the third block, which could both issue in 5, one finds no free pipe.
  Script script;
  script.store(memory(0x27, 3, 9), 0x9000).add(7, nop());
  script.load(ldq(3, 9), 0x8000).load(ldq(4, 9), 0x8008);
  const AlphaLog log = ev67(script);
  EXPECT_EQ(only_issue_of(log, 0), 3u);
  EXPECT_EQ(only_issue_of(log, 8), 5u);
  EXPECT_EQ(only_issue_of(log, 9), 6u);
}

TEST(OutOfOrderPipeline, AConditionalMoveIsTwoOperations) {
  const std::string cmoveq = operate(0x11, 0x24, 1, 2, 3);
  const AlphaLog log = ev67(Script().add(cmoveq).add(addq(3, 3, 4)));
  EXPECT_EQ(log.cycles(Signal::instruction_fetch, 0), (Cycles{0, 1}));
  EXPECT_EQ(log.cycles(Signal::instruction_fetch, 1), (Cycles{1}));
  EXPECT_EQ(log.cycles(Signal::dispatch, 0), (Cycles{2}));
  // The halves issue in 3 and 4, the user of the result in 5.
  EXPECT_EQ(log.cycles(Signal::issue, 0), (Cycles{3}));
  EXPECT_EQ(only_issue_of(log, 1), 5u);
  EXPECT_EQ(log.cycles(Signal::retire, 0), (Cycles{8}));
  EXPECT_EQ(log.retired(), 2u);
  // The condition comes from a multiply: the halves issue in 3 + 7 and a cycle later, then the user.
  EXPECT_EQ(only_issue_of(ev67(Script().add(mulq(1, 2, 1)).add(cmoveq).add(addq(3, 3, 4))), 2), 3u + 7 + 1 + 1);
}

TEST(OutOfOrderPipeline, NoOperationsLeaveAtMap) {
  const AlphaLog log = ev67(Script().add(nop()).add(word(0x60000000)).add(addq(1, 2, 3)));
  EXPECT_EQ(log.count(Signal::instruction_fetch), 3u);
  EXPECT_EQ(log.count(Signal::issue), 1u);
  EXPECT_EQ(log.count(Signal::retire), 1u);
  ASSERT_EQ(log.count(Signal::kill), 2u);
  for (const AlphaOccurrence& h : log.of(Signal::kill)) {
    EXPECT_TRUE(h.more.has(act::Kind::squashed) && h.more.killed_early);
  }
  EXPECT_EQ(log.retired(), 3u);
}

// --- prediction ------------------------------------------------------------------------------------------

TEST(OutOfOrderPipeline, MispredictionsCostSevenAndEightCycles) {
  const std::string cases[][2] = {{branch(0x39, 1, 7), "mispredict=path"}, {word(0x6be30000), "mispredict=target"}};
  for (const unsigned i : {0u, 1u}) {
    const Cycle penalty = 7 + i;
    const AlphaLog log =
        ev67(Script().go(cases[i][0], 0x1020, cases[i][1]).add(addq(1, 2, 3)), {{"core.wrong_path", 0}});
    EXPECT_EQ(log.cycles(Signal::branch_resolved), (Cycles{penalty - 1}));
    EXPECT_EQ(log.cycles(Signal::instruction_fetch), (Cycles{0, penalty}));
    const AlphaOccurrence branch = log.of(Signal::retire).front();
    EXPECT_TRUE(branch.instruction.mispredicted && branch.instruction.taken);
    EXPECT_EQ(branch.instruction.next_ip, 0x1020u);
    EXPECT_EQ(branch.more.trap, act::Trap::mispredict);
  }
}

TEST(OutOfOrderPipeline, ABranchNamesItsTargetWhenItResolves) {
  // In blocks of one cycle the record of the resolution contains nothing that retirement adds.
  const AlphaLog log = run(core::make_alpha_ev67, Script().go(branch(0x39, 1, 7), 0x1020).add(addq(1, 2, 3)),
                           changed(core::alpha_ev67_parameters(), {}), 1);
  ASSERT_EQ(log.count(Signal::branch_resolved), 1u);
  EXPECT_EQ(log.of(Signal::branch_resolved).front().instruction.next_ip, 0x1020u);
}

TEST(OutOfOrderPipeline, ATakenBranchThatTheLinePredictorDoesNotKnowCostsACycle) {
  const AlphaLog log = ev67(Script().go(branch(0x30, 31, 7), 0x1020).add(addq(1, 2, 3)));
  EXPECT_EQ(log.cycles(Signal::instruction_fetch), (Cycles{0, 2}));
  EXPECT_EQ(log.of(Signal::branch_resolved).front().detail & d::branch_correct, d::branch_correct);
}

TEST(OutOfOrderPipeline, TheWrongPathIsFetchedAndKilled) {
  // The program first executes 1004, then branches over it: the wrong path is known from the first pass.
  Script script;
  script.add(branch(0x39, 1, 1), "mispredict=none").add(addq(1, 2, 3)).add(addq(1, 2, 4));
  script.go(branch(0x30, 31, -4), 0x1000, "mispredict=none");
  script.go(branch(0x39, 1, 1), 0x1008, "mispredict=path").add(addq(1, 2, 4));
  const AlphaLog log = ev67(script);
  std::size_t wrong = 0;
  for (const AlphaOccurrence& h : log.of(Signal::kill)) wrong += h.instruction.wrong_path ? 1 : 0;
  EXPECT_GT(wrong, 0u);
  EXPECT_EQ(wrong, log.count(Signal::kill));
  EXPECT_EQ(log.count(Signal::retire), 6u);
}

TEST(OutOfOrderPipeline, TheWrongPathLeavesNothingOnTheReturnStack) {
  // A subroutine returns early or late; the wrong path of the second call takes the early return.
  const std::string ret = word(0x6bfa8001);
  const auto call = [&](Script& s, bool late) {
    s.go(branch(0x34, 26, 0x3ff), 0x2000, "mispredict=none");
    if (late) {
      s.go(branch(0x39, 1, 1), 0x2008, "mispredict=path");
    } else {
      s.add(branch(0x39, 1, 1), "mispredict=none");
    }
    s.go(ret, 0x1004);
    s.go(branch(0x30, 31, -2), 0x1000, "mispredict=none");
  };
  Script script;
  call(script, false);
  call(script, true);
  const AlphaLog log = ev67(script.add(nop()));
  std::size_t wrong_returns = 0, returns = 0;
  for (const AlphaOccurrence& h : log.of(Signal::kill)) wrong_returns += h.instruction.ip == 0x2004 ? 1 : 0;
  EXPECT_EQ(wrong_returns, 1u);
  for (const AlphaOccurrence& h : log.of(Signal::branch_resolved)) {
    if (!h.more.has(act::Kind::jump)) continue;
    ++returns;
    EXPECT_NE(h.detail & d::branch_correct, 0u) << "cycle " << h.cycle;
  }
  EXPECT_EQ(returns, 2u);
}

// A random branch, and one with the same direction as the first: the history holds outcomes, not predictions.
TEST(OutOfOrderPipeline, TheGlobalHistoryIsCorrected) {
  Script script;
  unsigned random = 12345;
  for (unsigned i = 0; i < 2000; ++i) {
    random = random * 1103515245 + 12345;
    for (unsigned pair = 0; pair < 2; ++pair) {
      const std::uint64_t at = script.pc();
      if ((random >> 20 & 1) != 0) {
        script.go(branch(0x39, 1, 1), at + 8);
      } else {
        script.add(branch(0x39, 1, 1)).add(addq(1, 2, 3));
      }
    }
    script.go(branch(0x30, 31, -5), 0x1000, "mispredict=none");
  }
  const AlphaLog log = ev67(script.add(nop()));
  std::size_t first = 0, second = 0;
  for (const AlphaOccurrence& h : log.of(Signal::branch_resolved)) {
    if (h.instruction.id < 4000 || (h.detail & d::branch_correct) != 0) continue;
    ++(h.instruction.ip == 0x1000 ? first : second);
  }
  EXPECT_GT(first, 100u);
  EXPECT_LT(second, first / 3);
}

// --- limits ----------------------------------------------------------------------------------------------

TEST(OutOfOrderPipeline, TwentyFetchGroupsAreInFlight) {
  // No-operations hold no registers.
  Script script = slow_load();
  script.add(78, nop()).add(5, addq(1, 2, 4));
  const AlphaLog log = ev67(script);
  // The load issues in 3, has its data in 103 and retires in 104; then the 21st group can enter.
  EXPECT_EQ(log.cycles(Signal::retire, 0), (Cycles{104}));
  EXPECT_EQ(log.cycles(Signal::dispatch, 79), (Cycles{19 + 2}));
  EXPECT_EQ(log.cycles(Signal::dispatch, 80), (Cycles{104}));
  EXPECT_FALSE(log.of(Signal::retire, 79).front().more.map_stalled);
  EXPECT_TRUE(log.of(Signal::retire, 80).front().more.map_stalled);
}

// Of 80 integer and 72 floating-point registers, 31 hold the architecture's values and 8 those of PALcode: 41 of each
// are free for results. Map waits for 8 of each, whatever the group needs.
TEST(OutOfOrderPipeline, MapNeedsEightFreeRegistersOfEachKind) {
  struct Case {
    std::string load, operate, other;
  };
  const std::string fp_load = memory(0x23, 3, 9);
  for (const Case& c : {Case{ldq(3, 9), addq(1, 2, 4), nop()}, Case{ldq(3, 9), addq(1, 2, 4), beq(1, 8)},
                        Case{fp_load, addt(1, 2, 4), nop()}, Case{fp_load, addt(1, 2, 4), addq(1, 2, 4)}}) {
    Script script;
    // The load and 31 operates, eight groups, leave 9. A group with one more operate leaves 8, one with another 7.
    script.load(c.load, 0x8000, 8, "dtlb=hit data=l1 lat=99").add(31, c.operate);
    script.add(c.operate).add(3, c.other).add(c.operate).add(3, c.other).add(4, nop());
    const AlphaLog log = ev67(script, {{"core.fp_queue", 64}, {"core.queue_release", 0}});
    EXPECT_EQ(log.cycles(Signal::dispatch, 32), (Cycles{2 + 8})) << c.operate;
    EXPECT_EQ(log.cycles(Signal::dispatch, 36), (Cycles{2 + 9})) << c.operate << c.other;
    // Map has looked in 12, 15 and so on. The registers of what retires with the load are free three cycles later.
    const Cycle free_at = log.cycles(Signal::retire, 0).front() + 3;
    const Cycle looks = 12 + (free_at - 12 + 2) / 3 * 3;
    EXPECT_EQ(log.cycles(Signal::dispatch, 40), (Cycles{looks})) << c.operate << c.other;
  }
}

// Each half of a conditional move has a result. Of 17 registers 8 stay free: the load's and those of four moves are
// held.
TEST(OutOfOrderPipeline, AConditionalMoveHoldsTwoRegisters) {
  Script script = slow_load();
  script.add(3, nop());
  for (unsigned i = 0; i < 21; ++i) script.add(cmov(1, 2, 4)).add(3, nop());
  const AlphaLog log = ev67(script, {{"core.fetch_groups", 32}, {"core.integer_registers", 17}});
  EXPECT_LT(log.cycles(Signal::dispatch, 4 * 5).front(), 50u);
  EXPECT_GT(log.cycles(Signal::dispatch, 4 * 6).front(), log.cycles(Signal::retire, 0).front());
}

// Killed results give their registers back: more wrong paths than there are registers. A wrong path is code that ran
// before.
TEST(OutOfOrderPipeline, AKillReleasesRegisters) {
  Script script;
  const std::uint64_t start = 0x1000;
  for (unsigned i = 0; i < 100; ++i) {
    script.add(addq(1, 1, 1)).add(beq(1, 1), "mispredict=path").add(5, addq(1, 2, 4)).go(br(-8), start);
  }
  const AlphaLog log = ev67(script, {{"core.integer_registers", 16}});
  EXPECT_GT(log.of(Signal::kill).size(), 100u);
  EXPECT_EQ(log.retired(), 800u);
}

TEST(OutOfOrderPipeline, RetirementTakesElevenThenEightACycle) {
  Script script = slow_load();
  script.add(79, addq(1, 2, 4));
  std::map<Cycle, unsigned> per_cycle;
  for (const Cycle c : ev67(script, {{"core.integer_registers", 80}}).cycles(Signal::retire)) ++per_cycle[c];
  EXPECT_EQ(per_cycle[104], 11u);
  for (Cycle c = 105; c < 113; ++c) EXPECT_EQ(per_cycle[c], 8u) << c;
  EXPECT_EQ(per_cycle[113], 80u - 11 - 8 * 8);
}

// 21264/EV67 manual, retire latencies: integer operates 7, multiplies with /V 13.
TEST(OutOfOrderPipeline, AMultiplyRetiresBeforeItsResultUnlessItMayOverflow) {
  for (const auto& [multiply, retires] : {std::pair{mulq(1, 2, 3), 7u},
                                          {umulh(1, 2, 3), 7u},
                                          {mull(1, 2, 3), 7u},
                                          {minub8(1, 2, 3), 7u},
                                          {mulqv(1, 2, 3), 13u},
                                          {mullv(1, 2, 3), 13u}}) {
    const AlphaLog log = ev67(Script().add(multiply).add(nop()));
    EXPECT_EQ(log.cycles(Signal::retire, 0), (Cycles{retires})) << multiply;
  }
}

TEST(OutOfOrderPipeline, ABurstNeedsNoLongWait) {
  // A multiply that checks for overflow retires in 7 + 7 - 1; by then 24 adds after it have their results.
  Script script = Script().add(mulqv(1, 2, 3));
  std::map<Cycle, unsigned> per_cycle;
  for (const Cycle c : ev67(script.add(39, addq(1, 2, 4))).cycles(Signal::retire)) ++per_cycle[c];
  EXPECT_EQ(per_cycle.begin()->first, 13u);
  EXPECT_EQ(per_cycle[13], 11u);
  EXPECT_EQ(per_cycle[14], 8u);
}

TEST(OutOfOrderPipeline, TheIssueQueuesHaveTwentyAndFifteenEntries) {
  struct Case {
    std::string user;
    unsigned entries;
  };
  for (const Case& c : {Case{addq(3, 3, 4), 20}, Case{addt(3, 3, 4), 15}}) {
    Script script;
    // The load is the first instruction of a separate block.
    script.load(c.entries == 20 ? ldq(3, 9) : memory(0x23, 3, 9), 0x8000, 8, "dtlb=hit data=l1 lat=100");
    script.add(3, nop()).add(24, c.user);
    const AlphaLog log = ev67(script);
    const unsigned whole = c.entries / 4 * 4;  // only whole groups map
    EXPECT_EQ(log.cycles(Signal::dispatch, 4 + whole - 1).front(), 2u + whole / 4) << c.entries;
    // Four integer users issue with the data. The FP load is a cycle later, and one user leaves per cycle. Their
    // entries are free two cycles later (21264/EV67 manual 2.7.1).
    EXPECT_EQ(log.cycles(Signal::dispatch, 4 + whole).front(), (c.entries == 20 ? 103u : 104u) + 2);
  }
}

// What issues in the cycle in which the first user of an integer load may issue stays an additional cycle: figure 2-9.
TEST(OutOfOrderPipeline, AnEntryStaysLongerInTheWindowOfALoad) {
  const auto mapped = [](const std::string& first) {
    // Four entries: those of the second group issue in cycle 6, three cycles after the first instruction.
    Script script;
    script.load(first, 0x8000, 8).add(3, nop()).add(12, nop()).add(8, addq(1, 2, 4));
    return ev67(script, {{"core.integer_queue", 4}}).cycles(Signal::dispatch, 20).front();
  };
  // The group before is mapped in 2 + 4 and issues in 7, a cycle after the load's users could.
  EXPECT_EQ(mapped(ldq(3, 9)), 9u);
  const auto in_window = [](const std::string& first) {
    Script script;
    script.load(first, 0x8000, 8).add(3, nop()).add(8, nop()).add(8, addq(1, 2, 4));
    return ev67(script, {{"core.integer_queue", 4}}).cycles(Signal::dispatch, 16).front();
  };
  EXPECT_EQ(in_window(memory(0x23, 3, 9)), 8u);
  EXPECT_EQ(in_window(ldq(3, 9)), 9u);
}

// 21264/EV67 manual 2.3.2: an instruction for one side stays there; a single one for either goes to the side with
// fewer; two go where the other two are not.
TEST(OutOfOrderSlotting, FollowsTheClassesOfTheBlock) {
  using namespace core::alpha::out_of_order;
  for (unsigned number = 0; number < 81; ++number) {
    std::array<SlotClass, slots_in_block> block{};
    Classes classes;
    unsigned rest = number, lower = 0, upper = 0;
    for (unsigned place = 0; place < slots_in_block; ++place, rest /= 3) {
      block[place] = static_cast<SlotClass>(rest % 3);
      classes.set(place, block[place]);
      lower += block[place] == SlotClass::lower ? 1 : 0;
      upper += block[place] == SlotClass::upper ? 1 : 0;
    }
    const unsigned either = slots_in_block - lower - upper;
    for (unsigned place = 0; place < slots_in_block; ++place) {
      const Side side = side_of(classes, place);
      if (block[place] == SlotClass::lower || (block[place] == SlotClass::either && either == 1 && upper > lower) ||
          (block[place] == SlotClass::either && either == 2 && upper == 2)) {
        EXPECT_EQ(side, Side::lower) << number << " " << place;
      }
      if (block[place] == SlotClass::upper || (block[place] == SlotClass::either && either == 1 && upper < lower) ||
          (block[place] == SlotClass::either && either == 2 && lower == 2)) {
        EXPECT_EQ(side, Side::upper) << number << " " << place;
      }
    }
  }
}

TEST(OutOfOrderPipeline, RetireDelayIsWhatHeldThePointerUp) {
  Script script = slow_load();
  script.add(7, addq(1, 2, 4));
  const AlphaLog log = ev67(script);
  const auto& retired = log.of(Signal::retire);
  ASSERT_EQ(retired.size(), 8u);
  EXPECT_EQ(retired[0].more.inum_delay, 104u);
  for (unsigned i = 1; i < 8; ++i) EXPECT_EQ(retired[i].more.inum_delay, 0u);
}

TEST(OutOfOrderPipeline, OlderOnesDoNotHoldYoungerOnesUp) {
  const AlphaLog log = ev67(slow_load().add(addq(3, 3, 4)).add(addq(1, 2, 5)));
  EXPECT_EQ(only_issue_of(log, 1), 103u);
  EXPECT_EQ(only_issue_of(log, 2), 3u);
}

TEST(OutOfOrderPipeline, AMemoryBarrierWaitsForAllThatIsOlder) {
  Script script = slow_load();
  script.add(word(0x60004000)).add(addq(1, 2, 5));
  const AlphaLog log = ev67(script);
  EXPECT_EQ(only_issue_of(log, 1), 104u);  // in the cycle in which the load retires, after its retirement
  EXPECT_EQ(only_issue_of(log, 2), 3u);
  // A store that misses writes when its block arrives; it requests the block when it retires, in 10.
  Script store = Script().store(stq(1, 9), 0x9000, 8, "dtlb=hit data=mem").add(word(0x60004000));
  EXPECT_GE(only_issue_of(ev67(store), 1), 10u + 100);
}

TEST(OutOfOrderPipeline, BothChipsHaveTheSameParameters) {
  const auto ev6 = core::alpha_ev6_parameters(), of_ev67 = core::alpha_ev67_parameters();
  ASSERT_EQ(ev6.infos().size(), of_ev67.infos().size());
  for (const auto& info : ev6.infos()) EXPECT_EQ(of_ev67.get(info.name), info.default_value) << info.name;
  EXPECT_THROW(ev67(Script().add(nop()), {{"core.retire_burst", 4}}), models::ParameterError);
  EXPECT_THROW(ev67(Script().add(nop()), {{"core.register_reserve", 42}}), models::ParameterError);
}

}  // namespace
}  // namespace pmusim::testbench::alpha
