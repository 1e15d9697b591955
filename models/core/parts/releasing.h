// Units of a resource that are given back and free some cycles later.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "models/core/core.h"

namespace pmusim::core {

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
