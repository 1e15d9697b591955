#include "models/core/alpha/static_code.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/core.h"

namespace pmusim::core::alpha {

using activity::Trait;
using trace::alpha::BranchKind;
using trace::alpha::Extension;
using Work = trace::alpha::Kind;

namespace {

bool has_extension(Chip chip, Extension extension) {
  switch (extension) {
    case Extension::base:
      return true;
    case Extension::bwx:  // the 21164A implements it, the 21164 does not
      return chip != Chip::ev4;
    case Extension::mvi:
      return chip == Chip::pca56 || chip == Chip::ev6 || chip == Chip::ev67;
    case Extension::fix:
      return chip == Chip::ev6 || chip == Chip::ev67;
    case Extension::cix:
      return chip == Chip::ev67;
  }
  return false;
}

std::uint32_t kinds_of(const trace::alpha::Operation& op) {
  using act::bit;
  using act::Kind;
  std::uint32_t kinds = 0;
  if (op.kind == Work::load_address) {
    kinds |= bit(Kind::load_address);
  } else if (op.is_integer_operate()) {
    kinds |= bit(Kind::integer_operate);
  }
  if (op.is_fp_operate()) kinds |= bit(Kind::fp_operate);
  if ((op.is_load() && !op.nop) || op.kind == Work::hw_load) kinds |= bit(Kind::load);
  if (op.is_store() || op.kind == Work::hw_store) kinds |= bit(Kind::store);
  if (op.kind == Work::fp_load || op.kind == Work::fp_store || op.kind == Work::fp_branch) kinds |= bit(Kind::floating);
  if (op.kind == Work::load_locked) kinds |= bit(Kind::load_locked);
  if (op.kind == Work::store_conditional) kinds |= bit(Kind::store_conditional);
  if (op.kind == Work::conditional_move || op.kind == Work::fp_conditional_move) kinds |= bit(Kind::conditional_move);
  if (op.kind == Work::memory_barrier || op.kind == Work::write_barrier) kinds |= bit(Kind::memory_barrier);
  if (op.kind == Work::trap_barrier || op.kind == Work::exception_barrier) kinds |= bit(Kind::trap_barrier);
  switch (op.branch) {
    case BranchKind::conditional:
      kinds |= bit(Kind::conditional_branch);
      break;
    case BranchKind::unconditional:
    case BranchKind::subroutine:
      kinds |= bit(Kind::unconditional_branch);
      break;
    case BranchKind::computed:
    case BranchKind::computed_subroutine:
    case BranchKind::subroutine_return:
    case BranchKind::coroutine:
      kinds |= bit(Kind::jump);
      break;
    case BranchKind::pal_entry:
      kinds |= bit(Kind::call_pal);
      break;
    case BranchKind::pal_return:
      kinds |= bit(Kind::pal_return);
      break;
    case BranchKind::none:
      break;
  }
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
