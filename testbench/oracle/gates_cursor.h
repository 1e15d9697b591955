// Reads level and gates of the monitors in order of time.
#pragma once

#include "testbench/oracle/qualifiers.h"
#include "testbench/oracle/state_cursor.h"

namespace pmusim::oracle {

class GatesCursor {
 public:
  void enter(const activity::Block& block) {
    level_.enter(block, block.begin);
    psr_.enter(block, block.begin);
  }
  /// As gates_and_debug_of(); cycles in order.
  unsigned at(activity::Cycle cycle) {
    level_.move_to(cycle);
    psr_.move_to(cycle);
    return gates_and_debug_of(level_.value(), psr_.value());
  }

 private:
  StateCursor level_{activity::State::cpl};
  StateCursor psr_{activity::State::psr};
};

}  // namespace pmusim::oracle
