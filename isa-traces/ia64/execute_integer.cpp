// Integer arithmetic, compares, bit fields.
#include <bit>

#include "machine.h"

namespace pmusim::trace::ia64 {
namespace {

using Value = std::uint64_t;

/// r1 = f(first operand, r3). The first operand is r2 or an immediate. NaT if one of them is NaT.
template <typename Function>
void combine(Machine& m, const Operation& o, Function f) {
  const General a = m.second(o), b = m.gr(o.r3);
  m.set_gr(o.r1, f(a.value, b.value), a.nat || b.nat);
}

/// Result of addp4's 32-bit addition: bits 62:61 are bits 31:30 of the pointer.
Value extend_pointer(Value sum, Value pointer) { return (sum & 0xffffffff) | (pointer >> 30 & 3) << 61; }

void add(Machine& m, const Operation& o) {
  combine(m, o, [](Value a, Value b) { return a + b; });
}
void add_one(Machine& m, const Operation& o) {
  combine(m, o, [](Value a, Value b) { return a + b + 1; });
}
void sub(Machine& m, const Operation& o) {
  combine(m, o, [](Value a, Value b) { return a - b; });
}
void sub_one(Machine& m, const Operation& o) {
  combine(m, o, [](Value a, Value b) { return a - b - 1; });
}
void addp4(Machine& m, const Operation& o) {
  combine(m, o, [](Value a, Value b) { return extend_pointer(a + b, b); });
}
void and_(Machine& m, const Operation& o) {
  combine(m, o, [](Value a, Value b) { return a & b; });
}
void andcm(Machine& m, const Operation& o) {
  combine(m, o, [](Value a, Value b) { return a & ~b; });
}
void or_(Machine& m, const Operation& o) {
  combine(m, o, [](Value a, Value b) { return a | b; });
}
void xor_(Machine& m, const Operation& o) {
  combine(m, o, [](Value a, Value b) { return a ^ b; });
}
void shladd(Machine& m, const Operation& o) {
  combine(m, o, [&](Value a, Value b) { return (a << o.count) + b; });
}
void shladdp4(Machine& m, const Operation& o) {
  combine(m, o, [&](Value a, Value b) { return extend_pointer((a << o.count) + b, b); });
}
void movl(Machine& m, const Operation& o) { m.set_gr(o.r1, static_cast<Value>(o.immediate)); }

/// Writes the two target predicates of a compare or test according to its type. `nat`: a source is NaT.
void set_targets(Machine& m, const Operation& o, bool result, bool nat) {
  switch (static_cast<CompareType>(o.argument >> 4 & 15)) {
    case CompareType::normal:
    case CompareType::unc:
      m.set_pr(o.p1, !nat && result);
      m.set_pr(o.p2, !nat && !result);
      break;
    case CompareType::and_:
      if (nat || !result) {
        m.set_pr(o.p1, false);
        m.set_pr(o.p2, false);
      }
      break;
    case CompareType::or_:
      if (!nat && result) {
        m.set_pr(o.p1, true);
        m.set_pr(o.p2, true);
      }
      break;
    case CompareType::or_andcm:
      if (!nat && result) {
        m.set_pr(o.p1, true);
        m.set_pr(o.p2, false);
      }
      break;
  }
}

bool holds(Relation relation, std::int64_t a, std::int64_t b) {
  switch (relation) {
    case Relation::eq:
      return a == b;
    case Relation::ne:
      return a != b;
    case Relation::lt:
      return a < b;
    case Relation::le:
      return a <= b;
    case Relation::gt:
      return a > b;
    case Relation::ge:
      return a >= b;
    case Relation::ltu:
      break;
  }
  return static_cast<Value>(a) < static_cast<Value>(b);
}

void compare(Machine& m, const Operation& o) {
  const bool against_zero = (o.argument & 0x200) != 0;
  const General a = against_zero ? General{} : m.second(o), b = m.gr(o.r3);
  auto left = static_cast<std::int64_t>(a.value), right = static_cast<std::int64_t>(b.value);
  const auto relation = static_cast<Relation>(o.argument & 15);
  if ((o.argument & 0x100) != 0) {  // cmp4
    left = static_cast<std::int32_t>(left);
    right = static_cast<std::int32_t>(right);
  }
  set_targets(m, o, holds(relation, left, right), a.nat || b.nat);
}

/// `z` completers test for a zero bit (eq), `nz` for a one bit.
void test(Machine& m, const Operation& o, bool bit, bool nat) {
  set_targets(m, o, bit == (static_cast<Relation>(o.argument & 15) == Relation::ne), nat);
}
void test_bit(Machine& m, const Operation& o) {
  const General& r = m.gr(o.r3);
  test(m, o, (r.value >> o.count & 1) != 0, r.nat);
}
void test_nat(Machine& m, const Operation& o) { test(m, o, m.gr(o.r3).nat, false); }

/// r1 = f(source); the format determines the source: r3 or r2.
template <typename Function>
void map(Machine& m, const Operation& o, const General& source, Function f) {
  m.set_gr(o.r1, f(source.value), source.nat);
}

Value ones(unsigned bits) { return bits >= 64 ? ~Value{0} : (Value{1} << bits) - 1; }

void shift_left(Machine& m, const Operation& o) {  // r1=r2,r3
  combine(m, o, [](Value a, Value b) { return b > 63 ? 0 : a << b; });
}
void shift_right(Machine& m, const Operation& o) {  // r1=r3,r2
  combine(m, o, [](Value count, Value a) {
    return static_cast<Value>(static_cast<std::int64_t>(a) >> (count > 63 ? 63 : count));
  });
}
void shift_right_unsigned(Machine& m, const Operation& o) {
  combine(m, o, [](Value count, Value a) { return count > 63 ? 0 : a >> count; });
}
void shift_right_pair(Machine& m, const Operation& o) {
  combine(m, o, [&](Value high, Value low) { return o.count == 0 ? low : low >> o.count | high << (64 - o.count); });
}
void extract_unsigned(Machine& m, const Operation& o) {
  map(m, o, m.gr(o.r3), [&](Value a) { return a >> o.count & ones(o.length); });
}
void extract(Machine& m, const Operation& o) {
  map(m, o, m.gr(o.r3), [&](Value a) {
    const unsigned length = o.count + o.length > 64 ? 64u - o.count : o.length;
    return static_cast<Value>(sign_extend(a >> o.count, length));
  });
}
void deposit(Machine& m, const Operation& o) {
  combine(m, o, [&](Value a, Value b) {
    const Value mask = ones(o.length) << o.count;
    return (b & ~mask) | (a << o.count & mask);
  });
}
void deposit_zero(Machine& m, const Operation& o) {
  map(m, o, m.second(o), [&](Value a) { return (a & ones(o.length)) << o.count; });
}
void sign_extend_part(Machine& m, const Operation& o) {
  map(m, o, m.gr(o.r3), [&](Value a) { return static_cast<Value>(sign_extend(a, 8u << o.argument)); });
}
void zero_extend_part(Machine& m, const Operation& o) {
  map(m, o, m.gr(o.r3), [&](Value a) { return a & ones(8u << o.argument); });
}

/// czx: index of the first zero element, from the left or the right; the number of elements if there is none.
void zero_index(Machine& m, const Operation& o, bool from_left) {
  map(m, o, m.gr(o.r3), [&](Value a) -> Value {
    const unsigned bits = 8u << o.argument, count = 64 / bits;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned element = from_left ? count - 1 - i : i;
      if ((a >> element * bits & ones(bits)) == 0) return i;
    }
    return count;
  });
}
void zero_index_left(Machine& m, const Operation& o) { zero_index(m, o, true); }
void zero_index_right(Machine& m, const Operation& o) { zero_index(m, o, false); }
void popcount(Machine& m, const Operation& o) {
  map(m, o, m.gr(o.r3), [](Value a) { return static_cast<Value>(std::popcount(a)); });
}

}  // namespace

