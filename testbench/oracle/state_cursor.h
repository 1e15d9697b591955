// Reads one state of a block in order of time.
#pragma once

#include <algorithm>

#include "models/activity/activity.h"

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

}  // namespace pmusim::oracle
