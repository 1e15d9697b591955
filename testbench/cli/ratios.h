// What pairs of events measure together.
#pragma once

#include <span>
#include <string_view>

namespace pmusim::testbench {

/// Both can be counted in one run.
struct Ratio {
  std::string_view name;
  std::string_view over, under;  ///< events
};
[[nodiscard]] std::span<const Ratio> ratios_of(std::string_view target);

}  // namespace pmusim::testbench
