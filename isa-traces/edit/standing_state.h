// The lasting state that directives have established, so that a piece of a trace can begin with it.
#pragma once

#include <string_view>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace::edit {

/// The duration of a directive's effect.
enum class Lasting : std::uint8_t {
  no,       ///< takes effect once
  whole,    ///< until the next directive with this name
  by_key,   ///< each operand until it is given again
  by_place  ///< until the next directive with this name and first operand (function, line, map, memory, pin)
};

struct Meaning {
  std::string_view name;
  Lasting lasting = Lasting::no;
  bool of_program = false;  ///< lasting: state of the running program; an interrupt saves it and `return` restores it
  bool enters = false;      ///< enters a handler that `return` leaves
};

/// The meaning of a directive; null for an unknown name.
[[nodiscard]] const Meaning* meaning_of(std::string_view name);

class StandingState {
 public:
  /// Applies a directive. False if it has no lasting effect.
  bool observe(const Directive& directive);
  /// Directives that establish the state, in an order that gives the same state. Handlers that were entered and not
  /// left are entered again.
  [[nodiscard]] std::vector<Directive> directives() const;
  /// Number of handlers that were entered and not left.
  [[nodiscard]] std::size_t depth() const { return levels_.size() - 1; }
  /// Names of the directives that have specified states of the program.
  [[nodiscard]] std::vector<std::string_view> specified() const;

 private:
  struct Level {
    Directive entry;  ///< directive that entered the handler; none at the lowest level
    std::vector<Directive> lasting;
  };
  std::vector<Level> levels_{1};
};

}  // namespace pmusim::trace::edit
