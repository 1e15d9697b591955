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

/// Operands of one directive. Every reading function throws CoreError when the operand is missing or
/// malformed; finish() throws when an operand was given that was not asked for.
class Operands {
 public:
  /// `instruction`: ordinal of the instruction that follows, the place if the trace has no line numbers.
  Operands(const trace::Directive& directive, std::uint64_t instruction);

  [[nodiscard]] const std::string& name() const { return directive_.name; }
  /// The operand's text, or nothing if it was not given. A bare operand has the empty key.
  std::optional<std::string_view> text(std::string_view key);
  /// A number that must be there: decimal, or hexadecimal with 0x.
  std::uint64_t number(std::string_view key);
  /// The operand `cycles`, a number that must be there.
  std::uint64_t cycles();
  /// An address that must be there: hexadecimal, with or without 0x.
  std::uint64_t address(std::string_view key);
  /// Index of the operand's text among the words. Nothing if it was not given.
  std::optional<std::size_t> choice(std::string_view key, std::initializer_list<std::string_view> words);
  /// The same for an operand that must be there.
  std::size_t required_choice(std::string_view key, std::initializer_list<std::string_view> words);
  /// The operand `ratio`, core clocks per bus clock: `4` or `5/2`, each number from 1 to `most`. The core is at least
  /// as fast as the bus if that is asked for.
  struct Ratio {
    unsigned clocks;
    unsigned per;
  };
  Ratio ratio(unsigned most, bool core_is_faster);
  /// The operand `line`: one of these letters of a line's state, which must be there.
  activity::LineState line_state(std::initializer_list<std::string_view> letters);
  /// The operand `type`: one of these words, which must be there.
  activity::MemoryType memory_type(std::initializer_list<std::string_view> words);
  /// The operand `source` of an error: whether that is L2, else the system.
  bool error_is_in_l2();
  void finish() const;

  /// Throws CoreError: place, directive, then what is wrong.
  [[noreturn]] void fail(std::string_view what) const;

 private:
  std::uint64_t parse(std::string_view key, int base);
  std::string_view required_word(std::string_view key, std::initializer_list<std::string_view> words);
  const trace::Directive& directive_;
  std::uint64_t instruction_;
  std::vector<bool> used_;
};

}  // namespace pmusim::core
