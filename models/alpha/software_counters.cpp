#include "models/alpha/software_counters.h"

namespace pmusim::pmu {

std::uint64_t least_period(AlphaChip chip, const AlphaCounter& counter) {
  if (chip != AlphaChip::ev6 && chip != AlphaChip::ev67) return 1;
  return counter.number == 0 ? 16 : 4;
}

std::uint64_t start_value(const AlphaCounter& counter, std::uint64_t since, std::uint64_t period) {
  return (counter.mask() + 1 - period + since % period) & counter.mask();
}

// On an EV6, function 6 writes the counters that bits 1:0 select; on an EV5, all three.
std::uint64_t write_argument(AlphaChip chip, const AlphaCounter& counter, std::uint64_t image, std::uint64_t value) {
  const std::uint64_t field = (value & counter.mask()) << counter.shift;
  if (chip == AlphaChip::ev6 || chip == AlphaChip::ev67) return field | std::uint64_t{1} << counter.number;
  return (image & ~(counter.mask() << counter.shift)) | field;
}

}  // namespace pmusim::pmu
