// Parallel floating-point instructions: the significand holds two IEEE single numbers; the high half is the left one.
#include <initializer_list>

#include "machine.h"

namespace pmusim::trace::ia64 {
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

void add_parallel_float_handlers(Handlers& handlers) {
  const auto set = [&](Op op, Handler handler) { handlers[static_cast<std::size_t>(op)] = handler; };
  set(Op::fpma, fused_halves<false, false>);
  set(Op::fpms, fused_halves<false, true>);
  set(Op::fpnma, fused_halves<true, false>);
  set(Op::fpmin, extreme_halves<false, Ordering::less>);
  set(Op::fpmax, extreme_halves<false, Ordering::greater>);
  set(Op::fpamin, extreme_halves<true, Ordering::less>);
  set(Op::fpamax, extreme_halves<true, Ordering::greater>);
  set(Op::fpcmp, fpcmp);
  set(Op::fpmerge, fpmerge);
  set(Op::fpcvt, fpcvt);
  set(Op::fprcpa, fprcpa);
  set(Op::fprsqrta, fprsqrta);
}

}  // namespace pmusim::trace::ia64
