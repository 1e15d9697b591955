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
  using enum act::SlotType;
  constexpr std::array types = {m, i, f, b, x, x};  // M, I, F, B, L, X
  return types[static_cast<std::size_t>(unit)];
}

std::uint32_t load_kinds(const isa::Slot& slot) {
  using enum isa::LoadKind;
  const bool integer = slot.kind == isa::Kind::load;
  std::uint32_t kinds = act::bit(integer ? Kind::integer_load : Kind::fp_load);
  if (is_one_of(slot.load_kind, {speculative, speculative_advanced})) kinds |= act::bit(Kind::speculative);
  if (is_one_of(slot.load_kind, {advanced, speculative_advanced})) kinds |= act::bit(Kind::advanced);
  if (is_one_of(slot.load_kind, {check_clear, check_no_clear, check_clear_acquire}))
    kinds |= integer ? act::bit(Kind::check_load) : bits({Kind::check_load, Kind::fp_check});
  return kinds;
}

std::uint32_t branch_kinds(isa::BranchKind branch) {
  using enum isa::BranchKind;
  std::uint32_t kinds = act::bit(Kind::branch);
  if (is_one_of(branch, {call, indirect_call})) kinds |= bits({Kind::call, Kind::rse_event});
  if (branch == ret) kinds |= act::bit(Kind::rse_event);
  if (branch >= wexit && branch <= ctop) kinds |= act::bit(Kind::counted_loop);
  if (is_one_of(branch, {wexit, wtop, cexit, ctop})) kinds |= act::bit(Kind::modulo_loop);
  return kinds;
}

/// What instructions of this kind are, whatever their completers.
std::uint32_t kinds_of(isa::Kind kind) {
  using enum isa::Kind;
  if (is_one_of(kind, {store, fp_store})) return act::bit(Kind::store);
  if (is_one_of(kind, {alloc, flushrs, loadrs, cover})) return act::bit(Kind::rse_event);
  if (kind == semaphore) return act::bit(Kind::semaphore);
  if (kind == prefetch) return act::bit(Kind::prefetch);
  if (kind == check_advanced) return act::bit(Kind::check_advanced);
  if (kind == check_speculation) return act::bit(Kind::check_speculative);
  if (kind == fp_check) return act::bit(Kind::fp_check_flags);
  if (kind == fence) return act::bit(Kind::fence);
  if (kind == flush_cache) return act::bit(Kind::flush_cache);
  return 0;
}

std::uint32_t kinds_of(const isa::Slot& slot) {
  using enum isa::Kind;
  const auto begins = [&](std::string_view text) { return slot.mnemonic.starts_with(text); };
  if (slot.kind == nop) return act::bit(Kind::nop);
  std::uint32_t kinds = kinds_of(slot.kind);
  if (slot.acquire) kinds |= act::bit(Kind::acquire);
  if (slot.release) kinds |= act::bit(Kind::release);
  if (slot.kind >= fp_arithmetic && slot.kind <= fp_check) kinds |= act::bit(Kind::fp_operation);
  if (is_one_of(slot.kind, {load, fp_load, fp_load_pair})) kinds |= load_kinds(slot);
  if (is_one_of(slot.kind, {check_advanced, check_speculation}) && slot.on_fp_register())
    kinds |= act::bit(Kind::fp_check);
  if (slot.kind == serialize_instruction && begins("srlz")) kinds |= act::bit(Kind::serialize_instruction);
  if (slot.kind == system && (begins("ptc") || begins("ptr"))) kinds |= act::bit(Kind::purge_translation);
  if (slot.kind == system_branch && begins("rfi")) kinds |= bits({Kind::rfi, Kind::rse_event});
  if (slot.kind == branch) kinds |= branch_kinds(slot.branch);
  return kinds;
}

Producer producer_of(const isa::Slot& slot) {
  using enum isa::Kind;
  const auto is = [&](std::initializer_list<isa::Kind> kinds) { return is_one_of(slot.kind, kinds); };
  if (is({integer, bit_field, extend, move_long, move_from_ip})) return Producer::integer;
  if (is({multimedia_alu, multimedia, multimedia_multiply, shift})) return Producer::multimedia;
  if (is({compare, test, move_to_pr})) return Producer::predicate;
  if (is({load, semaphore})) return Producer::load;
  if (is({fp_load, fp_load_pair})) return Producer::fp_load;
  if (is({getf})) return Producer::getf;
  if (is({setf})) return Producer::setf;
  if (is({fp_arithmetic, fp_parallel, fixed_multiply, fp_select, fp_reciprocal, fp_minmax, fp_merge, fp_convert,
          fp_status}))
    return Producer::fp;
  if (is({fp_compare, fp_class})) return Producer::fp_predicate;
  if (is({move_to_br, branch})) return Producer::branch;
  return slot.writes.empty() ? Producer::none : Producer::application;
}

act::BranchClass class_of(const isa::Slot& slot) {
  using enum isa::BranchKind;
  if (slot.kind != isa::Kind::branch) return act::BranchClass::none;
  if (slot.branch == ret) return act::BranchClass::return_;
  return is_one_of(slot.branch, {indirect, indirect_call, ia}) ? act::BranchClass::indirect
                                                               : act::BranchClass::ip_relative;
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
  using enum isa::Kind;
  const auto is = [&](std::initializer_list<isa::Kind> kinds) { return is_one_of(slot.kind, kinds); };
  op.moves_frame = slot.kind == branch  // calls and returns; loops that rotate registers
                       ? (op.kinds & bits({Kind::rse_event, Kind::modulo_loop})) != 0
                       : is({alloc, cover, clrrrb, flushrs, loadrs});
  op.special = is({fence, serialize_instruction, move_to_ar, move_from_ar, flush_cache, system, system_branch});
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
  using enum isa::Kind;
  if (is_one_of(slot.kind, {move_from_br, move_from_pr})) return s.from_branch;
  if (is_one_of(slot.kind, {move_from_cr, move_indexed, system})) return s.from_application;
  if (slot.kind != move_from_ar) return s.integer;
  if (slot.unit != isa::Unit::M) return s.from_branch;
  const bool backing_store = std::any_of(slot.reads.begin(), slot.reads.end(), [](isa::Register from) {
    return from.file == isa::RegisterFile::ar && (from.number == isa::ar_bsp || from.number == isa::ar_bspstore);
  });
  return backing_store ? s.from_backing_store : s.from_application;
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
  using enum isa::Kind;
  if (op.slot->kind == break_) return FlushKind::trap;
  if (is_one_of(op.slot->kind, {check_advanced, check_speculation, fp_check})) return FlushKind::check;
  return op.has(Kind::serialize_instruction) || op.has(Kind::rfi) ? FlushKind::serialize : FlushKind::none;
}

/// Its end is known from ar.lc and ar.ec. That of wtop and wexit depends on a predicate.
bool counts(isa::BranchKind kind) {
  return is_one_of(kind, {isa::BranchKind::cloop, isa::BranchKind::ctop, isa::BranchKind::cexit});
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
