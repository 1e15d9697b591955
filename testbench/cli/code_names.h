// Names for the addresses of a program: functions and lines of source, from its ELF file, from nm, or from its trace.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pmusim/trace/names.h"
#include "testbench/cli/session_options.h"
#include "testbench/cli/symbols.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {

struct SourceLine {
  std::string file;
  unsigned line = 0;
};

class CodeNames {
 public:
  CodeNames() = default;
  explicit CodeNames(Symbols symbols) : symbols_(std::move(symbols)) {}
  explicit CodeNames(const trace::ProgramNames& names);
  [[nodiscard]] const Symbols& symbols() const { return symbols_; }
  /// Empty if the line is not known.
  [[nodiscard]] std::optional<SourceLine> line_of(std::uint64_t address) const;
  [[nodiscard]] bool has_lines() const { return !lines_.empty(); }

 private:
  Symbols symbols_;
  std::map<std::uint64_t, SourceLine> lines_;  ///< from this address on; line 0: none
};

/// Adds --symbols and --elf.
[[nodiscard]] Options name_options();
/// Names for each hardware thread's program: from --elf or --symbols, or from its trace. A file of --elf without an
/// address was loaded where the trace says, or at its own addresses. Throws UsageError, also for an ELF file of which
/// the trace executes nothing.
[[nodiscard]] std::vector<CodeNames> code_names(const Arguments& arguments, const SessionSetup& setup);
/// The symbols of each program.
[[nodiscard]] std::vector<Symbols> symbols_of(const std::vector<CodeNames>& names);

}  // namespace pmusim::testbench
