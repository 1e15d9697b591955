// Leaves out of a plan what a short trace cannot show. On most micro-traces only a part of the events occurs. There the
// modifiers of the other events would have 0 compared with 0.
#pragma once

#include <cstddef>
#include <vector>

#include "testbench/validate/judge.h"

namespace pmusim::testbench {

/// Removes the idle groups of a task: the groups without an event that occurs on its traces, at any privilege level.
/// One set with every event remains, in which a counter must not count anything else, and so do groups that may count
/// although their events do not occur, groups of captures, and groups that the encoder refused. `part_of` has an entry
/// for each group; the entries of idle groups are removed, too. Runs the core once more, without a PMU.
void leave_out_idle_groups(Task& task, std::vector<std::size_t>& part_of);

}  // namespace pmusim::testbench
