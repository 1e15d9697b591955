// Covering arrays: rows of values in which every pair of values of two attributes occurs; and the pairs that a list of
// questions has.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "testbench/judge/question/question.h"

namespace pmusim::testbench::questions {

/// True for two values that must not be combined: value `a` of attribute `i` and `b` of `j`, i < j.
using Excluded = std::function<bool(std::size_t i, std::size_t a, std::size_t j, std::size_t b)>;

/// Attribute i has the values 0 to sizes[i] - 1. Every pair that is not excluded occurs in a row, no excluded pair
/// does. The algorithm is greedy and deterministic. Value 0 of every attribute must combine with all values.
[[nodiscard]] std::vector<std::vector<std::size_t>> covering_array(const std::vector<std::size_t>& sizes,
                                                                   const Excluded& excluded = {});

// The values of attributes, and the pairs of values, that a list of questions contains.

struct AttributeCoverage {
  std::size_t values = 0, values_asked = 0;
  std::size_t pairs = 0, pairs_asked = 0;
  std::vector<std::string> missing;  ///< "levels=k with t=7"
};
/// Coverage of the questions about events with several attributes. A pair of values counts once for all events.
[[nodiscard]] AttributeCoverage attribute_coverage(const std::vector<Question>& questions);

}  // namespace pmusim::testbench::questions
