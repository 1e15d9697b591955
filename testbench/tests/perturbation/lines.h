// Changed variants of the line of a multiplexer entry: each condition dropped or inverted, another signal or state.
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
