// The IA-64 opcode tables, with one row for each instruction in volume 3, chapter 4 of the architecture manual.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pmusim/trace/ia64.h"

namespace pmusim::trace::ia64 {

/// The operation of an instruction. Variants with different sizes, relations or completers share an Op; Row::argument
/// distinguishes them.
enum class Op : std::uint8_t {
  unsupported,  ///< the simulator does not execute it
  nop,
  hint,
  break_,
  // integer
  add,
  add_one,
  sub,
  sub_one,
  addp4,
  and_,
  andcm,
  or_,
  xor_,
  shladd,
  shladdp4,
  movl,
  compare,
  test_bit,
  test_nat,
  shift_left,
  shift_right,
  shift_right_unsigned,
  shift_right_pair,
  extract,
  extract_unsigned,
  deposit,
  deposit_zero,
  sign_extend,
  zero_extend,
  zero_index_left,
  zero_index_right,
  popcount,
  // parallel integer
  padd,
  psub,
  pavg,
  pavg_raz,
  pavgsub,
  pcmp_eq,
  pcmp_gt,
  pshladd,
  pshradd,
  pmpyshr,
  pmpyshr_unsigned,
  pmpy_right,
  pmpy_left,
  mix_right,
  mix_left,
  pack_unsigned,
  pack_signed,
  unpack_high,
  unpack_low,
  pmin,
  pmax,
  psad,
  mux1,
  mux2,
  pshr,
  pshr_unsigned,
  pshl,
  // memory
  load,
  store,
  load16,
  store16,
  fp_load,
  fp_store,
  fp_load_pair,
  cmpxchg,
  cmp8xchg16,
  xchg,
  fetchadd,
  lfetch,
  invala,
  invala_gr,
  invala_fr,
  fence,
  flush_cache,
  setf,
  getf,
  chk_s_gr,
  chk_s_fr,
  chk_a_gr,
  chk_a_fr,
  // register stack, special registers
  alloc,
  flushrs,
  loadrs,
  cover,
  clrrrb,
  clrrrb_pr,
  mov_from_ar,
  mov_to_ar,
  mov_from_br,
  mov_to_br,
  mov_from_pr,
  mov_to_pr,
  mov_to_pr_rot,
  mov_from_ip,
  mov_from_psr_um,
  mov_to_psr_um,
  user_mask_set,
  user_mask_reset,
  serialize,
  read_indexed,
  // floating point
  fma,
  fms,
  fnma,
  fpma,
  fpms,
  fpnma,
  xma,
  fselect,
  fcmp,
  fclass,
  frcpa,
  frsqrta,
  fprcpa,
  fprsqrta,
  fmin,
  fmax,
  famin,
  famax,
  fpmin,
  fpmax,
  fpamin,
  fpamax,
  fpcmp,
  fmerge,
  fpmerge,
  fmix,
  fsxt,
  fpack,
  fswap,
  fand,
  fandcm,
  for_,
  fxor,
  fcvt_to_integer,
  fcvt_from_integer,
  fpcvt,
  fsetc,
  fclrf,
  fchkf,
  // branches
  br_cond,
  br_call,
  br_ret,
  br_indirect,
  br_indirect_call,
  br_cloop,
  br_ctop,
  br_cexit,
  br_wtop,
  br_wexit,
  brp,
  count
};

/// A condition on some of the 41 bits of an encoding.
struct Pattern {
  std::uint64_t mask = 0, match = 0;
  [[nodiscard]] constexpr bool accepts(std::uint64_t encoding) const { return (encoding & mask) == match; }
};
constexpr Pattern operator+(Pattern a, Pattern b) { return {a.mask | b.mask, a.match | b.match}; }
/// The pattern in which bits `high` to `low` have a value.
constexpr Pattern bits(unsigned high, unsigned low, std::uint64_t value) {
  return {((std::uint64_t{1} << (high - low + 1)) - 1) << low, value << low};
}
constexpr Pattern bit(unsigned number, std::uint64_t value) { return bits(number, number, value); }
constexpr Pattern opcode(std::uint64_t major) { return bits(40, 37, major); }

struct Row {
  Pattern pattern;
  /// Completers that are encoded in fields are in braces: {h} locality hint, {w} whether hint, {p} few or many, {d}
  /// clr, {s} status field, {b} importance and whether hints of brp and mov to br.
  std::string mnemonic;
  Kind kind;
  Op op;
  /// Operands by the names of their fields, targets before `=`: r1 f2 p1 b1 ar3; [r3] is an address; other words are
  /// immediates (see immediate.cpp). After `|`: registers that are not encoded, with the same grammar.
  std::string operands;
  unsigned argument = 0;  ///< variant; its meaning depends on the Op
};

/// Compare and test: argument = relation | type << 4 | (32 bits wide) << 8.
enum class Relation : std::uint8_t { eq, ne, lt, le, gt, ge, ltu };
enum class CompareType : std::uint8_t { normal, unc, and_, or_, or_andcm };
constexpr unsigned compare_argument(Relation relation, CompareType type, bool word = false) {
  return static_cast<unsigned>(relation) | static_cast<unsigned>(type) << 4 | (word ? 0x100u : 0u);
}

/// Memory: argument = log2 of the size, or FpFormat | LoadKind << 4 | Increment << 8 | release << 10.
enum class Increment : std::uint8_t { none, by_register, by_immediate };
enum class FpFormat : std::uint8_t { extended, integer, single, double_, spill };
constexpr unsigned memory_argument(unsigned size, LoadKind kind, Increment increment, bool release = false) {
  return size | static_cast<unsigned>(kind) << 4 | static_cast<unsigned>(increment) << 8 | (release ? 0x400u : 0u);
}
constexpr LoadKind load_kind_of(unsigned argument) { return static_cast<LoadKind>(argument >> 4 & 15); }
constexpr Increment increment_of(unsigned argument) { return static_cast<Increment>(argument >> 8 & 3); }

/// Branches: argument = BranchKind.
[[nodiscard]] constexpr BranchKind branch_of(const Row& row) {
  return row.kind == Kind::branch ? static_cast<BranchKind>(row.argument) : BranchKind::none;
}
/// True for br.wtop and br.wexit, which read their qualifying predicate as an operand.
[[nodiscard]] constexpr bool is_while_branch(const Row& row) {
  return branch_of(row) == BranchKind::wtop || branch_of(row) == BranchKind::wexit;
}
/// Precision of a floating-point result; argument of fma, fms, fnma.
enum class Precision : std::uint8_t { dynamic, single, double_ };

// Rows of one unit. A-type rows apply to M and I slots.
[[nodiscard]] std::vector<Row> integer_rows();  // A
[[nodiscard]] std::vector<Row> shift_rows();    // I
[[nodiscard]] std::vector<Row> memory_rows();   // M: loads, stores, semaphores
[[nodiscard]] std::vector<Row> system_rows();   // M: other instructions
[[nodiscard]] std::vector<Row> float_rows();    // F
[[nodiscard]] std::vector<Row> branch_rows();   // B
[[nodiscard]] std::vector<Row> long_rows();     // X

/// The row of an encoding in a slot of this type; null if reserved.
[[nodiscard]] const Row* find_row(Unit unit, std::uint64_t encoding);
/// All rows of a unit, A-type ones included.
[[nodiscard]] std::span<const Row> rows_of(Unit unit);

}  // namespace pmusim::trace::ia64
