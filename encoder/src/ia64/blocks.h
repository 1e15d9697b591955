// Covers address intervals with blocks that a pair of debug registers can match: a power of two in size, aligned
// to their size, at most 2^56 bytes, because the mask of a pair has 56 bits.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace pmusim::encoder::ia64 {

struct Interval {
  std::uint64_t start = 0;
  std::uint64_t end = 0;     ///< first address after the interval
  std::uint32_t levels = 0;  ///< privilege level mask of the registers
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// The addresses that pass a pair: they equal `address` in bit `order` and all higher bits.
struct Block {
  std::uint64_t address = 0;
  unsigned order = 0;  ///< the size is 2^order bytes
  [[nodiscard]] constexpr std::uint64_t size() const { return order < 64 ? std::uint64_t{1} << order : 0; }
  /// Mask of the bits that the pair compares, 56 bits.
  [[nodiscard]] constexpr std::uint64_t mask() const { return ~(size() - 1) & kMaskBits; }
  /// The size that libpfm 3.10 computes from the mask: 0 from 2^56 bytes on.
  [[nodiscard]] constexpr std::uint64_t size_by_mask() const { return (~mask() + 1) & kMaskBits; }

  static constexpr std::uint64_t kMaskBits = (std::uint64_t{1} << 56) - 1;
};

inline constexpr unsigned kLargestOrder = 56;

/// Binary logarithm, rounded down, of `value` converted to a floating-point number, as in libpfm: values slightly below
/// a power of two above 2^53 are rounded to that power. At most 63.
[[nodiscard]] unsigned floor_log2(std::uint64_t value);

/// libpfm's cover: the largest aligned block first, then each side with half of the remaining pairs. With three or more
/// pairs the blocks cover the interval; with fewer pairs a part may remain uncovered.
[[nodiscard]] std::vector<Block> split_cover(const Interval& interval, unsigned pairs);

/// At most `pairs` aligned blocks that cover the interval with the fewest additional bytes, in ascending order. Empty
/// if this is impossible, because a block would be too large.
[[nodiscard]] std::vector<Block> tightest_cover(const Interval& interval, unsigned pairs);

/// True if the blocks, as compared by the hardware, cover the interval.
[[nodiscard]] bool covers(const std::vector<Block>& blocks, const Interval& interval);

/// True if the block contains an address of the interval.
[[nodiscard]] bool touches(const Block& block, const Interval& interval);

/// libpfm's single block: the smallest aligned block that contains the start and reaches the end. `too_big` is set if
/// the size of the interval is too large for any order.
struct SingleBlock {
  std::optional<Block> block;
  bool too_big = false;
};
[[nodiscard]] SingleBlock single_block(const Interval& interval);

}  // namespace pmusim::encoder::ia64
