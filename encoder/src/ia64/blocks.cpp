#include "blocks.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace pmusim::encoder::ia64 {
namespace {

enum class Side { left, right };

/// Sums and differences wrap, as in libpfm.
void split(std::uint64_t start, std::uint64_t end, unsigned pairs, Side side, std::vector<Block>& blocks) {
  if (pairs < 1 || end <= start) return;
  Block block{0, floor_log2(end - start)};
  const std::uint64_t highest = end & ~(block.size() - 1);
  if (highest - block.size() >= start) {
    block.address = highest - block.size();
  } else {
    --block.order;
    block.address = highest + block.size() <= end ? highest : highest - block.size();
  }
  const auto before = [&] { return block.address - start; };
  const auto after = [&] { return end - (block.address + block.size()); };
  // The last pair also covers the remaining part on the side that no other pair will cover.
  if (pairs == 1 && side == Side::left && before() != 0) {
    ++block.order;
    block.address = end - block.size();
  } else if (pairs == 1 && side == Side::right && after() != 0) {
    ++block.order;
    block.address = start;
  }
  blocks.push_back(block);
  const unsigned remaining = pairs - 1;
  if (remaining == 0) return;
  unsigned left = remaining / 2;
  unsigned right = remaining / 2;
  if (remaining % 2 != 0) ++(before() > after() ? left : right);
  split(start, block.address, left, Side::left, blocks);
  split(block.address + block.size(), end, right, Side::right, blocks);
}

constexpr std::uint64_t kNoCover = ~std::uint64_t{0};

/// Blocks, and the number of bytes that they cover beyond the interval; kNoCover if there are no blocks.
struct Cover {
  std::vector<Block> blocks;
  std::uint64_t beyond = kNoCover;
};

/// `last` is the last address of the interval. Two aligned blocks are either nested or disjoint, therefore the best
/// cover is the smallest block around the interval or consists of the best covers of its two halves.
Cover best(std::uint64_t start, std::uint64_t last, unsigned pairs) {
  const auto order = static_cast<unsigned>(std::bit_width(start ^ last));
  Cover found;
  if (order <= kLargestOrder) {
    const Block around{start & ~((std::uint64_t{1} << order) - 1), order};
    found = {{around}, around.size() - 1 - (last - start)};
    if (found.beyond == 0) return found;
  }
  if (pairs < 2 || order == 0) return found;
  const std::uint64_t middle = last & ~((std::uint64_t{1} << (order - 1)) - 1);
  for (unsigned left = 1; left < pairs; ++left) {
    Cover low = best(start, middle - 1, left);
    Cover high = best(middle, last, pairs - left);
    if (low.beyond == kNoCover || high.beyond == kNoCover || low.beyond + high.beyond >= found.beyond) continue;
    low.blocks.insert(low.blocks.end(), high.blocks.begin(), high.blocks.end());
    found = {std::move(low.blocks), low.beyond + high.beyond};
  }
  return found;
}

}  // namespace

unsigned floor_log2(std::uint64_t value) {
  return std::min(63u, static_cast<unsigned>(std::ilogb(static_cast<double>(value))));
}

std::vector<Block> split_cover(const Interval& interval, unsigned pairs) {
  std::vector<Block> blocks;
  split(interval.start, interval.end, pairs, Side::left, blocks);
  return blocks;
}

std::vector<Block> tightest_cover(const Interval& interval, unsigned pairs) {
  return best(interval.start, interval.end - 1, pairs).blocks;
}

bool covers(const std::vector<Block>& blocks, const Interval& interval) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> spans;  // first and last address
  for (const Block& block : blocks) {
    const std::uint64_t size = std::uint64_t{1} << std::min(block.order, kLargestOrder);
    const std::uint64_t first = block.address & ~(size - 1);
    spans.emplace_back(first, first + (size - 1));
  }
  std::sort(spans.begin(), spans.end());
  std::uint64_t next = interval.start;
  for (const auto& [first, last] : spans) {
    if (first > next) return false;
    if (last >= interval.end - 1) return true;
    next = std::max(next, last + 1);
  }
  return false;
}

bool touches(const Block& block, const Interval& interval) {
  return block.address < interval.end && block.address + (block.size() - 1) >= interval.start;
}

SingleBlock single_block(const Interval& interval) {
  const std::uint64_t size = interval.end - interval.start;
  unsigned order = floor_log2(size);
  if (!std::has_single_bit(size)) ++order;
  if (order > 63) return {std::nullopt, true};
  for (; order < 64; ++order) {
    const Block block{interval.start & ~((std::uint64_t{1} << order) - 1), order};
    if (block.address + block.size() >= interval.end) return {block, false};
  }
  return {};
}

}  // namespace pmusim::encoder::ia64
