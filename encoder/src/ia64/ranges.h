// Address ranges in pairs of debug registers: IBRs for code, DBRs for data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "quirks.h"

namespace pmusim::encoder::ia64 {

// Covers address intervals with blocks that a pair of debug registers can match: a power of two in size, aligned
// to their size, at most 2^56 bytes, because the mask of a pair has 56 bits.

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

inline constexpr unsigned kRanges = 4;
inline constexpr unsigned kPairs = 4;

/// The requested ranges. The list ends before the first entry with start 0 and end 0.
struct RangeRequest {
  bool used = false;
  bool used_is_one = true;  ///< the C API's flag is exactly 1
  bool inverse = false;
  bool no_fine = false;
  bool demand_fetches = false;  ///< Montecito: the range restricts demand fetches, for events of both fetch kinds
  bool prefetches = false;      ///< Montecito: the range restricts prefetches
  std::array<Interval, kRanges> limits{};
};

/// Number of bytes covered before a range and after it.
struct Offsets {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  friend bool operator==(const Offsets&, const Offsets&) = default;
};

/// A debug register to write: even numbers hold addresses, odd ones masks and levels.
struct DebugRegister {
  unsigned number = 0;
  std::uint64_t value = 0;
  friend bool operator==(const DebugRegister&, const DebugRegister&) = default;
};

struct RangeRegisters {
  std::vector<DebugRegister> registers;  ///< in libpfm's order
  std::array<Offsets, kRanges> offsets{};
  unsigned address_shift = 0;  ///< difference between reg_addr of the C API and the number
  [[nodiscard]] bool uses_pair(unsigned pair) const;
};

/// Selects messages and error codes: code or data.
enum class Space { code, data };

/// Checks a request and returns its intervals, with `default_levels` for intervals without levels.
[[nodiscard]] Result<std::vector<Interval>> intervals_of(const RangeRequest& request, Space space,
                                                         std::uint32_t default_levels);

/// Fine mode: the page of a model and the mask that libpfm writes for it.
struct FinePage {
  unsigned order;      ///< log2 of the page size
  std::uint64_t mask;  ///< value of the odd registers; the hardware ignores it
};

/// True if each interval, including its end, is inside one page.
[[nodiscard]] bool fits_fine(const std::vector<Interval>& intervals, const FinePage& page, Quirks quirks);

/// Fine mode: puts the bounds of an interval into pairs `first_pair` and `first_pair` + 2, those of the next one into
/// the following pairs. There may be two intervals from pair 0 on, or one from pair 1 on.
[[nodiscard]] RangeRegisters fine_ranges(const std::vector<Interval>& intervals, const FinePage& page,
                                         unsigned first_pair, Quirks quirks);

/// Covers one interval with one pair.
[[nodiscard]] Result<RangeRegisters> single_range(const Interval& interval, unsigned pair, Quirks quirks);

/// Appends the registers of `more` to `to`.
void append(const RangeRegisters& more, RangeRegisters& to);

/// Covers all intervals with the pairs from 0 on, the first intervals as precisely as possible.
[[nodiscard]] Result<RangeRegisters> pair_ranges(const std::vector<Interval>& intervals, Space space, Quirks quirks);

}  // namespace pmusim::encoder::ia64
