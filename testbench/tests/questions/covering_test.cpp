#include "testbench/judge/question/covering.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace pmusim::testbench::questions {
namespace {

using Sizes = std::vector<std::size_t>;

/// The pairs of values that the rows contain, computed without the generator.
std::set<std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>> pairs(
    const std::vector<std::vector<std::size_t>>& rows) {
  std::set<std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>> found;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      for (std::size_t j = i + 1; j < row.size(); ++j) found.emplace(i, row[i], j, row[j]);
    }
  }
  return found;
}

TEST(CoveringArray, EveryPairIsInARow) {
  for (const Sizes& sizes : {Sizes{2, 2}, Sizes{7, 13, 3, 3, 3, 4}, Sizes{5, 3, 4, 65}, Sizes{1, 4, 2}}) {
    std::size_t all = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      for (std::size_t j = i + 1; j < sizes.size(); ++j) all += sizes[i] * sizes[j];
    }
    const auto rows = covering_array(sizes);
    EXPECT_EQ(pairs(rows).size(), all);
    for (const auto& row : rows) {
      ASSERT_EQ(row.size(), sizes.size());
      for (std::size_t i = 0; i < row.size(); ++i) EXPECT_LT(row[i], sizes[i]);
    }
  }
}

TEST(CoveringArray, IsNotMuchLongerThanItHasToBe) {
  // The two largest attributes alone need 7 x 13 rows, which is the minimum.
  EXPECT_LE(covering_array({7, 13, 3, 3, 3, 4}).size(), 7 * 13 * 5 / 4);
}

TEST(CoveringArray, WhatIsExcludedIsInNoRow) {
  const Excluded excluded = [](std::size_t i, std::size_t a, std::size_t j, std::size_t b) {
    return i == 0 && j == 2 && a == 1 && b == 3;
  };
  const auto found = pairs(covering_array({3, 3, 4}, excluded));
  EXPECT_FALSE(found.contains({0, 1, 2, 3}));
  EXPECT_EQ(found.size(), 3 * 3 + 3 * 4 + 3 * 4 - 1u);
}

TEST(CoveringArray, OneAttributeHasARowForEachValue) { EXPECT_EQ(covering_array({5}).size(), 5u); }

}  // namespace
}  // namespace pmusim::testbench::questions
