// The quick questions of every target, answered by our own encoder: none is a mismatch, and how many no trace
// exercises. A question that becomes "not exercised" without notice is a hole in the net, and so is one that is called
// "ok" although nothing shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "examined.h"

namespace pmusim::testbench::questions {
namespace {

struct Open {
  const char* target;
  std::size_t questions;  ///< a lower number is welcome
};
void PrintTo(const Open& open, std::ostream* out) { *out << open.target; }

class NotExercised : public testing::TestWithParam<Open> {};

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
                         testing::Values(Open{"athlon", 0}, Open{"ppc750gx", 0}, Open{"ppc750gl", 0},
                                         Open{"itanium2", 28}, Open{"montecito", 48}, Open{"alpha-ev4", 1},
                                         Open{"alpha-ev5", 0}, Open{"alpha-pca56", 0}, Open{"alpha-ev6", 0},
                                         Open{"alpha-ev67", 7}),
                         [](const auto& info) {
                           std::string name = info.param.target;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace pmusim::testbench::questions
