#include "models/core/alpha/static_code.h"

#include <algorithm>

#include "models/core/core.h"

namespace pmusim::core::alpha {

using activity::Trait;
using trace::alpha::BranchKind;
using trace::alpha::Extension;
using Work = trace::alpha::Kind;

namespace {

bool has_extension(Chip chip, Extension extension) {
  // base, bwx (the 21164A implements it, the 21164 does not), fix, cix, mvi: the first chip in the order of Chip
  constexpr std::array first = {Chip::ev4, Chip::ev5, Chip::ev6, Chip::ev67, Chip::pca56};
  return chip >= first[static_cast<std::size_t>(extension)];
}

/// What an instruction of a kind is, beside what Operation tells.
struct KindRow {
  Work work;
  act::Kind kind;
};
constexpr KindRow kinds_of_work[] = {
    {Work::load_address, act::Kind::load_address},
    {Work::hw_load, act::Kind::load},
    {Work::hw_store, act::Kind::store},
    {Work::fp_load, act::Kind::floating},
    {Work::fp_store, act::Kind::floating},
    {Work::fp_branch, act::Kind::floating},
    {Work::load_locked, act::Kind::load_locked},
    {Work::store_conditional, act::Kind::store_conditional},
    {Work::conditional_move, act::Kind::conditional_move},
    {Work::fp_conditional_move, act::Kind::conditional_move},
    {Work::memory_barrier, act::Kind::memory_barrier},
    {Work::write_barrier, act::Kind::memory_barrier},
    {Work::trap_barrier, act::Kind::trap_barrier},
    {Work::exception_barrier, act::Kind::trap_barrier},
};
/// The kind of a branch, by BranchKind from `conditional` on.
constexpr act::Kind kinds_of_branches[] = {
    act::Kind::conditional_branch,
    act::Kind::unconditional_branch,
    act::Kind::unconditional_branch,
    act::Kind::jump,
    act::Kind::jump,
    act::Kind::jump,
    act::Kind::jump,
    act::Kind::call_pal,
    act::Kind::pal_return,
};

std::uint32_t kinds_of(const trace::alpha::Operation& op) {
  using act::bit;
  using act::Kind;
  std::uint32_t kinds = 0;
  for (const KindRow& row : kinds_of_work) {
    if (row.work == op.kind) kinds |= bit(row.kind);
  }
  if (op.is_integer_operate() && op.kind != Work::load_address) kinds |= bit(Kind::integer_operate);
  if (op.is_fp_operate()) kinds |= bit(Kind::fp_operate);
  if (op.is_load() && !op.nop) kinds |= bit(Kind::load);
  if (op.is_store()) kinds |= bit(Kind::store);
  if (op.branch != BranchKind::none) kinds |= bit(kinds_of_branches[static_cast<std::size_t>(op.branch) - 1]);
  return kinds;
}

std::uint32_t traits_of(const trace::alpha::Operation& op) {
  using activity::bit;
  std::uint32_t traits = 0;
  if (op.is_load() && !op.nop) traits |= bit(Trait::load);
  if (op.is_store()) traits |= bit(Trait::store);
  if (op.kind == Work::load_locked) traits |= bit(Trait::load_reserve);
  if (op.kind == Work::store_conditional) traits |= bit(Trait::store_conditional);
  if (op.is_branch() && op.kind != Work::call_pal) traits |= bit(Trait::branch);
  if (op.branch == BranchKind::conditional) traits |= bit(Trait::conditional);
  if (op.branch == BranchKind::subroutine || op.branch == BranchKind::computed_subroutine) traits |= bit(Trait::call);
  if (op.branch == BranchKind::subroutine_return) traits |= bit(Trait::near_return);
  if (op.branch == BranchKind::computed || op.branch == BranchKind::computed_subroutine) traits |= bit(Trait::indirect);
  if (op.is_fp_operate()) traits |= bit(Trait::fp_arithmetic);
  return traits;
}

}  // namespace

StaticCode decode(Chip chip, const trace::Code& code) {
  const trace::alpha::Operation op = trace::alpha::classify(code);
  StaticCode s;
  s.pc = code.pc;
  for (unsigned i = 0; i < 4; ++i) s.encoding |= static_cast<std::uint32_t>(code.bytes[i]) << 8 * i;
  s.work = op.kind;
  s.branch = op.branch;
  s.emulated = op.kind == Work::illegal || !has_extension(chip, op.extension);
  s.leaves = s.emulated;
  if (s.emulated) return s;
  s.kinds = kinds_of(op);
  s.orders_memory = s.has(act::Kind::memory_barrier) || s.has(act::Kind::store_conditional);
  s.traits = traits_of(op);
  s.nop = op.nop;
  s.floats = op.is_fp_operate() || (s.kinds & act::bit(act::Kind::floating)) != 0;
  s.any_align = op.unaligned;
  s.backward = op.backward;
  constexpr std::uint32_t overflow_bit = 1u << 11;  // of integer operates: /V
  const bool multiplies = op.kind == Work::multiply_long || op.kind == Work::multiply_quad;
  s.traps_late = multiplies && (s.encoding & overflow_bit) != 0;
  s.access_size = op.access_size;
  s.target = op.target;
  s.hint = op.hint;
  s.pal_function = op.pal_function;
  s.read_count = static_cast<std::uint8_t>(std::min(op.reads.size(), s.reads.size()));
  std::copy_n(op.reads.begin(), s.read_count, s.reads.begin());
  s.write_count = static_cast<std::uint8_t>(std::min(op.writes.size(), s.writes.size()));
  std::copy_n(op.writes.begin(), s.write_count, s.writes.begin());
  const bool out_of_order = chip == Chip::ev6 || chip == Chip::ev67;
  if (out_of_order && (s.nop || op.kind == Work::trap_barrier || op.kind == Work::exception_barrier)) {
    s.kinds |= act::bit(act::Kind::squashed);
  }
  for (unsigned i = 0; i < s.write_count; ++i) ++(s.writes[i] >= trace::alpha::reg_fp ? s.fp_writes : s.integer_writes);
  const bool halves = s.has(act::Kind::conditional_move) && !s.has(act::Kind::squashed);
  s.leaves = s.has(act::Kind::call_pal) || s.has(act::Kind::pal_return);
  s.plain = !s.is_branch() && !halves && !s.leaves;
  s.computes = !s.leaves && !s.touches_memory() && !s.orders_memory && !s.floats;
  return s;
}

const StaticCode& StaticCodes::add(const trace::Code& code) {
  if (code.id >= known_.size()) known_.resize(code.id + 1);
  all_.push_back(decode(chip_, code));
  known_[code.id] = &all_.back();
  return all_.back();
}

}  // namespace pmusim::core::alpha
