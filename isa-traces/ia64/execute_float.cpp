// Floating-point instructions on whole registers.
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

void add_float_handlers(Handlers& handlers) {
  const auto set = [&](Op op, Handler handler) { handlers[static_cast<std::size_t>(op)] = handler; };
  set(Op::fma, fused<false, false>);
  set(Op::fms, fused<false, true>);
  set(Op::fnma, fused<true, false>);
  set(Op::xma, xma);
  set(Op::fselect, fselect);
  set(Op::fcmp, fcmp);
  set(Op::fclass, fclass);
  set(Op::frcpa, frcpa);
  set(Op::frsqrta, frsqrta);
  set(Op::fmin, extreme<false, Ordering::less>);
  set(Op::fmax, extreme<false, Ordering::greater>);
  set(Op::famin, extreme<true, Ordering::less>);
  set(Op::famax, extreme<true, Ordering::greater>);
  set(Op::fmerge, fmerge);
  set(Op::fand, bitwise<[](Word a, Word b, auto&) { return a & b; }>);
  set(Op::fandcm, bitwise<[](Word a, Word b, auto&) { return a & ~b; }>);
  set(Op::for_, bitwise<[](Word a, Word b, auto&) { return a | b; }>);
  set(Op::fxor, bitwise<[](Word a, Word b, auto&) { return a ^ b; }>);
  set(Op::fmix, bitwise<fmix>);
  set(Op::fsxt, bitwise<fsxt>);
  set(Op::fswap, bitwise<fswap>);
  set(Op::fpack, fpack);
  set(Op::fcvt_to_integer, fcvt_to_integer);
  set(Op::fcvt_from_integer, fcvt_from_integer);
  set(Op::fsetc, fsetc);
  set(Op::fclrf, fclrf);
  set(Op::fchkf, fchkf);
}

}  // namespace pmusim::trace::ia64
