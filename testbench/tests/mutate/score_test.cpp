// The score itself: what kills a mutant, and that the score distinguishes a weak stimulus from a strong one.
#include "testbench/mutate/score.h"

#include <gtest/gtest.h>

#include "testbench/mutate/equivalence.h"
#include "testbench/mutate/noticed.h"
#include "testbench/mutate/requests.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench::mutate {
namespace {

// The shortest trace alone causes few events: it does not detect most wrong codes.
TEST(Score, AWeakStimulusLeavesSurvivors) {
  const Score weak = score_target("ppc750gx", {.sample = 3000 / sampling, .traces = 1});
  EXPECT_GT(weak.total().survived, weak.total().killed);
  EXPECT_FALSE(weak.good());
  ASSERT_FALSE(weak.survivors.empty());
  EXPECT_FALSE(weak.survivors[0].request.empty());
  // Bits that the manual reserves are no part of what a sample asks for.
  const Cell all = weak.total();
  const std::uint64_t padding = all.by_rule.at(std::string(rules_of("ppc750gx").front().name));
  EXPECT_GT(padding, 0u);
  EXPECT_GE(all.made() - padding, 3000u / sampling);
}

TEST(Score, SumsAgree) {
  const Score score = score_target("ppc750gx", {.only = "PROCESSOR_CYCLES", .traces = sanitized ? std::size_t{1} : 6});
  std::uint64_t of_fields = 0, by_rule = 0;
  for (const auto& [place, cell] : score.fields) {
    of_fields += cell.made();
    for (const auto& [rule, count] : cell.by_rule) by_rule += count;
  }
  EXPECT_EQ(of_fields, score.total().made());
  EXPECT_EQ(by_rule, score.total().equivalent);
  // Each request has 64 bits; every one is flipped.
  EXPECT_EQ(score.by_kind[0].made(), score.requests * 64);
  EXPECT_TRUE(score.disagreements.empty());
  EXPECT_GT(score.verified, 0u);
}

TEST(Score, IsTheSameForAnyNumberOfProcesses) {
  if (sanitized) GTEST_SKIP() << "the two processes' work is what the tests above do";
  const ScoreOptions one{.only = "L1_", .sample = 2000 / sampling, .jobs = 1, .traces = 4};
  ScoreOptions two = one;
  two.jobs = 2;
  EXPECT_EQ(to_json(score_target("ppc750gx", one)), to_json(score_target("ppc750gx", two)));
}

// Every live bit of an answer that counts cycles: flips select another event, turn the counter off, or select another
// process.
TEST(Noticed, QuestionsJudgeWrongBitsAndTheAnswersAsTheyAre) {
  const Score score = noticed_by_questions("alpha-ev6", {.only = "PF6_MUX0_CYCLES,PF6_MUX0_RET_INSTRUCTIONS"});
  const Cell all = score.total();
  EXPECT_GT(score.requests, 2u);
  EXPECT_EQ(score.verified, score.requests) << "each answer is judged as it is, once";
  EXPECT_TRUE(score.disagreements.empty());
  // A plain question must notice at least both bits of COUNTERS, and SL0.
  EXPECT_GE(all.killed, 2 * 3u);
  EXPECT_EQ(all.killed + all.survived + all.equivalent, all.made());
  EXPECT_EQ(score.survivors.size(), all.survived);
  for (const auto& [place, cell] : score.fields) EXPECT_FALSE(place.second.starts_with("reserved")) << place.second;
  EXPECT_TRUE(score.good(0));
  EXPECT_EQ(score.good(100), all.survived == 0);
}

// The select and the period of the 21064's other counter belong to no requested event.
TEST(Noticed, ACounterThatNothingIsAskedOf) {
  const Score score = noticed_by_questions("alpha-ev4", {.only = "PF_ISSUES"});
  const std::string reg = "WRPERFMON_SELECT";
  const Cell &other = score.fields.at({reg, "PCMUX1"}), &own = score.fields.at({reg, "PCMUX0"});
  EXPECT_EQ(other.equivalent, other.made());
  EXPECT_GT(own.killed, 0u);
  EXPECT_FALSE(own.by_rule.contains("a counter for which no event was requested"));
  EXPECT_EQ(score.fields.at({reg, "PC0"}).equivalent, 0u);
}

// The bits of the sample make a difference; those that a rule calls equivalent come in addition.
TEST(Noticed, ASampleIsAsLargeAsAskedFor) {
  if (sanitized) GTEST_SKIP() << "the test above has all of it";
  const Score score = noticed_by_questions("ppc750gx", {.only = "L2_", .sample = 300});
  const Cell all = score.total();
  EXPECT_EQ(all.killed + all.survived, 300u);
  EXPECT_GT(all.equivalent, 0u);
}

TEST(Score, ComesBackFromJson) {
  Score score;
  score.fields[{"MMCR0", "DIS"}] = {1, 2, 3, {{"a rule", 2}}};
  score.by_kind[1] = {1, 2, 3, {{"a rule", 2}}};
  score.requests = 4;
  score.contradictions = {"one"};
  score.survivors = {{"PROCESSOR_CYCLES", "MMCR0 DIS: bit 31 flipped", "MMCR0=0x80000040"}};
  EXPECT_EQ(to_json(score_from_json(to_json(score))), to_json(score));
}

// An unchanged program shows no difference.
TEST(Replay, TheOriginalIsNotKilled) {
  Requests requests("athlon", "DATA_CACHE_REFILLS", 8);
  for (Stimulus& stimulus : requests.stimuli()) {
    for (const Group& request : requests.list()) {
      auto placed = requests.place(request, stimulus);
      ASSERT_TRUE(placed);
      requests.set_starts(request, *placed, stimulus);
      Replay::Run promised(*stimulus.replay);
      promised.start(placed->program);
      EXPECT_TRUE(promised.go_on());
      EXPECT_FALSE(promised.seen().empty());
      EXPECT_FALSE(stimulus.replay->differs(placed->program, promised)) << request.question();
    }
  }
}

}  // namespace
}  // namespace pmusim::testbench::mutate
