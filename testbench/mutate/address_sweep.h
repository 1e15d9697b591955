// IA-64 activity at chosen addresses: range registers and opcode matchers compare more addresses and opcodes than
// programs use.
#pragma once

#include <vector>

#include "testbench/driver/activity_log.h"
#include "testbench/validate/plan.h"

namespace pmusim::testbench::mutate {

/// Moves all activity to the landmarks, where the plan sets its filters, with the opcode for which they test.
[[nodiscard]] ActivityLog at_landmarks(const ActivityLog& log, const Landmarks& landmarks);

/// The number of variants of at_landmarks(): in each type of slot, after single code ranges, and with every bit of the
/// opcode wrong.
inline constexpr unsigned ways = 6;
[[nodiscard]] ActivityLog in_way(const ActivityLog& log, const Landmarks& landmarks, unsigned way);

/// The representative activity of the log, once for each bit that a filter may compare: at the landmarks except for one
/// bit of the code address, of the data address or of the opcode; and in each type of slot. The copies are `apart`
/// cycles apart; each log contains some of them.
[[nodiscard]] std::vector<ActivityLog> everywhere(const ActivityLog& log, const Landmarks& landmarks, Cycle apart);

/// The same with one load and one fetch, each the only one in flight, with a latency above all limits: address
/// registers follow one at a time.
[[nodiscard]] ActivityLog slowly_everywhere(const ActivityLog& log, const Landmarks& landmarks);

}  // namespace pmusim::testbench::mutate
