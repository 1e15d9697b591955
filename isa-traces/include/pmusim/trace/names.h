// What a trace says of its program's source: functions and lines, in directives before the first instruction. They
// change nothing of what a processor does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pmusim/trace/reader.h"
#include "pmusim/trace/writer.h"

namespace pmusim::trace {

/// A function of the recorded program.
struct FunctionName {
  std::uint64_t address = 0;  ///< first address
  std::uint64_t size = 0;     ///< bytes; 0: not known
  std::string name;           ///< as in the symbol table
  bool operator==(const FunctionName&) const = default;
};
/// From this address on, up to the next one, code is of this line.
struct LineStart {
  std::uint64_t address = 0;  ///< first address
  std::string file;           ///< empty, and line 0: code of no known line
  unsigned line = 0;          ///< from 1; 0: not known
  bool operator==(const LineStart&) const = default;
};
/// Names of a program's source.
struct ProgramNames {
  std::vector<FunctionName> functions;  ///< by address
  std::vector<LineStart> lines;         ///< by address
  /// The trace tells no name.
  [[nodiscard]] bool empty() const { return functions.empty() && lines.empty(); }
};

/// Is it `function` or `line`?
[[nodiscard]] bool is_name(const Directive& directive);
/// Before the first instruction.
void write_names(const ProgramNames& names, Writer& to);
/// Reads up to the first instruction.
[[nodiscard]] ProgramNames read_names(Reader& from);

}  // namespace pmusim::trace
