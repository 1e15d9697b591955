// How many instructions of the traces have retired, counted from activity.
#pragma once

#include <array>
#include <cstdint>

#include "models/activity/activity.h"

namespace pmusim::testbench {

class RetiredInstructions {
 public:
  void consume(const activity::Block& block);
  /// Instructions of all traces. IA-64: bundles of which a syllable has retired; the last bundle of a program may have
  /// none.
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  /// IA-64: the last syllable of a hardware thread that retired.
  struct Last {
    std::uint64_t bundle = ~std::uint64_t{0};
    unsigned slot = 0;
  };
  std::array<Last, 2> last_{};
  std::uint64_t count_ = 0;
};

}  // namespace pmusim::testbench
