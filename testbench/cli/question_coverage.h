// Coverage of the questions: the bits of the control registers that must be 1 for some question and 0 for another, and
// the values of attributes and their pairs.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "testbench/questions/coverage.h"
#include "testbench/validate/verdict.h"

namespace pmusim::testbench {

struct QuestionCoverage {
  unsigned live = 0;                 ///< bits that the manual neither reserves nor fixes
  unsigned both = 0;                 ///< bits that must be 0 for some question and 1 for another
  std::vector<std::string> missing;  ///< "PMC13 cfg_dbrp3 (28:27): bit 28 never 0"
  std::vector<std::string> excused;  ///< bits that no legal question can set, with the reason
  questions::AttributeCoverage attributes = {};
};
/// Coverage from the bits that answers set, and from the attributes of the questions of this extent.
[[nodiscard]] QuestionCoverage question_coverage(const TargetVerdict& verdict, questions::Extent extent);
[[nodiscard]] Json to_json(const QuestionCoverage& coverage);
/// Lines for each target; with `verbose` one for each missing bit and each missing pair.
void print_question_coverage(std::ostream& out, const std::vector<TargetVerdict>& verdicts, questions::Extent extent,
                             bool verbose);

}  // namespace pmusim::testbench
