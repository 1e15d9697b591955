// Computes the next cycle that must be simulated.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

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

/// Branches that execute, each with the cycle of its outcome.
class Resolving {
 public:
  void add(Cycle at, std::uint64_t sequence) {
    branches_.push_back({at, sequence});
    next_ = std::min(next_, at);
  }
  /// The earliest of the outcomes; never if there is none.
  [[nodiscard]] Cycle next() const { return next_; }
  /// Removes the oldest branch that is due, because its misprediction kills the younger ones. Empty: none is due.
  [[nodiscard]] std::optional<std::uint64_t> take(Cycle now) {
    std::size_t found = branches_.size();
    next_ = activity::never;
    for (std::size_t i = 0; i < branches_.size(); ++i) {
      if (branches_[i].at > now) {
        next_ = std::min(next_, branches_[i].at);
      } else if (found == branches_.size() || branches_[i].sequence < branches_[found].sequence) {
        found = i;
      }
    }
    if (found == branches_.size()) return std::nullopt;
    const std::uint64_t sequence = branches_[found].sequence;
    branches_.erase(branches_.begin() + static_cast<std::ptrdiff_t>(found));
    return sequence;
  }
  /// Removes the branches from this instruction on.
  void kill(std::uint64_t from) {
    std::erase_if(branches_, [from](const Branch& b) { return b.sequence >= from; });
    next_ = activity::never;
    for (const Branch& b : branches_) next_ = std::min(next_, b.at);
  }

 private:
  struct Branch {
    Cycle at;
    std::uint64_t sequence;
  };
  std::vector<Branch> branches_;
  Cycle next_ = activity::never;
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
