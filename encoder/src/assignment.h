// Assignment of events to counters.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pmusim::encoder {

/// Assigns a different counter to each event. Returns nothing if there is no assignment. Bit c of `allowed[i]` is set
/// if counter c can count event i. Among all solutions the first events get the lowest counters, so that the same
/// request always gives the same registers.
[[nodiscard]] std::optional<std::vector<unsigned>> assign(std::span<const std::uint32_t> allowed);

}  // namespace pmusim::encoder
