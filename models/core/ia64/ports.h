// Issue ports of one cycle: M0-M3, I0-I1, F0-F1, B0-B2.
#pragma once

#include "models/core/ia64/operation.h"

namespace pmusim::core::ia64 {

class Ports {
 public:
  /// Takes a port for an instruction of the window's first or second bundle; false if none is left.
  bool take(const Operation& op, bool second_bundle) {
    switch (op.port) {
      case Port::m_load:
        return first(m_, 0, 2);
      case Port::m_store:
        return first(m_, 2, 4);
      case Port::m_any:
        return first(m_, 0, 4);
      case Port::m0:
        return first(m_, 0, 1);
      case Port::m2:
        return first(m_, 2, 3);
      case Port::i0:
        return first(i_, 0, 1);
      case Port::i_any:
      case Port::long_i:
        return last(i_, 2);
      // An A-type instruction takes the port of its slot's type if it can; M ports that few others use come first.
      case Port::a_type:
        return op.type == act::SlotType::m ? last(m_, 4) || last(i_, 2) : last(i_, 2) || last(m_, 4);
      case Port::f:
        return one(f_, second_bundle ? 1 : 0);
      case Port::b:
        return true;  // by position; what may share a window is the bundles' business
    }
    return false;
  }

 private:
  static bool one(unsigned& used, unsigned port) {
    if ((used >> port & 1) != 0) return false;
    used |= 1u << port;
    return true;
  }
  static bool first(unsigned& used, unsigned from, unsigned to) {
    for (unsigned port = from; port < to; ++port) {
      if (one(used, port)) return true;
    }
    return false;
  }
  static bool last(unsigned& used, unsigned to) {
    for (unsigned port = to; port-- > 0;) {
      if (one(used, port)) return true;
    }
    return false;
  }
  unsigned m_ = 0, i_ = 0, f_ = 0;
};

/// Why a bundle may not go in the same cycle as the one before it in the window.
[[nodiscard]] inline bool splits(const StaticBundle& first, const StaticBundle& second) {
  if (first.multiway) return true;
  if (first.single_branch && !first.single_branch_free) return true;
  if (second.bbb && first.single_branch) return true;
  return second.mlx && first.mii;
}

}  // namespace pmusim::core::ia64
