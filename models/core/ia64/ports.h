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
  /// The slots of the window's first bundle that can issue, from slot `first` on.
  [[nodiscard]] static const Reach& alone(const StaticBundle& bundle, unsigned first) {
    Reach& known = bundle.reaches[0][first];
    if (!known.known) known = Ports({}).find(bundle, first, 0);
    return known;
  }
  /// The first bundle's slots that issue have taken their ports.
  explicit Ports(const BundlePart& first) : parts_{first, {}} {}
  /// The slots of the second bundle that can issue beside them, from slot `first` on. The result is kept together with
  /// the slots of the first bundle, which are nearly always the same.
  [[nodiscard]] const Reach& beside(const StaticBundle& bundle, unsigned first) const {
    Reach& known = bundle.reaches[1][first];
    if (!known.known || known.before != parts_[0]) known = find(bundle, first, 1);
    return known;
  }
  /// So do the second bundle's.
  void add(const BundlePart& second) { parts_[1] = second; }
  /// Takes a port for an instruction that is not dispersed, as if the group went on; false if none is left.
  bool take(const PortChoice& choice, unsigned position) {
    if (!rest_) rest_ = taken();
    return rest_->take(choice, position);
  }

 private:
  [[nodiscard]] PortMatching taken() const;
  [[nodiscard]] Reach find(const StaticBundle& bundle, unsigned first, unsigned position) const;
  std::array<BundlePart, 2> parts_;  ///< the slots that have taken ports, by position in the window
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
