// Parallel integer instructions: eight bytes, four 16-bit or two 32-bit elements of a general register.
#include <algorithm>
#include <array>

#include "machine.h"

namespace pmusim::trace::ia64 {
namespace {

/// Elements of 1, 2 or 4 bytes (size 0, 1, 2), lowest first.
class Elements {
 public:
  Elements(std::uint64_t value, unsigned size) : value_(value), bits_(8u << size) {}
  [[nodiscard]] unsigned count() const { return 64 / bits_; }
  [[nodiscard]] unsigned bits() const { return bits_; }
  [[nodiscard]] std::int64_t unsigned_at(unsigned i) const {
    return static_cast<std::int64_t>(value_ >> i * bits_ & mask());
  }
  [[nodiscard]] std::int64_t signed_at(unsigned i) const { return sign_extend(value_ >> i * bits_, bits_); }
  void set(unsigned i, std::int64_t element) {
    value_ = (value_ & ~(mask() << i * bits_)) | (static_cast<std::uint64_t>(element) & mask()) << i * bits_;
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  [[nodiscard]] std::uint64_t mask() const { return (std::uint64_t{1} << bits_) - 1; }
  std::uint64_t value_;
  unsigned bits_;
};

unsigned size_of(const Operation& o) { return o.argument & 15; }

/// Composes r1 from elements of r2 and r3; f(x, y, i, o) returns element i. The elements of the result have the
/// sources' size, or `change` steps more.
template <auto f, int change = 0>
void compose(Machine& m, const Operation& o) {
  const General a = m.gr(o.r2), b = m.gr(o.r3);
  const Elements x(a.value, size_of(o)), y(b.value, size_of(o));
  Elements result(0, size_of(o) + change);
  for (unsigned i = 0; i < result.count(); ++i) result.set(i, f(x, y, i, o));
  m.set_gr(o.r1, result.value(), a.nat || b.nat);
}
using Element = std::int64_t;

/// r1 = f(r2, r3, o) element by element, all unsigned or all signed.
template <auto f>
void each_unsigned(Machine& m, const Operation& o) {
  compose<[](auto& x, auto& y, unsigned i, auto& of) { return f(x.unsigned_at(i), y.unsigned_at(i), of); }>(m, o);
}
template <auto f>
void each_signed(Machine& m, const Operation& o) {
  compose<[](auto& x, auto& y, unsigned i, auto& of) { return f(x.signed_at(i), y.signed_at(i), of); }>(m, o);
}
/// Bytes are unsigned, larger elements signed.
template <auto f>
void each_extreme(Machine& m, const Operation& o) {
  size_of(o) == 0 ? each_unsigned<f>(m, o) : each_signed<f>(m, o);
}

/// The sum, or the difference for sign -1. Argument bits 5:4: 0 modulo, else saturation. 1, 2, 3 are sss, uuu, uus:
/// signedness of result, first and second operand.
template <int sign>
Element sum(const Elements& x, const Elements& y, unsigned i, const Operation& o) {
  const unsigned saturation = o.argument >> 4;
  const bool first_signed = saturation == 1, second_signed = saturation == 1 || saturation == 3;
  const Element result =
      (first_signed ? x.signed_at(i) : x.unsigned_at(i)) + sign * (second_signed ? y.signed_at(i) : y.unsigned_at(i));
  if (saturation == 0) return result;
  const Element most = saturation == 1 ? (Element{1} << (x.bits() - 1)) - 1 : (Element{1} << x.bits()) - 1;
  return std::clamp(result, saturation == 1 ? -most - 1 : Element{0}, most);
}

/// The bit shifted out is ORed into the lowest bit.
Element half(Element value) { return value >> 1 | (value & 1); }
Element saturate16(Element value) { return std::clamp<Element>(value, -32768, 32767); }
/// First the shifted operand saturates, then the sum.
Element shift_left_and_add(Element a, Element b, const Operation& o) {
  return saturate16(saturate16(a * (Element{1} << o.count)) + b);
}

/// Element i of the result is element `even` of r3 if i is even, else element `odd` of r2.
Element mixed(const Elements& x, const Elements& y, unsigned i, unsigned odd, unsigned even) {
  return i % 2 == 0 ? y.unsigned_at(even) : x.unsigned_at(odd);
}
Element mix_right(const Elements& x, const Elements& y, unsigned i, const Operation&) {
  return mixed(x, y, i, i - 1, i);
}
Element mix_left(const Elements& x, const Elements& y, unsigned i, const Operation&) {
  return mixed(x, y, i, i, i + 1);
}
Element unpack_high(const Elements& x, const Elements& y, unsigned i, const Operation&) {
  const unsigned from = (x.count() + i) / 2;
  return mixed(x, y, i, from, from);
}
Element unpack_low(const Elements& x, const Elements& y, unsigned i, const Operation&) {
  return mixed(x, y, i, i / 2, i / 2);
}
/// Converts signed elements to elements of half the size, with saturation. The lower half comes from r2.
template <bool to_unsigned>
Element pack(const Elements& x, const Elements& y, unsigned i, const Operation&) {
  const Element element = i < x.count() ? x.signed_at(i) : y.signed_at(i - x.count());
  const unsigned bits = x.bits() / 2;
  const Element most = (Element{1} << (to_unsigned ? bits : bits - 1)) - 1;
  return std::clamp(element, to_unsigned ? Element{0} : -most - 1, most);
}
/// Products of 16-bit elements 0 and 2 (right) or 1 and 3 (left).
template <unsigned first>
Element product(const Elements& x, const Elements& y, unsigned i, const Operation&) {
  return x.signed_at(2 * i + first) * y.signed_at(2 * i + first);
}

void psad(Machine& m, const Operation& o) {
  const General a = m.gr(o.r2), b = m.gr(o.r3);
  const Elements x(a.value, 0), y(b.value, 0);
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < 8; ++i) {
    const std::int64_t difference = x.unsigned_at(i) - y.unsigned_at(i);
    sum += static_cast<std::uint64_t>(difference < 0 ? -difference : difference);
  }
  m.set_gr(o.r1, sum, a.nat || b.nat);
}

void mux1(Machine& m, const Operation& o) {
  const General a = m.gr(o.r2);
  // Source byte of each byte of the result, lowest first: @brcst 0, @mix 8, @shuf 9, @alt 10, @rev 11.
  constexpr std::array<std::array<std::uint8_t, 8>, 5> orders = {{{0, 0, 0, 0, 0, 0, 0, 0},
                                                                  {0, 4, 2, 6, 1, 5, 3, 7},
                                                                  {0, 4, 1, 5, 2, 6, 3, 7},
                                                                  {0, 2, 4, 6, 1, 3, 5, 7},
                                                                  {7, 6, 5, 4, 3, 2, 1, 0}}};
  const auto type = static_cast<unsigned>(o.immediate);
  if (type != 0 && (type < 8 || type > 11)) throw Fault("has a reserved permutation");
  const auto& order = orders[type == 0 ? 0 : type - 7];
  const Elements x(a.value, 0);
  Elements result(0, 0);
  for (unsigned i = 0; i < 8; ++i) result.set(i, x.unsigned_at(order[i]));
  m.set_gr(o.r1, result.value(), a.nat);
}
void mux2(Machine& m, const Operation& o) {
  const General a = m.gr(o.r2);
  const Elements x(a.value, 1);
  Elements result(0, 1);
  for (unsigned i = 0; i < 4; ++i) result.set(i, x.unsigned_at(static_cast<unsigned>(o.immediate) >> 2 * i & 3));
  m.set_gr(o.r1, result.value(), a.nat);
}

/// Shifts all elements by the same count; `f(elements, i, count)` returns the shifted element i.
template <typename Function>
void shift(Machine& m, const Operation& o, const General& source, const General& count, Function f) {
  const Elements x(source.value, size_of(o));
  Elements result(0, size_of(o));
  for (unsigned i = 0; i < x.count(); ++i) result.set(i, f(x, i, count.value));
  m.set_gr(o.r1, result.value(), source.nat || count.nat);
}
void pshr(Machine& m, const Operation& o) {
  shift(m, o, m.gr(o.r3), m.second(o), [](const Elements& x, unsigned i, std::uint64_t count) {
    return x.signed_at(i) >> std::min<std::uint64_t>(count, x.bits() - 1);
  });
}
void pshr_unsigned(Machine& m, const Operation& o) {
  shift(m, o, m.gr(o.r3), m.second(o), [](const Elements& x, unsigned i, std::uint64_t count) {
    return count >= x.bits() ? 0 : x.unsigned_at(i) >> count;
  });
}
void pshl(Machine& m, const Operation& o) {
  const General count = o.has_immediate ? m.second(o) : m.gr(o.r3);
  shift(m, o, m.gr(o.r2), count, [](const Elements& x, unsigned i, std::uint64_t n) {
    return n >= x.bits() ? 0 : static_cast<std::int64_t>(static_cast<std::uint64_t>(x.unsigned_at(i)) << n);
  });
}

}  // namespace

void add_multimedia_handlers(Handlers& handlers) {
  static constexpr OpHandler rows[] = {
      {Op::padd, compose<sum<1>>},
      {Op::psub, compose<sum<-1>>},
      {Op::pavg, each_unsigned<[](Element a, Element b, auto&) { return half(a + b); }>},
      {Op::pavg_raz, each_unsigned<[](Element a, Element b, auto&) { return ((a + b + 1) >> 1); }>},
      {Op::pavgsub, each_unsigned<[](Element a, Element b, auto&) { return half(a - b); }>},
      {Op::pcmp_eq, each_unsigned<[](Element a, Element b, auto&) { return Element{a == b ? -1 : 0}; }>},
      {Op::pcmp_gt, each_signed<[](Element a, Element b, auto&) { return Element{b < a ? -1 : 0}; }>},
      {Op::pshladd, each_signed<shift_left_and_add>},
      {Op::pshradd, each_signed<[](Element a, Element b, auto& o) { return saturate16((a >> o.count) + b); }>},
      {Op::pmpyshr, each_signed<[](Element a, Element b, auto& o) { return (a * b >> o.count); }>},
      {Op::pmpyshr_unsigned, each_unsigned<[](Element a, Element b, auto& o) { return (a * b >> o.count); }>},
      {Op::pmpy_right, compose<product<0>, 1>},
      {Op::pmpy_left, compose<product<1>, 1>},
      {Op::mix_right, compose<mix_right>},
      {Op::mix_left, compose<mix_left>},
      {Op::pack_unsigned, compose<pack<true>, -1>},
      {Op::pack_signed, compose<pack<false>, -1>},
      {Op::unpack_high, compose<unpack_high>},
      {Op::unpack_low, compose<unpack_low>},
      {Op::pmin, each_extreme<[](Element a, Element b, auto&) { return std::min(a, b); }>},
      {Op::pmax, each_extreme<[](Element a, Element b, auto&) { return std::max(a, b); }>},
      {Op::psad, psad},
      {Op::mux1, mux1},
      {Op::mux2, mux2},
      {Op::pshr, pshr},
      {Op::pshr_unsigned, pshr_unsigned},
      {Op::pshl, pshl}};
  add(handlers, rows);
}

}  // namespace pmusim::trace::ia64
