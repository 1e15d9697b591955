// The order of stimuli: each is tried exactly once, and those that killed before come first.
#include "testbench/mutate/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace pmusim::testbench::mutate {
namespace {

/// The stimuli that are tried on a mutant that only `killer` kills.
std::vector<std::size_t> tried(Order& order, const std::string& like, std::size_t killer) {
  std::vector<std::size_t> list;
  const bool found = order.find(like, [&](std::size_t stimulus) {
    list.push_back(stimulus);
    return stimulus == killer;
  });
  EXPECT_EQ(found, !list.empty() && list.back() == killer);
  return list;
}

constexpr std::size_t none = 99;

TEST(Order, TriesEachOnceWhenNoneKills) {
  Order order({50, 10, 40, 20, 30});
  std::vector<std::size_t> list = tried(order, "a", none);
  EXPECT_EQ(list.front(), 1u);  // the quickest
  std::sort(list.begin(), list.end());
  EXPECT_EQ(list, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(Order, BeginsWithWhatKilledTheLastOneLikeIt) {
  Order order({50, 10, 40, 20, 30});
  tried(order, "a", 4);
  tried(order, "b", 0);
  EXPECT_EQ(tried(order, "a", 4), (std::vector<std::size_t>{4}));
  EXPECT_EQ(tried(order, "b", 0), (std::vector<std::size_t>{0}));
  // The other stimuli are still tried.
  std::vector<std::size_t> list = tried(order, "a", none);
  EXPECT_EQ(list.front(), 4u);
  EXPECT_EQ(list.size(), 5u);
}

TEST(Order, ComesBackToTheQuickestNowAndThen) {
  Order order({50, 10, 40});
  tried(order, "a", 0);
  bool is_quick = false;
  for (unsigned time = 0; time < 100 && !is_quick; ++time) is_quick = tried(order, "a", 0).front() == 1;
  EXPECT_TRUE(is_quick);
  // If the quickest kills, it stays first.
  for (unsigned time = 0; time < 100; ++time) tried(order, "a", 1);
  for (unsigned time = 0; time < 40; ++time) EXPECT_EQ(tried(order, "a", 1), (std::vector<std::size_t>{1}));
}

TEST(Order, GoesOnWithTheNeighbour) {
  Order order({50, 10, 40, 20, 30});
  tried(order, "bit 7", 2);
  const std::vector<std::size_t> list = tried(order, "bit 8", 3);
  EXPECT_EQ(list, (std::vector<std::size_t>{1, 2, 3}));  // the quickest, the last killer, the one after it
}

}  // namespace
}  // namespace pmusim::testbench::mutate
