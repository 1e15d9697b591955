// Names of tests that run once for each target.
#pragma once

#include <algorithm>
#include <string>

namespace pmusim {

/// The text as a part of a test's name, which has no hyphens: alpha_ev4 for alpha-ev4.
[[nodiscard]] inline std::string test_name(std::string text) {
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}
/// Names the tests of a suite whose parameter is the name of a target.
inline constexpr auto target_name = [](const auto& info) { return test_name(std::string(info.param)); };

}  // namespace pmusim
