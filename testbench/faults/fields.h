// The fields of registers: faults change them, and scores are kept per field.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pmusim::testbench::faults {

/// Bits [low, low + width) of a register, bit 0 the least significant.
struct Field {
  std::string name;
  unsigned low = 0;
  unsigned width = 1;
  [[nodiscard]] std::uint64_t limit() const {
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  }
  [[nodiscard]] std::uint64_t mask() const { return limit() << low; }
  [[nodiscard]] std::uint64_t of(std::uint64_t value) const { return value >> low & limit(); }
  [[nodiscard]] std::uint64_t with(std::uint64_t value, std::uint64_t content) const {
    return (value & ~mask()) | (content << low & mask());
  }
};

/// Width in bits of a register that the encoder names; 64 for other registers.
[[nodiscard]] unsigned register_width(const std::string& target, const std::string& reg);
/// The fields of a register of `width` bits as `pmusim decode` names them, from the top down. Bits without a name form
/// fields without a meaning.
[[nodiscard]] std::vector<Field> fields_of(const std::string& target, const std::string& reg, unsigned width);

/// A name with its numbers replaced by #, the same for all registers and fields of one kind: `PerfEvtSel#`,
/// `PMC#SELECT`.
[[nodiscard]] std::string stem(std::string_view name);

/// A field of a register of at most 63 bits, for tables.
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
