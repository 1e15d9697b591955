// Counts: the models over recorded activity, as `pmusim run` and `pmusim record` have them.
#pragma once

#include "testbench/driver/activity_log.h"
#include "testbench/lab/bindings/json.h"

namespace pmusim::lab {

/// What each thread's counters, registers and capture units hold after the last cycle, and the samples.
[[nodiscard]] Json replay(const Json& request, const testbench::ActivityLog& activity, unsigned threads);

}  // namespace pmusim::lab
