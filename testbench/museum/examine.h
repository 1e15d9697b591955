// One piece under the validation: its plan on its traces, group by group, so that every comparison is known.
#pragma once

#include <vector>

#include "testbench/museum/clue.h"
#include "testbench/museum/pieces.h"

namespace pmusim::testbench::museum {

/// With whatever fault is injected now. Comparisons of 0 with 0 are left out: they say nothing.
[[nodiscard]] std::vector<Outcome> examine(const Piece& piece);

}  // namespace pmusim::testbench::museum
