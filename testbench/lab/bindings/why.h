// Explains counts: the number of occurrences left after each step on the way to a counter, and the instructions and
// requests to which its increments are charged. The numbers are those that the models report to a probe
// (testbench/explain).
#pragma once

#include "testbench/driver/activity_log.h"
#include "testbench/lab/bindings/json.h"

namespace pmusim::lab {

/// For each programmed counter of each thread: its steps, instructions and addresses.
[[nodiscard]] Json explain(const Json& request, const testbench::ActivityLog& activity, unsigned threads);
/// The counts of the counter named in `counter`, of `thread`, with one field of the registers changed at a time.
/// Interrupts and their handlers are left out.
[[nodiscard]] Json neighbours(const Json& request, const testbench::ActivityLog& activity, unsigned threads);

}  // namespace pmusim::lab
