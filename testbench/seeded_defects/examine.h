// One defect under the validation: its plan on its traces, group by group, so that every comparison is known.
#pragma once

#include <vector>

#include "testbench/seeded_defects/clue.h"
#include "testbench/seeded_defects/defects.h"

namespace pmusim::testbench::seeded_defects {

/// Comparisons of 0 with 0 are left out: they say nothing. What differs is diagnosed as `pmusim validate` does it. A
/// fault stays for the rest of the process.
[[nodiscard]] std::vector<Outcome> examine(const Defect& defect, bool with_fault);

}  // namespace pmusim::testbench::seeded_defects
