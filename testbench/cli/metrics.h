// The ratios of counted events, from the targets' tables (`events --ratios`).
#pragma once

#include <string>
#include <vector>

#include "models/targets.h"
#include "testbench/support/output.h"

namespace pmusim::testbench {

/// A count of a run.
struct Counted {
  std::string event;  ///< canonical, with attributes
  unsigned thread = 0;
  double value = 0;  ///< in whole events
};

/// The ratios whose two events were counted at the same privilege levels, without thresholds, edges and filters. JSON
/// objects with name, over, under, value and, if there are two threads, thread.
[[nodiscard]] Json metrics_of(const models::Target& target, const std::vector<Counted>& counts);
/// `1.03 cycles per instruction, 0.97 insn per cycle`, `3.54 % mispredicted branches per branch`.
[[nodiscard]] std::string metric_in_words(const models::Target& target, const Json& metric);

}  // namespace pmusim::testbench
