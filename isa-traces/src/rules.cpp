#include "rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "in_quotes.h"
#include "pmusim/trace/text.h"

namespace pmusim::trace {
namespace {

struct IsaShape {
  unsigned shortest, longest, alignment;  // bytes
  const char* unit;
};
// Indexed by Isa.
constexpr IsaShape shapes[] = {
    {4, 4, 4, "instruction"}, {4, 4, 4, "instruction"}, {1, 15, 1, "instruction"}, {16, 16, 16, "bundle"}};
const IsaShape& shape(Isa isa) { return shapes[static_cast<std::size_t>(isa)]; }

std::string complaint_about_address(Isa isa, const char* what, std::uint64_t address, unsigned alignment) {
  if (address > address_mask(isa))
    return fmt::format("'{:x}': {} of {} has at most 32 bits", address, what, name_of(isa));
  if (address % alignment != 0) {
    return fmt::format("'{:x}': {} of {} is a multiple of {}", address, what, name_of(isa), alignment);
  }
  return {};
}

/// True if the backing-store word can hold a stacked register. Every 64th word holds the NaT bits of the other 63.
bool is_register_slot(std::uint64_t address) { return address % 8 == 0 && (address >> 3 & 63) != 63; }

}  // namespace

unsigned taken_slot(const std::array<char, 3>& mask) {
  unsigned slot = 2;
  while (slot > 0 && mask[slot] != 'x') --slot;
  return slot;
}

bool is_register_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.' || c == '-' || c == '[' || c == ']';
  });
}

std::string complaint_about_code(Isa isa, std::uint64_t pc, std::size_t length) {
  const IsaShape& s = shape(isa);
  if (length < s.shortest || length > s.longest) {
    const std::string right =
        s.shortest == s.longest ? fmt::format("{}", s.longest) : fmt::format("{} to {}", s.shortest, s.longest);
    return fmt::format("{} instruction bytes; one {} {} has {}", length, name_of(isa), s.unit, right);
  }
  return complaint_about_address(isa, "the pc", pc, s.alignment);
}

std::string complaint_about_mask(const std::array<char, 3>& mask) {
  const bool letters = std::all_of(mask.begin(), mask.end(), [](char c) { return c == 'x' || c == 'p' || c == '-'; });
  const bool reached = std::any_of(mask.begin(), mask.end(), [](char c) { return c != '-'; });
  if (letters && reached) return {};
  return "slot mask must be three of x (executed), p (predicated off), - (not reached), not all -";
}

std::string complaint_about_accesses(Isa isa, std::span<const Access> accesses, const std::array<char, 3>& mask) {
  if (accesses.size() > most_accesses) return fmt::format("{} accesses; at most {}", accesses.size(), most_accesses);
  for (const Access& access : accesses) {
    if (access.size == 0) return "'0': size of an access; must be 1 to 65535 bytes";
    if (std::string wrong = complaint_about_address(isa, "an access", access.address, 1); !wrong.empty()) return wrong;
    if (isa != Isa::ia64) {
      if (access.slot != 0) return fmt::format("an access has slot {}; only ia64 has slots", access.slot);
    } else if (access.slot > 2 || mask[access.slot] != 'x') {
      return fmt::format("an access in slot {}, which the mask does not call executed (x)", access.slot);
    }
  }
  return {};
}

std::string complaint_about_branch(Isa isa, const Instruction& instruction, bool repeats) {
  if (std::string wrong = complaint_about_address(isa, "the target", instruction.target, shape(isa).alignment);
      !wrong.empty()) {
    return wrong;
  }
  if (isa == Isa::ia64) {
    const unsigned slot = taken_slot(instruction.mask);
    const bool right =
        instruction.mask[slot] == 'x' &&
        std::all_of(instruction.mask.begin() + slot + 1, instruction.mask.end(), [](char c) { return c == '-'; });
    if (!right) return "a taken branch ends its bundle: its slot is x and the slots after it are -";
  }
  if (repeats && instruction.target != instruction.code->pc) {
    return fmt::format("'{:x}': a rep instruction has no target but itself ({:x})", instruction.target,
                       instruction.code->pc);
  }
  if (repeats && instruction.accesses.empty()) {
    return "an iteration of rep with T to itself has an access; only the last one may be without";
  }
  return {};
}

