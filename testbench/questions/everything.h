// A little of everything that the short traces make a core do: short enough for each answer to run on it, so that an
// answer is judged where its question alone would not have looked. A counter that nothing was asked of has to rest
// there as well.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "testbench/driver/activity_log.h"

namespace pmusim::testbench::questions {

/// Takes of one log after the other the blocks in which something happens for the first time.
class Everything {
 public:
  /// What is new is new to each mode.
  void add(const ActivityLog& log, std::size_t mode);
  /// All of it, one after the other, without what programs write to registers.
  [[nodiscard]] ActivityLog log() const;

 private:
  [[nodiscard]] bool is_new(const Block& block, std::size_t mode);
  std::vector<ActivityLog> logs_;
  /// Mode; signal, or a state's number after the last one; detail or value; amount.
  std::set<std::tuple<std::size_t, std::size_t, std::uint64_t, std::uint16_t>> seen_;
  std::array<std::size_t, activity::state_count> values_{};  ///< how many of each state are seen
};

/// The same instructions with other encodings, in which each two bits have all four values in some instruction.
[[nodiscard]] ActivityLog with_other_encodings(const ActivityLog& log);

}  // namespace pmusim::testbench::questions
