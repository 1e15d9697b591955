// A step is the information in the lines of another tool's trace about one executed instruction, before its encoding is
// decoded. Each tool has a source file that parses its lines.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace::import {

struct StepAccess {
  enum class Kind : std::uint8_t { load, store, modify, unknown };  ///< modify: a load and a store
  Kind kind = Kind::unknown;
  std::uint64_t address = 0;
  std::uint16_t size = 0;  ///< 0: not reported
};

/// One executed instruction.
struct Step {
  std::string thread;  ///< name of its thread in the trace
  std::uint64_t pc = 0;
  std::string symbol;   ///< not empty: `pc` is the offset from this symbol of the program
  unsigned length = 0;  ///< length of the instruction in bytes; 0: not reported
  std::array<std::uint8_t, 16> bytes{};
  unsigned known = 0;  ///< number of reported bytes; bytes after the instruction are meaningless
  std::vector<StepAccess> accesses;
};

/// What becomes of the lines of a kind.
enum class Becomes : std::uint8_t { read, ignored, refused };

/// A kind of line that a tool writes. Each tool has a table of them; the first row that matches decides.
struct LineKind {
  std::string_view what;
  std::string_view example;
  Becomes becomes = Becomes::read;
  std::string_view why;  ///< ignored: why nothing is lost; refused: the error; read: what else is to say, or empty
  bool (*matches)(std::string_view line);
};
constexpr bool is_empty(std::string_view line) { return line.empty(); }
constexpr bool is_any(std::string_view) { return true; }

/// The meaning of a line that is read.
enum class Line : std::uint8_t {
  step,    ///< begins an instruction, which is in the step
  more,    ///< has further accesses of the preceding instruction, which are in the step
  undone,  ///< says that the preceding instruction was not executed
  gap,     ///< the tool lost a part of the execution here
  nothing  ///< contains nothing about an instruction
};

/// Parses the lines of one tool.
class LineParser {
 public:
  virtual ~LineParser() = default;
  /// Parses a line that the table does not ignore or refuse into `step`, which must be empty. Throws LineError with the
  /// error and the correct form.
  virtual Line parse(std::string_view line, Step& step) = 0;
};

/// An error in a line. The importer prepends file and line number.
struct LineError {
  std::string what;
};

/// The row of a table that decides about a line; null if no row does.
[[nodiscard]] const LineKind* kind_of(std::span<const LineKind> kinds, std::string_view line);

/// A tool whose traces can be imported.
struct Tool {
  std::string_view name;   ///< name for the option `--from`
  std::string_view needs;  ///< command line of the tool
  std::string_view isas;   ///< names of instruction sets, separated by blanks
  bool needs_elf;          ///< the trace does not contain the instruction bytes
  std::unique_ptr<LineParser> (*parser)();
  std::span<const LineKind> (*kinds)();
};

[[nodiscard]] std::unique_ptr<LineParser> execlog_parser();
[[nodiscard]] std::unique_ptr<LineParser> lackey_parser();
[[nodiscard]] std::unique_ptr<LineParser> gem5_parser();
[[nodiscard]] std::unique_ptr<LineParser> perf_parser();
[[nodiscard]] std::span<const LineKind> execlog_kinds();
[[nodiscard]] std::span<const LineKind> lackey_kinds();
[[nodiscard]] std::span<const LineKind> gem5_kinds();
[[nodiscard]] std::span<const LineKind> perf_kinds();

// Parsing helpers: each removes what it parses from the front of the text. On failure the text does not change.

/// Parses at least one digit of this base; the value must fit 64 bits.
[[nodiscard]] std::optional<std::uint64_t> take_number(std::string_view& text, int base);
[[nodiscard]] bool take(std::string_view& text, std::string_view word);
void skip_blanks(std::string_view& text);

}  // namespace pmusim::trace::import
