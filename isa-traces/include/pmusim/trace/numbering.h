// How the instructions of a trace are numbered: the same in every command, report and file.
#pragma once

#include <cstdint>
#include <string_view>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

/// The name of what is numbered: `bundles` for ia64, otherwise `instructions`.
[[nodiscard]] std::string_view unit_of(Isa isa);

/// i386: a string instruction with a rep, repe or repne prefix.
[[nodiscard]] bool is_repeated_string(const Code& code);

/// True if more iterations of the same instruction follow this line. `repeats`: is_repeated_string() of its code, for
/// i386.
[[nodiscard]] constexpr bool goes_on(const Instruction& line, bool repeats) {
  return repeats && line.taken && line.target == line.code->pc;
}

/// Numbers the instructions of a trace from 0. A number stands for what a processor retires as one: a line of the
/// trace, on ia64 a bundle. A repeated string instruction of i386 has a line for each iteration and retires once, with
/// the last one. An iteration therefore has the number of the lines up to it that end an instruction. If a handler runs
/// between two iterations, its instructions have retired earlier and have the smaller numbers.
class Numbering {
 public:
  /// Begins before the first line of a trace of this instruction set.
  explicit Numbering(Isa isa) : repeats_(isa == Isa::i386) {}
  /// Takes the next line and returns the number of its instruction.
  std::uint64_t take(const Instruction& line) {
    const std::uint64_t number = instructions_;
    const bool more = repeats_ && goes_on(line, true) && is_repeated_string(*line.code);
    ++lines_;
    if (!more) ++instructions_;
    return number;
  }
  /// Number of instructions that have ended. It is the number of the next line's instruction.
  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }
  /// Number of lines that were taken.
  [[nodiscard]] std::uint64_t lines() const { return lines_; }

 private:
  bool repeats_;
  std::uint64_t instructions_ = 0, lines_ = 0;
};

}  // namespace pmusim::trace
