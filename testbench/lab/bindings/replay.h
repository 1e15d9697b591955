// Counts of the models over recorded activity, as `pmusim run` and `pmusim record` report them.
#pragma once

#include "testbench/driver/activity_log.h"
#include "testbench/lab/bindings/json.h"

namespace pmusim::lab {

/// The counters, registers and capture units of each thread after the last cycle, and the samples.
[[nodiscard]] Json replay(const Json& request, const testbench::ActivityLog& activity, unsigned threads);

}  // namespace pmusim::lab
