// The counters of the Alphas as software sees them. Fields: sys/pfcntr.h (ICCSR), Digital's EV5 PALcode (PMCTR),
// 21264/EV67 manual chapter 5 (PCTR_CTL).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "models/alpha/wrperfmon.h"
#include "models/pmu/firmware_counter.h"

namespace pmusim::pmu {

using AlphaCounter = FirmwareCounter;

inline constexpr std::array<AlphaCounter, 2> ev4_counters{{{"CTR0", 0, "", 0, 16}, {"CTR1", 1, "", 0, 12}}};
inline constexpr std::array<AlphaCounter, 3> ev5_counters{
    {{"CTR0", 0, "PMCTR", 48, 16}, {"CTR1", 1, "PMCTR", 32, 16}, {"CTR2", 2, "PMCTR", 16, 14}}};
inline constexpr std::array<AlphaCounter, 2> ev6_counters{
    {{"PCTR0", 0, "PCTR_CTL", 28, 20}, {"PCTR1", 1, "PCTR_CTL", 6, 20}}};
[[nodiscard]] constexpr std::span<const AlphaCounter> alpha_counters(AlphaChip chip) {
  switch (chip) {
    case AlphaChip::ev4:
      return ev4_counters;
    case AlphaChip::ev5:
    case AlphaChip::pca56:
      return ev5_counters;
    default:
      return ev6_counters;
  }
}

/// The least number of events from a write of a counter to its overflow (21264/EV67 manual 6.10.2).
[[nodiscard]] std::uint64_t least_period(AlphaChip chip, const AlphaCounter& counter);
/// Start value of a counter that has counted `since` events after its overflow, for the next overflow to be `period`
/// events after that one. If `since` exceeds a period, the samples in between are lost, and the next sample keeps its
/// position.
[[nodiscard]] std::uint64_t start_value(const AlphaCounter& counter, std::uint64_t since, std::uint64_t period);
/// The argument of function 6 of WRPERFMON that writes one counter and leaves the others unchanged; `image` is the
/// value that function 5 reads.
[[nodiscard]] std::uint64_t write_argument(AlphaChip chip, const AlphaCounter& counter, std::uint64_t image,
                                           std::uint64_t value);

}  // namespace pmusim::pmu
