// Reads one state of a block in order of time.
#pragma once

#include <algorithm>
#include <vector>

#include "models/activity/activity.h"
#include "testbench/oracle/qualifiers.h"

namespace pmusim::oracle {

class StateCursor {
 public:
  explicit StateCursor(activity::State state) : state_(state) {}

  /// Moves to cycle `at` of a block, from any position.
  void enter(const activity::Block& block, activity::Cycle at) {
    column_ = &block.state(state_);
    begin_ = block.begin;
    index_ = 0;
    value_ = column_->initial;
    move_to(at);
  }
  /// Moves forward to cycle `at`, which must not be before the present one.
  void move_to(activity::Cycle at) {
    const auto& changes = column_->changes;
    while (index_ < changes.size() && begin_ + changes[index_].at <= at) value_ = changes[index_++].value;
  }
  [[nodiscard]] activity::State state() const { return state_; }
  [[nodiscard]] std::uint64_t value() const { return value_; }
  /// Cycle of the next change in this block, or activity::never.
  [[nodiscard]] activity::Cycle next() const {
    return index_ < column_->changes.size() ? begin_ + column_->changes[index_].at : activity::never;
  }

 private:
  activity::State state_;
  const activity::StateColumn* column_ = nullptr;
  activity::Cycle begin_ = 0;
  std::size_t index_ = 0;
  std::uint64_t value_ = 0;
};

// Reads the level and gates of a thread's monitors in order of time.

class GatesCursor {
 public:
  GatesCursor(unsigned thread, const activity::Block& block) : thread_(thread), equal_until_(block.begin) {
    for (const activity::State state : thread_states) cursors_.emplace_back(state).enter(block, block.begin);
  }
  /// As gates_of(). Cycles must not decrease.
  unsigned at(activity::Cycle cycle) {
    if (cycle >= equal_until_) move_to(cycle);
    return gates_;
  }
  /// Whether its thread had the core in the last cycle that was read.
  [[nodiscard]] bool active() const { return active_; }

 private:
  void move_to(activity::Cycle cycle) {
    StateValues values{};
    equal_until_ = activity::never;
    for (StateCursor& cursor : cursors_) {
      cursor.move_to(cycle);
      values[static_cast<std::size_t>(cursor.state())] = cursor.value();
      equal_until_ = std::min(equal_until_, cursor.next());
    }
    active_ = value_of(values, activity::State::thread) == thread_;
    gates_ = gates_of_thread(values, thread_);
  }
  unsigned thread_;
  activity::Cycle equal_until_;  ///< first cycle that may differ from the last one that was read
  unsigned gates_ = 0;
  bool active_ = true;
  std::vector<StateCursor> cursors_;
};

}  // namespace pmusim::oracle
