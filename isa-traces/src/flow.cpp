#include "flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "pmusim/trace/alpha.h"
#include "pmusim/trace/ia64.h"
#include "pmusim/trace/ppc.h"
#include "pmusim/trace/text.h"
#include "pmusim/trace/x86.h"
#include "rules.h"

namespace pmusim::trace {
namespace {

struct Way {
  Goes goes = Goes::anywhere;
  std::string mnemonic;
  std::optional<std::uint64_t> target;  ///< the only target, if the encoding contains it
};

/// The flow of an unconditional branch. If its target is the next address, taken and not taken are indistinguishable.
template <class Operation>
Way always(const Operation& op, std::uint64_t next) {
  Way way{Goes::elsewhere, std::string(op.mnemonic), std::nullopt};
  if (op.has_target) way.target = op.target;
  if (way.target == next) way.goes = Goes::anywhere;
  return way;
}

Way ppc_way(const Code& code) {
  const ppc::Operation op = ppc::classify(code);
  if (op.branch == ppc::BranchKind::direct && !op.conditional) return always(op, code.pc + 4);
  const bool leaves = op.branch != ppc::BranchKind::none || op.kind == ppc::Kind::return_from_interrupt;
  return {leaves ? Goes::anywhere : Goes::on, std::string(op.mnemonic), {}};
}

Way alpha_way(const Code& code) {
  const alpha::Operation op = alpha::classify(code);
  using B = alpha::BranchKind;
  if (op.branch == B::unconditional || op.branch == B::subroutine) return always(op, code.pc + 4);
  return {op.is_branch() ? Goes::anywhere : Goes::on, std::string(op.mnemonic), {}};
}

Way x86_way(const Code& code) {
  const x86::Operation op = x86::classify(code);
  using B = x86::BranchKind;
  if ((op.branch == B::jump || op.branch == B::call) && op.has_target) {
    return always(op, (code.pc + code.length) & address_mask(Isa::i386));
  }
  const bool leaves = op.branch != B::none || op.software_interrupt || op.kind == x86::Kind::far_transfer ||
                      op.kind == x86::Kind::illegal || is_repeated_string(code);
  return {leaves ? Goes::anywhere : Goes::on, op.mnemonic, {}};
}

Way ia64_way(const ia64::Slot& slot, std::uint64_t pc) {
  using B = ia64::BranchKind;
  using K = ia64::Kind;
  if (slot.kind == K::branch) {
    const bool counts = slot.branch >= B::wexit && slot.branch <= B::ctop;
    return slot.predicate == 0 && !counts ? always(slot, pc + 16) : Way{Goes::anywhere, slot.mnemonic, {}};
  }
  constexpr std::array leaving{K::check_speculation,       K::check_advanced, K::fp_check,
                               K::system_branch /* rfi */, K::break_,         K::illegal};
  const bool leaves = std::find(leaving.begin(), leaving.end(), slot.kind) != leaving.end();
  return {leaves ? Goes::anywhere : Goes::on, slot.mnemonic, {}};
}

std::array<Way, 3> ways_of(Isa isa, const Code& code) {
  if (isa == Isa::ppc) return {ppc_way(code), {}, {}};
  if (isa == Isa::alpha) return {alpha_way(code), {}, {}};
  if (isa == Isa::i386) return {x86_way(code), {}, {}};
  const ia64::Bundle bundle = ia64::decode(code);
  return {ia64_way(bundle.slots[0], code.pc), ia64_way(bundle.slots[1], code.pc), ia64_way(bundle.slots[2], code.pc)};
}

}  // namespace

Flow flow_of(Isa isa, const Code& code) {
  const auto ways = ways_of(isa, code);
  return {ways[0].goes, ways[1].goes, ways[2].goes};
}

std::string complaint_about_outcome(Isa isa, const Instruction& instruction) {
  const auto ways = ways_of(isa, *instruction.code);
  const unsigned last = isa == Isa::ia64 ? taken_slot(instruction.mask) : 0;
  const auto mark = [&](unsigned slot) { return isa == Isa::ia64 ? fmt::format("T{}", slot) : std::string("T"); };
  if (instruction.taken && ways[last].goes == Goes::on) {
    return fmt::format(
        "'{} {:x}': {} is no branch and cannot be taken; expected no T, and a directive such as '! interrupt' or "
        "'! switch' where the program is elsewhere",
        mark(last), instruction.target, ways[last].mnemonic);
  }
  unsigned slot = 0;
  while (slot < 2 && (ways[slot].goes != Goes::elsewhere || instruction.mask[slot] == '-')) ++slot;
  const std::string target = ways[slot].target ? fmt::format("{:x}", *ways[slot].target) : "TARGET";
  return fmt::format(
      "the line before, {} at {:x}, is a branch without a condition and has to be taken; expected {} {} in that line{}",
      ways[slot].mnemonic, instruction.code->pc, mark(slot), target,
      isa == Isa::ia64 ? fmt::format(", and a mask with x in slot {} and - after it", slot) : "");
}

const Flow& Flows::of(const Code& code) {
  const std::uint32_t place = places_.find(code.pc);
  if (place == PcMap::none) {
    places_.set(code.pc, static_cast<std::uint32_t>(known_.size()));
    known_.push_back({code, flow_of(isa_, code)});
    return known_.back().flow;
  }
  Known& known = known_[place];
  if (!same_bytes(known.code, bytes_of(code))) known = {code, flow_of(isa_, code)};
  return known.flow;
}

}  // namespace pmusim::trace
