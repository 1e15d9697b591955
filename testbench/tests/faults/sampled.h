// How many of the faults and parameter values a suite tries.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "testbench/tests/sampling.h"

namespace pmusim::testbench::faults {

/// Only one in this many is tried: PMUSIM_PERTURB_EVERY if set, else `usually` times PMUSIM_PERTURB_COARSER; under a
/// sanitizer ten times this number.
[[nodiscard]] inline std::size_t sampling(std::size_t usually = 1) {
  const auto number = [](const char* name, std::size_t otherwise) {
    const char* const named = std::getenv(name);
    return named == nullptr ? otherwise : std::max<std::size_t>(std::strtoul(named, nullptr, 10), 1);
  };
  return number("PMUSIM_PERTURB_EVERY", usually * pmusim::sampling * number("PMUSIM_PERTURB_COARSER", 1));
}
/// The same for cases that each judge a whole target: one in at most four (under a sanitizer, one in forty).
[[nodiscard]] inline std::size_t sampling_of_targets() {
  return std::min<std::size_t>(sampling(), 4 * pmusim::sampling);
}

}  // namespace pmusim::testbench::faults
