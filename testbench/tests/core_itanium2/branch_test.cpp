// Predictions and their outcomes, flushes, and the wrong path.
#include <fmt/format.h>

#include <functional>

#include "record.h"

namespace pmusim::testbench::ia64 {

namespace {

std::string with_branch(Syllable b) { return bundle(stop(mib), nop, nop, b); }

std::vector<Ia64Occurrence> branches(const Record& r) {
  std::vector<Ia64Occurrence> list;
  for (const Ia64Occurrence& h : r.of(Signal::retire)) {
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
  for (const Ia64Occurrence& h : r.of(Signal::kill)) {
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
  for (const Ia64Occurrence& h : list) {
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

// Loops over multi-word numbers, with the instruction mixes of loops that the authors of GNU MP wrote for this
// processor and measured on it (mpn/ia64/README, lorrshift.asm, rsh1aors_n.asm): shifts take 1.0 cycles a word, half of
// a sum 1.5. The schedule is our own: a group a cycle, each register live for less than one iteration.

constexpr std::uint64_t destination = 0x6000000000002000, first_source = 0x6000000000004000,
                        second_source = 0x6000000000006000;

/// An access to a word of an array: the bundle of the loop, the slot, the kind, the array, the word of the iteration.
struct Use {
  unsigned bundle, slot;
  char kind;
  std::uint64_t array;
  unsigned word;
};

/// Cycles of an iteration of four words in the steady state, with all data in L1D.
double cycles_of(const std::vector<std::string>& bundles, const std::vector<Use>& uses) {
  constexpr unsigned iterations = 40, first = 20, words = 4, word_bytes = 8;
  Script s;
  const std::string load = bundle(stop(mmi), ld8 | r1(31) | r3(9), nop, nop);
  constexpr unsigned line = 64, bytes = iterations * words * word_bytes;
  for (const std::uint64_t array : {destination, first_source, second_source}) {
    for (unsigned at = 0; at < bytes; at += line) s.add(load, fmt::format("L0 {:x} 8", array + at)).repeat(300, nops);
  }
  while (s.pc() % 64 != 0) s.add(nops);
  const std::uint64_t loop = s.pc();
  std::vector<std::uint64_t> ids;
  for (unsigned i = 0; i < iterations; ++i) {
    for (unsigned b = 0; b < bundles.size(); ++b) {
      std::string accesses;
      for (const Use& use : uses) {
        if (use.bundle != b) continue;
        accesses += fmt::format("{}{}{} {:x} 8", accesses.empty() ? "" : " ", use.kind, use.slot,
                                use.array + (i * words + use.word) * word_bytes);
      }
      const bool last = b + 1 == bundles.size();
      if (last && i + 1 < iterations) {
        s.go(bundles[b], 2, loop, "", "xxx", accesses);
      } else {
        s.add(bundles[b], accesses);
      }
    }
  }
  const Record r = run(s.repeat(10, nops));
  std::vector<Cycle> starts;
  for (const Ia64Occurrence& h : r.of(Signal::dispatch)) {
    if (h.instruction.ip == loop && h.instruction.slot == 0) starts.push_back(h.cycle);
  }
  EXPECT_EQ(starts.size(), iterations);
  return static_cast<double>(starts.at(iterations - 1) - starts.at(first)) / (iterations - 1 - first);
}

TEST(Loops, HalfTheSumOfLongNumbersTakesOneAndAHalfCyclesAWord) {
  const auto u = [](unsigned i) { return 10 + i % 4; };
  const auto v = [](unsigned i) { return 14 + i % 4; };
  const auto a = [](unsigned i) { return 18 + i % 4; };
  const auto h = [](unsigned i) { return 22 + i % 4; };
  const auto carry = [](unsigned i) { return 6 + i % 4; };
  const auto load_u = [&](unsigned i) { return ld8_post | r1(u(i)) | r3(8); };
  const auto load_v = [&](unsigned i) { return ld8_post | r1(v(i)) | r3(9); };
  const auto store = [&](unsigned i) { return st8_post | r2(h(i)) | r3(7); };
  const auto plus = [&](unsigned i) { return add | r1(a(i)) | r2(u(i)) | r3(v(i)); };
  const auto less = [&](unsigned i) { return cmp_ltu | to_p(carry(i)) | r2(a(i)) | r3(u(i)); };
  // With a carry from the word below: determines whether this word carries as well, and adds one.
  const auto ones = [&](unsigned i) { return cmp_eq_or | to_p(carry(i)) | r2(a(i)) | r3(30) | qp(carry(i + 3)); };
  const auto more = [&](unsigned i) { return add | r1(a(i)) | r2(a(i)) | r3(29) | qp(carry(i + 3)); };
  const auto half = [&](unsigned i) { return shrp | Syllable{1} << 27 | r1(h(i)) | r2(a(i + 1)) | r3(a(i)); };
  // Word i begins in cycle 0, 1, 3 or 4; its sum follows a cycle later, then the carry, then the carry from below; its
  // half once the word above has its carry; then the store.
  std::vector<std::string> bundles;
  std::vector<Use> uses;
  for (const unsigned i : {0u, 2u}) {
    const auto at = static_cast<unsigned>(bundles.size());
    const unsigned below = i + 2;
    bundles.push_back(bundle(mmi, load_u(i), load_v(i), ones(below)));
    bundles.push_back(bundle(stop(mii), store(i), more(below), less(i + 3)));
    bundles.push_back(bundle(mmi, load_u(i + 1), load_v(i + 1), half(i + 1)));
    bundles.push_back(bundle(stop(mii), ones(below + 1), more(below + 1), plus(i)));
    bundles.push_back(bundle(mib, store(i + 1), half(i + 2), nop_b));
    bundles.push_back(bundle(stop(mib), less(i), plus(i + 1), i == 2 ? br_cloop(-11 * 16) : nop_b));
    for (const unsigned w : {0u, 1u}) {
      uses.push_back({at + 2 * w, 0, 'L', first_source, i + w});
      uses.push_back({at + 2 * w, 1, 'L', second_source, i + w});
    }
    uses.push_back({at + 1, 0, 'S', destination, i});
    uses.push_back({at + 4, 0, 'S', destination, i + 1});
  }
  EXPECT_DOUBLE_EQ(cycles_of(bundles, uses) / 4, 1.5);
}

}  // namespace

}  // namespace pmusim::testbench::ia64
