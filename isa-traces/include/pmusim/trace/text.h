// Text interchange, line by line: how an instruction or a directive is spelled, and which directives there are.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

/// One kind of `!` line.
struct DirectiveForm {
  std::string_view name;  ///< the word after `!`
  /// Operands as the grammar writes them: `key=VALUE`, bare `VALUE`, in brackets if it may be left out. VALUE is
  /// `a|b|c`, NAME, TEXT (printable, no blanks), COUNT (decimal, from 1), NUMBER (decimal, or hexadecimal with 0x),
  /// ADDRESS (hexadecimal without 0x) or RATIO (N or N/M). Operands with a key may come in any order.
  std::string_view operands;
  unsigned at_least = 0;       ///< how many of the optional operands must be there
  bool explains_jump = false;  ///< the next instruction may be anywhere
};

/// All directives, in alphabetical order.
[[nodiscard]] std::span<const DirectiveForm> directive_forms();
/// The form of this name, or null.
[[nodiscard]] const DirectiveForm* find_directive_form(std::string_view name);
/// What is wrong with a directive and what would be right; empty if nothing.
[[nodiscard]] std::string complaint_about(const Directive& directive);
/// The word of `known` that is closest to a misspelled one; empty if none is close.
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

/// Appends the line, without its end, that says this instruction or directive.
void append_line(std::string& line, Isa isa, const Instruction& instruction);
/// The same of a directive.
void append_line(std::string& line, const Directive& directive);

/// IA-64: slot of the taken branch, which is the last one executed.
[[nodiscard]] unsigned taken_slot(const std::array<char, 3>& mask);

}  // namespace pmusim::trace
