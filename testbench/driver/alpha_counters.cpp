// Fields: sys/pfcntr.h (ICCSR), Digital's EV5 PALcode (PMCTR), 21264/EV67 manual chapter 5 (PCTR_CTL).
#include "testbench/driver/alpha_counters.h"

#include <array>

namespace pmusim::testbench {
namespace {

using pmu::AlphaChip;

constexpr std::array<AlphaCounter, 2> ev4_counters{{{"CTR0", 0, "", 0, 16}, {"CTR1", 1, "", 0, 12}}};
constexpr std::array<AlphaCounter, 3> ev5_counters{
    {{"CTR0", 0, "PMCTR", 48, 16}, {"CTR1", 1, "PMCTR", 32, 16}, {"CTR2", 2, "PMCTR", 16, 14}}};
constexpr std::array<AlphaCounter, 2> ev6_counters{{{"PCTR0", 0, "PCTR_CTL", 28, 20}, {"PCTR1", 1, "PCTR_CTL", 6, 20}}};

}  // namespace

std::span<const AlphaCounter> alpha_counters(AlphaChip chip) {
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

std::uint64_t least_period(AlphaChip chip, const AlphaCounter& counter) {
  if (chip != AlphaChip::ev6 && chip != AlphaChip::ev67) return 1;
  return counter.number == 0 ? 16 : 4;
}

std::uint64_t start_value(const AlphaCounter& counter, std::uint64_t since, std::uint64_t period) {
  return (counter.mask() + 1 - period + since % period) & counter.mask();
}

// An EV6 writes the counters that bits 1:0 choose, an EV5 all three.
std::uint64_t write_argument(AlphaChip chip, const AlphaCounter& counter, std::uint64_t image, std::uint64_t value) {
  const std::uint64_t field = (value & counter.mask()) << counter.shift;
  if (chip == AlphaChip::ev6 || chip == AlphaChip::ev67) return field | std::uint64_t{1} << counter.number;
  return (image & ~(counter.mask() << counter.shift)) | field;
}

}  // namespace pmusim::testbench
