// IA-64 activity at chosen places: what range registers and opcode matchers compare takes more addresses and opcodes
// than programs have.
#pragma once

#include <vector>

#include "testbench/driver/activity_log.h"
#include "testbench/validate/plan.h"

namespace pmusim::testbench::mutate {

/// Everything where the plan's filters are set: at the landmarks, with the opcode that is looked for.
[[nodiscard]] ActivityLog at_landmarks(const ActivityLog& log, const Landmarks& landmarks);

/// Ways of being at the landmarks: in each type of slot, after single code ranges, and with every bit of the opcode
/// wrong.
inline constexpr unsigned ways = 6;
[[nodiscard]] ActivityLog in_way(const ActivityLog& log, const Landmarks& landmarks, unsigned way);

/// One of everything in the log, once for each bit that a filter may compare: at the landmarks but for one bit of the
/// code address, of the data address or of the opcode; and in each type of slot. All of this `apart` cycles apart, and
/// some of these places in each of the logs.
[[nodiscard]] std::vector<ActivityLog> everywhere(const ActivityLog& log, const Landmarks& landmarks, Cycle apart);

/// The same of one load and one fetch, each the only one under way, that last longer than any limit: address registers
/// follow one at a time.
[[nodiscard]] ActivityLog slowly_everywhere(const ActivityLog& log, const Landmarks& landmarks);

}  // namespace pmusim::testbench::mutate
