// Shared parts of the Itanium 2 monitor's tests.
#pragma once

#include <memory>

#include "models/itanium2/itanium2.h"
#include "testbench/tests/monitors/ia64_bench.h"

namespace pmusim::testing {

// fields of PMC4-7
inline constexpr std::uint64_t enable = at(23, 1);
inline constexpr std::uint64_t ism(unsigned v) { return at(24, v); }

inline std::unique_ptr<Monitor> make_itanium2(Flips flips = {}) {
  return make_with(pmu::itanium2_pmu_parameters(), pmu::make_itanium2_monitor, flips);
}

/// A monitor that is not frozen, with its interrupt unmasked and these events on PMC4 and the registers after it.
inline std::unique_ptr<Monitor> counting(std::initializer_list<std::uint64_t> events, Flips flips = {}) {
  auto monitor = make_itanium2(flips);
  std::uint32_t number = 4;
  for (const std::uint64_t value : events) put(*monitor, pmc(number++), value | enable);
  put(*monitor, pmv, 0xee);
  put(*monitor, pmc(0), 0);
  return monitor;
}

}  // namespace pmusim::testing
