// Validates one defect: runs its plan on its traces, group by group, so that every comparison is known.
#pragma once

#include <vector>

#include "testbench/faults/reported/clue.h"
#include "testbench/faults/reported/defects.h"

namespace pmusim::testbench::faults::reported {

/// Comparisons of 0 with 0 are left out, because they show nothing. Differences are diagnosed as in `pmusim validate`.
/// A fault remains active for the rest of the process.
[[nodiscard]] std::vector<Outcome> examine(const Defect& defect, bool with_fault);

}  // namespace pmusim::testbench::faults::reported
