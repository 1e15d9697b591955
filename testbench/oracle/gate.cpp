#include "testbench/oracle/gate.h"

namespace pmusim::oracle {

Gate::Gate(const Request& request, const Choices& choices, std::size_t line, Privileges allowed, std::uint32_t bound)
    : line_(line), allowed_(allowed) {
  counts_ = !(choices.pin_control_stops && request.pin_control);
  // With a mask of zero the counter adds the occurrences themselves, and invert has no effect.
  const bool compares = bound > 0 || (request.invert && choices.invert_alone);
  bound_ = bound > 0 ? bound : 1;
  invert_ = compares && request.invert;
  adds_n_ = !compares;
  edge_ = request.edge;
  edge_adds_n_ = choices.edge_adds_events;
  filters_n_ = choices.privilege_first;
  edge_of_condition_ = choices.edge_before_gate;
}

bool Gate::same_rule(const Gate& other) const {
  return line_ == other.line_ && allowed_ == other.allowed_ && bound_ == other.bound_ && invert_ == other.invert_ &&
         adds_n_ == other.adds_n_ && edge_ == other.edge_ && counts_ == other.counts_;
}

}  // namespace pmusim::oracle
