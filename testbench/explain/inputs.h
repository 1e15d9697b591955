// The inputs of the events of counters, as the models of their PMUs define them.
#pragma once

#include <vector>

#include "models/targets.h"
#include "pmusim/encoder/encoder.h"
#include "testbench/explain/recorder.h"

namespace pmusim::testbench {

/// Signals and states that are inputs of one counter's event.
struct EventInputs {
  std::set<activity::Signal> signals;
  std::set<activity::State> states;
};
/// The inputs of the counter with this index, with the PMU programmed as given. Throws std::invalid_argument for
/// registers that cannot be written.
[[nodiscard]] EventInputs inputs_of(const models::Target& target, const std::vector<encoder::RegisterValue>& registers,
                                    unsigned counter);

}  // namespace pmusim::testbench
