#include "models/core/ia64/registers.h"

namespace pmusim::core::ia64 {

namespace cause = act::cause;

unsigned Registers::cause(std::uint32_t number, const Entry& e) const {
  if (loaded(e) && e.cancelled) return cause::cancelled_load;
  if (number < place::floating) return e.producer == Producer::load ? cause::gr_load : cause::gr_alu;
  if (number < place::predicates) return cause::fr;
  return number < place::branches ? cause::predicate : cause::application_or_control;
}

}  // namespace pmusim::core::ia64
