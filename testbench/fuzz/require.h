// A fuzzer ends with a message if a property does not hold.
#pragma once

#include <cstdlib>
#include <iostream>
#include <string_view>

namespace pmusim::fuzz {

inline void require(bool holds, std::string_view what) {
  if (holds) return;
  std::cerr << "violated: " << what << '\n';
  std::abort();
}

/// An error message for users must be one line.
inline void require_one_line(std::string_view error) {
  require(!error.empty() && error.find('\n') == error.npos, "an error is one line");
}

}  // namespace pmusim::fuzz
