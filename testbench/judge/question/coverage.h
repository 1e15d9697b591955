// The values of attributes, and the pairs of values, that a list of questions contains.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "testbench/judge/question/question.h"

namespace pmusim::testbench::questions {

struct AttributeCoverage {
  std::size_t values = 0, values_asked = 0;
  std::size_t pairs = 0, pairs_asked = 0;
  std::vector<std::string> missing;  ///< "levels=k with t=7"
};
/// Coverage of the questions about events with several attributes. A pair of values counts once for all events.
[[nodiscard]] AttributeCoverage attribute_coverage(const std::vector<Question>& questions);

}  // namespace pmusim::testbench::questions
