// Which values of attributes, and which pairs of them, a list of questions asks.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "testbench/questions/question.h"

namespace pmusim::testbench::questions {

struct AttributeCoverage {
  std::size_t values = 0, values_asked = 0;
  std::size_t pairs = 0, pairs_asked = 0;
  std::vector<std::string> missing;  ///< "levels=k with t=7"
};
/// Of questions about events with several attributes; each pair of values counts once, whatever the event.
[[nodiscard]] AttributeCoverage attribute_coverage(const std::vector<Question>& questions);

}  // namespace pmusim::testbench::questions
