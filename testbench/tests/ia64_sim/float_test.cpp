// Arithmetic of the register format against the host's: float, double and the 80-bit long double, with the four
// rounding modes and the exception flags. The host is an x86, which also detects tininess after rounding.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "float_register.h"

namespace {

using namespace pmusim::trace::ia64;

template <typename T>
T host_of(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <typename T>
std::uint64_t bits_of(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// The 80-bit format of the host is the memory format of ldfe.
long double long_double_of(const FloatRegister& r) {
  const std::uint16_t top = to_extended(r);
  long double value = 0;
  std::memcpy(&value, &r.significand, 8);
  std::memcpy(reinterpret_cast<char*>(&value) + 8, &top, 2);
  return value;
}
FloatRegister register_of(long double value) {
  std::uint64_t significand = 0;
  std::uint16_t top = 0;
  std::memcpy(&significand, &value, 8);
  std::memcpy(&top, reinterpret_cast<const char*>(&value) + 8, 2);
  return from_extended(significand, top);
}

constexpr int host_modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};

unsigned host_flags() {
  const int raised = std::fetestexcept(FE_ALL_EXCEPT);
  return ((raised & FE_INVALID) != 0 ? flag_invalid : 0u) | ((raised & FE_OVERFLOW) != 0 ? flag_overflow : 0u) |
         ((raised & FE_UNDERFLOW) != 0 ? flag_underflow : 0u) | ((raised & FE_INEXACT) != 0 ? flag_inexact : 0u);
}

/// Runs f under a rounding mode and returns its flags; volatile operands prevent evaluation by the compiler.
template <typename Function>
auto on_host(unsigned mode, unsigned& flags, Function f) {
  std::fesetround(host_modes[mode]);
  std::feclearexcept(FE_ALL_EXCEPT);
  const volatile auto result = f();
  flags = host_flags();
  std::fesetround(FE_TONEAREST);
  return result;
}

class Numbers {
 public:
  /// A number's bits: near another number, near the ends of the range, or anywhere. At most 64 bits including the sign.
  std::uint64_t next(unsigned fraction_bits, unsigned exponent_bits) {
    const std::uint64_t most = (std::uint64_t{1} << exponent_bits) - 1, bias = most / 2;
    std::uint64_t exponent = 0;
    switch (random_() % 5) {
      case 0:
        exponent = random_() % (most + 1);
        break;
      case 1:
        exponent = random_() % 4;
        break;
      case 2:
        exponent = most - random_() % 4;
        break;
      case 3:
        exponent = bias / 2 + random_() % (fraction_bits + 4) - (fraction_bits + 4) / 2;
        break;
      default:
        exponent = bias + random_() % (2 * fraction_bits) - fraction_bits;
    }
    std::uint64_t fraction = random_() & ((std::uint64_t{1} << fraction_bits) - 1);
    if (random_() % 4 == 0) fraction &= random_() & random_() & random_();
    if (random_() % 8 == 0) fraction = 0;
    return (random_() & 1) << (fraction_bits + exponent_bits) | (exponent & most) << fraction_bits | fraction;
  }
  std::uint64_t raw() { return random_(); }

 private:
  std::mt19937_64 random_{42};
};

constexpr unsigned compared_flags = flag_invalid | flag_overflow | flag_underflow | flag_inexact;
constexpr unsigned rounds = 60000;

/// `from` and `to` are those of the memory format of T, which has this many bits of fraction and exponent.
template <typename T, unsigned fraction, unsigned exponent, auto from, auto to>
void fused_multiply_adds() {
  Numbers numbers;
  for (unsigned i = 0; i < rounds; ++i) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    const auto next = [&] { return static_cast<Bits>(numbers.next(fraction, exponent)); };
    const Bits a = next(), b = next(), c = next();
    const unsigned mode = i % 4;
    unsigned flags = 0;
    const volatile T x = host_of<T>(a), y = host_of<T>(b), z = host_of<T>(c);
    const T expected = on_host(mode, flags, [&] { return std::fma(x, y, z); });
    const auto got =
        fused_multiply_add(from(a), from(b), from(c), {}, {fraction + 1, exponent, static_cast<Rounding>(mode), false});
    const std::string shown = fmt::format("{:x} * {:x} + {:x} mode {}", a, b, c, mode);
    if (std::isnan(expected)) {
      EXPECT_TRUE(is_nan(got.value)) << shown;
      // x86 and IA-64 differ in the NaN that propagates, and in 0 * infinity + NaN
      continue;
    }
    ASSERT_EQ(to(got.value), bits_of(expected)) << shown;
    ASSERT_EQ(got.flags & compared_flags, flags) << shown;
  }
}
TEST(FloatAgainstHost, DoubleFusedMultiplyAdd) { fused_multiply_adds<double, 52, 11, from_double, to_double>(); }
TEST(FloatAgainstHost, SingleFusedMultiplyAdd) { fused_multiply_adds<float, 23, 8, from_single, to_single>(); }

/// Sum and product of 64-bit significands, which x87 also rounds once.
TEST(FloatAgainstHost, ExtendedSumAndProduct) {
  Numbers numbers;
  for (unsigned i = 0; i < rounds; ++i) {
    const auto operand = [&] {
      const std::uint64_t shape = numbers.next(48, 15) >> 48;  // sign and exponent
      return from_extended(numbers.raw() | integer_bit,
                           static_cast<std::uint16_t>((shape & 0x7fff) == 0x7fff ? shape - 1 : shape));
    };
    FloatRegister a = operand(), b = operand();
    if (a.exponent == 0) a.exponent = 0xc001;
    if (b.exponent == 0) b.exponent = 0xc001;
    if (i % 3 == 0) b = {b.significand, a.exponent + static_cast<std::uint32_t>(i % 130) - 65, b.sign};
    if (b.exponent < 0xc001 || b.exponent > 0x13ffe) b.exponent = exponent_bias;
    const unsigned mode = i % 4;
    const RoundingControl control{64, 15, static_cast<Rounding>(mode), false};
    const volatile long double x = long_double_of(a), y = long_double_of(b);
    unsigned flags = 0;
    const long double sum = on_host(mode, flags, [&] { return x + y; });
    const auto got_sum = fused_multiply_add(a, float_one, b, {}, control);
    ASSERT_EQ(register_of(sum), got_sum.value) << i << ' ' << x << ' ' << y;
    ASSERT_EQ(flags, got_sum.flags & compared_flags) << i;
    const long double product = on_host(mode, flags, [&] { return x * y; });
    const auto got = fused_multiply_add(a, b, {}, {false, false, true}, control);
    ASSERT_EQ(register_of(product), got.value) << i << ' ' << x << ' ' << y;
    ASSERT_EQ(flags, got.flags & compared_flags) << i;
  }
}

TEST(FloatAgainstHost, ToIntegerAndBack) {
  Numbers numbers;
  for (unsigned i = 0; i < rounds; ++i) {
    const double value = host_of<double>(numbers.next(52, 11));
    const unsigned mode = i % 4;
    unsigned flags = 0;
    const volatile double x = value;
    const long long expected = on_host(mode, flags, [&] { return std::llrint(x); });
    const auto got = to_integer(from_double(bits_of(value)), false, static_cast<Rounding>(mode));
    ASSERT_EQ(static_cast<long long>(got.value.significand), expected) << value;
    ASSERT_EQ(got.flags & compared_flags, flags) << value;
    const auto integer = static_cast<std::int64_t>(numbers.raw() >> numbers.raw() % 64);
    ASSERT_EQ(from_signed(integer), integer == 0 ? FloatRegister{} : register_of(static_cast<long double>(integer)));
    ASSERT_EQ(to_double(from_double(bits_of(value))), bits_of(value));
    const auto single = static_cast<std::uint32_t>(numbers.next(23, 8));
    ASSERT_EQ(to_single(from_single(single)), single);
    unsigned ignored = 0;
    const double other = i % 7 == 0 ? value : host_of<double>(numbers.next(52, 11));
    const Ordering order = compare(from_double(bits_of(value)), from_double(bits_of(other)), ignored);
    ASSERT_EQ(order, value < other    ? Ordering::less
                     : value > other  ? Ordering::greater
                     : value == other ? Ordering::equal
                                      : Ordering::unordered);
  }
}

TEST(FloatFormat, FlushToZeroAndRegisterRange) {
  const FloatRegister small = from_double(bits_of(std::numeric_limits<double>::min()));
  const FloatRegister half = from_double(bits_of(0.5));
  const auto flushed = fused_multiply_add(small, half, {}, {false, false, true}, {53, 11, Rounding::nearest, true});
  EXPECT_EQ(flushed.value, FloatRegister{});
  EXPECT_TRUE(flushed.flushed);
  EXPECT_EQ(flushed.flags, flag_underflow | flag_inexact);
  // a 17-bit exponent represents a result that overflows an 11-bit one
  const auto wide = fused_multiply_add(small, half, {}, {false, false, true}, {53, 17, Rounding::nearest, true});
  EXPECT_EQ(wide.value, (FloatRegister{integer_bit, small.exponent - 1, false}));
  EXPECT_EQ(wide.flags, 0U);
  const FloatRegister large = from_double(bits_of(std::numeric_limits<double>::max()));
  const auto square = fused_multiply_add(large, large, {}, {false, false, true}, {64, 17, Rounding::nearest, false});
  EXPECT_EQ(square.value.exponent, 2 * (large.exponent - exponent_bias) + 1 + exponent_bias);
}

TEST(FloatFormat, SpecialOperands) {
  const RoundingControl control;
  const FloatRegister infinity{integer_bit, exponent_ones, false}, signaling{integer_bit | 1, exponent_ones, true};
  EXPECT_EQ(fused_multiply_add(nat_value, infinity, {}, {}, control).value, nat_value);
  const auto invalid = fused_multiply_add(infinity, {}, float_one, {}, control);
  EXPECT_EQ(invalid.value, default_nan);
  EXPECT_EQ(invalid.flags, flag_invalid);
  const auto quiet = fused_multiply_add(signaling, float_one, {}, {}, control);
  EXPECT_EQ(quiet.value, (FloatRegister{signaling.significand | quiet_bit, exponent_ones, true}));
  EXPECT_EQ(quiet.flags, flag_invalid);
  // sign of an exact zero: that of both operands if equal, else given by the rounding mode; fmpy keeps the product's
  // sign
  const FloatRegister minus_zero{0, 0, true};
  EXPECT_EQ(fused_multiply_add(minus_zero, float_one, minus_zero, {}, control).value, minus_zero);
  EXPECT_EQ(fused_multiply_add(minus_zero, float_one, {}, {}, control).value, FloatRegister{});
  EXPECT_EQ(fused_multiply_add(minus_zero, float_one, {}, {false, false, true}, control).value, minus_zero);
  EXPECT_EQ(
      fused_multiply_add(float_one, float_one, {integer_bit, exponent_bias, true}, {}, {64, 17, Rounding::down, false})
          .value,
      minus_zero);
}

// Volume 3 guarantees relative errors below 2^-8.886 (frcpa) and 2^-8.831 (frsqrta).
TEST(FloatFormat, EstimatesAreAsGoodAsPromised) {
  Numbers numbers;
  const long double most = std::pow(2.0L, -8.886L), most_of_root = std::pow(2.0L, -8.831L);
  for (unsigned i = 0; i < rounds; ++i) {
    const FloatRegister a{numbers.raw() | integer_bit, exponent_bias + static_cast<std::uint32_t>(i % 200) - 100,
                          false};
    const long double x = long_double_of(a);
    ASSERT_LT(std::fabs(long_double_of(reciprocal_estimate(a)) * x - 1), most) << x;
    ASSERT_LT(std::fabs(long_double_of(root_estimate(a)) * std::sqrt(x) - 1), most_of_root) << x;
  }
  EXPECT_EQ(reciprocal_estimate(float_one).significand, integer_bit | std::uint64_t{0x3fc} << 53);
}

}  // namespace
