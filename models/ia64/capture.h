// A capture of an IA-64 PMU's own registers: event address registers and the branch buffer.
#pragma once

#include "models/activity/activity.h"

namespace pmusim::pmu::ia64 {

/// The occurrence that a register captured, and its cycle.
struct Capture {
  activity::Cycle at;         ///< cycle of the capture
  activity::Signal signal;    ///< signal of the captured occurrence
  activity::Occurrence what;  ///< the captured occurrence
};

}  // namespace pmusim::pmu::ia64
