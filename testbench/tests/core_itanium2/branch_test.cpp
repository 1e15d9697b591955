// Predictions and their outcomes, flushes, and the wrong path.
#include "record.h"

namespace pmusim::testbench::ia64 {
namespace {

std::string with_branch(Syllable b) { return bundle(stop(mib), nop, nop, b); }

std::vector<LoggedOccurrence> branches(const Record& r) {
  std::vector<LoggedOccurrence> list;
  for (const LoggedOccurrence& h : r.of(Signal::retire)) {
    if (h.syllable.has(act::Kind::branch)) list.push_back(h);
  }
  return list;
}

TEST(Branches, AMispredictionCostsTheFlush) {
  // A branch that is forced to be mispredicted; with a correct prediction the next bundle would issue one cycle later.
  for (const Cycle flush : {6u, 9u}) {
    Script s;
    s.add(with_branch(br_dpnt(256) | qp(6)), "mispredict=path", "xxp").add(nops);
    const Record r = run(s, plain({{"core.branch_flush", static_cast<std::int64_t>(flush)}}));
    const auto& retired = r.of(Signal::retire);
    EXPECT_EQ(retired[3].cycle - retired[2].cycle, 1 + flush);
    EXPECT_EQ(r.cycles_in(State::back_end, act::back_end(act::BackEnd::flush, act::cause::branch)),
              flush - 1);  // one cycle of wrong path
    EXPECT_EQ(retired[2].syllable.prediction, act::Prediction::wrong_path);
    EXPECT_TRUE(retired[2].syllable.back_end_flush);
    EXPECT_TRUE(retired[2].instruction.mispredicted);
  }
}

TEST(Branches, TheWrongPathIsDispersedAndKilled) {
  // Predicted not taken, but taken: the bundle after it is in the dictionary and is dispersed for one cycle.
  const std::uint64_t target = Script::start + 256;
  Script whole;
  whole.add(with_branch(br_dpnt(256) | qp(6)), "mispredict=none", "xxp");
  whole.go(with_branch(br_sptk(-16)), 2, Script::start, "mispredict=none");
  whole.go(with_branch(br_dpnt(256) | qp(6)), 2, target, "mispredict=path");
  whole.add(nops);
  const Record r = run(whole);
  EXPECT_EQ(r.count(Signal::retire), 4u * 3);
  EXPECT_EQ(r.count(Signal::kill), 3u);
  EXPECT_EQ(r.count(Signal::dispatch), 4u * 3 + 3);
  for (const LoggedOccurrence& h : r.of(Signal::kill)) {
    EXPECT_TRUE(h.instruction.wrong_path);
    EXPECT_EQ(h.instruction.ip, Script::start + 16);
  }
  const Record quiet = run(whole, plain({{"core.wrong_path", 0}}));
  EXPECT_EQ(quiet.count(Signal::kill), 0u);
  EXPECT_EQ(quiet.count(Signal::retire), 4u * 3);
}

TEST(Branches, CountedLoopsArePredictedToTheirEnd) {
  Script s;
  constexpr unsigned iterations = 50;
  for (unsigned i = 1; i < iterations; ++i) s.go(with_branch(br_cloop(0)), 2, Script::start);
  s.add(with_branch(br_cloop(0))).add(nops);
  const Record r = run(s);
  const auto list = branches(r);
  ASSERT_EQ(list.size(), iterations);
  for (const LoggedOccurrence& h : list) {
    // In the first iteration the target is known late: the front end must compute it.
    EXPECT_EQ(h.syllable.prediction, &h == &list.front() ? act::Prediction::wrong_target : act::Prediction::correct);
    EXPECT_FALSE(h.syllable.back_end_flush);
    EXPECT_EQ(h.syllable.branch_class, act::BranchClass::ip_relative);
  }
  EXPECT_TRUE(list.front().instruction.taken);
  EXPECT_FALSE(list.back().instruction.taken);
  // Once the branch is known, an iteration takes a cycle: two bubbles for the first one, one where the loop ends.
  EXPECT_EQ(list.back().cycle - list.front().cycle, iterations - 1 + 2);
  EXPECT_EQ(r.cycles_in(State::front_end, act::front_end(act::FrontEnd::branch_immediate, 2)), 2u);
  EXPECT_EQ(r.cycles_in(State::front_end, act::front_end(act::FrontEnd::perfect_loop_prediction, 2)), 1u);
  const Record unaided = run(s, plain({{"core.loop_prediction", 0}}));
  EXPECT_EQ(branches(unaided).back().syllable.prediction, act::Prediction::wrong_path);
}

TEST(Branches, ReturnsFollowTheReturnStack) {
  Script s;
  const std::uint64_t function = Script::start + 1024;
  for (unsigned i = 0; i < 3; ++i) {
    s.go(with_branch(br_call(1024 - 16 * static_cast<std::int64_t>(i))), 2, function);
    s.go(with_branch(br_ret), 2, Script::start + 16 * (i + 1));
  }
  s.add(nops);
  const auto list = branches(run(s));
  ASSERT_EQ(list.size(), 6u);
  // Each call is at a new address and is executed for the first time: its target is known late.
  for (unsigned i = 0; i < 6; ++i)
    EXPECT_EQ(list[i].syllable.prediction, i % 2 == 0 ? act::Prediction::wrong_target : act::Prediction::correct);
  EXPECT_EQ(list[1].syllable.branch_class, act::BranchClass::return_);
  EXPECT_TRUE(list[0].syllable.has(act::Kind::call));
  EXPECT_TRUE(list[0].syllable.has(act::Kind::rse_event));
}

TEST(Branches, ReturnsNest) {
  Script s;
  const std::uint64_t outer = Script::start + 1024, inner = Script::start + 2048;
  s.go(with_branch(br_call(1024)), 2, outer).go(with_branch(br_call(1024)), 2, inner);
  s.go(with_branch(br_ret), 2, outer + 16).go(with_branch(br_ret), 2, Script::start + 16).add(nops);
  const auto list = branches(run(s));
  ASSERT_EQ(list.size(), 4u);
  // The targets of the calls are known late.
  for (const unsigned call : {0u, 1u}) EXPECT_EQ(list[call].syllable.prediction, act::Prediction::wrong_target);
  for (const unsigned give_back : {2u, 3u}) EXPECT_EQ(list[give_back].syllable.prediction, act::Prediction::correct);
}

TEST(Branches, IndirectBranchesGoWhereTheyWentLast) {
  Script s;
  const std::uint64_t there = Script::start + 2048, back = Script::start;
  for (unsigned i = 0; i < 2; ++i) {
    s.go(with_branch(br_b1), 2, there);
    s.go(with_branch(br_sptk(-2048)), 2, back);
  }
  s.go(with_branch(br_b1), 2, Script::start + 4096);
  s.add(nops);
  const auto list = branches(run(s));
  ASSERT_EQ(list.size(), 5u);
  EXPECT_EQ(list[0].syllable.prediction, act::Prediction::wrong_target);
  EXPECT_EQ(list[2].syllable.prediction, act::Prediction::correct);
  EXPECT_EQ(list[4].syllable.prediction, act::Prediction::wrong_target);
  EXPECT_EQ(list[4].syllable.branch_class, act::BranchClass::indirect);
  EXPECT_EQ(list[4].instruction.next_ip, Script::start + 4096);
}

TEST(Branches, TheHintIsTheGuessForABranchThatIsNotKnown) {
  Script s;
  s.go(with_branch(br_dptk(256) | qp(6)), 2, Script::start + 256);
  s.add(with_branch(br_dptk(256) | qp(6)), "", "xxp").add(nops);
  const auto list = branches(run(s, plain({{"core.late_target", 0}})));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_TRUE(list[0].syllable.unknown_prediction);
  EXPECT_EQ(list[0].syllable.prediction, act::Prediction::correct);
  EXPECT_EQ(branches(run(s))[0].syllable.prediction, act::Prediction::wrong_target) << "its target is known late";
  EXPECT_TRUE(list[1].syllable.unknown_prediction);
  EXPECT_EQ(list[1].syllable.prediction, act::Prediction::wrong_path);
}

TEST(Branches, ModuloLoopsAndReturnsSayWhatWasWrong) {
  const auto last = [](Syllable branch, const std::string& outcome) {
    Script s;
    s.go(with_branch(branch), 2, Script::start + 512, "mispredict=" + outcome).add(nops);
    return branches(run(s)).front().syllable;
  };
  EXPECT_TRUE(last(br_ctop(512), "path").wrong_rotation);
  EXPECT_FALSE(last(br_ctop(512), "path").wrong_stage);
  EXPECT_TRUE(last(br_wtop(512) | qp(17), "path").wrong_stage);
  EXPECT_TRUE(last(br_ret, "target").wrong_previous_state);
  EXPECT_EQ(last(br_ret, "target").prediction, act::Prediction::wrong_target);
  EXPECT_FALSE(last(br_sptk(512), "none").back_end_flush);
}

TEST(Branches, AFailedCheckFlushes) {
  Script s;
  s.go(bundle(stop(mmi), chk_s(10, 512), nop, nop), 0, Script::start + 512, "", "x--").add(nops);
  const Record r = run(s, plain({{"core.check_flush", 10}}));
  EXPECT_TRUE(r.of(Signal::retire)[0].syllable.check_failed);
  EXPECT_EQ(r.count(Signal::retire), 4u);
  EXPECT_EQ(r.of(Signal::retire)[1].cycle - r.of(Signal::retire)[0].cycle, 1u + 10);
  EXPECT_EQ(r.cycles_in(State::back_end, act::back_end(act::BackEnd::flush, act::cause::interruption)), 10u);
}

TEST(Branches, NothingGoesWithWhatFlushes) {
  // The flushing instruction is in slot 0, with two more instructions of its group after it: these are not dispersed
  // before the flush.
  Script check, serialize;
  check.go(bundle(stop(mmi), chk_s(10, 512), nop, nop), 0, Script::start + 512, "", "x--").add(nops);
  serialize.add(bundle(stop(mmi), srlz_i, nop, nop)).add(nops);
  for (const auto& [script, retired] : {std::pair{check, 1u + 3}, std::pair{serialize, 3u + 3}}) {
    const Record r = run(script);
    EXPECT_EQ(r.count(Signal::retire), retired);
    EXPECT_EQ(r.count(Signal::kill), 0u);
    EXPECT_EQ(r.count(Signal::dispatch), retired);
  }
}

TEST(FrontEnd, MultiwayBranchesAndFullQueues) {
  // The buffer holds at most twelve predicted branches; the first bundle waits for a load of 60 cycles.
  Script s;
  s.add(bundle(stop(mmi), ld8 | r1(10) | r3(9), nop, nop), "L0 6000000000000000 8 dtlb=hit data=l2 lat=60");
  s.add(bundle(stop(mmi), add | r1(12) | r2(10), nop, nop));
  s.repeat(8, bundle(stop(bbb), br_dpnt(256) | qp(6), br_dpnt(256) | qp(6), br_dpnt(256) | qp(6)), "", "ppp");
  const Record r = run(s);
  EXPECT_GT(r.cycles_in(State::front_end, act::front_end(act::FrontEnd::branch_queue, 2)), 40u);
  Script taken;
  taken.go(bundle(stop(mbb), nop, nop_b, br_sptk(512)), 2, Script::start + 512).add(nops);
  EXPECT_EQ(run(taken, plain({{"core.immediate_bubbles", 0}}))
                .cycles_in(State::front_end, act::front_end(act::FrontEnd::branch_interlock, 2)),
            1u);
}

TEST(Branches, MultiwayBundles) {
  Script s;
  s.go(bundle(stop(bbb), br_dpnt(256) | qp(6), br_sptk(512), nop_b), 1, Script::start + 512, "", "px-").add(nops);
  const Record r = run(s);
  const auto list = branches(r);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_TRUE(list[0].syllable.has(act::Kind::multiway));
  EXPECT_FALSE(list[0].syllable.predicate);
  EXPECT_TRUE(list[1].instruction.taken);
}

}  // namespace
}  // namespace pmusim::testbench::ia64
