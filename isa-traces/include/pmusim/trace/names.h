// Files, functions and source lines of the recorded program, in directives before the first instruction. They do not
// affect the execution.
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
  std::uint64_t size = 0;     ///< size in bytes; 0: unknown
  std::string name;           ///< as in the symbol table
  bool operator==(const FunctionName&) const = default;
};
/// The source line of the code from this address up to the next LineStart.
struct LineStart {
  std::uint64_t address = 0;  ///< first address
  std::string file;           ///< source file; empty, with line 0, if the line is unknown
  unsigned line = 0;          ///< line number from 1; 0: unknown
  bool operator==(const LineStart&) const = default;
};
/// A file whose code was executed: the program, or a library.
struct LoadedFile {
  std::uint64_t address = 0;  ///< first address of its code
  std::uint64_t size = 0;     ///< bytes from the first to the last address of its code
  std::uint64_t base = 0;     ///< what is added to the addresses in the file
  std::string name;           ///< name of the file, without its folder
  bool operator==(const LoadedFile&) const = default;
};
/// Files, functions and source lines of a program.
struct ProgramNames {
  std::vector<LoadedFile> files;        ///< the program, then libraries; empty for a program at fixed addresses alone
  std::vector<FunctionName> functions;  ///< sorted by address
  std::vector<LineStart> lines;         ///< sorted by address
  /// True if there are no names.
  [[nodiscard]] bool empty() const { return files.empty() && functions.empty() && lines.empty(); }
};

/// True for the directives `function`, `image` and `line`.
[[nodiscard]] bool is_name(const Directive& directive);
/// Writes the names as directives. Call it before the first instruction.
void write_names(const ProgramNames& names, Writer& to);
/// Reads the names in the directives up to the first instruction.
[[nodiscard]] ProgramNames read_names(Reader& from);

}  // namespace pmusim::trace
