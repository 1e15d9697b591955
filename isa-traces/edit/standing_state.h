// What directives have established that lasts, so that a piece of a trace can begin with it.
#pragma once

#include <string_view>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace::edit {

/// How long a directive matters.
enum class Lasting : std::uint8_t {
  no,       ///< it happens once
  whole,    ///< until the next one of this name
  by_key,   ///< each operand until it is given again
  by_place  ///< until the next one of this name with the same first operand (function, line, map, memory, pin)
};

struct Meaning {
  std::string_view name;
  Lasting lasting = Lasting::no;
  bool of_program = false;  ///< lasting: belongs to what runs; an interrupt puts it aside and `return` restores it
  bool enters = false;      ///< takes the processor into a handler that `return` leaves
};

/// Of every directive; null for an unknown name.
[[nodiscard]] const Meaning* meaning_of(std::string_view name);

class StandingState {
 public:
  /// False if the directive happens once and leaves nothing behind.
  bool observe(const Directive& directive);
  /// What establishes the state anew, in an order that means the same. Handlers that were entered and not left are
  /// entered again.
  [[nodiscard]] std::vector<Directive> directives() const;
  /// Handlers entered and not left.
  [[nodiscard]] std::size_t depth() const { return levels_.size() - 1; }
  /// Names of the program's own state that has been told.
  [[nodiscard]] std::vector<std::string_view> told() const;

 private:
  struct Level {
    Directive entry;  ///< that led here; none at the bottom
    std::vector<Directive> lasting;
  };
  std::vector<Level> levels_{1};
};

}  // namespace pmusim::trace::edit
