// The text interchange form: the lines of instructions and directives, and the list of directives.
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
  /// Grammar of the operands: `key=VALUE` or `VALUE`, in brackets if the operand is optional. VALUE is
  /// `a|b|c`, NAME, TEXT (printable, no blanks), COUNT (decimal, from 1), NUMBER (decimal, or hexadecimal with 0x),
  /// ADDRESS (hexadecimal without 0x) or RATIO (N or N/M). Operands with a key may come in any order.
  std::string_view operands;
  unsigned at_least = 0;       ///< required number of optional operands
  bool explains_jump = false;  ///< the next instruction may have any address
};

/// All directives, in alphabetical order.
[[nodiscard]] std::span<const DirectiveForm> directive_forms();
/// The form of the directive with this name, or null.
[[nodiscard]] const DirectiveForm* find_directive_form(std::string_view name);
/// The error in a directive with the correct form; empty if it is correct.
[[nodiscard]] std::string complaint_about(const Directive& directive);
/// The word of `known` that is most similar to a misspelled word; empty if none is similar.
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

/// Appends the line of an instruction, without a line end.
void append_line(std::string& line, Isa isa, const Instruction& instruction);
/// Appends the line of a directive, without a line end.
void append_line(std::string& line, const Directive& directive);

/// IA-64: the slot of a taken branch, which is the last executed slot.
[[nodiscard]] unsigned taken_slot(const std::array<char, 3>& mask);

}  // namespace pmusim::trace
