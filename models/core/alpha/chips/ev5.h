// Sizes and latencies of the 21164, which the 21164PC has but for a few.
#pragma once

#include <span>

#include "models/core/alpha/settings.h"

namespace pmusim::core::alpha {

[[nodiscard]] std::span<const Value> ev5_values();

}  // namespace pmusim::core::alpha
