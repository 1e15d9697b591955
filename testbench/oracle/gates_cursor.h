// Reads the level and gates of a thread's monitors in order of time.
#pragma once

#include <vector>

#include "testbench/oracle/qualifiers.h"
#include "testbench/oracle/state_cursor.h"

namespace pmusim::oracle {

class GatesCursor {
 public:
  explicit GatesCursor(unsigned thread) : thread_(thread) {
    for (const activity::State state : thread_states) cursors_.emplace_back(state);
  }
  void enter(const activity::Block& block) {
    for (StateCursor& cursor : cursors_) cursor.enter(block, block.begin);
  }
  /// As gates_of(). Cycles must not decrease.
  unsigned at(activity::Cycle cycle) {
    StateValues values{};
    for (StateCursor& cursor : cursors_) {
      cursor.move_to(cycle);
      values[static_cast<std::size_t>(cursor.state())] = cursor.value();
    }
    active_ = value_of(values, activity::State::thread) == thread_;
    return gates_of_thread(values, thread_);
  }
  /// Whether its thread had the core in the last cycle that was read.
  [[nodiscard]] bool active() const { return active_; }

 private:
  unsigned thread_;
  bool active_ = true;
  std::vector<StateCursor> cursors_;
};

}  // namespace pmusim::oracle
