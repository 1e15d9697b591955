// Covering arrays: rows of values such that every pair of values of two attributes is in some row.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace pmusim::testbench::questions {

/// Two values that cannot stand together: value `a` of attribute `i` and `b` of `j`, i < j.
using Excluded = std::function<bool(std::size_t i, std::size_t a, std::size_t j, std::size_t b)>;

/// Attribute i has the values 0 to sizes[i] - 1. Every pair that is not excluded is in a row, no excluded one is.
/// Greedy, and always the same. Value 0 of every attribute must go with everything.
[[nodiscard]] std::vector<std::vector<std::size_t>> covering_array(const std::vector<std::size_t>& sizes,
                                                                   const Excluded& excluded = {});

}  // namespace pmusim::testbench::questions
