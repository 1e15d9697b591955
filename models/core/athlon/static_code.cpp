#include "models/core/athlon/static_code.h"

namespace pmusim::core::athlon {
namespace {

using activity::bit;
using activity::Trait;
using trace::x86::BranchKind;
using trace::x86::Kind;

Pipe pipe_of(Kind kind) {
  switch (kind) {
    case Kind::fp_add:
    case Kind::fp_compare:
    case Kind::fp_transcendental:
      return Pipe::fp_add;
    case Kind::fp_multiply:
    case Kind::fp_divide:
    case Kind::fp_sqrt:
      return Pipe::fp_multiply;
    case Kind::mmx:
    case Kind::amd3dnow:
      return Pipe::fp_add_or_multiply;
    default:
      return Pipe::fp_store;
  }
}

unsigned latency_of(Kind kind, const Settings& s) {
  switch (kind) {
    case Kind::multiply:
      return s.multiply;
    case Kind::divide:
      return s.divide;
    case Kind::fp_add:
    case Kind::amd3dnow:
      return s.fp_add;
    case Kind::fp_multiply:
      return s.fp_multiply;
    case Kind::fp_divide:
      return s.fp_divide;
    case Kind::fp_sqrt:
      return s.fp_sqrt;
    case Kind::fp_transcendental:
      return s.fp_transcendental;
    case Kind::fp_move:
    case Kind::fp_compare:
    case Kind::fp_convert:
    case Kind::fp_control:
    case Kind::mmx:
      return s.fp_move;
    case Kind::segment_move:
      return s.segment_load;
    case Kind::far_transfer:
      return s.far_transfer;
    default:
      return 1;
  }
}

std::uint32_t branch_traits(BranchKind kind) {
  switch (kind) {
    case BranchKind::none:
      return 0;
    case BranchKind::conditional:
    case BranchKind::loop:
      return bit(Trait::branch) | bit(Trait::conditional);
    case BranchKind::jump:
      return bit(Trait::branch);
    case BranchKind::call:
      return bit(Trait::branch) | bit(Trait::call);
    case BranchKind::ret:
      return bit(Trait::branch) | bit(Trait::near_return);
    case BranchKind::indirect_jump:
      return bit(Trait::branch) | bit(Trait::indirect);
    case BranchKind::indirect_call:
      return bit(Trait::branch) | bit(Trait::indirect) | bit(Trait::call);
    case BranchKind::far_transfer:
      return bit(Trait::far_transfer);
  }
  return 0;
}

std::uint32_t mask_of(const std::vector<std::uint8_t>& registers) {
  std::uint32_t mask = 0;
  for (const std::uint8_t r : registers) mask |= 1u << r;
  return mask;
}

activity::Unit unit_of(const StaticCode& s) {
  if (s.far_transfer || s.serializing) return activity::Unit::system;
  if (s.is_branch) return activity::Unit::branch;
  return s.fp ? activity::Unit::fp : activity::Unit::integer;
}

void begin_record(StaticCode& s) {
  s.record.ip = s.pc;
  s.record.traits = s.traits;
  s.record.length = s.length;
  s.record.operations = 0;
  s.record.unit = unit_of(s);
}

void find_lines(StaticCode& s) {
  s.first_line = CodeLines::line_of(s.pc);
  s.last_line = CodeLines::line_of(s.pc + s.length - 1);
}

FlagEffect flag_effect(const trace::x86::Operation& op) {
  if (op.clears_interrupt_flag) return FlagEffect::clear;
  if (op.sets_interrupt_flag) return FlagEffect::set;
  if (op.mnemonic.starts_with("pushf")) return FlagEffect::save;
  if (op.mnemonic.starts_with("popf")) return FlagEffect::restore;
  return FlagEffect::none;
}

}  // namespace

const StaticCode& StaticCodes::classify(const trace::Code& code) {
  const trace::x86::Operation op = trace::x86::classify(code);
  StaticCode& s = codes_.emplace_back();
  if (by_id_.size() <= code.id) by_id_.resize(code.id + 1);
  by_id_[code.id] = &s;
  s.pc = code.pc;
  s.length = code.length;
  find_lines(s);
  for (unsigned i = 0; i < 8; ++i) s.record.encoding |= std::uint64_t{code.bytes[i]} << (8 * i);
  s.has_target = op.has_target;
  s.target = op.target;
  s.reads = mask_of(op.reads);
  s.writes = mask_of(op.writes);
  s.address_reads = mask_of(op.address_reads);
  s.macro_ops = std::max<std::uint8_t>(op.macro_ops, 1);
  s.vector_path = op.vector_path;
  s.fp = op.fp_unit;
  s.pipe = op.fp_unit ? pipe_of(op.kind) : Pipe::integer;
  s.branch = op.branch;
  s.far_transfer = op.branch == BranchKind::far_transfer || op.kind == Kind::far_transfer || op.software_interrupt;
  s.is_branch = op.branch != BranchKind::none || s.far_transfer;
  s.far_call = s.far_transfer && op.mnemonic.starts_with("call");
  s.may_not_transfer = op.mnemonic == "into";
  s.returns_from_interrupt = op.mnemonic.starts_with("iret");
  s.serializing = op.serializing && (settings_.wrmsr_serializes || op.mnemonic != "wrmsr");
  s.repeats = op.repeats;
  s.prefetches = op.kind == Kind::prefetch;
  s.flag = flag_effect(op);
  s.segment = op.segment_written;
  if (s.segment < 0 && s.far_transfer) s.segment = static_cast<std::int8_t>(activity::SegmentRegister::cs);
  s.touches_memory = op.loads || op.stores;
  s.load_only = op.kind == Kind::move && op.loads && !op.stores && !op.fp_unit && s.macro_ops == 1;
  s.alone = s.vector_path || s.serializing || s.far_transfer || s.segment >= 0 || s.macro_ops > dispatch_width;
  unsigned latency = latency_of(op.kind, settings_);
  if (s.far_transfer) latency = settings_.far_transfer;
  if (s.segment >= 0 && !s.far_transfer) latency = settings_.segment_load;
  if (op.locked) latency = settings_.locked;
  s.latency = static_cast<std::uint16_t>(latency);
  s.special = s.serializing || s.far_transfer || s.returns_from_interrupt || s.flag != FlagEffect::none || op.locked;
  s.traits = s.far_transfer ? bit(Trait::far_transfer) : branch_traits(op.branch);
  if (s.may_not_transfer) s.traits |= bit(Trait::conditional);
  if (op.loads) s.traits |= bit(Trait::load);
  if (op.stores) s.traits |= bit(Trait::store);
  if (op.locked) s.traits |= bit(Trait::locked);
  if (s.serializing) s.traits |= bit(Trait::serializing);
  if (op.fp_unit && op.kind != Kind::fp_move && op.kind != Kind::fp_control) s.traits |= bit(Trait::fp_arithmetic);
  begin_record(s);
  return s;
}

StaticCode StaticCodes::handler(std::uint64_t pc, bool last) const {
  StaticCode s;
  s.pc = pc;
  s.length = 4;
  find_lines(s);
  if (last) {
    s.is_branch = s.far_transfer = s.returns_from_interrupt = s.serializing = s.vector_path = s.alone = true;
    s.branch = BranchKind::far_transfer;
    s.traits = bit(Trait::far_transfer) | bit(Trait::serializing);
    s.segment = static_cast<std::int8_t>(activity::SegmentRegister::cs);
    s.latency = static_cast<std::uint16_t>(settings_.far_transfer);
    s.macro_ops = 3;
  }
  begin_record(s);
  return s;
}

}  // namespace pmusim::core::athlon
