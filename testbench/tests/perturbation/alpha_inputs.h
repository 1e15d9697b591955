// Changed variants of a row of an Alpha's multiplexer.
#pragma once

#include <string>
#include <vector>

#include "models/alpha/event.h"

namespace pmusim::perturbation {

struct OtherRow {
  std::string change;
  pmu::alpha::Event row;
};

/// The row with another weight, bound or rule, and with each of its inputs connected to another signal, filtered in
/// another way, or dropped.
[[nodiscard]] std::vector<OtherRow> other_rows(const pmu::alpha::Event& row);

}  // namespace pmusim::perturbation
