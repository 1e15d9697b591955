#include "models/core/ia64/operation.h"

namespace pmusim::core::ia64 {

namespace {

using act::Kind;

constexpr std::uint32_t bits(std::initializer_list<Kind> kinds) {
  std::uint32_t all = 0;
  for (const Kind kind : kinds) all |= act::bit(kind);
  return all;
}

act::SlotType type_of(isa::Unit unit) {
  switch (unit) {
    case isa::Unit::M:
      return act::SlotType::m;
    case isa::Unit::I:
      return act::SlotType::i;
    case isa::Unit::F:
      return act::SlotType::f;
    case isa::Unit::B:
      return act::SlotType::b;
    default:
      return act::SlotType::x;
  }
}

std::uint32_t load_kinds(const isa::Slot& slot) {
  const bool integer = slot.kind == isa::Kind::load;
  std::uint32_t kinds = act::bit(integer ? Kind::integer_load : Kind::fp_load);
  switch (slot.load_kind) {
    case isa::LoadKind::speculative:
      return kinds | act::bit(Kind::speculative);
    case isa::LoadKind::advanced:
      return kinds | act::bit(Kind::advanced);
    case isa::LoadKind::speculative_advanced:
      return kinds | bits({Kind::speculative, Kind::advanced});
    case isa::LoadKind::check_clear:
    case isa::LoadKind::check_no_clear:
    case isa::LoadKind::check_clear_acquire:
      return kinds | act::bit(Kind::check_load) | (integer ? 0 : act::bit(Kind::fp_check));
    default:
      return kinds;
  }
}

std::uint32_t kinds_of(const isa::Slot& slot) {
  std::uint32_t kinds = 0;
  if (slot.acquire) kinds |= act::bit(Kind::acquire);
  if (slot.release) kinds |= act::bit(Kind::release);
  if (slot.kind >= isa::Kind::fp_arithmetic && slot.kind <= isa::Kind::fp_check) kinds |= act::bit(Kind::fp_operation);
  switch (slot.kind) {
    case isa::Kind::nop:
      return act::bit(Kind::nop);
    case isa::Kind::load:
    case isa::Kind::fp_load:
    case isa::Kind::fp_load_pair:
      return kinds | load_kinds(slot);
    case isa::Kind::store:
    case isa::Kind::fp_store:
      return kinds | act::bit(Kind::store);
    case isa::Kind::semaphore:
      return kinds | act::bit(Kind::semaphore);
    case isa::Kind::prefetch:
      return kinds | act::bit(Kind::prefetch);
    case isa::Kind::check_advanced:
      return kinds | act::bit(Kind::check_advanced) | (slot.on_fp_register() ? act::bit(Kind::fp_check) : 0);
    case isa::Kind::check_speculation:
      return kinds | act::bit(Kind::check_speculative) | (slot.on_fp_register() ? act::bit(Kind::fp_check) : 0);
    case isa::Kind::fp_check:
      return kinds | act::bit(Kind::fp_check_flags);
    case isa::Kind::alloc:
    case isa::Kind::flushrs:
    case isa::Kind::loadrs:
    case isa::Kind::cover:
      return kinds | act::bit(Kind::rse_event);
    case isa::Kind::serialize_instruction:
      return kinds | (slot.mnemonic.starts_with("srlz") ? act::bit(Kind::serialize_instruction) : 0);
    case isa::Kind::fence:
      return kinds | act::bit(Kind::fence);
    case isa::Kind::flush_cache:
      return kinds | act::bit(Kind::flush_cache);
    case isa::Kind::system:
      return kinds |
             (slot.mnemonic.starts_with("ptc") || slot.mnemonic.starts_with("ptr") ? act::bit(Kind::purge_translation)
                                                                                   : 0);
    case isa::Kind::system_branch:
      return kinds | (slot.mnemonic.starts_with("rfi") ? bits({Kind::rfi, Kind::rse_event}) : 0);
    case isa::Kind::branch: {
      kinds |= act::bit(Kind::branch);
      using B = isa::BranchKind;
      const B b = slot.branch;
      if (b == B::call || b == B::indirect_call) kinds |= bits({Kind::call, Kind::rse_event});
      if (b == B::ret) kinds |= act::bit(Kind::rse_event);
      if (b >= B::wexit && b <= B::ctop) kinds |= act::bit(Kind::counted_loop);
      if (b == B::wexit || b == B::wtop || b == B::cexit || b == B::ctop) kinds |= act::bit(Kind::modulo_loop);
      return kinds;
    }
    default:
      return kinds;
  }
}

/// Port of an M-unit instruction.
Port m_port(const isa::Slot& slot) {
  switch (slot.kind) {
    case isa::Kind::load:
    case isa::Kind::fp_load_pair:
    case isa::Kind::prefetch:
    case isa::Kind::check_advanced:
    case isa::Kind::invalidate_alat:
      return Port::m_load;
    case isa::Kind::fp_load:
      return Port::m_any;
    case isa::Kind::store:
    case isa::Kind::fp_store:
    case isa::Kind::semaphore:
    case isa::Kind::setf:
    case isa::Kind::check_speculation:
      return Port::m_store;
    case isa::Kind::getf:
    case isa::Kind::alloc:
    case isa::Kind::move_from_ar:
    case isa::Kind::move_to_ar:
      return Port::m2;
    case isa::Kind::nop:
    case isa::Kind::hint:
      return Port::m_any;
    case isa::Kind::multimedia_alu:
      return Port::a_type;
    default:
      return slot.a_type ? Port::a_type : Port::m0;
  }
}

Port i_port(const isa::Slot& slot) {
  switch (slot.kind) {
    case isa::Kind::shift:
    case isa::Kind::test:
    case isa::Kind::multimedia:
    case isa::Kind::move_from_br:
    case isa::Kind::move_to_br:
    case isa::Kind::move_from_pr:
    case isa::Kind::move_to_pr:
    case isa::Kind::move_from_ar:
    case isa::Kind::move_to_ar:
      return Port::i0;
    default:
      return slot.a_type ? Port::a_type : Port::i_any;
  }
}

Producer producer_of(const isa::Slot& slot) {
  switch (slot.kind) {
    case isa::Kind::integer:
    case isa::Kind::extend:
    case isa::Kind::move_long:
    case isa::Kind::move_from_ip:
      return Producer::integer;
    case isa::Kind::multimedia_alu:
    case isa::Kind::multimedia:
    case isa::Kind::shift:
      return Producer::multimedia;
    case isa::Kind::compare:
    case isa::Kind::test:
    case isa::Kind::move_to_pr:
      return Producer::predicate;
    case isa::Kind::load:
    case isa::Kind::fp_load:
    case isa::Kind::fp_load_pair:
    case isa::Kind::semaphore:
      return Producer::load;
    case isa::Kind::getf:
      return Producer::getf;
    case isa::Kind::setf:
    case isa::Kind::fp_arithmetic:
    case isa::Kind::fp_parallel:
    case isa::Kind::fixed_multiply:
    case isa::Kind::fp_select:
    case isa::Kind::fp_reciprocal:
    case isa::Kind::fp_minmax:
    case isa::Kind::fp_merge:
    case isa::Kind::fp_convert:
    case isa::Kind::fp_status:
      return Producer::fp;
    case isa::Kind::fp_compare:
    case isa::Kind::fp_class:
      return Producer::fp_predicate;
    case isa::Kind::move_to_br:
    case isa::Kind::branch:
      return Producer::branch;
    default:
      return slot.writes.empty() ? Producer::none : Producer::application;
  }
}

act::BranchClass class_of(const isa::Slot& slot) {
  if (slot.kind != isa::Kind::branch) return act::BranchClass::none;
  switch (slot.branch) {
    case isa::BranchKind::ret:
      return act::BranchClass::return_;
    case isa::BranchKind::indirect:
    case isa::BranchKind::indirect_call:
    case isa::BranchKind::ia:
      return act::BranchClass::indirect;
    default:
      return act::BranchClass::ip_relative;
  }
}

bool touches_memory(const isa::Slot& slot) {
  return slot.is_load() || slot.is_store() || slot.kind == isa::Kind::prefetch;
}

}  // namespace

std::unique_ptr<StaticBundle> Bundles::make(const trace::Code& code) {
  auto result = std::make_unique<StaticBundle>();
  StaticBundle& b = *result;
  b.decoded = isa::decode(code);
  b.mlx = b.decoded.is_mlx();
  unsigned branches = 0;
  for (unsigned i = 0; i < 3; ++i) {
    const isa::Slot& slot = b.decoded.slots[i];
    Operation& op = b.operations[i];
    op.slot = &slot;
    op.number = static_cast<std::uint8_t>(i);
    if (slot.unit == isa::Unit::L) continue;
    b.first |= static_cast<std::uint8_t>(1u << i);
    op.type = type_of(slot.unit);
    op.kinds = kinds_of(slot);
    op.branch_class = class_of(slot);
    op.producer = producer_of(slot);
    op.memory = touches_memory(slot);
    b.memory_operations += op.memory ? 1 : 0;
    b.stores += slot.is_store() ? 1 : 0;
    op.loop_branch = op.has(Kind::counted_loop);
    op.branch_to_b0 =
        slot.kind == isa::Kind::branch_predict || (slot.kind == isa::Kind::nop && slot.unit == isa::Unit::B);
    switch (op.type) {
      case act::SlotType::m:
        op.port = m_port(slot);
        break;
      case act::SlotType::i:
        op.port = i_port(slot);
        break;
      case act::SlotType::f:
        op.port = Port::f;
        break;
      case act::SlotType::b:
        op.port = Port::b;
        break;
      case act::SlotType::x:
        op.port = slot.kind == isa::Kind::branch ? Port::b : Port::long_i;
        break;
    }
    branches += op.type == act::SlotType::b ? 1 : 0;
  }
  b.bbb = branches == 3;
  b.multiway = branches >= 2;
  b.single_branch = branches == 1;
  b.single_branch_free = b.single_branch && b.operations[2].branch_to_b0;
  b.mii = b.decoded.slots[0].unit == isa::Unit::M && b.decoded.slots[1].unit == isa::Unit::I &&
          b.decoded.slots[2].unit == isa::Unit::I;
  if (b.multiway) {
    for (Operation& op : b.operations) {
      if (op.has(Kind::branch)) op.kinds |= act::bit(Kind::multiway);
    }
  }
  return result;
}

}  // namespace pmusim::core::ia64
