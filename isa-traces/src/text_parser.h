// Parses one line of a text trace into an instruction or a directive, without regard to other lines.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

/// Error message with the wrong token and the right form.
struct LineError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Parts of an instruction line. The caller reuses one object for all lines to avoid allocations.
struct ParsedLine {
  std::uint64_t pc = 0;
  std::array<std::uint8_t, 16> bytes{};
  std::uint8_t length = 0;
  std::array<char, 3> mask{'x', 'x', 'x'};
  std::vector<Access> accesses;
  bool taken = false;
  std::uint64_t target = 0;
  bool annotated = false;
  Annotations annotations;
};

/// Parses an instruction line. Throws LineError.
void parse_instruction(Isa isa, std::string_view line, ParsedLine& parsed);
/// Splits a line that begins with `!`. The table of directives checks names and values. Throws LineError.
void parse_directive(std::string_view line, Directive& directive);

}  // namespace pmusim::trace
