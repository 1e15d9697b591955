// Loops that others timed on the 750.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench.h"
#include "measures.h"

namespace pmusim::timing {

/// Clocks of a turn of a loop that ends with a taken branch. The accesses through a base register go through a KB, word
/// by word.
[[nodiscard]] double ppc_turn(const Chip& chip, const std::vector<std::string>& lines);

/// Measurements of the loops that have a reference for the target.
[[nodiscard]] Measures ppc_loops(std::string_view target);

}  // namespace pmusim::timing
