// One of everything: of a log of IA-64 activity as few instructions and requests as show each kind of occurrence.
#pragma once

#include "testbench/driver/activity_log.h"

namespace pmusim::testbench::mutate {

/// One block with the instructions and requests of the log that show something new, each with all of its occurrences
/// in their cycles, and one of each that belongs to no thread. States are as at the beginning, and breakpoints are on.
[[nodiscard]] Block representative_activity(const ActivityLog& log);

/// Cycles above the largest limit of an address register.
inline constexpr std::uint32_t slowest_access = 4200;
/// A load and a fetch of these sample that miss, and are served `latency` cycles later.
[[nodiscard]] Block misses(const Block& sample, std::uint32_t latency);
/// Every request but fetches is some instruction's.
[[nodiscard]] Block owned(const Block& sample);
/// A mispredicted branch retires in front of everything that retires.
[[nodiscard]] Block behind_branches(const Block& sample);

}  // namespace pmusim::testbench::mutate
