// Loops that others timed on the Alphas.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "alpha_assembly.h"
#include "bench.h"
#include "measures.h"

namespace pmusim::timing {

/// Clocks of a turn of a loop that ends with a taken branch; addresses advance by `step` bytes a turn, wrapping around
/// in a KB. `keys`: on each access.
[[nodiscard]] double alpha_turn(const Chip& chip, const std::vector<alpha::Step>& steps, int step,
                                const std::string& keys);

/// Measurements of the loops that have a reference for the target.
[[nodiscard]] Measures alpha_loops(std::string_view target);

}  // namespace pmusim::timing
