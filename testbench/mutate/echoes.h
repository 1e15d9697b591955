// Activity denser than a core makes it from a short trace, for what a single occurrence cannot show: edges, thresholds,
// a second overflow, sub-events that always come together. What a PMU does with it follows from its manual all the
// same, and the oracle counts it by name.
#pragma once

#include "testbench/driver/activity_log.h"

namespace pmusim::testbench::mutate {

/// Everything so many times, one after the other.
[[nodiscard]] ActivityLog repeated(const ActivityLog& log, unsigned times);
/// Every occurrence `times` times in its cycle and in the next, as far as that is in its block. States, and accesses
/// that the program makes to registers, stay single.
[[nodiscard]] ActivityLog multiplied(const ActivityLog& log, unsigned times);
/// Occurrences of one signal move apart, each some cycles later or earlier, as far as that is in its block; what
/// requests wait for takes them one cycle.
[[nodiscard]] ActivityLog spread(const ActivityLog& log);

}  // namespace pmusim::testbench::mutate
