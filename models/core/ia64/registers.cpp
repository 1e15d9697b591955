#include "models/core/ia64/registers.h"

namespace pmusim::core::ia64 {

namespace cause = act::cause;

/// A stacked or rotating register.
std::uint32_t Registers::renamed(isa::Register r) const {
  switch (r.file) {
    case isa::RegisterFile::gr: {
      constexpr unsigned stacked = 32;
      return place::general + stacked +
             static_cast<std::uint32_t>(
                 isa::wrapped(bottom_ + frame_.rotated_gr(r.number), settings_.stacked_registers));
    }
    case isa::RegisterFile::fr:
      return place::floating + frame_.rotated_fr(r.number);
    default:
      return place::predicates + frame_.rotated_pr(r.number);
  }
}

Cycle Registers::ready(const Entry& e, const Operation& consumer, bool as_address) const {
  switch (e.producer) {
    case Producer::integer:
      return consumer.producer == Producer::multimedia ? e.written + settings_.alu_to_multimedia : e.ready;
    case Producer::multimedia:
      return consumer.producer == Producer::multimedia ? e.ready : e.ready + 1;
    case Producer::load:
      return as_address ? e.ready + settings_.load_address_extra : e.ready;
    case Producer::predicate:
      return consumer.branch ? e.written : e.ready;
    case Producer::fp_predicate:
      return consumer.branch ? e.ready - 1 : e.ready;
    default:
      return e.ready;
  }
}

unsigned Registers::cause(std::uint32_t number, const Entry& e) const {
  if (e.producer == Producer::load && e.cancelled) return cause::cancelled_load;
  if (number < place::floating) return e.producer == Producer::load ? cause::gr_load : cause::gr_alu;
  if (number < place::predicates) return cause::fr;
  return number < place::branches ? cause::predicate : cause::application_or_control;
}

void Registers::wait(const Operation& op, bool predicate, Wait& wait) const {
  const std::size_t count = predicate || op.unpredicated ? op.needs.size() : op.predicates;
  for (std::size_t i = 0; i < count; ++i) {
    const Operand& o = op.needs[i];
    if (o.banked && banked_from_ > wait.until) wait = {banked_from_, cause::execute_bank_switch};
    const std::uint32_t number = place(o);
    if (late_[number] <= wait.until) continue;
    const Entry& e = entries_[number];
    // A register is not written while an older load has still to write it.
    if (o.target && e.producer != Producer::load) continue;
    const Cycle at = o.target ? e.ready : ready(e, op, o.address);
    if (at > wait.until) wait = {at, cause(number, e)};
  }
}

}  // namespace pmusim::core::ia64
