// OutOfOrderSettings and latencies of each chip, with their sources.
#pragma once

#include <span>

#include "models/core/alpha/settings.h"

namespace pmusim::core::alpha {

[[nodiscard]] std::span<const Value> ev4_values();
[[nodiscard]] std::span<const Value> ev5_values();
/// The table of the 21164 and 21164PC, except for a few rows.
[[nodiscard]] std::span<const Value> pca56_values();
/// The table of the 21264 and the 21264A.
[[nodiscard]] std::span<const Value> ev6_values();

}  // namespace pmusim::core::alpha
