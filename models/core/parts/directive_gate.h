// Where fetch stands before directives of the trace: these change what comes after them, and some have to wait until
// what is before them is done.
#pragma once

#include <cstdint>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::core {

/// Directives in front of the next instruction of the trace.
enum class Gate : std::uint8_t {
  open,       ///< none left: fetch goes on
  wait,       ///< fetch stops until they have acted
  run_ahead,  ///< something comes that fetch does not know of, as an interrupt: it goes on after it
};

class DirectiveGate {
 public:
  virtual ~DirectiveGate() = default;
  /// Applies what can be applied now. `at_start`: called at the start of a cycle, before anything else moves.
  virtual Gate pass(std::vector<trace::Directive>& directives, std::uint32_t& done, bool at_start) = 0;
};

}  // namespace pmusim::core
