// The counters of the Alphas as software sees them: narrow fields of a register, or out of its reach.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "models/alpha/wrperfmon.h"

namespace pmusim::testbench {

/// A counter: bits of a register, or a divider that no software reaches (21064).
struct AlphaCounter {
  std::string_view name;  ///< CTR0, PCTR1
  unsigned number = 0;
  std::string_view reg = {};  ///< PMCTR, PCTR_CTL; empty: out of reach
  unsigned shift = 0;
  unsigned bits = 0;
  [[nodiscard]] std::uint64_t mask() const { return (std::uint64_t{1} << bits) - 1; }
};
[[nodiscard]] std::span<const AlphaCounter> alpha_counters(pmu::AlphaChip chip);

/// Events that must be left when a counter is written (21264/EV67 manual 6.10.2).
[[nodiscard]] std::uint64_t least_period(pmu::AlphaChip chip, const AlphaCounter& counter);
/// Start value of a counter that has `since` events after its overflow and is to overflow `period` events after that
/// one. More than a whole period since: the samples in between are lost, and the next stays where it would have been.
[[nodiscard]] std::uint64_t start_value(const AlphaCounter& counter, std::uint64_t since, std::uint64_t period);
/// What function 6 of WRPERFMON takes to write one counter and leave the others alone; `image` is what function 5
/// reads.
[[nodiscard]] std::uint64_t write_argument(pmu::AlphaChip chip, const AlphaCounter& counter, std::uint64_t image,
                                           std::uint64_t value);

}  // namespace pmusim::testbench
