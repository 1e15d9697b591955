// Reading the operands of a trace directive, with errors that name the place.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
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
  std::uint64_t number(std::string_view key) { return parse(key, 10); }
  /// The operand `cycles`, a required number.
  std::uint64_t cycles();
  /// A required address: hexadecimal, with or without 0x.
  std::uint64_t address(std::string_view key) { return parse(key, 16); }
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
  bool error_is_in_l2() { return required_word("source", {"system", "l2"}) == "l2"; }
  void finish() const;

  /// Throws CoreError with the place, the directive and the message.
  [[noreturn]] void fail(std::string_view what) const;

 private:
  std::uint64_t parse(std::string_view key, int base);
  std::string_view required_word(std::string_view key, std::initializer_list<std::string_view> words) {
    return words.begin()[required_choice(key, words)];
  }
  const trace::Directive& directive_;
  std::uint64_t instruction_;
  std::vector<bool> used_;
};

// The directives that a core takes: when each takes effect, how its operands are read, and what the core does. One
// table has the directives of all cores; a family adds rows.

/// What must hold before a directive acts.
enum class When : std::uint8_t {
  at_once,   ///< when fetch reaches it; older instructions are still in flight
  at_rest,   ///< all older instructions have retired
  quiet,     ///< and the memory side is idle
  boundary,  ///< all older instructions have retired; fetch does not foresee it and runs ahead
};

template <class Core>
struct DirectiveRow {
  std::string_view name;
  When when;
  void (*act)(Core& core, Operands& operands);
  bool (*taken)(const Core& core) = nullptr;  ///< whether this processor takes it; null: all of the family
};

/// Readers of operands, named after the value that they pass to the core's function.
namespace directive {

template <class Function>
struct CoreOf;
template <class Result, class Core, class... Values>
struct CoreOf<Result (Core::*)(Values...)> {
  using Type = Core;
};
template <auto function>
using Core = typename CoreOf<decltype(function)>::Type;

/// The core's function reads the operands itself.
template <auto function>
constexpr void own(Core<function>& core, Operands& operands) {
  (core.*function)(operands);
}
/// There are none.
template <auto function>
constexpr void nothing(Core<function>& core, Operands&) {
  (core.*function)();
}
/// A bare number.
template <auto function>
constexpr void number(Core<function>& core, Operands& operands) {
  (core.*function)(operands.number(""));
}
/// `cycles=`
template <auto function>
constexpr void cycles(Core<function>& core, Operands& operands) {
  (core.*function)(operands.cycles());
}

}  // namespace directive

/// Directives of all cores. `memory`: when a change of a memory type takes effect.
template <class Core, When memory = When::quiet>
struct CommonDirectives {
  static constexpr std::array<DirectiveRow<Core>, 9> rows{{
      {"halt", When::quiet, directive::cycles<&Core::do_halt>},
      {"idle", When::at_rest, directive::cycles<&Core::do_idle>},
      {"map", When::quiet, directive::own<&Core::do_map>},
      {"memory", memory, directive::own<&Core::do_memory>},
      {"process", When::at_rest, directive::number<&Core::do_process>},
      {"return", When::at_rest, directive::own<&Core::do_return>},
      {"state", When::quiet, directive::own<&Core::do_state>},
      {"stop", When::quiet, directive::cycles<&Core::do_halt>},
      {"switch", When::at_rest, directive::nothing<&Core::do_switch>},
  }};
};

/// The row of a directive among the common rows and the rows of the family. Throws CoreError if this core does not take
/// it; the message begins with `takes` and lists the directives that it does take.
template <class Core>
const DirectiveRow<Core>& find_directive(const Core& core, std::span<const DirectiveRow<Core>> common,
                                         std::span<const DirectiveRow<Core>> own, std::string_view takes,
                                         const Operands& operands) {
  const auto taken = [&](const DirectiveRow<Core>& row) { return row.taken == nullptr || row.taken(core); };
  for (const auto& rows : {own, common}) {
    for (const DirectiveRow<Core>& row : rows) {
      if (row.name == operands.name() && taken(row)) return row;
    }
  }
  std::vector<std::string_view> names;
  for (const auto& rows : {own, common}) {
    for (const DirectiveRow<Core>& row : rows) {
      if (taken(row)) names.push_back(row.name);
    }
  }
  std::sort(names.begin(), names.end());
  operands.fail(fmt::format("{} {}", takes, fmt::join(names, ", ")));
}

}  // namespace pmusim::core
