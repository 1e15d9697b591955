// Leaves out of a plan what a short trace cannot show. On most micro-traces only a part of the events occurs. There the
// modifiers of the other events would have 0 compared with 0.
#pragma once

#include <cstddef>
#include <vector>

#include "testbench/judge/trial/judge.h"

namespace pmusim::testbench {

/// Those of `groups`, indices into the plan, that are not idle on the traces of the task. A group is idle if none of
/// its events occurs at any privilege level. Never idle are sets of several events without modifiers, in which a
/// counter must not count anything else; groups that may count although their events do not occur; groups of captures;
/// and groups without registers in their answer. What is idle depends on the whole plan, not on the choice of `groups`;
/// the task's own plan is ignored. Runs the core once more, without a PMU.
[[nodiscard]] std::vector<std::size_t> without_idle_groups(const Task& task, const AnsweredPlan& plan,
                                                           const std::vector<std::size_t>& groups);

}  // namespace pmusim::testbench
