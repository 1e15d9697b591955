// Coverage of the questions: the bits of the control registers that must be 1 for some question and 0 for another, and
// the values of attributes and their pairs. It depends on the questions and not on the encoder under test: the bits are
// those of our own encoder's answers.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "testbench/judge/question/covering.h"
#include "testbench/judge/verdict/verdict.h"

namespace pmusim::testbench {

struct QuestionCoverage {
  unsigned live = 0;                 ///< bits that the manual neither reserves nor fixes
  unsigned both = 0;                 ///< bits that must be 0 for some question and 1 for another
  unsigned never = 0;                ///< bits of which a value is excused and none is missing
  std::vector<std::string> missing;  ///< "PMC13 cfg_dbrp3 (28:27): bit 28 never 0"
  std::vector<std::string> excused;  ///< bits that no legal question can set, with the reason
  questions::AttributeCoverage attributes = {};
};
[[nodiscard]] QuestionCoverage question_coverage(const std::string& target,
                                                 const std::vector<questions::Question>& questions);
/// Coverage of the run's questions. Empty if the run asked only a selection of them, or none: its answers do not
/// describe the coverage of the shipped questions.
[[nodiscard]] std::optional<QuestionCoverage> question_coverage(const TargetVerdict& verdict);
/// Null if there is no coverage.
[[nodiscard]] Json to_json(const std::optional<QuestionCoverage>& coverage);
/// Lines for each target with a coverage; with `verbose` one for each missing bit and each missing pair.
void print_question_coverage(std::ostream& out, const std::vector<TargetVerdict>& verdicts);

}  // namespace pmusim::testbench
