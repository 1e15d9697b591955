// The 47-bit counters of Itanium 2 and its successors.
#pragma once

#include <cstdint>

namespace pmusim::pmu::ia64 {

class Counter {
 public:
  static constexpr unsigned width = 47;
  static constexpr std::uint64_t modulus = std::uint64_t{1} << width;

  /// Bits 63:47 of a read are copies of bit 46.
  [[nodiscard]] constexpr std::uint64_t read() const {
    return (value_ & modulus >> 1) != 0 ? value_ | ~(modulus - 1) : value_;
  }
  /// Bits 63:47 of a written value are ignored.
  constexpr void write(std::uint64_t value) { value_ = value & (modulus - 1); }
  /// Returns true on a carry out of bit 46.
  constexpr bool add(std::uint64_t n) {
    const bool wraps = n >= distance();
    value_ = (value_ + n) & (modulus - 1);
    return wraps;
  }
  /// The smallest amount whose addition wraps.
  [[nodiscard]] constexpr std::uint64_t distance() const { return modulus - value_; }

 private:
  std::uint64_t value_ = 0;
};

/// The amount that a cycle with `n` occurrences adds: n itself with threshold 0, else 1 if n exceeds the threshold.
[[nodiscard]] constexpr std::uint32_t above_threshold(std::uint32_t n, unsigned threshold) {
  return threshold == 0 ? n : static_cast<std::uint32_t>(n > threshold);
}

}  // namespace pmusim::pmu::ia64
