// What a profile-me sample of the 21264A says, statistic by statistic (PF67_PM_* of sys/pfcntr.h).
#pragma once

#include <cstdint>
#include <span>

#include "testbench/pfm/processor.h"

namespace pmusim::testbench::pfm {

/// The profiled instruction retired; it aborted otherwise, or was squashed.
[[nodiscard]] bool retired(const ProfileMe& sample);
/// Does the statistic come as (statistic, retired) pairs (R100)?
[[nodiscard]] bool is_per_retired(unsigned statistic);
/// What a sample adds to a statistic; of a pair, to its first half.
[[nodiscard]] std::uint64_t contribution(unsigned statistic, const ProfileMe& sample);
/// Selections of the counters (PCNT6MUX) that have what a statistic is about; empty for PF67_PM_DISABLED, any will do.
[[nodiscard]] std::span<const std::uint64_t> modes_of(unsigned statistic);
/// The sample is charged to the PC of the interrupt's frame, since PMPC has a PALcode entry.
[[nodiscard]] bool charged_to_frame(const ProfileMe& sample);

}  // namespace pmusim::testbench::pfm
