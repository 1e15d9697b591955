// Activity denser than a core produces from a short trace, for effects that a single occurrence does not show: edges,
// thresholds, a second overflow, sub-events that always occur together. The manual defines the counts of a PMU on such
// activity, too, and the oracle counts it by event name.
#pragma once

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

}  // namespace pmusim::testbench::questions
