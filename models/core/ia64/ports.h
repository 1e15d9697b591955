// Issue ports of one cycle: M0-M3, I0-I1, F0-F1, B0-B2.
#pragma once

#include <bit>

#include "models/core/ia64/operation.h"

namespace pmusim::core::ia64 {

class Ports {
 public:
  /// Takes a port for an instruction of the window's first (0) or second (1) bundle; false if none is left.
  bool take(const PortChoice& choice, unsigned position) {
    if (choice.none_needed) return true;  // by position; what may share a window is the bundles' business
    unsigned there = free_ & choice.wanted[position];
    if (there == 0) there = free_ & choice.spare;
    if (there == 0) return false;
    free_ &= ~(choice.from_top ? std::bit_floor(there) : there & (~there + 1));
    return true;
  }

 private:
  unsigned free_ = 0xff;
};

/// Why a bundle may not go in the same cycle as the one before it in the window.
[[nodiscard]] inline bool splits(const StaticBundle& first, const StaticBundle& second) {
  if (first.multiway) return true;
  if (first.single_branch && !first.single_branch_free) return true;
  if (second.bbb && first.single_branch) return true;
  return second.mlx && first.mii;
}

}  // namespace pmusim::core::ia64
