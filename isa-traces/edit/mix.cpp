#include "mix.h"

#include <algorithm>
#include <initializer_list>

#include "pmusim/trace/alpha.h"
#include "pmusim/trace/ia64.h"
#include "pmusim/trace/ppc.h"
#include "pmusim/trace/x86.h"

namespace pmusim::trace::edit {
namespace {

template <typename Kind>
bool is_one_of(Kind kind, std::initializer_list<Kind> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

Class ppc_class(ppc::Kind kind) {
  using enum ppc::Kind;
  if (kind == illegal) return Class::unknown;
  if (kind == branch) return Class::branch;
  if (is_one_of(kind, {integer, integer_extended, compare, condition_logical, move_condition})) return Class::integer;
  if (is_one_of(kind, {multiply, multiply_high, multiply_high_unsigned, multiply_immediate, divide}))
    return Class::multiply_divide;
  if (is_one_of(kind, {load, load_multiple, load_string, load_reserve})) return Class::load;
  if (is_one_of(kind, {store, store_multiple, store_string, store_conditional, dcbz})) return Class::store;
  if (is_one_of(kind, {fp_single, fp_double_add, fp_double_multiply, fp_compare, fp_divide_single, fp_divide_double,
                       fp_reciprocal, fp_move, fp_status}))
    return Class::floating_point;
  return is_one_of(kind, {no_operation, dcbf, dcbst, dcbi, dcbt, dcbtst, icbi}) ? Class::hint : Class::system;
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
  using enum x86::Kind;
  if (op.branch != x86::BranchKind::none) return Class::branch;
  if (op.kind == illegal) return Class::unknown;
  if (is_one_of(op.kind, {nop, prefetch})) return Class::hint;
  if (is_one_of(op.kind, {multiply, divide})) return Class::multiply_divide;
  if (is_one_of(op.kind, {mmx, amd3dnow, sse})) return Class::multimedia;
  if (is_one_of(op.kind, {system, segment_move, far_transfer})) return Class::system;
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
  using enum ia64::Kind;
  const ia64::Kind kind = slot.kind;
  if (kind == illegal) return Class::unknown;
  if (kind == semaphore) return Class::load_and_store;
  if (slot.is_load()) return Class::load;
  if (slot.is_store()) return Class::store;
  if (is_one_of(kind, {nop, hint, prefetch, branch_predict, flush_cache, long_immediate})) return Class::hint;
  if (is_one_of(kind, {integer, compare, shift, bit_field, extend, test, move_long, move_from_br, move_to_br,
                       move_from_pr, move_to_pr, move_from_ip}))
    return Class::integer;
  if (kind == fixed_multiply) return Class::multiply_divide;
  if (is_one_of(kind, {multimedia_alu, multimedia, multimedia_multiply})) return Class::multimedia;
  if (is_one_of(kind, {branch, check_speculation, check_advanced})) return Class::branch;
  const bool fp = (kind >= fp_arithmetic && kind <= fp_check) || kind == setf || kind == getf;
  return fp ? Class::floating_point : Class::system;
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
  if (isa == Isa::ppc) return {ppc_work(code)};
  if (isa == Isa::alpha) return {alpha_work(code)};
  if (isa == Isa::i386) return {x86_work(code)};
  const ia64::Bundle bundle = ia64::decode(code);
  return {ia64_work(bundle.slots[0]), ia64_work(bundle.slots[1]), ia64_work(bundle.slots[2])};
}

}  // namespace pmusim::trace::edit
