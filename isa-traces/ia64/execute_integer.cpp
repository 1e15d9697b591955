// Integer arithmetic, compares, bit fields.
#include <algorithm>
#include <bit>

#include "machine.h"

namespace pmusim::trace::ia64 {
namespace {

using Value = std::uint64_t;

/// r1 = f(first operand, r3, o). The first operand is r2 or an immediate. NaT if one of them is NaT.
template <auto f>
void combine(Machine& m, const Operation& o) {
  const General a = m.second(o), b = m.gr(o.r3);
  m.set_gr(o.r1, f(a.value, b.value, o), a.nat || b.nat);
}

/// Result of addp4's 32-bit addition: bits 62:61 are bits 31:30 of the pointer.
Value extend_pointer(Value sum, Value pointer) { return (sum & 0xffffffff) | (pointer >> 30 & 3) << 61; }

void movl(Machine& m, const Operation& o) { m.set_gr(o.r1, static_cast<Value>(o.immediate)); }

/// Writes the two target predicates of a compare or test according to its type. `nat`: a source is NaT.
void set_targets(Machine& m, const Operation& o, bool result, bool nat) {
  const auto set = [&](bool first, bool second) {
    m.set_pr(o.p1, first);
    m.set_pr(o.p2, second);
  };
  const auto type = static_cast<CompareType>(o.argument >> 4 & 15);
  const bool holds = result && !nat;
  if (type == CompareType::normal || type == CompareType::unc) set(holds, !result && !nat);
  if (type == CompareType::and_ && !holds) set(false, false);
  if (type == CompareType::or_ && holds) set(true, true);
  if (type == CompareType::or_andcm && holds) set(true, false);
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

/// r1 = f(source, o). The source is r3.
template <auto f>
void map(Machine& m, const Operation& o) {
  const General source = m.gr(o.r3);
  m.set_gr(o.r1, f(source.value, o), source.nat);
}

Value ones(unsigned bits) { return bits >= 64 ? ~Value{0} : (Value{1} << bits) - 1; }

Value shift_right(Value count, Value a, const Operation&) {
  return static_cast<Value>(static_cast<std::int64_t>(a) >> std::min<Value>(count, 63));
}
Value shift_right_pair(Value high, Value low, const Operation& o) {
  return o.count == 0 ? low : low >> o.count | high << (64 - o.count);
}
Value extract(Value a, const Operation& o) {
  const unsigned length = o.count + o.length > 64 ? 64u - o.count : o.length;
  return static_cast<Value>(sign_extend(a >> o.count, length));
}
Value deposit(Value a, Value b, const Operation& o) {
  const Value mask = ones(o.length) << o.count;
  return (b & ~mask) | (a << o.count & mask);
}
/// The source is r2 or an immediate.
void deposit_zero(Machine& m, const Operation& o) {
  const General source = m.second(o);
  m.set_gr(o.r1, (source.value & ones(o.length)) << o.count, source.nat);
}

/// czx: index of the first zero element, from the left or the right; the number of elements if there is none.
template <bool from_left>
Value zero_index(Value a, const Operation& o) {
  const unsigned bits = 8u << o.argument, count = 64 / bits;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned element = from_left ? count - 1 - i : i;
    if ((a >> element * bits & ones(bits)) == 0) return i;
  }
  return count;
}

}  // namespace

void add_integer_handlers(Handlers& handlers) {
  static constexpr OpHandler rows[] = {
      {Op::add, combine<[](Value a, Value b, auto&) { return a + b; }>},
      {Op::add_one, combine<[](Value a, Value b, auto&) { return a + b + 1; }>},
      {Op::sub, combine<[](Value a, Value b, auto&) { return a - b; }>},
      {Op::sub_one, combine<[](Value a, Value b, auto&) { return a - b - 1; }>},
      {Op::addp4, combine<[](Value a, Value b, auto&) { return extend_pointer(a + b, b); }>},
      {Op::and_, combine<[](Value a, Value b, auto&) { return a & b; }>},
      {Op::andcm, combine<[](Value a, Value b, auto&) { return a & ~b; }>},
      {Op::or_, combine<[](Value a, Value b, auto&) { return a | b; }>},
      {Op::xor_, combine<[](Value a, Value b, auto&) { return a ^ b; }>},
      {Op::shladd, combine<[](Value a, Value b, auto& o) { return (a << o.count) + b; }>},
      {Op::shladdp4, combine<[](Value a, Value b, auto& o) { return extend_pointer((a << o.count) + b, b); }>},
      {Op::movl, movl},
      {Op::compare, compare},
      {Op::test_bit, test_bit},
      {Op::test_nat, test_nat},
      {Op::shift_left, combine<[](Value a, Value count, auto&) { return 63 < count ? 0 : a << count; }>},
      {Op::shift_right, combine<shift_right>},
      {Op::shift_right_unsigned, combine<[](Value count, Value a, auto&) { return (63 < count ? 0 : a >> count); }>},
      {Op::shift_right_pair, combine<shift_right_pair>},
      {Op::extract, map<extract>},
      {Op::extract_unsigned, map<[](Value a, auto& o) { return (a >> o.count & ones(o.length)); }>},
      {Op::deposit, combine<deposit>},
      {Op::deposit_zero, deposit_zero},
      {Op::sign_extend, map<[](Value a, auto& o) { return static_cast<Value>(sign_extend(a, 8u << o.argument)); }>},
      {Op::zero_extend, map<[](Value a, auto& o) { return a & ones(8u << o.argument); }>},
      {Op::zero_index_left, map<zero_index<true>>},
      {Op::zero_index_right, map<zero_index<false>>},
      {Op::popcount, map<[](Value a, auto&) { return static_cast<Value>(std::popcount(a)); }>}};
  add(handlers, rows);
}

}  // namespace pmusim::trace::ia64
