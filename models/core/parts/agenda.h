// Computes the next cycle that must be simulated.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "models/activity/activity.h"
#include "models/core/core.h"

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

// Units of a resource that are given back and free some cycles later.

class Releasing {
 public:
  static constexpr Cycle longest = 15;  ///< cycles from give_back() until the units are free, at most
  /// Units that are free from cycle `free_at` on.
  void give_back(Cycle now, Cycle free_at, unsigned units = 1) {
    if (free_at <= now) return;
    forget(now);
    by_cycle_[free_at % by_cycle_.size()] += units;
    held_ += units;
  }
  /// Units that are not free yet.
  [[nodiscard]] unsigned held(Cycle now) {
    forget(now);
    return held_;
  }
  /// At least as many; fewer steps.
  [[nodiscard]] unsigned most_held() const { return held_; }
  /// True if none was held when asked last.
  [[nodiscard]] bool empty() const { return held_ == 0; }

 private:
  void forget(Cycle now) {
    for (; held_ != 0 && seen_ < now; ++seen_) held_ -= std::exchange(by_cycle_[(seen_ + 1) % by_cycle_.size()], 0);
    seen_ = now;
  }
  std::array<unsigned, longest + 1> by_cycle_{};  ///< by the cycle in which they are free
  unsigned held_ = 0;
  Cycle seen_ = 0;
};

}  // namespace pmusim::core
