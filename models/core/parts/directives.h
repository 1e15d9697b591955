// Reading the operands of a trace directive, with errors that name the place.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/activity/activity.h"
#include "pmusim/trace/instruction.h"

namespace pmusim::core {

/// Operands of one directive. Each reading function throws CoreError if the operand is missing or malformed; finish()
/// throws if an operand was given that no function has read.
class Operands {
 public:
  /// `instruction`: ordinal of the instruction that follows, the place if the trace has no line numbers.
  Operands(const trace::Directive& directive, std::uint64_t instruction);

  [[nodiscard]] const std::string& name() const { return directive_.name; }
  /// The operand's text, or nothing if the operand is missing. A bare operand has the empty key.
  std::optional<std::string_view> text(std::string_view key);
  /// A required number: decimal, or hexadecimal with 0x.
  std::uint64_t number(std::string_view key);
  /// The operand `cycles`, a required number.
  std::uint64_t cycles();
  /// A required address: hexadecimal, with or without 0x.
  std::uint64_t address(std::string_view key);
  /// Index of the operand's text in the list of words; nothing if the operand is missing.
  std::optional<std::size_t> choice(std::string_view key, std::initializer_list<std::string_view> words);
  /// The same for a required operand.
  std::size_t required_choice(std::string_view key, std::initializer_list<std::string_view> words);
  /// The operand `ratio`, core clocks per bus clock: `4` or `5/2`, each number from 1 to `most`. On request, checks
  /// that the core is at least as fast as the bus.
  struct Ratio {
    unsigned clocks;
    unsigned per;
  };
  Ratio ratio(unsigned most, bool core_is_faster);
  /// The operand `line`, required: the letter of a line state.
  activity::LineState line_state(std::initializer_list<std::string_view> letters);
  /// The operand `type`, required: one of these words.
  activity::MemoryType memory_type(std::initializer_list<std::string_view> words);
  /// The operand `source` of an error: true for L2, false for the system.
  bool error_is_in_l2();
  void finish() const;

  /// Throws CoreError with the place, the directive and the message.
  [[noreturn]] void fail(std::string_view what) const;

 private:
  std::uint64_t parse(std::string_view key, int base);
  std::string_view required_word(std::string_view key, std::initializer_list<std::string_view> words);
  const trace::Directive& directive_;
  std::uint64_t instruction_;
  std::vector<bool> used_;
};

}  // namespace pmusim::core
