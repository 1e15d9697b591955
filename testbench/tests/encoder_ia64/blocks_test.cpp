// Covers of intervals by blocks, compared with an exhaustive search over a small range of addresses.
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>

#include "ia64/ranges.h"

namespace pmusim::encoder::ia64 {
namespace {

constexpr std::uint64_t kLine = 32;

std::uint64_t bytes_beyond(const std::vector<Block>& blocks, const Interval& interval) {
  std::uint64_t covered = 0;
  for (const Block& block : blocks) covered += block.size();
  return covered - (interval.end - interval.start);
}

/// Returns the fewest addresses, out of 64, that up to `pairs` aligned blocks cover when they cover the bits of
/// `wanted`.
unsigned fewest(std::uint64_t wanted, unsigned pairs) {
  unsigned best = 64;
  std::vector<std::uint64_t> shapes;
  for (unsigned order = 0; order <= 5; ++order)
    for (std::uint64_t address = 0; address < kLine; address += std::uint64_t{1} << order)
      shapes.push_back(((std::uint64_t{1} << (std::uint64_t{1} << order)) - 1) << address);
  const auto search = [&](auto& self, std::uint64_t covered, unsigned left, std::size_t from) -> void {
    if ((covered & wanted) == wanted) best = std::min(best, static_cast<unsigned>(std::popcount(covered)));
    if (left == 0) return;
    for (std::size_t i = from; i < shapes.size(); ++i)
      if ((shapes[i] & wanted & ~covered) != 0) self(self, covered | shapes[i], left - 1, i + 1);
  };
  search(search, 0, pairs, 0);
  return best;
}

TEST(Blocks, TightestCoverIsTheBestOfAll) {
  for (const unsigned pairs : {1u, 2u})
    for (std::uint64_t start = 0; start < kLine; ++start)
      for (std::uint64_t end = start + 1; end <= kLine; ++end) {
        const Interval interval{start, end, 0};
        const auto blocks = tightest_cover(interval, pairs);
        ASSERT_FALSE(blocks.empty());
        EXPECT_LE(blocks.size(), pairs);
        EXPECT_TRUE(covers(blocks, interval)) << start << ' ' << end;
        const std::uint64_t wanted = ((std::uint64_t{1} << end) - 1) & ~((std::uint64_t{1} << start) - 1);
        EXPECT_EQ(bytes_beyond(blocks, interval), fewest(wanted, pairs) - (end - start)) << start << ' ' << end;
      }
}

TEST(Blocks, LibpfmsSplitCoversWithThreePairsOrMore) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t start = random() >> (random() % 32 + 12);
    const Interval interval{start, start + 1 + (random() >> (random() % 40 + 20)), 0};
    for (const unsigned pairs : {3u, 4u}) {
      const auto blocks = split_cover(interval, pairs);
      EXPECT_LE(blocks.size(), pairs);
      EXPECT_TRUE(covers(blocks, interval)) << std::hex << interval.start << ' ' << interval.end << ' ' << pairs;
      for (const Block& block : blocks) EXPECT_EQ(block.address % block.size(), 0u);
    }
  }
}

TEST(Blocks, CoverageIsWhatTheHardwareCompares) {
  const Interval interval{0x1000, 0x2000, 0};
  EXPECT_TRUE(covers({{0x1000, 12}}, interval));
  EXPECT_FALSE(covers({{0x1000, 11}}, interval));
  EXPECT_TRUE(covers({{0x1000, 11}, {0x1800, 11}}, interval));
  EXPECT_FALSE(covers({{0x1000, 11}, {0x1900, 11}}, {0x1000, 0x2001, 0}));
  EXPECT_TRUE(covers({{0x1234, 12}}, interval)) << "bits below the order do not matter";
  EXPECT_FALSE(covers({{0x1800, 13}}, {0x1800, 0x3800, 0})) << "so the block begins at 0";
  const std::uint64_t wide = std::uint64_t{1} << 57;
  EXPECT_FALSE(covers({{0, 57}}, {0, wide, 0})) << "a mask has 56 bits";
  EXPECT_TRUE(covers({{0, 56}, {wide / 2, 56}}, {0, wide, 0}));
}

TEST(Blocks, AddressesAtTheTopDoNotWrap) {
  const Interval top{~std::uint64_t{0} - 0xff, ~std::uint64_t{0}, 0};
  const auto blocks = tightest_cover(top, 1);
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].order, 8u);
  EXPECT_TRUE(covers(blocks, top));
}

TEST(Blocks, WideIntervalsNeedSeveralBlocksOrHaveNone) {
  const std::uint64_t most = std::uint64_t{1} << 56;
  EXPECT_EQ(tightest_cover({0, most, 0}, 1).size(), 1u);
  EXPECT_TRUE(tightest_cover({0, most + 1, 0}, 1).empty());
  EXPECT_EQ(tightest_cover({0, most + 1, 0}, 2).size(), 2u);
  EXPECT_EQ(tightest_cover({0, 4 * most, 0}, 4).size(), 4u);
  EXPECT_TRUE(tightest_cover({0, 4 * most + 1, 0}, 4).empty());
}

TEST(Blocks, LogarithmRoundsAsAFloatingPointNumberDoes) {
  EXPECT_EQ(floor_log2(1), 0u);
  EXPECT_EQ(floor_log2(1023), 9u);
  EXPECT_EQ(floor_log2((std::uint64_t{1} << 53) - 1), 52u);
  EXPECT_EQ(floor_log2((std::uint64_t{1} << 60) - 1), 60u) << "not exact in a double";
  EXPECT_EQ(floor_log2(~std::uint64_t{0}), 63u);
}

TEST(Blocks, SingleBlockGrowsUntilItReachesTheEnd) {
  const auto found = single_block({0x1ff0, 0x2010, 0});  // 32 bytes across a boundary of 2^13
  ASSERT_TRUE(found.block);
  EXPECT_EQ(found.block->order, 14u);
  EXPECT_EQ(found.block->address, 0u);
  EXPECT_TRUE(single_block({0x10, 0x9000000000000000, 0}).too_big);
  const auto around_the_middle = single_block({0x7ffffffffffffff0, 0x8000000000000010, 0});
  EXPECT_FALSE(around_the_middle.block);
  EXPECT_FALSE(around_the_middle.too_big);
}

}  // namespace
}  // namespace pmusim::encoder::ia64
