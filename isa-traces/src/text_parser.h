// From one line of a text trace to an instruction or a directive; knows nothing of files or of other lines.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

/// A token that is wrong, and the right form.
struct LineError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The parts of an instruction line. Kept and filled again, so that a long trace allocates nothing.
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

/// Throws LineError.
void parse_instruction(Isa isa, std::string_view line, ParsedLine& parsed);
/// `line` begins with `!`. Splits only: what a directive may say is the table's matter. Throws LineError.
void parse_directive(std::string_view line, Directive& directive);

}  // namespace pmusim::trace
