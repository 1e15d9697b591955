// The state of fetch at directives of the trace. A directive changes how later instructions run; some directives must
// wait until earlier instructions have completed.
#pragma once

#include <cstdint>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::core {

/// State of the directives before the next instruction of the trace.
enum class Gate : std::uint8_t {
  open,       ///< none left: fetch continues
  wait,       ///< fetch stops until they have taken effect
  run_ahead,  ///< an event that fetch does not foresee, such as an interrupt: fetch continues past it
};

class DirectiveGate {
 public:
  virtual ~DirectiveGate() = default;
  /// Applies the directives that can take effect now. `at_start`: called at the start of a cycle, before any unit.
  virtual Gate pass(std::vector<trace::Directive>& directives, std::uint32_t& done, bool at_start) = 0;
};

}  // namespace pmusim::core