std::string complaint_about(Isa isa, const Annotations& annotations) {
  for (const RegisterUse& use : annotations.registers) {
    if (!is_register_name(use.name)) return fmt::format("{}: not the name of a register", in_quotes(use.name));
  }
  if (annotations.latency == 0u) return "'lat=0': must be a decimal number of cycles from 1";
  const bool stack = annotations.cfm || annotations.bsp || annotations.loadrs;
  if (isa != Isa::ia64 && (stack || annotations.flushed || !annotations.deferrals.empty())) {
    return "cfm=, bsp=, loadrs=, defer= and ftz= are keys of ia64 only";
  }
  if (isa != Isa::alpha && annotations.trap != Trap::unset)
    return fmt::format("trap= is a key of {} only", name_of(Isa::alpha));
  if (annotations.cfm.value_or(0) > most_marker) return "cfm= has at most 38 bits";
  if (annotations.bsp && !is_register_slot(*annotations.bsp)) {
    return fmt::format(
        "'bsp={:x}': no place of a register; ar.bsp is a multiple of 8, and its bits 8:3 are not all ones, which are "
        "those "
        "of a NaT collection",
        *annotations.bsp);
  }
  if (annotations.loadrs.value_or(0) > most_loadrs) return "loadrs= is at most 16376 bytes";
  if (annotations.flushed.value_or(0) > most_flushed) return "ftz= is at most 6 results";
  for (const Deferral& deferral : annotations.deferrals) {
    if (deferral.slot > 2) return "defer= has a slot from 0 to 2";
  }
  return {};
}

std::string complaint_about_jump(std::uint64_t pc, std::uint64_t expected) {
  return fmt::format(
      "'{:x}': discontinuity: the line before goes to {:x}; expected T on a taken branch, or one of '! interrupt', "
      "'! return', '! switch', '! nmi', '! smi', '! mcheck', '! reset' before this line",
      pc, expected);
}

std::string SequenceRules::directive(const Directive& directive) {
  if (std::string wrong = complaint_about(directive); !wrong.empty()) return wrong;
  explained_ |= find_directive_form(directive.name)->explains_jump;
  return {};
}

std::string SequenceRules::instruction(const Instruction& instruction) {
  const Code& code = *instruction.code;
  if (!unfinished_.empty()) return unfinished_;
  std::string wrong = complaint_about_code(isa_, code.pc, code.length);
  if (wrong.empty() && isa_ == Isa::ia64) wrong = complaint_about_mask(instruction.mask);
  if (wrong.empty()) wrong = complaint_about_accesses(isa_, instruction.accesses, instruction.mask);
  if (wrong.empty() && instruction.taken) {
    wrong = complaint_about_branch(isa_, instruction, isa_ == Isa::i386 && is_repeated_string(code));
  }
  const bool can = wrong.empty() && can_go(isa_, flows_.of(code), instruction);
  if (wrong.empty() && !can && instruction.taken) wrong = complaint_about_outcome(isa_, instruction);
  if (wrong.empty() && instruction.annotations != nullptr) wrong = complaint_about(isa_, *instruction.annotations);
  if (wrong.empty() && expected_ && code.pc != *expected_ && !explained_)
    wrong = complaint_about_jump(code.pc, *expected_);
  if (!wrong.empty()) return wrong;
  if (!can) unfinished_ = complaint_about_outcome(isa_, instruction);
  expected_ = instruction.next_pc() & address_mask(isa_);
  explained_ = false;
  return {};
}

}  // namespace pmusim::trace
