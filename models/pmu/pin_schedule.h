// Pin edges on their way to the wires: certain ones, ones foreseen by scanning ahead, and driven ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "models/pmu/monitor.h"

namespace pmusim::pmu {

/// Edges become foreseen, are driven at their times, and become certain when the scan that foresaw them is
/// adopted. A scan repeated from an earlier cycle finds the driven ones again, first and in the same order,
/// because an edge follows from cycles before it alone.
class PinSchedule {
 public:
  /// All edges found since the last adopt(), those driven meanwhile included.
  void foresee(std::vector<PinEdge> edges) { foreseen_ = std::move(edges); }
  /// Everything foreseen becomes certain.
  void adopt() {
    const std::size_t driven = std::min(driven_, foreseen_.size());
    certain_.insert(certain_.end(), foreseen_.begin() + static_cast<std::ptrdiff_t>(driven), foreseen_.end());
    foreseen_.clear();
    driven_ = 0;
  }
  /// Cycle of the next edge to drive, or activity::never.
  [[nodiscard]] Cycle next() const {
    const Cycle certain = certain_.empty() ? activity::never : certain_.front().at;
    return driven_ < foreseen_.size() ? std::min(certain, foreseen_[driven_].at) : certain;
  }
  /// Moves the edges up to and including cycle `now` to the end of `edges`.
  void take_due(Cycle now, std::vector<PinEdge>& edges) {
    while (next() <= now) {
      if (!certain_.empty() && certain_.front().at == next()) {
        edges.push_back(certain_.front());
        certain_.erase(certain_.begin());
      } else {
        edges.push_back(foreseen_[driven_++]);
      }
    }
  }

 private:
  std::vector<PinEdge> certain_;
  std::vector<PinEdge> foreseen_;
  std::size_t driven_ = 0;  ///< of foreseen_
};

}  // namespace pmusim::pmu
