// What a line of another tool's trace says, before it is known what the instruction is: one file for each tool turns
// its lines into steps.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace::import {

struct StepAccess {
  enum class Kind : std::uint8_t { load, store, modify, unknown };  ///< modify: a load and a store
  Kind kind = Kind::unknown;
  std::uint64_t address = 0;
  std::uint16_t size = 0;  ///< 0: the tool does not tell
};

/// One executed instruction.
struct Step {
  std::string thread;  ///< who executed it, as the tool says
  std::uint64_t pc = 0;
  std::string symbol;   ///< not empty: the pc is that many bytes after this symbol of the program
  unsigned length = 0;  ///< bytes of the instruction; 0: the tool does not tell
  std::array<std::uint8_t, 16> bytes{};
  unsigned known = 0;  ///< how many of `bytes` the tool tells; those after the instruction mean nothing
  std::vector<StepAccess> accesses;
};

/// What became of a line.
enum class Line : std::uint8_t {
  step,    ///< begins an instruction, which is in the step
  more,    ///< has accesses of the instruction before, which are in the step
  gap,     ///< the tool lost a part of the execution here
  nothing  ///< says nothing about an instruction
};

/// Reads the lines of one tool.
class LineParser {
 public:
  virtual ~LineParser() = default;
  /// `step` is empty before. Throws LineError with what is wrong and what would be right.
  virtual Line parse(std::string_view line, Step& step) = 0;
};

/// What is wrong with a line; file and number are put before it.
struct LineError {
  std::string what;
};

/// A tool whose traces are read.
struct Tool {
  std::string_view name;   ///< as `--from` takes it
  std::string_view needs;  ///< how the tool is run
  std::string_view isas;   ///< instruction sets, as names with blanks between them
  bool needs_elf;          ///< the bytes are in the program file alone
  std::unique_ptr<LineParser> (*parser)();
};

[[nodiscard]] std::unique_ptr<LineParser> execlog_parser();
[[nodiscard]] std::unique_ptr<LineParser> lackey_parser();
[[nodiscard]] std::unique_ptr<LineParser> gem5_parser();
[[nodiscard]] std::unique_ptr<LineParser> perf_parser();

// Reading words: each takes what it reads off the front of the text, and leaves it alone if there is no such thing.

/// Digits of this base, at least one; at most 64 bits.
[[nodiscard]] std::optional<std::uint64_t> take_number(std::string_view& text, int base);
[[nodiscard]] bool take(std::string_view& text, std::string_view word);
void skip_blanks(std::string_view& text);

}  // namespace pmusim::trace::import
