// The branch unit. A branch fetched in cycle c is handled in c+1. If it is followed to its target, the first two target
// instructions come from the BTIC (they can dispatch in the next cycle), or fetch starts at the target in the next
// cycle. Compare to branch is two cycles. A prediction resolves at the end of a cycle, and the first correct
// instruction after a misprediction dispatches two cycles after that cycle.
#include <gtest/gtest.h>

#include "program.h"

namespace pmusim::testbench::ppc750 {
namespace {

using activity::Signal;
using activity::State;
namespace d = activity::detail;
namespace hold = activity::dispatch_hold;
namespace wait = activity::branch_wait;
using Cycles = std::vector<activity::Cycle>;

TEST(Branch, FoldedBranchesNeitherDispatchNorRetire) {
  const Activity a = run(TraceText().op(ppc::addi(3, 0, 1), warm).taken(ppc::b(8), 0x100c).op(ppc::addi(4, 0, 1)));
  EXPECT_EQ(a.cycles(Signal::fold), Cycles{1});
  EXPECT_EQ(a.count(Signal::dispatch), 2u);
  EXPECT_EQ(a.count(Signal::retire), 2u);
  EXPECT_EQ(a.retired(), 3u) << "it is an instruction of the trace all the same";
  // Not in the BTIC: the target is fetched in 2 and dispatches in 3.
  EXPECT_EQ(a.cycles(Signal::fetch), (Cycles{0, 2}));
  EXPECT_EQ(a.when(Signal::dispatch, 2), 3u);
  const auto handled = a.of(Signal::branch_handled);
  ASSERT_EQ(handled.size(), 1u);
  EXPECT_EQ(handled[0].detail, d::branch_taken);
  EXPECT_EQ(a.count(Signal::branch_resolved), 0u);
}

TEST(Branch, TargetsInTheBticComeWithoutFetch) {
  TraceText t;
  t.op(ppc::addi(3, 0, 1), warm).taken(ppc::b(-4), 0x1000);
  for (int i = 0; i < 2; ++i) t.op(ppc::addi(3, 0, 1)).taken(ppc::b(-4), 0x1000);
  t.op(ppc::addi(3, 0, 1));
  const Activity a = run(t);
  // The first branch (handled in 1) misses the BTIC: fetch in 2, dispatch in 3. The second, handled in 3, hits: its
  // target dispatches in 4; that of the third, handled in 4, in 5. These two need no fetch.
  EXPECT_EQ(a.cycles(Signal::dispatch), (Cycles{1, 3, 4, 5}));
  EXPECT_EQ(a.cycles(Signal::branch_handled), (Cycles{1, 3, 4}));
  EXPECT_EQ(a.cycles(Signal::fetch), (Cycles{0, 2}));

  const Activity off = run(t, parameters({{"core.btic.enabled", 0}}));
  EXPECT_EQ(off.cycles(Signal::dispatch), (Cycles{1, 3, 5, 7}));
}

TEST(Branch, KnownConditionNeedsNoPrediction) {
  // The compare starts in 2, so a branch can use it from 4 on. The branch is 16 instructions later, at least six
  // dispatch cycles.
  TraceText t;
  t.op(ppc::cmpwi(0, 3, 0), warm);
  for (unsigned i = 1; i < 16; ++i) t.op(ppc::addi(3 + i, 0, 1), i == 8 ? warm_line : "");
  t.op(ppc::beq(0, 8), warm_line).op(ppc::filler);
  const Activity a = run(t);
  const auto handled = a.of(Signal::branch_handled);
  ASSERT_EQ(handled.size(), 1u);
  EXPECT_EQ(handled[0].detail, d::branch_conditional) << "not taken, not predicted, nothing unresolved";
  EXPECT_EQ(a.count(Signal::branch_resolved), 0u);
}

TEST(Branch, RedirectOfAMisprediction) {
  const Activity a =
      run(TraceText().op(ppc::cmpwi(0, 3, 0), warm).taken(ppc::beq(0, 0x1c), 0x1020).op(ppc::addi(4, 0, 1), warm_line),
          parameters({{"core.branch.redirect", 4}}));
  EXPECT_EQ(a.cycles(Signal::fetch).back(), 4u + 4u);
  EXPECT_EQ(a.when(Signal::dispatch, 2), 9u);
}

TEST(Branch, MispredictionCostsTwoCyclesFromResolution) {
  // BHT at reset: strongly not taken. The branch is handled in 1 with the compare before it in the queue.
  const Activity a =
      run(TraceText().op(ppc::cmpwi(0, 3, 0), warm).taken(ppc::beq(0, 0x1c), 0x1020).op(ppc::addi(4, 0, 1), warm_line));
  const auto handled = a.of(Signal::branch_handled), resolved = a.of(Signal::branch_resolved);
  ASSERT_EQ(handled.size(), 1u);
  ASSERT_EQ(resolved.size(), 1u);
  EXPECT_EQ(handled[0].cycle, 1u);
  EXPECT_EQ(handled[0].detail, d::branch_conditional | d::branch_predicted | d::branch_unresolved);
  EXPECT_EQ(resolved[0].cycle, 4u);  // compare starts in 2, + 2
  EXPECT_EQ(resolved[0].detail, d::branch_conditional | d::branch_predicted | d::branch_taken) << "not correct";
  EXPECT_TRUE(resolved[0].instruction.mispredicted);
  EXPECT_EQ(resolved[0].instruction.next_ip, 0x1020u);
  EXPECT_EQ(a.when(Signal::dispatch, 2), 6u);
  EXPECT_EQ(a.cycles(Signal::fetch).back(), 5u);
}

/// Two passes through a compare and a branch, the second against the prediction, with known code after it.
TraceText wrong_path_trace() {
  return TraceText()
      .op(ppc::cmpwi(0, 3, 0), warm)
      .op(ppc::beq(0, 0x1c))  // not taken, as predicted
      .op(ppc::addi(4, 0, 1))
      .taken(ppc::b(-12), 0x1000)
      .op(ppc::cmpwi(0, 3, 0))
      .taken(ppc::beq(0, 0x1c), 0x1020)
      .op(ppc::addi(5, 0, 1), warm_line);
}

TEST(Branch, WrongPathInstructionsDispatchAndAreKilled) {
  const Activity a = run(wrong_path_trace());
  const auto killed = a.of(Signal::kill);
  ASSERT_GE(killed.size(), 1u);
  EXPECT_EQ(killed[0].instruction.ip, 0x1008u);
  EXPECT_TRUE(killed[0].instruction.wrong_path);
  EXPECT_EQ(killed[0].instruction.id >> 63, 1u);
  EXPECT_EQ(a.count(Signal::dispatch), a.count(Signal::retire) + killed.size());
  for (const LoggedOccurrence& h : a.of(Signal::retire)) EXPECT_FALSE(h.instruction.wrong_path);
  EXPECT_EQ(a.retired(), 7u);

  const Activity off = run(wrong_path_trace(), parameters({{"core.wrong_path", 0}}));
  EXPECT_EQ(off.count(Signal::kill), 0u);
  EXPECT_EQ(off.retired(), 7u);
  EXPECT_EQ(off.end(), a.end()) << "in this trace the wrong path costs no time";
}

TEST(Branch, SecondStreamIsFetchedButNotDispatched) {
  // divw starts in 2 and finishes in 20, the compare starts and finishes in 21, and a branch can use it from 23 on.
  // Branch 1 is handled in 1, branch 2 in 2 (level 2); branch 3 must wait: 3 to 23. The code after branch 2 is held
  // from 2 until branch 1 resolves in 23. Branch 2 resolves in 24.
  const Activity a = run(TraceText()
                             .op(ppc::divw(5, 6, 7), warm)
                             .op(ppc::cmpwi(0, 5, 0))
                             .op(ppc::beq(0, 0x40))
                             .op(ppc::beq(0, 0x40))
                             .op(ppc::addi(8, 0, 1))
                             .op(ppc::beq(0, 0x40))
                             .op(ppc::addi(9, 0, 1)));
  EXPECT_EQ(a.cycles(Signal::branch_handled), (Cycles{1, 2, 24}));
  EXPECT_EQ(a.cycles(Signal::branch_handled, d::branch_level_2), Cycles{2});
  EXPECT_EQ(a.cycles(Signal::branch_resolved, d::branch_correct, d::branch_level_2), Cycles{23});
  EXPECT_EQ(a.cycles(Signal::branch_resolved, d::branch_correct | d::branch_level_2), Cycles{24});
  EXPECT_EQ(a.when(Signal::dispatch, 4), 24u);
  EXPECT_EQ(a.cycles_with(State::dispatch_hold, hold::second_stream), 24u - 2u);
  EXPECT_EQ(a.cycles_with(State::branch_unit, wait::both_levels_used), 24u - 3u);
  EXPECT_EQ(a.cycles_with(State::branch_unit, wait::link_or_condition), 23u - 3u) << "in 23 its condition is there";
  // The condition of branch 3 was not ready at first; in the end the branch needed no prediction.
  const auto handled = a.of(Signal::branch_handled);
  EXPECT_EQ(handled[2].detail, d::branch_conditional | d::branch_unresolved);
  // Speculative instructions execute but do not retire: addi in the first stream starts in 25, retires in 26.
  EXPECT_EQ(a.when(Signal::retire, 4), 26u);
}

TEST(Branch, ABranchInTheSecondStreamIsHeldAsWell) {
  // As above, with branch 3 in the place of the code after branch 2: it waits for its unit from 2 on, first because the
  // unit handles branch 2, then because both levels are used.
  const Activity a = run(TraceText()
                             .op(ppc::divw(5, 6, 7), warm)
                             .op(ppc::cmpwi(0, 5, 0))
                             .op(ppc::beq(0, 0x40))
                             .op(ppc::beq(0, 0x40))
                             .op(ppc::beq(0, 0x40))
                             .op(ppc::addi(9, 0, 1)));
  EXPECT_EQ(a.cycles(Signal::branch_handled), (Cycles{1, 2, 24}));
  EXPECT_EQ(a.cycles_with(State::dispatch_hold, hold::second_stream), 24u - 2u);
}

TEST(Branch, FirstStreamExecutesButDoesNotRetireBeforeResolution) {
  // The branch is unresolved from 1 to 23 (see above); the load after it executes from 3 on and retires in 24.
  const Activity a = run(TraceText()
                             .op(ppc::divw(5, 6, 7), warm)
                             .op(ppc::cmpwi(0, 5, 0))
                             .op(ppc::beq(0, 0x40))
                             .op(ppc::lwz(8, 9, 0), "L 2000 4" + warm_data));
  EXPECT_EQ(a.when(Signal::dispatch, 3), 2u);
  EXPECT_EQ(a.when(Signal::issue, 3), 3u);
  EXPECT_EQ(a.when(Signal::finish, 3), 4u);
  EXPECT_EQ(a.when(Signal::retire, 1), 22u);
  EXPECT_EQ(a.when(Signal::retire, 3), 24u);
}

TEST(Branch, WaitsForLinkRegister) {
  // mtlr dispatches in 1, starts in 2, finishes in 3 (2:2), so blr is handled in 4 after waiting in 1, 2 and 3.
  const Activity a = run(TraceText().op(ppc::mtlr(3), warm).taken(ppc::blr, 0x1020).op(ppc::filler, warm_line));
  EXPECT_EQ(a.cycles(Signal::branch_handled, d::branch_taken | d::branch_unresolved), Cycles{4});
  EXPECT_EQ(a.cycles_with(State::branch_unit, wait::link_or_condition), 3u);
  EXPECT_EQ(a.cycles_with(State::branch_unit, wait::count_register), 0u);
  EXPECT_EQ(a.when(Signal::dispatch, 2), 6u);
}

TEST(Branch, WaitsForCountRegisterAsTarget) {
  const Activity a = run(TraceText().op(ppc::mtctr(3), warm).taken(ppc::bctr, 0x1020).op(ppc::filler, warm_line));
  EXPECT_EQ(a.cycles_with(State::branch_unit, wait::count_register), 3u);
  EXPECT_EQ(a.cycles_with(State::branch_unit, wait::link_or_condition), 0u);
}

TEST(Branch, WhatIsPredictedBeforeTheCountRegisterResolvesWithIt) {
  // mtctr finishes in 3, as mtlr does: the prediction of bdnz resolves in 4.
  const Activity a = run(TraceText().op(ppc::mtctr(3), warm).op(ppc::bdnz(-4)).op(ppc::filler));
  EXPECT_EQ(a.count(Signal::branch_handled, d::branch_predicted), 1u);
  EXPECT_EQ(a.cycles(Signal::branch_resolved), Cycles{4});
}

// The same one place later in the completion queue: the writer is found at any place.
TEST(Branch, WhatIsPredictedBeforeTheCountRegisterWaitsForItsWriter) {
  const Activity a = run(TraceText().op(ppc::filler, warm).op(ppc::mtctr(3)).op(ppc::bdnz(-8)).op(ppc::filler));
  EXPECT_EQ(a.count(Signal::branch_handled, d::branch_predicted), 1u);
  EXPECT_EQ(a.cycles(Signal::branch_resolved), Cycles{4});
}

// Two predictions wait for a load that misses, and a third branch for a compare whose operand a division makes. Compare
// to branch is two cycles, also if nothing else happens in the second of them.
TEST(Branch, TheConditionOfAWaitingBranchComesWithoutOtherEvents) {
  const Activity a = run(TraceText()
                             .op(ppc::lwz(4, 9, 0), "L 2000 4" + warm)
                             .op(ppc::divw(5, 6, 7))
                             .op(ppc::cmpwi(0, 4, 0))
                             .op(ppc::cmpwi(1, 5, 0))
                             .op(ppc::beq(0, 8))
                             .op(ppc::beq(0, 8))
                             .op(ppc::beq(1, 8), warm_line)
                             .op(ppc::filler));
  // The division starts in 2 and takes 19 cycles, so the compare starts in 21.
  EXPECT_EQ(a.at(State::branch_unit, 22), wait::both_levels_used | wait::link_or_condition);
  EXPECT_EQ(a.at(State::branch_unit, 23), wait::both_levels_used);
}

TEST(Branch, LinkWrittenByABranchIsThereAtOnce) {
  // bl is not folded; blr after it finds LR in the branch unit.
  const Activity a =
      run(TraceText().taken(ppc::bl(0x20), 0x1020, warm).taken(ppc::blr, 0x1004, warm_line).op(ppc::filler));
  EXPECT_EQ(a.cycles_with(State::branch_unit, wait::link_or_condition), 0u);
  EXPECT_EQ(a.count(Signal::fold), 1u);
  EXPECT_EQ(a.count(Signal::retire), 2u);
  EXPECT_EQ(a.of(Signal::retire)[0].instruction.ip, 0x1000u);
  EXPECT_EQ(a.of(Signal::retire)[0].instruction.next_ip, 0x1020u);
}

TEST(Branch, BdnzRetiresAndIsNotPredicted) {
  TraceText t;
  t.op(ppc::filler, warm).taken(ppc::bdnz(-4), 0x1000);
  t.op(ppc::filler).taken(ppc::bdnz(-4), 0x1000);
  t.op(ppc::filler).op(ppc::bdnz(-4)).op(ppc::filler);
  const Activity a = run(t);
  EXPECT_EQ(a.count(Signal::fold), 0u);
  EXPECT_EQ(a.count(Signal::retire), 7u);
  EXPECT_EQ(a.count(Signal::branch_handled), 3u);
  EXPECT_EQ(a.count(Signal::branch_handled, d::branch_taken), 2u);
  EXPECT_EQ(a.count(Signal::branch_resolved), 0u) << "CTR is in the branch unit: nothing to predict";
}

/// A compare and a branch back to it, taken `n` times.
TraceText loop(int n, const std::string& note = {}) {
  TraceText t;
  for (int i = 0; i < n; ++i) t.op(ppc::cmpwi(0, 3, 0), i == 0 ? warm : "").taken(ppc::beq(0, -4), 0x1000, note);
  return t.op(ppc::filler);
}

TEST(Branch, StaticPredictionByYBit) {
  // Backward without y: always predicted taken.
  const Activity a = run(loop(5), parameters({{"core.bht.enabled", 0}}));
  EXPECT_EQ(a.count(Signal::branch_resolved, d::branch_correct), 5u);
}

TEST(Branch, ForcedOutcomes) {
  EXPECT_EQ(run(loop(5, "mispredict=none")).count(Signal::branch_resolved, d::branch_correct), 5u);
  EXPECT_EQ(run(loop(5, "mispredict=path")).count(Signal::branch_resolved, d::branch_correct), 0u);
  // Also if the outcome would be known: the branch resolves in the cycle after it was handled.
  const Activity a = run(TraceText().op(ppc::beq(0, 0x40), warm + " mispredict=path").op(ppc::filler));
  EXPECT_EQ(a.cycles(Signal::branch_handled, d::branch_predicted | d::branch_taken), Cycles{1});
  EXPECT_EQ(a.cycles(Signal::branch_resolved, 0, d::branch_correct | d::branch_taken), Cycles{2});
  EXPECT_EQ(a.when(Signal::dispatch, 1), 4u);
}

}  // namespace
}  // namespace pmusim::testbench::ppc750
