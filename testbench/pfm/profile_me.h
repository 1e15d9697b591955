// Interprets profile-me samples of the 21264A, by statistic (PF67_PM_* of sys/pfcntr.h), and computes what uprofile and
// kprofile make of the driver's numbers.
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

/// EV4: instructions issued alone, from half counts of issues and dual-issue cycles (R73).
[[nodiscard]] constexpr double single_issues(double issues, double dual_issues) { return (issues - dual_issues) * 2; }
/// EV4: half counts of non-issues, from those of issues (R73).
[[nodiscard]] constexpr double non_issues(double cycles, double issues) { return cycles - issues; }

/// Events per hundred retired instructions, for a *_per_ret statistic; 0 when nothing retired (R102).
[[nodiscard]] constexpr double per_hundred_retired(std::uint64_t statistic, std::uint64_t retired) {
  return retired == 0 ? 0 : 100.0 * static_cast<double>(statistic) / static_cast<double>(retired);
}
[[nodiscard]] constexpr double cycles_per_retired(std::uint64_t cycles, std::uint64_t retired) {
  return per_hundred_retired(cycles, retired) / 100;
}

/// The number of events that a number of ticks represents.
[[nodiscard]] constexpr std::uint64_t events_of(std::uint64_t ticks, std::uint64_t period) { return ticks * period; }

}  // namespace pmusim::testbench::pfm