void add_integer_handlers(Handlers& handlers) {
  const auto set = [&](Op op, Handler handler) { handlers[static_cast<std::size_t>(op)] = handler; };
  set(Op::add, add);
  set(Op::add_one, add_one);
  set(Op::sub, sub);
  set(Op::sub_one, sub_one);
  set(Op::addp4, addp4);
  set(Op::and_, and_);
  set(Op::andcm, andcm);
  set(Op::or_, or_);
  set(Op::xor_, xor_);
  set(Op::shladd, shladd);
  set(Op::shladdp4, shladdp4);
  set(Op::movl, movl);
  set(Op::compare, compare);
  set(Op::test_bit, test_bit);
  set(Op::test_nat, test_nat);
  set(Op::shift_left, shift_left);
  set(Op::shift_right, shift_right);
  set(Op::shift_right_unsigned, shift_right_unsigned);
  set(Op::shift_right_pair, shift_right_pair);
  set(Op::extract, extract);
  set(Op::extract_unsigned, extract_unsigned);
  set(Op::deposit, deposit);
  set(Op::deposit_zero, deposit_zero);
  set(Op::sign_extend, sign_extend_part);
  set(Op::zero_extend, zero_extend_part);
  set(Op::zero_index_left, zero_index_left);
  set(Op::zero_index_right, zero_index_right);
  set(Op::popcount, popcount);
}

}  // namespace pmusim::trace::ia64
