// Leaves out of a plan what a short trace cannot show. On most micro-traces only a part of the events occurs. There the
// modifiers of the other events would have 0 compared with 0.
#pragma once

#include <cstddef>
#include <vector>

#include "testbench/validate/judge.h"

namespace pmusim::testbench {

/// Removes the idle groups of a task: the groups without an event that occurs on its traces, at any privilege level.
/// Kept are sets of several events without modifiers, in which a counter must not count anything else; groups that may
/// count although their events do not occur; groups of captures; and groups that the encoder refused. `part_of` has an
/// entry for each group; the entries of idle groups are removed, too. `plan` is the whole plan, of which the task may
/// have a part: what is idle does not depend on the part. Runs the core once more, without a PMU.
void leave_out_idle_groups(Task& task, std::vector<std::size_t>& part_of, const std::vector<Group>& plan);

}  // namespace pmusim::testbench
