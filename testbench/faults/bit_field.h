// A field of a register.
#pragma once

#include <cstdint>

namespace pmusim::testbench::faults {

struct BitField {
  unsigned low, width;
  [[nodiscard]] constexpr std::uint64_t mask() const { return ((std::uint64_t{1} << width) - 1) << low; }
  [[nodiscard]] constexpr std::uint64_t of(std::uint64_t value) const { return (value & mask()) >> low; }
  /// The field with this content, all other bits 0.
  [[nodiscard]] constexpr std::uint64_t with(std::uint64_t content) const { return content << low & mask(); }
  constexpr void set(std::uint64_t& value, std::uint64_t content) const { value = (value & ~mask()) | with(content); }
  constexpr void clear(std::uint64_t& value) const { value &= ~mask(); }
};

}  // namespace pmusim::testbench::faults
