#include "float_register.h"

#include <algorithm>
#include <bit>

namespace pmusim::trace::ia64 {
namespace {

__extension__ using Wide = unsigned __int128;

/// An exact positive number of 256 bits (its lowest bit may be sticky): value = (high:low) * 2^exponent.
struct Exact {
  Wide high = 0, low = 0;
  int exponent = 0;

  [[nodiscard]] bool is_zero() const { return high == 0 && low == 0; }
};

unsigned leading_zeros(Wide value) {
  const auto top = static_cast<std::uint64_t>(value >> 64), bottom = static_cast<std::uint64_t>(value);
  return static_cast<unsigned>(top != 0 ? std::countl_zero(top) : 64 + std::countl_zero(bottom));
}

void shift_left(Exact& x, unsigned n) {
  if (n >= 128) {
    x.high = n >= 256 ? 0 : x.low << (n - 128);
    x.low = 0;
  } else if (n > 0) {
    x.high = x.high << n | x.low >> (128 - n);
    x.low <<= n;
  }
  x.exponent -= static_cast<int>(n);
}

/// Shifts right. Bits that are shifted out set the lowest bit (sticky bit).
void shift_right(Exact& x, unsigned n) {
  if (n == 0) return;
  bool sticky = false;
  if (n >= 256) {
    sticky = !x.is_zero();
    x.high = x.low = 0;
  } else if (n >= 128) {
    sticky = x.low != 0 || (n > 128 && x.high << (256 - n) != 0);
    x.low = n == 128 ? x.high : x.high >> (n - 128);
    x.high = 0;
  } else {
    sticky = x.low << (128 - n) != 0;
    x.low = x.low >> n | x.high << (128 - n);
    x.high >>= n;
  }
  x.exponent += static_cast<int>(n);
  if (sticky) x.low |= 1;
}

/// Moves the top bit to bit 254, so that a sum does not overflow.
void normalize(Exact& x) {
  if (x.is_zero()) return;
  const unsigned zeros = x.high != 0 ? leading_zeros(x.high) : 128 + leading_zeros(x.low);
  if (zeros == 0) {
    shift_right(x, 1);
  } else {
    shift_left(x, zeros - 1);
  }
}

int exponent_of(const FloatRegister& r) {
  // Exponent 0 denotes double-extended denormals.
  return static_cast<int>(r.exponent == 0 ? 0xc001u : r.exponent) - static_cast<int>(exponent_bias) - 63;
}

Exact exact(const FloatRegister& r) { return {0, r.significand, exponent_of(r)}; }

bool rounds_up(Rounding rounding, bool sign, bool odd, bool half, bool below) {
  switch (rounding) {
    case Rounding::nearest:
      return half && (below || odd);
    case Rounding::down:
      return sign && (half || below);
    case Rounding::up:
      return !sign && (half || below);
    case Rounding::zero:
      break;
  }
  return false;
}

/// The top `bits` bits of a normalized number (top bit 254), rounded, left-aligned in 64 bits. `carry` is set if the
/// rounded significand reaches 2.
std::uint64_t round_top(const Exact& x, unsigned bits, Rounding rounding, bool sign, bool& inexact, bool& carry) {
  // The top 64 bits: bits 254 to 191.
  const auto top = static_cast<std::uint64_t>(x.high >> 63);
  const bool rest_half = (x.high >> 62 & 1) != 0;
  const bool rest_below = (x.high & ((Wide{1} << 62) - 1)) != 0 || x.low != 0;
  bool odd = false, half = false, below = false;
  std::uint64_t kept = 0, unit = 0;
  carry = false;
  if (bits == 0) {
    half = top >> 63 != 0;
    below = top << 1 != 0 || rest_half || rest_below;
    kept = 0;
  } else if (bits == 64) {
    kept = top;
    unit = 1;
    odd = (top & 1) != 0;
    half = rest_half;
    below = rest_below;
  } else {
    unit = std::uint64_t{1} << (64 - bits);
    kept = top & ~(unit - 1);
    odd = (kept & unit) != 0;
    half = (top & unit >> 1) != 0;
    below = (top & ((unit >> 1) - 1)) != 0 || rest_half || rest_below;
  }
  inexact = half || below;
  if (rounds_up(rounding, sign, odd, half, below)) {
    if (bits == 0) {
      carry = true;  // into the position above the top bit
      return 0;
    }
    kept += unit;
    if (kept == 0) {
      carry = true;
      kept = integer_bit;
    }
  }
  return kept;
}

FloatResult overflowed(bool sign, const RoundingControl& c, int most) {
  const bool to_infinity = c.rounding == Rounding::nearest || (c.rounding == Rounding::up && !sign) ||
                           (c.rounding == Rounding::down && sign);
  FloatResult result;
  result.flags = flag_overflow | flag_inexact;
  result.value = {integer_bit, exponent_ones, sign};
  if (!to_infinity) {
    const std::uint64_t ones = c.precision == 64 ? ~std::uint64_t{0} : ~((std::uint64_t{1} << (64 - c.precision)) - 1);
    result.value = {ones, static_cast<std::uint32_t>(most + static_cast<int>(exponent_bias)), sign};
  }
  return result;
}

/// Rounds a non-zero exact number to the format.
FloatResult round(Exact x, bool sign, const RoundingControl& c) {
  normalize(x);
  const int bias = (1 << (c.exponent_bits - 1)) - 1;
  const int least = 1 - bias, most = c.exponent_bits == 17 ? 65535 : bias;
  int exponent = x.exponent + 254;  // exponent of the top bit
  FloatResult result;
  bool inexact = false, carry = false;
  std::uint64_t significand = round_top(x, c.precision, c.rounding, sign, inexact, carry);
  const int rounded = exponent + (carry ? 1 : 0);
  if (rounded > most) return overflowed(sign, c, most);
  if (rounded < least) {
    if (c.flush_to_zero) {
      result.value = {0, 0, sign};
      result.flags = flag_underflow | flag_inexact;
      result.flushed = true;
      return result;
    }
    // Denormal: fewer bits, with the least exponent.
    const unsigned lost = static_cast<unsigned>(least - exponent);
    const unsigned bits = lost >= c.precision ? 0 : c.precision - lost;
    if (lost > c.precision) {
      // The number is below half of the smallest denormal.
      inexact = true;
      significand = 0;
      carry = rounds_up(c.rounding, sign, false, false, true);
    } else {
      significand = round_top(x, bits, c.rounding, sign, inexact, carry);
    }
    if (bits == 0) {
      significand = carry ? std::uint64_t{1} << (64 - c.precision) : 0;
    } else {
      significand = lost >= 64 ? 0 : significand >> lost;
      if (carry) significand = integer_bit >> (lost - 1);
    }
    const std::uint32_t place =
        c.exponent_bits == 15 ? 0 : static_cast<std::uint32_t>(least + static_cast<int>(exponent_bias));
    result.value = {significand, significand == 0 ? 0 : place, sign};
    if (significand == integer_bit) {  // rounded up to the smallest normal number
      result.value.exponent = static_cast<std::uint32_t>(least + static_cast<int>(exponent_bias));
    }
    if (inexact) result.flags = flag_underflow | flag_inexact;
    return result;
  }
  result.value = {significand, static_cast<std::uint32_t>(rounded + static_cast<int>(exponent_bias)), sign};
  if (inexact) result.flags = flag_inexact;
  return result;
}

/// Adds two signed numbers: both are normalized to bit 254 and aligned. The result is exact up to the sticky bit.
Exact add(Exact a, bool sign_a, Exact b, bool sign_b, bool& sign) {
  normalize(a);
  normalize(b);
  if (a.is_zero()) {
    sign = sign_b;
    return b;
  }
  if (b.is_zero()) {
    sign = sign_a;
    return a;
  }
  if (a.exponent < b.exponent) {
    std::swap(a, b);
    std::swap(sign_a, sign_b);
  }
  shift_right(b, static_cast<unsigned>(std::min(a.exponent - b.exponent, 300)));
  b.exponent = a.exponent;
  if (sign_a != sign_b) {
    const bool swap = b.high > a.high || (b.high == a.high && b.low > a.low);
    if (swap) std::swap(a, b);
    sign = swap ? sign_b : sign_a;
    const Wide low = a.low - b.low;
    a.high = a.high - b.high - (a.low < b.low ? 1 : 0);
    a.low = low;
    return a;
  }
  sign = sign_a;
  const Wide low = a.low + b.low;
  a.high = a.high + b.high + (low < a.low ? 1 : 0);
  a.low = low;
  return a;
}

FloatRegister quieted(FloatRegister r) {
  r.significand |= quiet_bit;
  return r;
}

unsigned operand_flags(const FloatRegister& r) {
  return (is_signaling(r) || is_unsupported(r) ? flag_invalid : 0u) | (is_unnormal(r) ? flag_denormal : 0u);
}

}  // namespace

FloatResult fused_multiply_add(const FloatRegister& a, const FloatRegister& b, const FloatRegister& c, FusedForm form,
                               const RoundingControl& control) {
  FloatResult result;
  if (is_nat(a) || is_nat(b) || (!form.multiply_only && is_nat(c))) return {nat_value};
  const FloatRegister addend = form.multiply_only ? FloatRegister{} : c;
  // Priority of operands: f4, f2, f3.
  for (const FloatRegister* r : {&b, &addend, &a}) {
    result.flags |= operand_flags(*r) & flag_invalid;
    if (is_unsupported(*r)) return {default_nan, flag_invalid};
  }
  for (const FloatRegister* r : {&b, &addend, &a}) {
    if (!is_nan(*r)) continue;
    result.value = quieted(*r);
    return result;
  }
  const bool sign_product = (a.sign != b.sign) != form.negate_product;
  const bool sign_addend = addend.sign != form.negate_addend;
  if (is_infinite(a) || is_infinite(b)) {
    if (is_zero(a) || is_zero(b) || (is_infinite(addend) && sign_addend != sign_product)) {
      return {default_nan, flag_invalid};
    }
    return {{integer_bit, exponent_ones, sign_product}};
  }
  if (is_infinite(addend)) return {{integer_bit, exponent_ones, sign_addend}};
  const unsigned denormal = (operand_flags(a) | operand_flags(b) | operand_flags(addend)) & flag_denormal;

  Exact product{0, Wide{a.significand} * b.significand, exponent_of(a) + exponent_of(b)};
  bool sign = sign_product;
  if (!form.multiply_only) {
    const bool both_zero = product.is_zero() && addend.significand == 0;
    product = add(product, sign_product, exact(addend), sign_addend, sign);
    if (both_zero && sign_product == sign_addend) {
      sign = sign_product;
    } else if (product.is_zero()) {
      sign = control.rounding == Rounding::down;
    }
  }
  if (product.is_zero()) {
    result.value = {0, 0, sign};
  } else {
    result = round(product, sign, control);
  }
  result.flags |= denormal;
  return result;
}

FloatResult divide_special(const FloatRegister& a, const FloatRegister& b, bool& is_special) {
  is_special = true;
  if (is_nat(a) || is_nat(b)) return {nat_value};
  if (is_unsupported(a) || is_unsupported(b)) return {default_nan, flag_invalid};
  const unsigned invalid = (operand_flags(a) | operand_flags(b)) & flag_invalid;
  if (is_nan(a)) return {quieted(a), invalid};
  if (is_nan(b)) return {quieted(b), invalid};
  const bool sign = a.sign != b.sign;
  if ((is_infinite(a) && is_infinite(b)) || (is_zero(a) && is_zero(b))) return {default_nan, flag_invalid};
  if (is_infinite(a)) return {{integer_bit, exponent_ones, sign}};
  if (is_zero(b)) return {{integer_bit, exponent_ones, sign}, flag_zero};
  if (is_infinite(b) || is_zero(a)) return {{0, 0, sign}};
  is_special = false;
  return {{}, (operand_flags(a) | operand_flags(b)) & flag_denormal};
}

FloatResult root_special(const FloatRegister& a, bool& is_special) {
  is_special = true;
  if (is_nat(a)) return {nat_value};
  if (is_unsupported(a)) return {default_nan, flag_invalid};
  if (is_nan(a)) return {quieted(a), operand_flags(a) & flag_invalid};
  if (is_zero(a)) return {{0, 0, a.sign}};
  if (a.sign) return {default_nan, flag_invalid};
  if (is_infinite(a)) return {a};
  is_special = false;
  return {{}, operand_flags(a) & flag_denormal};
}

namespace {

/// The significand shifted so that its top bit is set, and the corresponding unbiased exponent.
std::uint64_t normalized(const FloatRegister& a, int& exponent) {
  const int zeros = std::countl_zero(a.significand);
  exponent = exponent_of(a) + 63 - zeros;
  return a.significand << zeros;
}

/// The integer nearest to 1024 * (2 * sqrt(numerator / denominator) - 1), or the same without the root. Integer
/// arithmetic keeps it exact.
std::uint64_t estimate_bits(std::uint64_t numerator, std::uint64_t denominator, bool root) {
  // The largest n with (1024 + n) - 1/2 <= 2048 * q, where q is the quotient or its root.
  std::uint64_t n = 0;
  for (unsigned bit = 512; bit != 0; bit >>= 1) {
    const std::uint64_t x = 2 * (1024 + n + bit) - 1;  // 2 * ((1024 + n + bit) - 1/2)
    const bool fits = root ? x * x * denominator <= 4096 * 4096 * numerator : x * denominator <= 4096 * numerator;
    if (fits) n += bit;
  }
  return n;
}

FloatRegister estimate(bool sign, int exponent, std::uint64_t bits) {
  return {integer_bit | bits << 53, static_cast<std::uint32_t>(exponent + static_cast<int>(exponent_bias)), sign};
}

}  // namespace

// Both estimates are the function value at the middle of an interval of the operand, with ten fraction bits. The
// intervals are 1/256 for the reciprocal and 1/128 for the root. This gives the tables of volume 3 (frcpa, frsqrta).
FloatRegister reciprocal_estimate(const FloatRegister& a) {
  int exponent = 0;
  const std::uint64_t index = normalized(a, exponent) >> 55 & 0xff;
  return estimate(a.sign, -exponent - 1, estimate_bits(512, 512 + 2 * index + 1, false));
}

FloatRegister root_estimate(const FloatRegister& a) {
  int exponent = 0;
  const std::uint64_t index = normalized(a, exponent) >> 56 & 0x7f;
  const bool odd = (exponent & 1) != 0;
  const int half = (exponent - (odd ? 1 : 0)) / 2;
  return estimate(false, -half - 1, estimate_bits(256, (256 + 2 * index + 1) * (odd ? 2 : 1), true));
}

FloatResult to_integer(const FloatRegister& a, bool is_unsigned, Rounding rounding, unsigned bits) {
  const std::uint64_t indefinite = std::uint64_t{1} << (bits - 1);
  const FloatResult out_of_range{integer_register(indefinite), flag_invalid};
  if (is_nat(a)) return {nat_value};
  if (a.exponent == exponent_ones) return out_of_range;
  if (a.significand == 0) return {integer_register(0)};
  const unsigned denormal = operand_flags(a) & flag_denormal;
  int exponent = 0;
  const std::uint64_t significand = normalized(a, exponent);
  if (exponent >= 64) return out_of_range;
  std::uint64_t magnitude = 0;
  bool half = false, below = false;
  if (exponent >= 0) {
    const unsigned shift = 63u - static_cast<unsigned>(exponent);
    magnitude = significand >> shift;
    if (shift > 0) {
      half = (significand >> (shift - 1) & 1) != 0;
      below = shift > 1 && significand << (65 - shift) != 0;
    }
  } else {
    half = exponent == -1;
    below = exponent < -1 || significand != integer_bit;
  }
  if (rounds_up(rounding, a.sign, (magnitude & 1) != 0, half, below)) {
    if (++magnitude == 0) return out_of_range;
  }
  const std::uint64_t most = is_unsigned ? (bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1)
                             : a.sign    ? indefinite
                                         : indefinite - 1;
  if (magnitude > most || (is_unsigned && a.sign && magnitude != 0)) return out_of_range;
  std::uint64_t value = a.sign ? std::uint64_t{0} - magnitude : magnitude;
  if (bits < 64) value &= (std::uint64_t{1} << bits) - 1;
  return {integer_register(value), denormal | (half || below ? flag_inexact : 0u)};
}

FloatRegister from_signed(std::int64_t value) {
  if (value == 0) return {};
  const bool sign = value < 0;
  const std::uint64_t magnitude =
      sign ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  const int zeros = std::countl_zero(magnitude);
  return {magnitude << zeros, exponent_integer - static_cast<std::uint32_t>(zeros), sign};
}

Ordering compare(const FloatRegister& a, const FloatRegister& b, unsigned& flags) {
  flags = operand_flags(a) | operand_flags(b);
  if (is_nan(a) || is_nan(b) || is_unsupported(a) || is_unsupported(b)) {
    flags &= flag_invalid;
    return Ordering::unordered;
  }
  if (is_zero(a) && is_zero(b)) return Ordering::equal;
  if (a.significand == 0 || b.significand == 0 || a.sign != b.sign) {
    if (a.significand == 0) return b.sign ? Ordering::greater : Ordering::less;
    return a.sign ? Ordering::less : Ordering::greater;
  }
  int exponent_a = 0, exponent_b = 0;
  const std::uint64_t significand_a = normalized(a, exponent_a), significand_b = normalized(b, exponent_b);
  if (is_infinite(a)) exponent_a = 1 << 20;
  if (is_infinite(b)) exponent_b = 1 << 20;
  if (exponent_a == exponent_b && significand_a == significand_b) return Ordering::equal;
  const bool smaller = exponent_a != exponent_b ? exponent_a < exponent_b : significand_a < significand_b;
  return smaller != a.sign ? Ordering::less : Ordering::greater;
}

Ordering compare_magnitudes(FloatRegister a, FloatRegister b, unsigned& flags) {
  a.sign = b.sign = false;
  return compare(a, b, flags);
}

FloatRegister from_single(std::uint32_t bits) {
  const std::uint32_t exponent = bits >> 23 & 0xff;
  const std::uint64_t fraction = static_cast<std::uint64_t>(bits & 0x7fffff) << 40;
  const bool sign = bits >> 31 != 0;
  if (exponent == 0) return {fraction, fraction == 0 ? 0 : 0xff81u, sign};
  return {integer_bit | fraction, exponent == 0xff ? exponent_ones : exponent + (exponent_bias - 127), sign};
}

FloatRegister from_double(std::uint64_t bits) {
  const auto exponent = static_cast<std::uint32_t>(bits >> 52 & 0x7ff);
  const std::uint64_t fraction = (bits & 0xfffffffffffff) << 11;
  const bool sign = bits >> 63 != 0;
  if (exponent == 0) return {fraction, fraction == 0 ? 0 : 0xfc01u, sign};
  return {integer_bit | fraction, exponent == 0x7ff ? exponent_ones : exponent + (exponent_bias - 1023), sign};
}

FloatRegister from_extended(std::uint64_t significand, std::uint16_t sign_and_exponent) {
  const std::uint32_t exponent = sign_and_exponent & 0x7fffu;
  return {significand,
          exponent == 0        ? 0
          : exponent == 0x7fff ? exponent_ones
                               : exponent + (exponent_bias - 16383),
          sign_and_exponent >> 15 != 0};
}

std::uint32_t to_single(const FloatRegister& r) {
  const std::uint32_t exponent = (r.significand & integer_bit) != 0 ? (r.exponent >> 16 << 7) | (r.exponent & 0x7f) : 0;
  return static_cast<std::uint32_t>(r.sign) << 31 | exponent << 23 |
         static_cast<std::uint32_t>(r.significand >> 40 & 0x7fffff);
}

std::uint64_t to_double(const FloatRegister& r) {
  const std::uint64_t exponent =
      (r.significand & integer_bit) != 0 ? (r.exponent >> 16 << 10) | (r.exponent & 0x3ff) : 0;
  return static_cast<std::uint64_t>(r.sign) << 63 | exponent << 52 | (r.significand >> 11 & 0xfffffffffffff);
}

std::uint16_t to_extended(const FloatRegister& r) {
  return static_cast<std::uint16_t>((r.sign ? 0x8000u : 0u) | (r.exponent >> 16 << 14) | (r.exponent & 0x3fff));
}

}  // namespace pmusim::trace::ia64
