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

/// r1 = f(r2, r3, i) element by element.
template <typename Function>
void each(Machine& m, const Operation& o, Function f) {
  const General a = m.gr(o.r2), b = m.gr(o.r3);
  const Elements x(a.value, size_of(o)), y(b.value, size_of(o));
  Elements result(0, size_of(o));
  for (unsigned i = 0; i < result.count(); ++i) result.set(i, f(x, y, i));
  m.set_gr(o.r1, result.value(), a.nat || b.nat);
}

/// Argument bits 5:4: 0 modulo, else saturation. 1, 2, 3 are sss, uuu, uus: signedness of result, first and second
/// operand.
void add_or_subtract(Machine& m, const Operation& o, int sign) {
  const unsigned saturation = o.argument >> 4;
  each(m, o, [&](const Elements& x, const Elements& y, unsigned i) {
    const bool first_signed = saturation == 1, second_signed = saturation == 1 || saturation == 3;
    const std::int64_t result =
        (first_signed ? x.signed_at(i) : x.unsigned_at(i)) + sign * (second_signed ? y.signed_at(i) : y.unsigned_at(i));
    if (saturation == 0) return result;
    const std::int64_t most =
        saturation == 1 ? (std::int64_t{1} << (x.bits() - 1)) - 1 : (std::int64_t{1} << x.bits()) - 1;
    return std::clamp(result, saturation == 1 ? -most - 1 : std::int64_t{0}, most);
  });
}
void padd(Machine& m, const Operation& o) { add_or_subtract(m, o, 1); }
void psub(Machine& m, const Operation& o) { add_or_subtract(m, o, -1); }

/// The average. The bit shifted out is ORed into the lowest bit; pavg_raz rounds away from zero instead.
void pavg(Machine& m, const Operation& o) {
  each(m, o, [](const Elements& x, const Elements& y, unsigned i) {
    const std::int64_t sum = x.unsigned_at(i) + y.unsigned_at(i);
    return sum >> 1 | (sum & 1);
  });
}
void pavg_raz(Machine& m, const Operation& o) {
  each(m, o,
       [](const Elements& x, const Elements& y, unsigned i) { return (x.unsigned_at(i) + y.unsigned_at(i) + 1) >> 1; });
}
void pavgsub(Machine& m, const Operation& o) {
  each(m, o, [](const Elements& x, const Elements& y, unsigned i) {
    const std::int64_t difference = x.unsigned_at(i) - y.unsigned_at(i);
    return difference >> 1 | (difference & 1);
  });
}
void pcmp_eq(Machine& m, const Operation& o) {
  each(m, o, [](const Elements& x, const Elements& y, unsigned i) -> std::int64_t {
    return x.unsigned_at(i) == y.unsigned_at(i) ? -1 : 0;
  });
}
void pcmp_gt(Machine& m, const Operation& o) {
  each(m, o, [](const Elements& x, const Elements& y, unsigned i) -> std::int64_t {
    return x.signed_at(i) > y.signed_at(i) ? -1 : 0;
  });
}
std::int64_t saturate16(std::int64_t value) { return std::clamp<std::int64_t>(value, -32768, 32767); }
/// First the shifted operand saturates, then the sum.
void pshladd(Machine& m, const Operation& o) {
  each(m, o, [&](const Elements& x, const Elements& y, unsigned i) {
    return saturate16(saturate16(x.signed_at(i) * (std::int64_t{1} << o.count)) + y.signed_at(i));
  });
}
void pshradd(Machine& m, const Operation& o) {
  each(m, o, [&](const Elements& x, const Elements& y, unsigned i) {
    return saturate16((x.signed_at(i) >> o.count) + y.signed_at(i));
  });
}
void pmpyshr(Machine& m, const Operation& o) {
  each(m, o,
       [&](const Elements& x, const Elements& y, unsigned i) { return x.signed_at(i) * y.signed_at(i) >> o.count; });
}
void pmpyshr_unsigned(Machine& m, const Operation& o) {
  each(m, o, [&](const Elements& x, const Elements& y, unsigned i) {
    return x.unsigned_at(i) * y.unsigned_at(i) >> o.count;
  });
}
void pmin(Machine& m, const Operation& o) {
  each(m, o, [&](const Elements& x, const Elements& y, unsigned i) {
    return x.bits() == 8 ? std::min(x.unsigned_at(i), y.unsigned_at(i)) : std::min(x.signed_at(i), y.signed_at(i));
  });
}
void pmax(Machine& m, const Operation& o) {
  each(m, o, [&](const Elements& x, const Elements& y, unsigned i) {
    return x.bits() == 8 ? std::max(x.unsigned_at(i), y.unsigned_at(i)) : std::max(x.signed_at(i), y.signed_at(i));
  });
}

