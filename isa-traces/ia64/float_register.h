// The 82-bit floating-point register format and its arithmetic. Architecture manual, volume 1, chapter 5.
#pragma once

#include <cstdint>

namespace pmusim::trace::ia64 {

/// Value = (-1)^sign * significand * 2^(exponent - 65535 - 63).
struct FloatRegister {
  std::uint64_t significand = 0;
  std::uint32_t exponent = 0;  ///< 17 bits
  bool sign = false;
  bool operator==(const FloatRegister&) const = default;
};

inline constexpr std::uint32_t exponent_bias = 0xffff, exponent_ones = 0x1ffff, exponent_integer = 0x1003e;
inline constexpr std::uint64_t integer_bit = std::uint64_t{1} << 63, quiet_bit = std::uint64_t{1} << 62;
inline constexpr FloatRegister nat_value{0, 0x1fffe, false};
inline constexpr FloatRegister default_nan{0xc000000000000000, exponent_ones, true};
inline constexpr FloatRegister float_one{integer_bit, exponent_bias, false};

constexpr FloatRegister integer_register(std::uint64_t value) { return {value, exponent_integer, false}; }
constexpr bool is_nat(const FloatRegister& r) { return r == nat_value; }
constexpr bool is_zero(const FloatRegister& r) { return r.significand == 0 && r.exponent < 0x1fffe; }
constexpr bool is_infinite(const FloatRegister& r) {
  return r.exponent == exponent_ones && r.significand == integer_bit;
}
constexpr bool is_nan(const FloatRegister& r) { return r.exponent == exponent_ones && r.significand > integer_bit; }
constexpr bool is_signaling(const FloatRegister& r) { return is_nan(r) && (r.significand & quiet_bit) == 0; }
/// True for an encoding that no operation produces: an exponent of all ones without the integer bit.
constexpr bool is_unsupported(const FloatRegister& r) {
  return r.exponent == exponent_ones && r.significand < integer_bit;
}
constexpr bool is_unnormal(const FloatRegister& r) {
  return r.significand != 0 && r.exponent != exponent_ones && (r.exponent == 0 || r.significand < integer_bit);
}

/// Flags of a status field, in the order of its bits from bit 7 on.
enum FloatFlags : unsigned {
  flag_invalid = 1,
  flag_denormal = 2,
  flag_zero = 4,
  flag_overflow = 8,
  flag_underflow = 16,
  flag_inexact = 32
};

enum class Rounding : std::uint8_t { nearest, down, up, zero };

/// Rounding of results: precision and range follow from the completer and the status field, volume 1, table 5-6.
struct RoundingControl {
  unsigned precision = 64;      ///< width of the significand in bits: 24, 53 or 64
  unsigned exponent_bits = 17;  ///< width of the exponent in bits: 8, 11, 15 or 17
  Rounding rounding = Rounding::nearest;
  bool flush_to_zero = false;
};

/// A result with the flags that it raises.
struct FloatResult {
  FloatRegister value;
  unsigned flags = 0;
  bool flushed = false;  ///< flushed to zero because of RoundingControl::flush_to_zero
};

/// Forms of a * b + c with one rounding. `multiply_only` omits c; `negate_product` and `negate_addend` negate a * b and
/// c.
struct FusedForm {
  bool negate_product = false, negate_addend = false, multiply_only = false;
};
[[nodiscard]] FloatResult fused_multiply_add(const FloatRegister& a, const FloatRegister& b, const FloatRegister& c,
                                             FusedForm form, const RoundingControl& control);
/// Results of frcpa and frsqrta for special operands: correctly rounded a / b and square root. `is_special` is false if
/// the result is an estimate.
[[nodiscard]] FloatResult divide_special(const FloatRegister& a, const FloatRegister& b, bool& is_special);
[[nodiscard]] FloatResult root_special(const FloatRegister& a, bool& is_special);
/// Estimates of 1/a and 1/sqrt(a), correct to about 8.9 bits, for a finite non-zero (and positive) operand.
[[nodiscard]] FloatRegister reciprocal_estimate(const FloatRegister& a);
[[nodiscard]] FloatRegister root_estimate(const FloatRegister& a);

/// Converts to an integer of 64 bits (32 in the parallel form). A value out of range gives an integer with only the top
/// bit set, and flag_invalid.
[[nodiscard]] FloatResult to_integer(const FloatRegister& a, bool is_unsigned, Rounding rounding, unsigned bits = 64);
[[nodiscard]] FloatRegister from_signed(std::int64_t value);

enum class Ordering : std::uint8_t { less, equal, greater, unordered };
/// Compares two numbers. `flags`: invalid for a signaling NaN or an unsupported operand, denormal.
[[nodiscard]] Ordering compare(const FloatRegister& a, const FloatRegister& b, unsigned& flags);
/// Compares magnitudes, for famin and famax.
[[nodiscard]] Ordering compare_magnitudes(FloatRegister a, FloatRegister b, unsigned& flags);

// Memory formats.
[[nodiscard]] FloatRegister from_single(std::uint32_t bits);
[[nodiscard]] FloatRegister from_double(std::uint64_t bits);
[[nodiscard]] FloatRegister from_extended(std::uint64_t significand, std::uint16_t sign_and_exponent);
[[nodiscard]] std::uint32_t to_single(const FloatRegister& r);
[[nodiscard]] std::uint64_t to_double(const FloatRegister& r);
[[nodiscard]] std::uint16_t to_extended(
    const FloatRegister& r);  ///< sign and exponent; the significand does not change

}  // namespace pmusim::trace::ia64
