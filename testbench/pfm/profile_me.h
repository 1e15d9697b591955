// Interprets profile-me samples of the 21264A, by statistic (PF67_PM_* of sys/pfcntr.h).
#pragma once

#include <cstdint>
#include <span>

#include "testbench/pfm/processor.h"

namespace pmusim::testbench::pfm {

/// True if the profiled instruction retired; otherwise it aborted or was squashed.
[[nodiscard]] bool retired(const ProfileMe& sample);
/// True if the statistic consists of (statistic, retired) pairs (R100).
[[nodiscard]] bool is_per_retired(unsigned statistic);
/// The amount that a sample adds to a statistic; for pairs, to the first half.
[[nodiscard]] std::uint64_t contribution(unsigned statistic, const ProfileMe& sample);
/// Selections of the counters (PCNT6MUX) that provide the data of a statistic; empty for PF67_PM_DISABLED: all do.
[[nodiscard]] std::span<const std::uint64_t> modes_of(unsigned statistic);
/// True if the sample is charged to the PC in the interrupt frame, because PMPC contains a PALcode entry.
[[nodiscard]] bool charged_to_frame(const ProfileMe& sample);

}  // namespace pmusim::testbench::pfm