/// Composes r1 from elements of both sources; `pick` returns element i of the result.
template <typename Pick>
void shuffle(Machine& m, const Operation& o, unsigned result_size, Pick pick) {
  const General a = m.gr(o.r2), b = m.gr(o.r3);
  const Elements x(a.value, size_of(o)), y(b.value, size_of(o));
  Elements result(0, result_size);
  for (unsigned i = 0; i < result.count(); ++i) result.set(i, pick(x, y, i));
  m.set_gr(o.r1, result.value(), a.nat || b.nat);
}

void mix_right(Machine& m, const Operation& o) {
  shuffle(m, o, size_of(o), [](const Elements& x, const Elements& y, unsigned i) {
    return i % 2 == 0 ? y.unsigned_at(i) : x.unsigned_at(i - 1);
  });
}
void mix_left(Machine& m, const Operation& o) {
  shuffle(m, o, size_of(o), [](const Elements& x, const Elements& y, unsigned i) {
    return i % 2 == 0 ? y.unsigned_at(i + 1) : x.unsigned_at(i);
  });
}
void unpack_high(Machine& m, const Operation& o) {
  shuffle(m, o, size_of(o), [](const Elements& x, const Elements& y, unsigned i) {
    const unsigned from = x.count() / 2 + i / 2;
    return i % 2 == 0 ? y.unsigned_at(from) : x.unsigned_at(from);
  });
}
void unpack_low(Machine& m, const Operation& o) {
  shuffle(m, o, size_of(o), [](const Elements& x, const Elements& y, unsigned i) {
    return i % 2 == 0 ? y.unsigned_at(i / 2) : x.unsigned_at(i / 2);
  });
}
/// Converts signed elements to elements of half the size, with saturation. The lower half comes from r2.
void pack(Machine& m, const Operation& o, bool to_unsigned) {
  shuffle(m, o, size_of(o) - 1, [&](const Elements& x, const Elements& y, unsigned i) {
    const std::int64_t element = i < x.count() ? x.signed_at(i) : y.signed_at(i - x.count());
    const unsigned bits = x.bits() / 2;
    const std::int64_t most = (std::int64_t{1} << (to_unsigned ? bits : bits - 1)) - 1;
    return std::clamp(element, to_unsigned ? std::int64_t{0} : -most - 1, most);
  });
}
void pack_unsigned(Machine& m, const Operation& o) { pack(m, o, true); }
void pack_signed(Machine& m, const Operation& o) { pack(m, o, false); }

/// Products of 16-bit elements 0 and 2 (right) or 1 and 3 (left).
void pmpy(Machine& m, const Operation& o, unsigned first) {
  shuffle(m, o, 2, [&](const Elements& x, const Elements& y, unsigned i) {
    return x.signed_at(2 * i + first) * y.signed_at(2 * i + first);
  });
}
void pmpy_right(Machine& m, const Operation& o) { pmpy(m, o, 0); }
void pmpy_left(Machine& m, const Operation& o) { pmpy(m, o, 1); }

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
  const auto set = [&](Op op, Handler handler) { handlers[static_cast<std::size_t>(op)] = handler; };
  set(Op::padd, padd);
  set(Op::psub, psub);
  set(Op::pavg, pavg);
  set(Op::pavg_raz, pavg_raz);
  set(Op::pavgsub, pavgsub);
  set(Op::pcmp_eq, pcmp_eq);
  set(Op::pcmp_gt, pcmp_gt);
  set(Op::pshladd, pshladd);
  set(Op::pshradd, pshradd);
  set(Op::pmpyshr, pmpyshr);
  set(Op::pmpyshr_unsigned, pmpyshr_unsigned);
  set(Op::pmpy_right, pmpy_right);
  set(Op::pmpy_left, pmpy_left);
  set(Op::mix_right, mix_right);
  set(Op::mix_left, mix_left);
  set(Op::pack_unsigned, pack_unsigned);
  set(Op::pack_signed, pack_signed);
  set(Op::unpack_high, unpack_high);
  set(Op::unpack_low, unpack_low);
  set(Op::pmin, pmin);
  set(Op::pmax, pmax);
  set(Op::psad, psad);
  set(Op::mux1, mux1);
  set(Op::mux2, mux2);
  set(Op::pshr, pshr);
  set(Op::pshr_unsigned, pshr_unsigned);
  set(Op::pshl, pshl);
}

}  // namespace pmusim::trace::ia64
