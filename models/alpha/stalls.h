// Cycles in which a 21064 or 21164 issues nothing, in two parts.
#pragma once

#include "models/activity/alpha.h"
#include "models/alpha/event.h"

namespace pmusim::pmu::alpha {

/// There is nothing to issue: no instruction data.
inline constexpr Input empty = level(activity::State::issue_stall, activity::alpha::IssueStall::no_instructions);
/// The same, or a trap is on its way.
inline constexpr Input dry = level(activity::State::issue_stall, activity::alpha::IssueStall::no_instructions,
                                   activity::alpha::IssueStall::trap);
/// Instructions are there and wait for something.
inline constexpr Input frozen =
    level(activity::State::issue_stall, activity::alpha::IssueStall::registers, activity::alpha::IssueStall::unit_busy,
          activity::alpha::IssueStall::load_miss, activity::alpha::IssueStall::write_buffer,
          activity::alpha::IssueStall::after_jump, activity::alpha::IssueStall::memory_barrier);

}  // namespace pmusim::pmu::alpha
