// Cycles in which a 21064 or 21164 issues nothing: the pipeline is dry or frozen. pfm(7) has sentences of its own for
// each. 21064: dry for lack of valid instruction stream data, which includes the draining at an exception; frozen for
// registers, a load miss, a full write buffer, a jump before a branch, a barrier. 21164: dry if no instruction is ready
// to issue; frozen if one is ready and none issues. The core names the cause by its chip's sentence.
#pragma once

#include "models/activity/alpha.h"
#include "models/alpha/event.h"

namespace pmusim::pmu::alpha {

/// No instruction data to issue.
inline constexpr Input empty = level(activity::State::issue_stall, activity::alpha::IssueStall::no_instructions);
/// No instruction data to issue, or a trap is in progress.
inline constexpr Input dry = level(activity::State::issue_stall, activity::alpha::IssueStall::no_instructions,
                                   activity::alpha::IssueStall::trap);
/// Instructions are available, but cannot issue.
inline constexpr Input frozen =
    level(activity::State::issue_stall, activity::alpha::IssueStall::registers, activity::alpha::IssueStall::unit_busy,
          activity::alpha::IssueStall::load_miss, activity::alpha::IssueStall::write_buffer,
          activity::alpha::IssueStall::after_jump, activity::alpha::IssueStall::memory_barrier);

}  // namespace pmusim::pmu::alpha
