// Wrong bits, judged by the questions.
#include "testbench/faults/wrong_bits.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "testbench/tests/sampling.h"

namespace pmusim::testbench::faults {
namespace {

// Every live bit of an answer that counts cycles: flips select another event, turn the counter off, or select another
// process.
TEST(WrongBits, QuestionsJudgeThemAndTheAnswersAsTheyAre) {
  const Score score = noticed_by_questions("alpha-ev6", {.only = "PF6_MUX0_CYCLES,PF6_MUX0_RET_INSTRUCTIONS"});
  const Cell all = score.total();
  EXPECT_GT(score.questions, 2u);
  EXPECT_EQ(score.verified, score.questions) << "each answer is judged as it is, once";
  EXPECT_TRUE(score.disagreements.empty());
  // A plain question must notice at least both bits of COUNTERS, and SL0.
  EXPECT_GE(all.noticed, 2 * 3u);
  std::uint64_t by_rule = 0;
  for (const auto& [rule, count] : all.by_rule) by_rule += count;
  EXPECT_EQ(by_rule, all.equivalent);
  EXPECT_EQ(score.missed.size(), all.missed);
  for (const auto& [place, cell] : score.fields) EXPECT_FALSE(place.second.starts_with("reserved")) << place.second;
  EXPECT_TRUE(score.good(0));
  EXPECT_EQ(score.good(100), all.missed == 0);
}

// The select and the period of the 21064's other counter belong to no requested event.
TEST(WrongBits, OfACounterThatNothingIsAskedOf) {
  const Score score = noticed_by_questions("alpha-ev4", {.only = "PF_ISSUES"});
  const std::string reg = "WRPERFMON_SELECT";
  const Cell &other = score.fields.at({reg, "PCMUX1"}), &own = score.fields.at({reg, "PCMUX0"});
  EXPECT_EQ(other.equivalent, other.made());
  EXPECT_GT(own.noticed, 0u);
  EXPECT_FALSE(own.by_rule.contains("a counter for which no event was requested"));
  EXPECT_EQ(score.fields.at({reg, "PC0"}).equivalent, 0u);
}

// The bits of the sample make a difference; those that a rule calls equivalent come in addition, and some of them are
// judged.
TEST(WrongBits, ASampleIsAsLargeAsAskedFor) {
  if (sanitized) GTEST_SKIP() << "the test above has all of it";
  const Score score = noticed_by_questions("ppc750gx", {.only = "L2_", .sample = 300});
  const Cell all = score.total();
  EXPECT_EQ(all.noticed + all.missed, 300u);
  EXPECT_GT(all.equivalent, score.checked);
  EXPECT_GT(score.checked, 0u);
  EXPECT_TRUE(score.contradictions.empty());
}

TEST(WrongBits, AreTheSameForAnyNumberOfProcesses) {
  if (sanitized) GTEST_SKIP() << "the two processes' work is what the tests above do";
  const WrongBitOptions one{.only = "L1_", .sample = 300, .jobs = 1};
  WrongBitOptions two = one;
  two.jobs = 2;
  EXPECT_EQ(packed(noticed_by_questions("ppc750gx", one)), packed(noticed_by_questions("ppc750gx", two)));
}

TEST(WrongBits, TwoSharesMakeTheWhole) {
  if (sanitized) GTEST_SKIP() << "as above";
  const WrongBitOptions whole{.only = "PF6_MUX0_"};
  WrongBitOptions first = whole, second = whole;
  first.shards = second.shards = second.shard = 2;
  Score both = noticed_by_questions("alpha-ev6", first);
  both.add(noticed_by_questions("alpha-ev6", second));
  const Cell sum = both.total(), all = noticed_by_questions("alpha-ev6", whole).total();
  EXPECT_EQ(sum.noticed, all.noticed);
  EXPECT_EQ(sum.missed, all.missed);
  EXPECT_EQ(sum.by_rule, all.by_rule);
}

}  // namespace
}  // namespace pmusim::testbench::faults
