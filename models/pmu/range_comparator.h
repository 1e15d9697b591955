// Address comparators of breakpoint, watchpoint and range registers.
#pragma once

#include <cstdint>

namespace pmusim::pmu {

/// Compares an address under a mask: bits that are set in `ignored` are not compared. An aligned field of 2^k bytes at
/// `base` is {base, 2^k - 1}; a comparison of an instruction's word address is {base, 3}.
struct RangeComparator {
  std::uint64_t base = 0;
  std::uint64_t ignored = 0;

  /// True if the byte at `address` matches.
  [[nodiscard]] constexpr bool matches(std::uint64_t address) const { return ((address ^ base) & ~ignored) == 0; }
  /// True if any byte of [address, address + size) is in the field. For fields of 2^k bytes only. False for size 0.
  [[nodiscard]] constexpr bool overlaps(std::uint64_t address, std::uint64_t size) const {
    const std::uint64_t first = base & ~ignored;
    return size != 0 && (matches(address) || first - address < size);
  }
};

}  // namespace pmusim::pmu
