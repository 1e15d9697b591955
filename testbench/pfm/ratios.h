// Values that uprofile and kprofile compute from the driver's numbers.
#pragma once

#include <cstdint>

namespace pmusim::testbench::pfm {

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
