#include "mix.h"

#include "pmusim/trace/alpha.h"
#include "pmusim/trace/ia64.h"
#include "pmusim/trace/ppc.h"
#include "pmusim/trace/x86.h"

namespace pmusim::trace::edit {
namespace {

Class ppc_class(ppc::Kind kind) {
  using K = ppc::Kind;
  switch (kind) {
    case K::integer:
    case K::integer_extended:
    case K::compare:
    case K::condition_logical:
    case K::move_condition:
      return Class::integer;
    case K::multiply:
    case K::multiply_high:
    case K::multiply_high_unsigned:
    case K::multiply_immediate:
    case K::divide:
      return Class::multiply_divide;
    case K::load:
    case K::load_multiple:
    case K::load_string:
    case K::load_reserve:
      return Class::load;
    case K::store:
    case K::store_multiple:
    case K::store_string:
    case K::store_conditional:
    case K::dcbz:
      return Class::store;
    case K::branch:
      return Class::branch;
    case K::fp_single:
    case K::fp_double_add:
    case K::fp_double_multiply:
    case K::fp_compare:
    case K::fp_divide_single:
    case K::fp_divide_double:
    case K::fp_reciprocal:
    case K::fp_move:
    case K::fp_status:
      return Class::floating_point;
    case K::no_operation:
    case K::dcbf:
    case K::dcbst:
    case K::dcbi:
    case K::dcbt:
    case K::dcbtst:
    case K::icbi:
      return Class::hint;
    case K::illegal:
      return Class::unknown;
    default:
      return Class::system;
  }
}

Work ppc_work(const Code& code) {
  const ppc::Operation op = ppc::classify(code);
  Work work{ppc_class(op.kind), std::string(op.mnemonic)};
  work.conditional = op.conditional;
  work.call = op.links;
  work.returns = op.branch == ppc::BranchKind::to_link && !op.links;
  work.indirect = op.branch == ppc::BranchKind::to_link || op.branch == ppc::BranchKind::to_count;
  return work;
}

Class alpha_class(const alpha::Operation& op) {
  using K = alpha::Kind;
  if (op.kind == K::illegal) return Class::unknown;
  if (op.nop || op.prefetch || (op.kind >= K::fetch && op.kind <= K::evict)) return Class::hint;
  if (op.is_load()) return Class::load;
  if (op.is_store()) return Class::store;
  if (op.is_branch() && op.kind != K::call_pal) return Class::branch;
  if (op.kind >= K::multiply_long && op.kind <= K::multiply_high) return Class::multiply_divide;
  if (op.kind == K::multimedia) return Class::multimedia;
  if (op.is_integer_operate()) return Class::integer;
  return op.is_fp_operate() ? Class::floating_point : Class::system;
}

Work alpha_work(const Code& code) {
  const alpha::Operation op = alpha::classify(code);
  using B = alpha::BranchKind;
  Work work{alpha_class(op), std::string(op.mnemonic)};
  work.conditional = op.branch == B::conditional;
  work.call = op.branch == B::subroutine || op.branch == B::computed_subroutine;
  work.returns = op.branch == B::subroutine_return;
  work.indirect = op.branch >= B::computed && op.branch <= B::coroutine;
  return work;
}

Class x86_class(const x86::Operation& op) {
  using K = x86::Kind;
  if (op.branch != x86::BranchKind::none) return Class::branch;
  switch (op.kind) {
    case K::illegal:
      return Class::unknown;
    case K::nop:
    case K::prefetch:
      return Class::hint;
    case K::multiply:
    case K::divide:
      return Class::multiply_divide;
    case K::mmx:
    case K::amd3dnow:
    case K::sse:
      return Class::multimedia;
    case K::system:
    case K::segment_move:
    case K::far_transfer:
      return Class::system;
    default:
      break;
  }
  if (op.fp_unit) return Class::floating_point;
  if (op.loads && op.stores) return Class::load_and_store;
  if (op.loads) return Class::load;
  return op.stores ? Class::store : Class::integer;
}

Work x86_work(const Code& code) {
  const x86::Operation op = x86::classify(code);
  using B = x86::BranchKind;
  Work work{x86_class(op), op.mnemonic};
  work.conditional = op.branch == B::conditional || op.branch == B::loop;
  work.call = op.branch == B::call || op.branch == B::indirect_call;
  work.returns = op.branch == B::ret;
  work.indirect = op.branch == B::ret || op.branch == B::indirect_jump || op.branch == B::indirect_call;
  return work;
}

Class ia64_class(const ia64::Slot& slot) {
  using K = ia64::Kind;
  if (slot.kind == K::illegal) return Class::unknown;
  if (slot.kind == K::semaphore) return Class::load_and_store;
  if (slot.is_load()) return Class::load;
  if (slot.is_store()) return Class::store;
  switch (slot.kind) {
    case K::nop:
    case K::hint:
    case K::prefetch:
    case K::branch_predict:
    case K::flush_cache:
    case K::long_immediate:
      return Class::hint;
    case K::integer:
    case K::compare:
    case K::shift:
    case K::bit_field:
    case K::extend:
    case K::test:
    case K::move_long:
    case K::move_from_br:
    case K::move_to_br:
    case K::move_from_pr:
    case K::move_to_pr:
    case K::move_from_ip:
      return Class::integer;
    case K::fixed_multiply:
      return Class::multiply_divide;
    case K::multimedia_alu:
    case K::multimedia:
    case K::multimedia_multiply:
      return Class::multimedia;
    case K::branch:
    case K::check_speculation:
    case K::check_advanced:
      return Class::branch;
    case K::setf:
    case K::getf:
      return Class::floating_point;
    default:
      break;
  }
  return slot.kind >= K::fp_arithmetic && slot.kind <= K::fp_check ? Class::floating_point : Class::system;
}

Work ia64_work(const ia64::Slot& slot) {
  using B = ia64::BranchKind;
  Work work{ia64_class(slot), slot.mnemonic};
  if (work.kind != Class::branch) return work;
  work.conditional = slot.predicate != 0 || (slot.branch >= B::wexit && slot.branch <= B::ctop) || !slot.is_branch();
  work.call = slot.branch == B::call || slot.branch == B::indirect_call;
  work.returns = slot.branch == B::ret;
  work.indirect = slot.branch >= B::ret;
  return work;
}

}  // namespace

std::string_view name_of(Class kind) {
  constexpr std::string_view names[class_count] = {
      "integer",        "multiply and divide", "load", "store",  "load and store", "branch",
      "floating point", "multimedia",          "hint", "system", "unknown"};
  return names[static_cast<std::size_t>(kind)];
}

std::vector<Work> works_of(Isa isa, const Code& code) {
  switch (isa) {
    case Isa::ppc:
      return {ppc_work(code)};
    case Isa::alpha:
      return {alpha_work(code)};
    case Isa::i386:
      return {x86_work(code)};
    case Isa::ia64:
      break;
  }
  const ia64::Bundle bundle = ia64::decode(code);
  return {ia64_work(bundle.slots[0]), ia64_work(bundle.slots[1]), ia64_work(bundle.slots[2])};
}

}  // namespace pmusim::trace::edit
