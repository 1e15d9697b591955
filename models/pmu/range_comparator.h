// Address comparators: what breakpoint, watchpoint and range registers do with an address.
#pragma once

#include <cstdint>

namespace pmusim::pmu {

/// Compares under a mask: bits that are set in `ignored` do not take part. An aligned field of 2^k bytes at
/// `base` is {base, 2^k - 1}; a whole-word compare of an instruction address is {base, 3}.
struct RangeComparator {
  std::uint64_t base = 0;
  std::uint64_t ignored = 0;

  /// Does the one byte at `address` match?
  [[nodiscard]] constexpr bool matches(std::uint64_t address) const { return ((address ^ base) & ~ignored) == 0; }
  /// Does any byte of [address, address + size) lie in the field? For fields of 2^k bytes only. An operand
  /// of no bytes touches nothing.
  [[nodiscard]] constexpr bool overlaps(std::uint64_t address, std::uint64_t size) const {
    const std::uint64_t first = base & ~ignored;
    return size != 0 && (matches(address) || first - address < size);
  }
};

}  // namespace pmusim::pmu
