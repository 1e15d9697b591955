#include "models/core/ia64/operation.h"

namespace pmusim::core::ia64 {

Operand operand(isa::Register r) {
  constexpr unsigned stacked = 32, rotating_predicates = 16, banked = 16;
  const auto at = [&](std::uint16_t base) { return static_cast<std::uint16_t>(base + r.number); };
  switch (r.file) {
    case isa::RegisterFile::gr:
      return {r, at(place::general), r.number >= stacked, r.number >= banked && r.number < stacked, false, false};
    case isa::RegisterFile::fr:
      return {r, at(place::floating), r.number >= stacked, false, false, false};
    case isa::RegisterFile::pr:
      return {r, at(place::predicates), r.number >= rotating_predicates, false, false, false};
    case isa::RegisterFile::br:
      return {r, at(place::branches), false, false, false, false};
    case isa::RegisterFile::ar:
      return {r, at(place::application), false, false, false, false};
    case isa::RegisterFile::cr:
      break;
  }
  return {r, place::control, false, false, false, false};
}

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

Producer producer_of(const isa::Slot& slot) {
  switch (slot.kind) {
    case isa::Kind::integer:
    case isa::Kind::bit_field:
    case isa::Kind::extend:
    case isa::Kind::move_long:
    case isa::Kind::move_from_ip:
      return Producer::integer;
    case isa::Kind::multimedia_alu:
    case isa::Kind::multimedia:
    case isa::Kind::multimedia_multiply:
    case isa::Kind::shift:
      return Producer::multimedia;
    case isa::Kind::compare:
    case isa::Kind::test:
    case isa::Kind::move_to_pr:
      return Producer::predicate;
    case isa::Kind::load:
    case isa::Kind::semaphore:
      return Producer::load;
    case isa::Kind::fp_load:
    case isa::Kind::fp_load_pair:
      return Producer::fp_load;
    case isa::Kind::getf:
      return Producer::getf;
    case isa::Kind::setf:
      return Producer::setf;
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

/// The effects of an instruction beyond its results.
void note_effects(Operation& op) {
  const isa::Slot& slot = *op.slot;
  op.speculates = (op.kinds & bits({Kind::speculative, Kind::advanced, Kind::check_load, Kind::check_advanced,
                                    Kind::check_speculative, Kind::fp_check_flags})) != 0 ||
                  slot.kind == isa::Kind::invalidate_alat;
  switch (slot.kind) {
    case isa::Kind::alloc:
    case isa::Kind::cover:
    case isa::Kind::clrrrb:
    case isa::Kind::flushrs:
    case isa::Kind::loadrs:
      op.moves_frame = true;
      break;
    case isa::Kind::branch:  // calls and returns; loops that rotate registers
      op.moves_frame = (op.kinds & bits({Kind::rse_event, Kind::modulo_loop})) != 0;
      break;
    case isa::Kind::fence:
    case isa::Kind::serialize_instruction:
    case isa::Kind::move_to_ar:
    case isa::Kind::move_from_ar:
    case isa::Kind::flush_cache:
    case isa::Kind::system:
    case isa::Kind::system_branch:
      op.special = true;
      break;
    default:
      break;
  }
  op.plain = !op.memory && !op.speculates && !op.moves_frame && !op.special && !op.has(Kind::fp_operation);
  op.only_loads =
      slot.kind == isa::Kind::load && slot.load_kind != isa::LoadKind::fill && !op.speculates && !op.has(Kind::acquire);
  op.acts_at_retirement = slot.kind == isa::Kind::psr || slot.kind == isa::Kind::hint || op.has(Kind::flush_cache) ||
                          slot.branch == isa::BranchKind::ia || slot.kind == isa::Kind::system_branch;
}

/// An instruction without effects besides its results, and with an ordinary retirement, needs a record only if a
/// subscriber reads it.
void note_subscription(Operation& op) {
  op.needs_record = !op.plain || op.acts_at_retirement || op.slot->kind == isa::Kind::break_;
}

/// One predicate of an instruction that accesses all of them: its place does not depend on rotation.
Operand predicate(std::uint16_t number) {
  Operand o;
  o.place = static_cast<std::uint16_t>(place::predicates + number);
  return o;
}
bool is_all_predicates(isa::Register r) { return r.file == isa::RegisterFile::pr && r.number == isa::all_predicates; }

/// The latency of a result that is not loaded.
Settings::Value latency_of(const Operation& op, isa::Register r, const Settings& s) {
  const isa::Slot& slot = *op.slot;
  switch (op.producer) {
    case Producer::multimedia:
      return s.multimedia;
    case Producer::getf:
      return s.getf;
    case Producer::setf:
      return s.setf;
    case Producer::fp:
      return s.fp;
    case Producer::fp_predicate:
      return s.fp_compare;
    case Producer::application:
      break;
    default:
      return s.integer;
  }
  if (r.file != isa::RegisterFile::gr) return slot.unit == isa::Unit::M ? s.to_application : s.integer;
  switch (slot.kind) {
    case isa::Kind::move_from_br:
    case isa::Kind::move_from_pr:
      return s.from_branch;
    case isa::Kind::move_from_ar: {
      if (slot.unit != isa::Unit::M) return s.from_branch;
      for (const isa::Register from : slot.reads) {
        if (from.file == isa::RegisterFile::ar && (from.number == isa::ar_bsp || from.number == isa::ar_bspstore))
          return s.from_backing_store;
      }
      return s.from_application;
    }
    case isa::Kind::move_from_cr:
    case isa::Kind::move_indexed:
    case isa::Kind::system:
      return s.from_application;
    default:
      return s.integer;
  }
}

/// A result that is there `latency` cycles after execution.
Result computed(const Operand& where, Producer producer, Cycle latency, const Settings& s) {
  Result r{.where = where, .producer = producer, .ready = latency, .any = latency, .others = latency};
  switch (producer) {
    case Producer::integer:
      r.any = std::max(latency, s.alu_to_multimedia);
      break;
    case Producer::multimedia:
      r.any = r.others = latency + s.from_multimedia_extra;
      break;
    case Producer::getf:
    case Producer::application:
      r.any = latency + s.move_multimedia_extra;
      break;
    case Producer::setf:
    case Producer::fp:
      r.any = r.others = latency + std::max(s.fp_store_extra, s.fp_getf_extra);
      break;
    default:
      break;
  }
  return r;
}

/// A result that is there when the data of a load is. Its slowest user waits longer.
Result loaded(const Operand& where, Producer producer, const Settings& s) {
  const Cycle extra = producer == Producer::load
                          ? std::max({s.load_address_extra, s.load_multimedia_extra, s.load_setf_extra})
                          : std::max(s.fp_store_extra, s.fp_getf_extra);
  return {.where = where, .producer = producer, .loaded = true, .any = extra, .others = extra};
}

/// Lists the operands in the order in which they are checked: if two are late, the first one is the cause.
void note_operands(Operation& op) {
  const isa::Slot& slot = *op.slot;
  if (slot.predicate != 0) op.needs.push_back(operand({isa::RegisterFile::pr, slot.predicate}));
  op.predicates = static_cast<std::uint8_t>(op.needs.size());
  for (const isa::Register r : slot.reads) {
    if (is_all_predicates(r)) {
      for (std::uint16_t p = 0; p < isa::all_predicates; ++p) op.needs.push_back(predicate(p));
    } else {
      op.needs.push_back(operand(r));
    }
  }
  for (const isa::Register r : slot.address_reads) {
    op.needs.push_back(operand(r));
    op.needs.back().banked = false;
    op.needs.back().address = true;
  }
  for (const isa::Register r : slot.writes) {
    if (is_all_predicates(r)) continue;
    op.needs.push_back(operand(r));
    op.needs.back().banked = false;
    op.needs.back().target = true;
  }
}

std::vector<Result> results_of(const Operation& op, const Settings& s) {
  const isa::Slot& slot = *op.slot;
  std::vector<Result> results;
  for (const isa::Register r : slot.writes) {
    if (is_all_predicates(r)) {
      for (std::uint16_t p = 0; p < isa::all_predicates; ++p)
        results.push_back(computed(predicate(p), Producer::predicate, s.integer, s));
      continue;
    }
    // A post-incremented base is an integer result.
    const bool loads = op.producer == Producer::load || op.producer == Producer::fp_load;
    const bool base = loads && slot.post_increment && !slot.address_reads.empty() && r == slot.address_reads.front();
    if (loads && !base) {
      results.push_back(loaded(operand(r), op.producer, s));
    } else if (base || op.memory) {
      results.push_back(computed(operand(r), Producer::integer, s.integer, s));
    } else {
      results.push_back(computed(operand(r), op.producer, latency_of(op, r, s), s));
    }
  }
  return results;
}

/// Lists the results of all instructions, one after the other.
void note_results(StaticBundle& b, const Settings& settings) {
  std::array<std::size_t, 4> from{};
  for (const Operation& op : b.operations) {
    if (b.holds(op.number)) {
      for (Result& r : results_of(op, settings)) {
        r.slot = static_cast<std::uint8_t>(1u << op.number);
        b.results.push_back(r);
      }
    }
    from[op.number + 1u] = b.results.size();
  }
  for (Operation& op : b.operations) {
    const std::size_t begin = from[op.number];
    op.results = std::span(b.results).subspan(begin, from[op.number + 1u] - begin);
  }
}

FlushKind flush_of(const Operation& op) {
  switch (op.slot->kind) {
    case isa::Kind::break_:
      return FlushKind::trap;
    case isa::Kind::serialize_instruction:
      return op.has(Kind::serialize_instruction) ? FlushKind::serialize : FlushKind::none;
    case isa::Kind::check_advanced:
    case isa::Kind::check_speculation:
    case isa::Kind::fp_check:
      return FlushKind::check;
    case isa::Kind::system_branch:
      return op.has(Kind::rfi) ? FlushKind::serialize : FlushKind::none;
    default:
      return FlushKind::none;
  }
}

/// Its end is known from ar.lc and ar.ec. That of wtop and wexit depends on a predicate.
bool counts(isa::BranchKind kind) {
  return kind == isa::BranchKind::cloop || kind == isa::BranchKind::ctop || kind == isa::BranchKind::cexit;
}

BranchFacts branch_facts(const Operation& op, std::uint64_t pc, const Settings& settings) {
  const isa::Slot& slot = *op.slot;
  constexpr unsigned bundle_bits = 4;
  BranchFacts facts;
  facts.name = pc | op.number | 4;
  facts.history_at = (facts.name >> bundle_bits) * 3 + (facts.name & 3);
  facts.known_at =
      static_cast<std::uint32_t>((facts.name >> bundle_bits ^ facts.name << 1) & (settings.target_entries - 1));
  const bool always = slot.predicate == 0 && !op.loop_branch;
  const bool is_static = slot.whether == isa::Whether::sptk || slot.whether == isa::Whether::spnt;
  facts.hinted = slot.whether == isa::Whether::sptk || slot.whether == isa::Whether::dptk;
  facts.trains = !always;
  if (counts(slot.branch) && settings.loop_prediction != 0) {
    facts.direction = Direction::count;
  } else if (always || is_static) {
    facts.direction = always || facts.hinted ? Direction::always_taken : Direction::always_not_taken;
  } else {
    facts.direction = Direction::history;
  }
  return facts;
}

void note_model(Operation& op) {
  activity::InstructionRecord& r = op.model.record;
  constexpr std::uint16_t bundle_bytes = 16;
  r.encoding = op.slot->encoding;
  r.length = bundle_bytes;
  r.slot = op.number;
  if (op.has(Kind::branch)) r.traits |= activity::bit(activity::Trait::branch);
  op.model.syllable.kinds = op.kinds;
  op.model.syllable.type = op.type;
  op.model.syllable.branch_class = op.branch_class;
  op.model.syllable.fp_operations = op.slot->fp_operations;
  op.model.holds = 1;
  op.model.model = &op.model;
}

}  // namespace

std::unique_ptr<StaticBundle> Bundles::make(const trace::Code& code) const {
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
    op.stop_after = slot.stop_after;
    op.store = slot.is_store();
    op.unpredicated = slot.unpredicated;
    op.branch = op.type == act::SlotType::b || op.has(Kind::branch);
    op.loop_branch = op.has(Kind::counted_loop);
    op.branch_to_b0 =
        slot.kind == isa::Kind::branch_predict || (slot.kind == isa::Kind::nop && slot.unit == isa::Unit::B);
    op.ports = choose_ports(op.type, slot, settings_);
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
  for (Operation& op : b.operations) {
    if (!b.holds(op.number)) continue;
    op.flush = flush_of(op);
    if (op.has(Kind::branch)) op.predicted = branch_facts(op, b.decoded.pc, settings_);
    note_effects(op);
    note_subscription(op);
    note_operands(op);
    note_model(op);
    const auto bit = static_cast<std::uint8_t>(1u << op.number);
    if (op.memory) b.memory |= bit;
    if (op.unpredicated) b.unpredicated |= bit;
    if (op.has(Kind::nop)) b.nops |= bit;
    if (op.has(Kind::branch)) b.branches |= bit;
    if (op.needs_record) b.needs_record |= bit;
    b.kinds |= op.kinds;
    if (op.memory && op.store) b.stores |= bit;
    const bool steers =
        op.has(Kind::branch) || op.flush != FlushKind::none || op.slot->kind == isa::Kind::branch_predict;
    if (steers) b.steers |= bit;
    b.multimedia = b.multimedia || op.producer == Producer::multimedia;
  }
  note_results(b, settings_);
  return result;
}

}  // namespace pmusim::core::ia64
