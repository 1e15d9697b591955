// The number of random cases that a test tries, and the first one. The cases are the same in every run unless
// PMUSIM_FIRST_CASE and PMUSIM_CASES select others, as scripts/differential does.
#pragma once

#include <cstdlib>

namespace pmusim {

/// The number of the first case, which is its seed.
inline unsigned first_case() {
  const char* const first = std::getenv("PMUSIM_FIRST_CASE");
  return first == nullptr ? 0 : static_cast<unsigned>(std::strtoul(first, nullptr, 10));
}

inline unsigned cases(unsigned usual) {
  const char* const wanted = std::getenv("PMUSIM_CASES");
  return wanted == nullptr ? usual : static_cast<unsigned>(std::strtoul(wanted, nullptr, 10));
}

}  // namespace pmusim
