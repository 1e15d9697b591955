// Why a count is what it is: what each step on the way to a counter has left, and whom its increments are charged to.
// The numbers are what the models tell a probe (testbench/explain).
#pragma once

#include "testbench/driver/activity_log.h"
#include "testbench/lab/bindings/json.h"

namespace pmusim::lab {

/// For each counter that is programmed, of each thread: its steps, instructions and addresses.
[[nodiscard]] Json explain(const Json& request, const testbench::ActivityLog& activity, unsigned threads);
/// What the counter named in `counter` would count, of `thread`, with one field of the registers changed. Interrupts
/// and their handlers are left out.
[[nodiscard]] Json neighbours(const Json& request, const testbench::ActivityLog& activity, unsigned threads);

}  // namespace pmusim::lab
