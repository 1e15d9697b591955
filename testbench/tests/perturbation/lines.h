// Other lines than the one that a multiplexer entry connects: each condition dropped or turned round, another
// signal or state.
#pragma once

#include <string>
#include <vector>

#include "models/pmu/multiplexer.h"

namespace pmusim::perturbation {

struct OtherLine {
  std::string change;
  pmu::Line line;
};

[[nodiscard]] std::vector<OtherLine> other_lines(const pmu::Line& line);

}  // namespace pmusim::perturbation
