// A table of two-bit saturating counters: the usual branch history table.
#pragma once

#include <bit>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace pmusim::core {

class TwoBitTable {
 public:
  /// `entries` a power of two. Counters: 0 strongly not taken ... 3 strongly taken; all start at `initial`.
  explicit TwoBitTable(std::uint32_t entries, std::uint8_t initial = 0)
      : counters_(entries, initial), mask_(entries - 1) {
    if (!std::has_single_bit(entries) || initial > 3) {
      throw std::invalid_argument("a history table needs a power of two of entries that start at 0 to 3");
    }
  }
  /// Prediction for an index, which is taken modulo the number of entries.
  [[nodiscard]] bool taken(std::uint64_t index) const { return counters_[index & mask_] >= 2; }
  /// Moves the counter one step towards the outcome.
  void update(std::uint64_t index, bool taken) {
    std::uint8_t& counter = counters_[index & mask_];
    if (taken && counter < 3) ++counter;
    if (!taken && counter > 0) --counter;
  }

 private:
  std::vector<std::uint8_t> counters_;
  std::uint64_t mask_;
};

}  // namespace pmusim::core
