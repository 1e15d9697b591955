// Bits that do not matter to the encoder (`dont_care`): the event must be counted with each of them as 0 and as 1.
#include <gtest/gtest.h>

#include "examined.h"
#include "testbench/judge/trial/exam.h"

namespace pmusim::testbench::questions {
namespace {

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
}  // namespace pmusim::testbench::questions
