// Computes the next cycle that must be simulated.
#pragma once

#include <algorithm>

#include "models/activity/activity.h"

namespace pmusim::core {

/// A change in one cycle makes the next cycle necessary; otherwise time jumps to the earliest cycle that a unit has
/// requested.
class Agenda {
 public:
  [[nodiscard]] activity::Cycle now() const { return now_; }
  void start(activity::Cycle now) {
    now_ = now;
    changed_ = false;
    next_ = activity::never;
  }
  void changed() { changed_ = true; }
  void at(activity::Cycle cycle) {
    if (cycle > now_) next_ = std::min(next_, cycle);
  }
  /// The next cycle to simulate; `never` if nothing will happen any more.
  [[nodiscard]] activity::Cycle next() const { return changed_ ? now_ + 1 : next_; }

 private:
  activity::Cycle now_ = 0;
  activity::Cycle next_ = activity::never;
  bool changed_ = false;
};

}  // namespace pmusim::core
