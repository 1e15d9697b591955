// Selected activity of all short traces: short enough for each answer to run on it, so that an answer is also judged on
// activity that its question would not have selected. Counters that the question does not use must not count there.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "testbench/driver/activity_source.h"

namespace pmusim::testbench::questions {

/// Collects the blocks of logs that contain an occurrence or state value not seen before.
class Everything {
 public:
  /// Appends the blocks of a log that are new in this mode.
  void add(const ActivityLog& log, std::size_t mode);
  /// Appends all blocks of a log.
  void add_whole(const ActivityLog& log);
  /// The collected blocks one after the other, without the program's register accesses.
  [[nodiscard]] ActivityLog log() &&;

 private:
  [[nodiscard]] bool is_new(const Block& block, std::size_t mode);
  void append(Block block);
  std::vector<ActivityLog> logs_;
  std::unordered_set<std::uint64_t> occurrences_;  ///< seen ones: mode, signal, detail and amount
  std::set<std::tuple<std::size_t, std::size_t, std::uint64_t>> states_;  ///< seen ones: mode, state, value
  std::array<std::size_t, activity::state_count> values_{};               ///< number of values seen of each state
};

/// The same instructions with different encodings: each two bits of an encoding have all four values in some
/// instruction.
[[nodiscard]] ActivityLog with_other_encodings(ActivityLog log);

}  // namespace pmusim::testbench::questions
