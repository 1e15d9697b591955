// The activity of an IA-64 trace at chosen places: what range registers and opcode matchers compare takes more
// addresses and opcodes than programs have.
#pragma once

#include "testbench/driver/activity_log.h"
#include "testbench/validate/plan.h"

namespace pmusim::testbench::mutate {

/// The log once for each bit that a filter may compare: everything happens where the plan's filters are set, at the
/// landmarks, but for one bit of the code address, of the data address or of the opcode; and in each type of slot.
[[nodiscard]] ActivityLog relocated(const ActivityLog& log, const Landmarks& landmarks);

}  // namespace pmusim::testbench::mutate
