// Activity denser than a core produces from a short trace, for effects that a single occurrence does not show: edges,
// thresholds, a second overflow, sub-events that always occur together. The manual defines the counts of a PMU on such
// activity, too, and the oracle counts it by event name.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "testbench/driver/activity_source.h"

namespace pmusim::testbench::questions {

/// Sets these states to constant values.
[[nodiscard]] ActivityLog held(const ActivityLog& log,
                               const std::vector<std::pair<activity::State, std::uint64_t>>& states);
/// Repeats the whole log `times` times.
[[nodiscard]] ActivityLog repeated(const ActivityLog& log, unsigned times);
/// Repeats a block `times` times, in blocks of at least `least` cycles; the last one may be shorter.
[[nodiscard]] ActivityLog repeated(const Block& once, unsigned times, Cycle least);
/// Repeats every occurrence `times` times in its cycle and in the next cycle, if that is in the same block. States, and
/// the program's register accesses, are not repeated.
[[nodiscard]] ActivityLog multiplied(const ActivityLog& log, unsigned times);
/// Repeats the first few occurrences of each kind in later cycles, in pairs of neighbouring cycles, with amounts from 1
/// to 256 per cycle: each power of two and its neighbours, as far as the block extends.
[[nodiscard]] ActivityLog high_occurrence(const ActivityLog& log);
/// Moves the occurrences of a signal apart, each some cycles later or earlier within its block. Waits of requests are
/// shortened to one cycle.
[[nodiscard]] ActivityLog spread(const ActivityLog& log);

/// The logs one after the other.
[[nodiscard]] ActivityLog concatenated(std::vector<ActivityLog> logs);
/// The same activity in fewer blocks of at least `least` cycles; the last one may be shorter.
[[nodiscard]] ActivityLog merged(const ActivityLog& log, Cycle least);
/// The same, in less memory.
[[nodiscard]] ActivityLog merged(ActivityLog&& log, Cycle least);

// Selected activity of all short traces: short enough for each answer to run on it, so that an answer is also judged on
// activity that its question would not have selected. Counters that the question does not use must not count there.

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
