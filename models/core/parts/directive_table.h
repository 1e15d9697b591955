// The directives that a core takes: when each takes effect, how its operands are read, and what the core does. One
// table has the directives of all cores; a family adds rows.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "models/core/parts/directives.h"

namespace pmusim::core {

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
