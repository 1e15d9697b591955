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
  /// The slots of the bundle that can issue, from slot `first` on; takes their ports. The result is kept for the ports
  /// that were free then, which are nearly always the same.
  const Reach& reach(const StaticBundle& bundle, unsigned first, unsigned position) {
    Reach& known = bundle.reaches[position][first];
    if (known.before != free_) known = find(bundle, first, position);
    free_ = known.after;
    return known;
  }
  /// Ports that `reach()` took for slots from `end` on are free again.
  void give_back(const StaticBundle& bundle, const Reach& reach, unsigned first, unsigned end, unsigned position) {
    free_ = reach.before;
    for (unsigned slot = first; slot < end; ++slot) {
      if (bundle.holds(slot)) take(bundle.operations[slot].ports, position);
    }
  }

 private:
  [[nodiscard]] Reach find(const StaticBundle& bundle, unsigned first, unsigned position) const {
    Ports ports = *this;
    Reach result{static_cast<std::uint8_t>(free_), 0, static_cast<std::uint8_t>(first), Reach::Ends::no};
    while (result.end < bundle.operations.size() && result.ends == Reach::Ends::no) {
      const Operation& op = bundle.operations[result.end];
      if (bundle.holds(result.end)) {
        if (!ports.take(op.ports, position)) {
          result.ends = Reach::Ends::port;
          break;
        }
        if (op.stop_after) result.ends = Reach::Ends::stop;
      }
      ++result.end;
    }
    result.after = static_cast<std::uint8_t>(ports.free_);
    return result;
  }
  unsigned free_ = 0xff;
};

/// The reason why a bundle may not issue in the same cycle as the one before it in the window.
[[nodiscard]] inline bool splits(const StaticBundle& first, const StaticBundle& second) {
  if (first.multiway) return true;
  if (first.single_branch && !first.single_branch_free) return true;
  if (second.bbb && first.single_branch) return true;
  return second.mlx && first.mii;
}

}  // namespace pmusim::core::ia64
