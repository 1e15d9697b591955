// Placing events on counters.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pmusim::encoder {

/// A counter for each event, all different, or nothing when they do not fit together. `allowed[i]` has bit c
/// set when counter c can take event i. Among all solutions the one with the lowest counters for the first
/// events, so that the same request always gives the same registers.
[[nodiscard]] std::optional<std::vector<unsigned>> assign(std::span<const std::uint32_t> allowed);

}  // namespace pmusim::encoder
