// Which activity an exam judges on: answers with one wrong bit that only a thorough exam of a rare event shows, bits
// that an encoder ignores, and questions that no trace exercises.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "examined.h"
#include "testbench/judge/trial/exam.h"
#include "testbench/tests/target_name.h"

namespace pmusim::testbench::questions {

namespace {

/// The verdict on our own encoder's answer to a question of the Itanium 2, with a bit of a register inverted.
std::string verdict_on(const std::string& text, const std::string& reg, unsigned bit, bool thorough = true) {
  static const std::vector<Question> all = questions_of("itanium2", Extent::full);
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Question& question) { return question.group.question() == text; });
  if (found == all.end()) return "no such question";
  Exam exam = exam_of("itanium2");
  exam.thorough = thorough;
  exam.questions = {*found};
  exam.answers = {own_encoder()->encode("itanium2", found->group)};
  for (encoder::RegisterValue& own : exam.answers[0].registers) own.value ^= own.name == reg ? 1ull << bit : 0;
  return examine(exam).questions.front().verdict;
}

// Traces run at level 3: an event of level 1 counts in another privilege context only, and then overflows.
TEST(RareEvents, CountSomewhere) {
  EXPECT_EQ(verdict_on("IA64_INST_RETIRED:plm=2 -0 -1 -3", "", 0), "ok");
  EXPECT_EQ(verdict_on("IA64_INST_RETIRED:plm=2 -0 -1 -3", "PMC6", 5), "mismatch");
  EXPECT_EQ(verdict_on("IA64_INST_RETIRED:plm=2 -0 -1 -3", "PMC6", 5, false), "ok");
}

// Fetches of 4,096 cycles occur in none of the blocks that all answers run on, and never as IA-32 code.
TEST(RareEvents, AreJudgedOnAllOfTheirTrace) {
  EXPECT_EQ(verdict_on("L1I_EAR_CACHE_LAT4096:plm=6 -0 -1 -3 sampled", "", 0), "ok");
  EXPECT_EQ(verdict_on("L1I_EAR_CACHE_LAT4096:plm=6 -0 -1 -3 sampled", "PMC6", 25), "mismatch");
}

// The data EAR captures loads although the event is one of the instruction EAR.
TEST(RareEvents, OfOneUnitLeaveTheOtherAlone) {
  EXPECT_EQ(verdict_on("L1I_EAR_TLB_ALL:plm=6 -0 -1 -3 sampled", "", 0), "ok");
  EXPECT_EQ(verdict_on("L1I_EAR_TLB_ALL:plm=6 -0 -1 -3 sampled", "PMC11", 0), "mismatch");
}

// A range of four blocks: bit 17 of the second block's mask.
TEST(RareEvents, InEachBlockOfADataRange) {
  EXPECT_EQ(verdict_on("--drange 0x3333333333333308-0x3333333333333350 LOADS_RETIRED", "", 0), "ok");
  EXPECT_EQ(verdict_on("--drange 0x3333333333333308-0x3333333333333350 LOADS_RETIRED", "DBR3", 17), "mismatch");
}

// Bits that do not matter to the encoder (`dont_care`): the event must be counted with each of them as 0 and as 1.

constexpr std::uint64_t interrupt = 1 << 20, unit_mask = 1 << 9;  // of PerfEvtSel (22007, appendix D)

/// The verdict on our own answers about an event without interrupts, whose selectors ignore these bits.
JobVerdict with_ignored(const std::string& event, std::uint64_t bits) {
  Exam exam = exam_of("athlon");
  const auto right = own_encoder();
  for (const Question& question : questions_of("athlon", Extent::quick)) {
    const auto& checks = question.group.checks;
    const bool is_plain = question.illegal.empty() && !question.interrupts && checks.size() == 1;
    if (!is_plain || checks.front().request.event != event) continue;
    Answer answer = right->encode("athlon", question.group);
    answer.dont_care["PerfEvtSel" + answer.counters.front().substr(answer.counters.front().size() - 1)] = bits;
    exam.questions.push_back(question);
    exam.answers.push_back(std::move(answer));
  }
  return examine(exam);
}

TEST(IgnoredBits, OfInterruptsDoNotMatterToACount) {
  const JobVerdict verdict = with_ignored("DATA_CACHE_REFILLS", interrupt);
  ASSERT_FALSE(verdict.questions.empty());
  EXPECT_TRUE(verdict.mismatches.empty()) << verdict.mismatches.front().sample.event;
}

// Without the bit as 1 the answers would be right, and without it as 0 those that ask for the sub-event.
TEST(IgnoredBits, OfTheSelectionMatterWithEitherValue) {
  const JobVerdict verdict = with_ignored("DATA_CACHE_REFILLS", unit_mask);
  ASSERT_FALSE(verdict.questions.empty());
  for (const QuestionVerdict& question : verdict.questions)
    EXPECT_EQ(question.verdict, "mismatch") << question.question;
  for (const Mismatch& mismatch : verdict.mismatches)
    EXPECT_NE(mismatch.diagnosis.find("dont_care"), std::string::npos) << mismatch.diagnosis;
}

}  // namespace

// The quick questions of every target, answered by our own encoder: none is a mismatch, and how many no trace
// exercises. A question that becomes "not exercised" without notice is a hole in the net, and so is one that is called
// "ok" although nothing shows.

namespace {

struct Open {
  const char* target;
  std::size_t questions;  ///< a lower number is welcome
};
void PrintTo(const Open& open, std::ostream* out) { *out << open.target; }

class NotExercised : public ::testing::TestWithParam<Open> {};

TEST_P(NotExercised, ByAnyTrace) {
  const std::string target = GetParam().target;
  Exam exam = exam_of(target);
  exam.questions = questions_of(target, Extent::quick);
  const auto right = own_encoder();
  for (const Question& question : exam.questions) exam.answers.push_back(right->encode(target, question.group));
  std::string list;
  std::size_t open = 0;
  for (const QuestionVerdict& question : examine(exam).questions) {
    EXPECT_NE(question.verdict, "mismatch") << question.question << ": " << question.detail;
    if (question.verdict != "not exercised") continue;
    ++open;
    list += question.question + ": " + question.detail + '\n';
  }
  EXPECT_EQ(open, GetParam().questions) << list;
}
INSTANTIATE_TEST_SUITE_P(Quick, NotExercised,
                         ::testing::Values(Open{"athlon", 0}, Open{"ppc750gx", 0}, Open{"ppc750gl", 0},
                                           Open{"itanium2", 28}, Open{"montecito", 48}, Open{"alpha-ev4", 1},
                                           Open{"alpha-ev5", 0}, Open{"alpha-pca56", 0}, Open{"alpha-ev6", 0},
                                           Open{"alpha-ev67", 7}),
                         [](const auto& info) { return test_name(info.param.target); });

}  // namespace

}  // namespace pmusim::testbench::questions
