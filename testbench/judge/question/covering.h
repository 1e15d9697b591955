// Covering arrays: rows of values in which every pair of values of two attributes occurs; and the pairs that a list of
// questions has.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/judge/question/plan.h"
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

// The distribution of a target's rows over runs: which rows count in the same run. The counters of each row are facts
// of the judging (judging_facts.h), so that a counter that an encoder does not know is asked for all the same.
namespace pmusim::testbench {

/// The counters, from 0, that can count a row.
[[nodiscard]] std::vector<unsigned> counters_of_row(std::string_view target, std::string_view row);
/// Whether two rows with different counters can be counted in the same run.
using Together = bool (*)(std::string_view target, std::string_view first, std::string_view second);

/// The indexes of the rows of each run. Rows with the fewest counters come first; each row is in the first run in which
/// every row can have a counter of its own. The result is kept, because it is the same for every trace of a target.
/// Throws std::invalid_argument if a row has no counter.
[[nodiscard]] const std::vector<std::vector<std::size_t>>& passes_of(const std::string& target,
                                                                     const std::vector<oracle::Request>& rows);

}  // namespace pmusim::testbench
