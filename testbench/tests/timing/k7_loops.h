// Loops that others timed on the Athlon.
#pragma once

#include "measures.h"

namespace pmusim::timing {

/// Measurements of the loops of k7_loops.txt that have a reference for the Athlon.
[[nodiscard]] Measures k7_loops();

}  // namespace pmusim::timing
