// Issue ports of one cycle: M0-M3, I0-I1, F0-F1, B0-B2.
#pragma once

#include <array>
#include <optional>

#include "models/core/ia64/operation.h"

namespace pmusim::core::ia64 {

/// Gives each instruction of a window a port of its own, if there is a way to do so: an instruction that may use
/// several ports takes one that the others leave.
class PortMatching {
 public:
  /// Adds an instruction of the window's first (0) or second (1) bundle; false if there is no port for all of them.
  bool take(const PortChoice& choice, unsigned position) {
    if (choice.none_needed) return true;  // by position; what may share a window is the bundles' business
    std::uint8_t tried = 0;
    return place(choice.allowed[position], tried);
  }

 private:
  bool place(std::uint8_t allowed, std::uint8_t& tried);

  std::uint8_t taken_ = 0;                 ///< ports
  std::array<std::uint8_t, 8> allowed_{};  ///< by port: the choice of the instruction that has it
};

class Ports {
 public:
  /// The slots of the bundle that can issue, from slot `first` on; takes their ports. The result is kept together with
  /// the slots of the first bundle for which it was computed, which are nearly always the same.
  const Reach& reach(const StaticBundle& bundle, unsigned first, unsigned position) {
    Reach& known = bundle.reaches[position][first];
    if (!known.known || known.before != parts_[0]) known = find(bundle, first, position);
    parts_[position] = {&bundle, static_cast<std::uint8_t>(first), known.end};
    return known;
  }
  /// The ports of the bundle's slots from `end` on are free again.
  void give_back(unsigned end, unsigned position) { parts_[position].end = static_cast<std::uint8_t>(end); }
  /// Takes a port for an instruction that is not dispersed, as if the group went on; false if none is left.
  bool take(const PortChoice& choice, unsigned position) {
    if (!rest_) rest_ = taken();
    return rest_->take(choice, position);
  }

 private:
  [[nodiscard]] PortMatching taken() const;
  [[nodiscard]] Reach find(const StaticBundle& bundle, unsigned first, unsigned position) const;
  std::array<BundlePart, 2>
      parts_{};  ///< the slots that have taken ports, by position in the window; none until it is their turn
  std::optional<PortMatching> rest_;
};

/// The reason why a bundle may not issue in the same cycle as the one before it in the window.
[[nodiscard]] inline bool splits(const StaticBundle& first, const StaticBundle& second) {
  if (first.multiway) return true;
  if (first.single_branch && !first.single_branch_free) return true;
  if (second.bbb && first.single_branch) return true;
  return second.mlx && first.mii;
}

}  // namespace pmusim::core::ia64
