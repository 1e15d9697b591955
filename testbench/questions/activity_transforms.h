// Activity denser than a core makes it from a short trace, for what a single occurrence cannot show: edges, thresholds,
// a second overflow, sub-events that always come together. What a PMU does with it follows from its manual all the
// same, and the oracle counts it by name.
#pragma once

#include <vector>

#include "testbench/driver/activity_log.h"

namespace pmusim::testbench::questions {

/// States have these values all the time.
[[nodiscard]] ActivityLog held(const ActivityLog& log,
                               const std::vector<std::pair<activity::State, std::uint64_t>>& states);
/// Everything `times` times, one after the other.
[[nodiscard]] ActivityLog repeated(const ActivityLog& log, unsigned times);
/// Every occurrence `times` times in its cycle and in the next, as far as that is in its block. States, and accesses
/// that the program makes to registers, stay single.
[[nodiscard]] ActivityLog multiplied(const ActivityLog& log, unsigned times);
/// The first few occurrences of each kind, each again in later cycles, two and two next to each other: once to 256
/// times in a cycle, with each power of two and its neighbours between, as far as that is in its block.
[[nodiscard]] ActivityLog high_occurrence(const ActivityLog& log);
/// Occurrences of one signal move apart, each some cycles later or earlier, as far as that is in its block; what
/// requests wait for takes them one cycle.
[[nodiscard]] ActivityLog spread(const ActivityLog& log);

/// One after the other.
[[nodiscard]] ActivityLog concatenated(const std::vector<ActivityLog>& logs);
/// Blocks of as many cycles at the same time, each a number of cycles after the one before. States are the first one's.
[[nodiscard]] Block interleaved(const std::vector<Block>& blocks, Cycle apart);
/// The same activity in blocks of a least length, but for the last one: there is less to look through.
[[nodiscard]] ActivityLog merged(const ActivityLog& log, Cycle least);

}  // namespace pmusim::testbench::questions
