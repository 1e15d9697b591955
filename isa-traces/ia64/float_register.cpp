#include "float_register.h"

#define MPFR_USE_INTMAX_T
#include <mpfr.h>

#include <bit>
#include <initializer_list>

namespace pmusim::trace::ia64 {
namespace {

int exponent_of(const FloatRegister& r) {
  // Exponent 0 denotes double-extended denormals.
  return static_cast<int>(r.exponent == 0 ? 0xc001u : r.exponent) - static_cast<int>(exponent_bias) - 63;
}

/// A number of MPFR.
class Number {
 public:
  explicit Number(unsigned precision) { mpfr_init2(value_, precision); }
  /// The value of a register that holds no NaN.
  explicit Number(const FloatRegister& r, bool negate = false) : Number(64) {
    if (is_infinite(r)) {
      mpfr_set_inf(value_, 1);
    } else {
      mpfr_set_uj_2exp(value_, r.significand, exponent_of(r), MPFR_RNDN);
    }
    mpfr_setsign(value_, value_, static_cast<int>(r.sign != negate), MPFR_RNDN);
  }
  ~Number() { mpfr_clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  operator mpfr_ptr() { return value_; }  // NOLINT: for the functions of MPFR

 private:
  mpfr_t value_;
};

mpfr_rnd_t mode_of(Rounding rounding) {
  constexpr mpfr_rnd_t modes[] = {MPFR_RNDN, MPFR_RNDD, MPFR_RNDU, MPFR_RNDZ};
  return modes[static_cast<unsigned>(rounding)];
}

/// Rounds a finite number again, from an unbounded exponent to that of the format: to infinity or the largest number,
/// or to a denormal. `inexact` is MPFR's ternary value of `x`, and then of the result.
bool limit_exponent(Number& x, int& inexact, const RoundingControl& c, int least, int most) {
  const mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
  mpfr_set_emin(least + 2 - static_cast<int>(c.precision));  // MPFR's significands are below 1
  mpfr_set_emax(most + 1);
  mpfr_clear_overflow();
  inexact = mpfr_check_range(x, inexact, mode_of(c.rounding));
  inexact = mpfr_subnormalize(x, inexact, mode_of(c.rounding));
  mpfr_set_emin(emin);
  mpfr_set_emax(emax);
  return mpfr_overflow_p() != 0;
}

/// The register with a finite number, whose exponent is at least `least` even if its significand is denormal.
FloatRegister register_of(Number& x, int least, std::uint32_t denormal_exponent) {
  FloatRegister r{0, 0, mpfr_signbit(x) != 0};
  if (mpfr_zero_p(x)) return r;
  const auto exponent = static_cast<int>(mpfr_get_exp(x)) - 1;
  mpfr_set_exp(x, 64);
  mpfr_setsign(x, x, 0, MPFR_RNDN);
  r.significand = mpfr_get_uj(x, MPFR_RNDZ);
  if (exponent < least) {
    r.significand >>= least - exponent;
    r.exponent = denormal_exponent;
  } else {
    r.exponent = static_cast<std::uint32_t>(exponent + static_cast<int>(exponent_bias));
  }
  return r;
}

/// Rounds a finite number, the result of an operation of unbounded exponent, to the format.
FloatResult rounded(Number& x, int inexact, const RoundingControl& c) {
  const int most = (1 << (c.exponent_bits - 1)) - 1, least = 1 - most;
  const bool sign = mpfr_signbit(x) != 0, tiny = mpfr_zero_p(x) == 0 && mpfr_get_exp(x) - 1 < least;
  if (tiny && c.flush_to_zero) return {{0, 0, sign}, flag_underflow | flag_inexact, true};
  const bool overflow = limit_exponent(x, inexact, c, least, most);
  FloatResult result;
  if (inexact != 0) result.flags = flag_inexact | (overflow ? flag_overflow : tiny ? flag_underflow : 0u);
  if (mpfr_inf_p(x)) {
    result.value = {integer_bit, exponent_ones, sign};
  } else {
    const int denormal = c.exponent_bits == 15 ? 0 : least + static_cast<int>(exponent_bias);
    result.value = register_of(x, least, static_cast<std::uint32_t>(denormal));
  }
  return result;
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
  Number x(a, form.negate_product), y(b), z(addend, form.negate_addend), sum(control.precision);
  const mpfr_rnd_t mode = mode_of(control.rounding);
  const int inexact = form.multiply_only ? mpfr_mul(sum, x, y, mode) : mpfr_fma(sum, x, y, z, mode);
  if (mpfr_nan_p(sum)) return {default_nan, flag_invalid};
  if (mpfr_inf_p(sum)) return {{integer_bit, exponent_ones, mpfr_signbit(sum) != 0}};
  result = rounded(sum, inexact, control);
  result.flags |= (operand_flags(a) | operand_flags(b) | operand_flags(addend)) & flag_denormal;
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
  Number x(a), integer(64);
  const bool inexact = mpfr_rint(integer, x, mode_of(rounding)) != 0;
  mpfr_setsign(integer, integer, 0, MPFR_RNDN);
  if (!mpfr_fits_uintmax_p(integer, MPFR_RNDZ)) return out_of_range;
  const std::uint64_t magnitude = mpfr_get_uj(integer, MPFR_RNDZ);
  const std::uint64_t most = is_unsigned ? (bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1)
                             : a.sign    ? indefinite
                                         : indefinite - 1;
  if (magnitude > most || (is_unsigned && a.sign && magnitude != 0)) return out_of_range;
  std::uint64_t value = a.sign ? std::uint64_t{0} - magnitude : magnitude;
  if (bits < 64) value &= (std::uint64_t{1} << bits) - 1;
  return {integer_register(value), denormal | (inexact ? flag_inexact : 0u)};
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
  Number x(a), y(b);
  const int order = mpfr_cmp(x, y);
  return order < 0 ? Ordering::less : order > 0 ? Ordering::greater : Ordering::equal;
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
