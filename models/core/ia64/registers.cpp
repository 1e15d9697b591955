#include "models/core/ia64/registers.h"

namespace pmusim::core::ia64 {

namespace cause = act::cause;

std::uint32_t Registers::place(isa::Register r) const {
  constexpr unsigned stacked = 32, rotating_predicates = 16;
  switch (r.file) {
    case isa::RegisterFile::gr:
      if (r.number < stacked) return general + r.number;
      return general + stacked +
             static_cast<std::uint32_t>((bottom_ + frame_.rotated_gr(r.number)) % settings_.stacked_registers);
    case isa::RegisterFile::fr:
      return floating + (r.number < stacked ? r.number : frame_.rotated_fr(r.number));
    case isa::RegisterFile::pr:
      return predicates + (r.number < rotating_predicates ? r.number : frame_.rotated_pr(r.number));
    case isa::RegisterFile::br:
      return branches + r.number;
    case isa::RegisterFile::ar:
      return application + r.number;
    case isa::RegisterFile::cr:
      return count - 1;
  }
  return count - 1;
}

Cycle Registers::ready(const Entry& e, const Operation& consumer, bool as_address) const {
  const bool branch = consumer.type == act::SlotType::b || consumer.has(act::Kind::branch);
  switch (e.producer) {
    case Producer::integer:
      return consumer.producer == Producer::multimedia ? e.written + settings_.alu_to_multimedia : e.ready;
    case Producer::multimedia:
      return consumer.producer == Producer::multimedia ? e.ready : e.ready + 1;
    case Producer::load:
      return as_address ? e.ready + settings_.load_address_extra : e.ready;
    case Producer::predicate:
      return branch ? e.written : e.ready;
    case Producer::fp_predicate:
      return branch ? e.ready - 1 : e.ready;
    default:
      return e.ready;
  }
}

unsigned Registers::cause(std::uint32_t place, const Entry& e) const {
  if (e.producer == Producer::load && e.cancelled) return cause::cancelled_load;
  if (place < floating) return e.producer == Producer::load ? cause::gr_load : cause::gr_alu;
  if (place < predicates) return cause::fr;
  return place < branches ? cause::predicate : cause::application_or_control;
}

void Registers::consider(Wait& wait, std::uint32_t place, const Operation& op, bool as_address) const {
  const Entry& e = entries_[place];
  const Cycle at = ready(e, op, as_address);
  if (at > wait.until) wait = {at, cause(place, e)};
}

Wait Registers::wait(const Operation& op, bool predicate) const {
  Wait wait;
  const isa::Slot& slot = *op.slot;
  if (slot.predicate != 0) consider(wait, place({isa::RegisterFile::pr, slot.predicate}), op, false);
  if (!predicate && !slot.unpredicated) return wait;
  for (const isa::Register r : slot.reads) {
    if (r.file == isa::RegisterFile::pr && r.number == isa::all_predicates) {
      for (std::uint32_t p = predicates; p < branches; ++p) consider(wait, p, op, false);
      continue;
    }
    constexpr unsigned first_banked = 16, behind_banked = 32;
    if (r.file == isa::RegisterFile::gr && r.number >= first_banked && r.number < behind_banked &&
        banked_from_ > wait.until) {
      wait = {banked_from_, cause::execute_bank_switch};
    }
    consider(wait, place(r), op, false);
  }
  for (const isa::Register r : slot.address_reads) consider(wait, place(r), op, true);
  // A register is not written while an older load has still to write it.
  for (const isa::Register r : slot.writes) {
    if (r.number == isa::all_predicates && r.file == isa::RegisterFile::pr) continue;
    const std::uint32_t target = place(r);
    const Entry& e = entries_[target];
    if (e.producer == Producer::load && e.ready > wait.until) wait = {e.ready, cause(target, e)};
  }
  return wait;
}

Cycle Registers::latency(const Operation& op, isa::Register r) const {
  const isa::Slot& slot = *op.slot;
  switch (op.producer) {
    case Producer::multimedia:
      return settings_.multimedia;
    case Producer::getf:
      return settings_.getf;
    case Producer::fp:
      return slot.kind == isa::Kind::setf ? settings_.setf : settings_.fp;
    case Producer::fp_predicate:
      return settings_.fp_compare;
    case Producer::application:
      break;
    default:
      return settings_.integer;
  }
  if (r.file != isa::RegisterFile::gr) return slot.unit == isa::Unit::M ? settings_.to_application : settings_.integer;
  switch (slot.kind) {
    case isa::Kind::move_from_br:
    case isa::Kind::move_from_pr:
      return settings_.from_branch;
    case isa::Kind::move_from_ar: {
      if (slot.unit != isa::Unit::M) return settings_.from_branch;
      for (const isa::Register from : slot.reads) {
        if (from.file == isa::RegisterFile::ar && (from.number == isa::ar_bsp || from.number == isa::ar_bspstore)) {
          return settings_.from_backing_store;
        }
      }
      return settings_.from_application;
    }
    case isa::Kind::move_from_cr:
    case isa::Kind::move_indexed:
    case isa::Kind::system:
      return settings_.from_application;
    default:
      return settings_.integer;
  }
}

void Registers::write(const Operation& op, Cycle at, Cycle data, bool cancelled) {
  for (const isa::Register r : op.slot->writes) {
    if (r.file == isa::RegisterFile::pr && r.number == isa::all_predicates) {
      for (std::uint32_t p = predicates; p < branches; ++p)
        entries_[p] = {at, at + settings_.integer, Producer::predicate, false};
      continue;
    }
    Entry& e = entries_[place(r)];
    // A post-incremented base is an integer result.
    const bool base = op.producer == Producer::load && op.slot->post_increment && !op.slot->address_reads.empty() &&
                      r == op.slot->address_reads.front();
    if (op.producer == Producer::load && !base) {
      e = {at, data, Producer::load, cancelled};
    } else if (base || op.memory) {
      e = {at, at + settings_.integer, Producer::integer, false};
    } else {
      e = {at, at + latency(op, r), op.producer, false};
    }
  }
}

}  // namespace pmusim::core::ia64
