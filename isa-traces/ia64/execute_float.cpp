// Floating-point instructions on whole registers.
#include <initializer_list>

#include "machine.h"

namespace pmusim::trace::ia64 {

namespace {

/// Writes a result and sets its flags in the status field.
void deliver(Machine& m, const Operation& o, const FloatResult& result) {
  m.raise(o.count, result.flags);
  if (result.flushed) ++m.effects.flushed;
  m.set_fr(o.r1, result.value);
}

/// f1 = f3 * f4 + f2. With f2 = f0 the result is the product, including the sign of a zero product.
template <bool negate_product, bool negate_addend>
void fused(Machine& m, const Operation& o) {
  const FusedForm form{negate_product, negate_addend, o.r2 == 0};
  deliver(m, o,
          fused_multiply_add(m.fr(o.r3), m.fr(o.r4), m.fr(o.r2), form,
                             m.rounding_control(o.count, static_cast<Precision>(o.argument))));
}

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

/// Writes NaTVal to the target and returns true if an operand is a NaTVal.
template <typename... Numbers>
bool passes_nat(Machine& m, const Operation& o, Numbers... numbers) {
  if (!(is_nat(m.fr(numbers)) || ...)) return false;
  m.set_fr(o.r1, nat_value);
  return true;
}

void xma(Machine& m, const Operation& o) {
  if (passes_nat(m, o, o.r2, o.r3, o.r4)) return;
  const std::uint64_t a = m.fr(o.r3).significand, b = m.fr(o.r4).significand, c = m.fr(o.r2).significand;
  const Wide product =
      o.argument == 2
          ? Wide{a} * b
          : static_cast<Wide>(SignedWide{static_cast<std::int64_t>(a)} * SignedWide{static_cast<std::int64_t>(b)});
  const Wide sum = product + c;
  m.set_fr(o.r1, integer_register(static_cast<std::uint64_t>(o.argument == 0 ? sum : sum >> 64)));
}

void fselect(Machine& m, const Operation& o) {
  if (passes_nat(m, o, o.r2, o.r3, o.r4)) return;
  const std::uint64_t mask = m.fr(o.r2).significand;
  m.set_fr(o.r1, integer_register((m.fr(o.r3).significand & mask) | (m.fr(o.r4).significand & ~mask)));
}

void fcmp(Machine& m, const Operation& o) {
  if (is_nat(m.fr(o.r2)) || is_nat(m.fr(o.r3))) {
    m.set_pr(o.p1, false);
    m.set_pr(o.p2, false);
    return;
  }
  unsigned flags = 0;
  const Ordering order = compare(m.fr(o.r2), m.fr(o.r3), flags);
  const bool result = relates(order, o.argument & 3, flags);
  m.raise(o.count, flags);
  m.set_pr(o.p1, result);
  m.set_pr(o.p2, !result);
}

/// Class bits: 0 positive, 1 negative, 2 zero, 3 unnormal, 4 normal, 5 infinity, 6 signaling, 7 quiet, 8 NaTVal.
bool belongs(const FloatRegister& r, unsigned classes) {
  if (is_nat(r)) return (classes & 0x100) != 0;
  if (is_nan(r)) return (classes & (is_signaling(r) ? 0x40u : 0x80u)) != 0;
  if ((classes & (r.sign ? 2u : 1u)) == 0) return false;
  if (is_zero(r)) return (classes & 4) != 0;
  if (is_infinite(r)) return (classes & 0x20) != 0;
  if (is_unsupported(r)) return false;
  return (classes & (is_unnormal(r) ? 8u : 0x10u)) != 0;
}
void fclass(Machine& m, const Operation& o) {
  const bool result = belongs(m.fr(o.r2), static_cast<unsigned>(o.immediate));
  const bool nat = is_nat(m.fr(o.r2)) && (o.immediate & 0x100) == 0;
  m.set_pr(o.p1, result);
  m.set_pr(o.p2, !result && !nat);
}

void frcpa(Machine& m, const Operation& o) {
  bool special = false;
  FloatResult result = divide_special(m.fr(o.r2), m.fr(o.r3), special);
  if (!special) result.value = reciprocal_estimate(m.fr(o.r3));
  deliver(m, o, result);
  m.set_pr(o.p2, !special);
}
void frsqrta(Machine& m, const Operation& o) {
  bool special = false;
  FloatResult result = root_special(m.fr(o.r3), special);
  if (!special) result.value = root_estimate(m.fr(o.r3));
  deliver(m, o, result);
  m.set_pr(o.p2, !special);
}

/// f2 if it is less (or greater) than f3, else f3. The result is also f3 for NaNs and equal values.
template <bool magnitudes, Ordering wanted>
void extreme(Machine& m, const Operation& o) {
  if (passes_nat(m, o, o.r2, o.r3)) return;
  unsigned flags = 0;
  const FloatRegister a = m.fr(o.r2), b = m.fr(o.r3);
  const Ordering order = magnitudes ? compare_magnitudes(a, b, flags) : compare(a, b, flags);
  if (order == Ordering::unordered) flags |= flag_invalid;
  deliver(m, o, {order == wanted ? a : b, flags});
}

/// Sign (argument 0), negated sign (1), or sign and exponent (2) of f2, with the other fields of f3.
void fmerge(Machine& m, const Operation& o) {
  if (passes_nat(m, o, o.r2, o.r3)) return;
  const FloatRegister &a = m.fr(o.r2), &b = m.fr(o.r3);
  m.set_fr(o.r1, {b.significand, o.argument == 2 ? a.exponent : b.exponent, a.sign != (o.argument == 1)});
}

using Word = std::uint64_t;
constexpr Word low_half = 0xffffffff;

/// f1 = f(significand of f2, significand of f3, o) as an integer.
template <auto f>
void bitwise(Machine& m, const Operation& o) {
  if (passes_nat(m, o, o.r2, o.r3)) return;
  m.set_fr(o.r1, integer_register(f(m.fr(o.r2).significand, m.fr(o.r3).significand, o)));
}
/// High half from f2, low half from f3. For example lr: left half of f2 and right half of f3.
Word fmix(Word a, Word b, const Operation& o) {
  const Word high = o.argument == 1 ? a << 32 : a & ~low_half;
  return high | (o.argument == 2 ? b >> 32 : b & low_half);
}
Word fsxt(Word a, Word b, const Operation& o) {
  const Word sign = o.argument == 0 ? a >> 31 & 1 : a >> 63;
  return (sign != 0 ? ~low_half : 0) | (o.argument == 0 ? b & low_half : b >> 32);
}
/// High half is the low half of f3, low half is the high half of f2; .nl and .nr negate the left or right half.
Word fswap(Word a, Word b, const Operation& o) {
  return (b << 32 | a >> 32) ^ (o.argument == 1 ? Word{1} << 63 : o.argument == 2 ? Word{1} << 31 : 0);
}
void fpack(Machine& m, const Operation& o) {
  if (passes_nat(m, o, o.r2, o.r3)) return;
  m.set_fr(o.r1, integer_register(static_cast<Word>(to_single(m.fr(o.r2))) << 32 | to_single(m.fr(o.r3))));
}

void fcvt_to_integer(Machine& m, const Operation& o) {
  const Rounding rounding = (o.argument & 2) != 0 ? Rounding::zero : m.rounding(o.count);
  deliver(m, o, to_integer(m.fr(o.r2), (o.argument & 1) != 0, rounding));
}
void fcvt_from_integer(Machine& m, const Operation& o) {
  if (passes_nat(m, o, o.r2)) return;
  m.set_fr(o.r1, from_signed(static_cast<std::int64_t>(m.fr(o.r2).significand)));
}

/// Sets the controls of a status field: (controls of field 0 & and-mask) | or-mask. Only fclrf clears flags.
void fsetc(Machine& m, const Operation& o) {
  const auto masks = static_cast<std::uint64_t>(o.immediate);
  const std::uint64_t controls = (m.status_field(0) & 0x7f & masks) | masks >> 7;
  const unsigned low = 6 + 13u * o.count;
  if (o.count == 0 && (controls & 0x40) != 0) throw Fault("sets the reserved td bit of status field 0");
  m.ar[ar_fpsr] = (m.ar[ar_fpsr] & ~(std::uint64_t{0x7f} << low)) | (controls & 0x7f) << low;
}
void fclrf(Machine& m, const Operation& o) { m.ar[ar_fpsr] &= ~(std::uint64_t{0x3f} << (6 + 13 * o.count + 7)); }
/// Branches if the status field has a flag whose trap is enabled, or a flag that is not set in field 0.
void fchkf(Machine& m, const Operation& o) {
  const unsigned flags = m.status_field(o.count) >> 7, main = m.status_field(0) >> 7;
  const unsigned enabled = ~static_cast<unsigned>(m.ar[ar_fpsr]) & 0x3f;
  if ((flags & enabled) != 0 || (flags & ~main) != 0) m.branch(o.target);
}

}  // namespace

bool relates(Ordering order, unsigned relation, unsigned& flags) {
  const bool less = relation == 1 || relation == 2, equal = relation == 0 || relation == 2;
  if (order == Ordering::unordered && less) flags |= flag_invalid;
  return (order == Ordering::less && less) || (order == Ordering::equal && equal) ||
         (order == Ordering::unordered && relation == 3);
}

// Parallel floating-point instructions: the significand holds two IEEE single numbers; the high half is the left one.

namespace {

constexpr unsigned high = 1, low = 0;

FloatRegister part(const FloatRegister& r, unsigned half) {
  return from_single(static_cast<std::uint32_t>(r.significand >> 32 * half));
}
std::uint32_t bits_of(const FloatRegister& r, unsigned half) {
  return static_cast<std::uint32_t>(r.significand >> 32 * half);
}

/// f1 = the bits f(high) and f(low); NaTVal if an operand is NaTVal.
template <typename Function>
void both(Machine& m, const Operation& o, std::initializer_list<unsigned> operands, Function f) {
  for (const unsigned number : operands)
    if (is_nat(m.fr(number))) return m.set_fr(o.r1, nat_value);
  const std::uint32_t left = f(high), right = f(low);
  m.set_fr(o.r1, integer_register(static_cast<std::uint64_t>(left) << 32 | right));
}

std::uint32_t deliver_half(Machine& m, const Operation& o, const FloatResult& result) {
  m.raise(o.count, result.flags);
  if (result.flushed) ++m.effects.flushed;
  return to_single(result.value);
}

template <bool negate_product, bool negate_addend>
void fused_halves(Machine& m, const Operation& o) {
  const FusedForm form{negate_product, negate_addend, o.r2 == 0};
  RoundingControl control = m.rounding_control(o.count, Precision::single);
  control.exponent_bits = 8;  // the widest exponent range does not fit into single format
  both(m, o, {o.r2, o.r3, o.r4}, [&](unsigned half) {
    return deliver_half(
        m, o,
        fused_multiply_add(part(m.fr(o.r3), half), part(m.fr(o.r4), half), part(m.fr(o.r2), half), form, control));
  });
}

template <bool magnitudes, Ordering wanted>
void extreme_halves(Machine& m, const Operation& o) {
  both(m, o, {o.r2, o.r3}, [&](unsigned half) {
    unsigned flags = 0;
    const FloatRegister a = part(m.fr(o.r2), half), b = part(m.fr(o.r3), half);
    const Ordering order = magnitudes ? compare_magnitudes(a, b, flags) : compare(a, b, flags);
    if (order == Ordering::unordered) flags |= flag_invalid;
    m.raise(o.count, flags);
    return bits_of(m.fr(order == wanted ? o.r2 : o.r3), half);
  });
}

/// A half is all ones if the relation (eq, lt, le, unord or a negation) holds, else 0.
void fpcmp(Machine& m, const Operation& o) {
  both(m, o, {o.r2, o.r3}, [&](unsigned half) -> std::uint32_t {
    unsigned flags = 0;
    const Ordering order = compare(part(m.fr(o.r2), half), part(m.fr(o.r3), half), flags);
    const bool holds = relates(order, o.argument & 3, flags);
    m.raise(o.count, flags);
    return holds != ((o.argument & 4) != 0) ? ~std::uint32_t{0} : 0;
  });
}

void fpmerge(Machine& m, const Operation& o) {
  both(m, o, {o.r2, o.r3}, [&](unsigned half) {
    const std::uint32_t a = bits_of(m.fr(o.r2), half), b = bits_of(m.fr(o.r3), half);
    const std::uint32_t mask = o.argument == 2 ? 0xff800000u : 0x80000000u;
    return ((o.argument == 1 ? ~a : a) & mask) | (b & ~mask);
  });
}

void fpcvt(Machine& m, const Operation& o) {
  const Rounding rounding = (o.argument & 2) != 0 ? Rounding::zero : m.rounding(o.count);
  both(m, o, {o.r2}, [&](unsigned half) {
    const FloatResult result = to_integer(part(m.fr(o.r2), half), (o.argument & 1) != 0, rounding, 32);
    m.raise(o.count, result.flags);
    return static_cast<std::uint32_t>(result.value.significand);
  });
}

/// The target predicate is true if both halves are estimates.
template <typename Special, typename Estimate>
void reciprocal(Machine& m, const Operation& o, Special special_result, Estimate estimate) {
  bool estimated = true;
  both(m, o, {o.r2, o.r3}, [&](unsigned half) {
    bool special = false;
    FloatResult result = special_result(half, special);
    if (!special) result.value = estimate(part(m.fr(o.r3), half));
    estimated &= !special;
    return deliver_half(m, o, result);
  });
  m.set_pr(o.p2, estimated && !is_nat(m.fr(o.r1)));
}
void fprcpa(Machine& m, const Operation& o) {
  reciprocal(
      m, o,
      [&](unsigned half, bool& special) {
        return divide_special(part(m.fr(o.r2), half), part(m.fr(o.r3), half), special);
      },
      reciprocal_estimate);
}
void fprsqrta(Machine& m, const Operation& o) {
  Operation one = o;
  one.r2 = o.r3;
  reciprocal(
      m, one, [&](unsigned half, bool& special) { return root_special(part(m.fr(o.r3), half), special); },
      root_estimate);
}

}  // namespace

void add_float_handlers(Handlers& handlers) {
  static constexpr OpHandler rows[] = {{Op::fma, fused<false, false>},
                                       {Op::fms, fused<false, true>},
                                       {Op::fnma, fused<true, false>},
                                       {Op::xma, xma},
                                       {Op::fselect, fselect},
                                       {Op::fcmp, fcmp},
                                       {Op::fclass, fclass},
                                       {Op::frcpa, frcpa},
                                       {Op::frsqrta, frsqrta},
                                       {Op::fmin, extreme<false, Ordering::less>},
                                       {Op::fmax, extreme<false, Ordering::greater>},
                                       {Op::famin, extreme<true, Ordering::less>},
                                       {Op::famax, extreme<true, Ordering::greater>},
                                       {Op::fmerge, fmerge},
                                       {Op::fand, bitwise<[](Word a, Word b, auto&) { return a & b; }>},
                                       {Op::fandcm, bitwise<[](Word a, Word b, auto&) { return a & ~b; }>},
                                       {Op::for_, bitwise<[](Word a, Word b, auto&) { return a | b; }>},
                                       {Op::fxor, bitwise<[](Word a, Word b, auto&) { return a ^ b; }>},
                                       {Op::fmix, bitwise<fmix>},
                                       {Op::fsxt, bitwise<fsxt>},
                                       {Op::fswap, bitwise<fswap>},
                                       {Op::fpack, fpack},
                                       {Op::fcvt_to_integer, fcvt_to_integer},
                                       {Op::fcvt_from_integer, fcvt_from_integer},
                                       {Op::fsetc, fsetc},
                                       {Op::fclrf, fclrf},
                                       {Op::fchkf, fchkf},
                                       {Op::fpma, fused_halves<false, false>},
                                       {Op::fpms, fused_halves<false, true>},
                                       {Op::fpnma, fused_halves<true, false>},
                                       {Op::fpmin, extreme_halves<false, Ordering::less>},
                                       {Op::fpmax, extreme_halves<false, Ordering::greater>},
                                       {Op::fpamin, extreme_halves<true, Ordering::less>},
                                       {Op::fpamax, extreme_halves<true, Ordering::greater>},
                                       {Op::fpcmp, fpcmp},
                                       {Op::fpmerge, fpmerge},
                                       {Op::fpcvt, fpcvt},
                                       {Op::fprcpa, fprcpa},
                                       {Op::fprsqrta, fprsqrta}};
  add(handlers, rows);
}

}  // namespace pmusim::trace::ia64
