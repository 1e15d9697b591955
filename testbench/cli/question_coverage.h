// Which bits of the control registers the questions want: as 1 by one of them and as 0 by another.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "testbench/validate/verdict.h"

namespace pmusim::testbench {

struct QuestionCoverage {
  unsigned live = 0;                 ///< bits that the manual neither reserves nor fixes
  unsigned both = 0;                 ///< wanted as 0 and as 1
  std::vector<std::string> missing;  ///< "PMC13 cfg_dbrp3 (28:27): bit 28 never 0"
};
[[nodiscard]] QuestionCoverage question_coverage(const TargetVerdict& verdict);
[[nodiscard]] Json to_json(const QuestionCoverage& coverage);
/// A line for each target, and with `verbose` one for each bit that is missing.
void print_question_coverage(std::ostream& out, const std::vector<TargetVerdict>& verdicts, bool verbose);

}  // namespace pmusim::testbench
