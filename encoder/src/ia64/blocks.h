// Covering address intervals with the blocks that a debug register pair can say: a power of two in size, aligned
// to it, at most 2^56 bytes, because the pair's mask has 56 bits.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace pmusim::encoder::ia64 {

struct Interval {
  std::uint64_t start = 0;
  std::uint64_t end = 0;     ///< first address after it
  std::uint32_t levels = 0;  ///< privilege level mask of its registers
};

/// The addresses that pass a pair: those equal to `address` in the bits that are at or above `order`.
struct Block {
  std::uint64_t address = 0;
  unsigned order = 0;  ///< its size is 2^order bytes
  [[nodiscard]] constexpr std::uint64_t size() const { return order < 64 ? std::uint64_t{1} << order : 0; }
  /// Bits that the pair compares, of the 56 that its mask has.
  [[nodiscard]] constexpr std::uint64_t mask() const { return ~(size() - 1) & kMaskBits; }
  /// What libpfm 3.10 takes for the size when it reads the mask back: none from 2^56 bytes on.
  [[nodiscard]] constexpr std::uint64_t size_by_mask() const { return (~mask() + 1) & kMaskBits; }

  static constexpr std::uint64_t kMaskBits = (std::uint64_t{1} << 56) - 1;
};

inline constexpr unsigned kLargestOrder = 56;

/// Binary logarithm, rounded down, of `value` converted to a floating-point number, as libpfm takes it: values
/// close below a power of two above 2^53 count as that power. At most 63.
[[nodiscard]] unsigned floor_log2(std::uint64_t value);

/// libpfm's covering: the largest aligned block first, then both sides with half of the remaining pairs each. With
/// three pairs or more the blocks cover the interval; with fewer they may leave a part out.
[[nodiscard]] std::vector<Block> split_cover(const Interval& interval, unsigned pairs);

/// At most `pairs` aligned blocks that cover the interval with the fewest further bytes, in ascending order; empty
/// when there are none (a block would be too large).
[[nodiscard]] std::vector<Block> tightest_cover(const Interval& interval, unsigned pairs);

/// Do the blocks, as the hardware compares them, cover the interval?
[[nodiscard]] bool covers(const std::vector<Block>& blocks, const Interval& interval);

/// Does the block pass an address of the interval?
[[nodiscard]] bool touches(const Block& block, const Interval& interval);

/// libpfm's single block: the smallest order from the size upward whose aligned block around the start reaches the
/// end. `too_big` is set when the size itself has no such order.
struct SingleBlock {
  std::optional<Block> block;
  bool too_big = false;
};
[[nodiscard]] SingleBlock single_block(const Interval& interval);

}  // namespace pmusim::encoder::ia64
