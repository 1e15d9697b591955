// Validates one defect: runs its plan on its traces, group by group.
#pragma once

#include <cstddef>
#include <string>

#include "testbench/faults/reported/defects.h"

namespace pmusim::testbench::faults::reported {

struct Findings {
  std::size_t comparisons = 0;  ///< those of 0 with 0 are left out, because they show nothing
  std::size_t differ = 0;
  bool placed = false;        ///< the diagnosis of a difference is the expected one
  std::string sentence = {};  ///< that difference, else the first one
};

/// Differences are diagnosed as in `pmusim validate`. A fault remains active for the rest of the process.
[[nodiscard]] Findings examine(const Defect& defect, bool with_fault);

}  // namespace pmusim::testbench::faults::reported
