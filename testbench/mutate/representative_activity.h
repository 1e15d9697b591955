// Representative activity: a few instructions and requests of a log of IA-64 activity that show each kind of
// occurrence.
#pragma once

#include "testbench/driver/activity_log.h"

namespace pmusim::testbench::mutate {

/// One block with the instructions and requests of the log that show a new kind of occurrence, each with all of its
/// occurrences in their cycles, and one occurrence of each kind that belongs to no record. States are those of the
/// beginning, and breakpoints are on.
[[nodiscard]] Block representative_activity(const ActivityLog& log);

/// A latency above the largest limit of an address register, in cycles.
inline constexpr std::uint32_t slowest_access = 4200;
/// A load and a fetch of the sample that miss and are served `latency` cycles later.
[[nodiscard]] Block misses(const Block& sample, std::uint32_t latency);
/// Gives every request except fetches an owning instruction.
[[nodiscard]] Block owned(const Block& sample);
/// Adds a mispredicted branch that retires before everything else that retires.
[[nodiscard]] Block behind_branches(const Block& sample);

}  // namespace pmusim::testbench::mutate
