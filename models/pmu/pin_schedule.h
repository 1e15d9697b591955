// Pin edges that are still to be driven on the wires: certain edges, and edges foreseen by scanning ahead.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "models/pmu/monitor.h"

namespace pmusim::pmu {

/// Edges are foreseen by a scan, driven at their times, and become certain when the scan is adopted. If the scan is
/// repeated from an earlier cycle, it finds the driven edges again, first and in the same order, because an edge
/// depends only on cycles before it.
class PinSchedule {
 public:
  /// Sets all edges found since the last adopt(), including those driven since then.
  void foresee(std::vector<PinEdge> edges) { foreseen_ = std::move(edges); }
  /// Makes all foreseen edges certain.
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
  std::size_t driven_ = 0;  ///< number of driven edges at the beginning of foreseen_
};

}  // namespace pmusim::pmu
