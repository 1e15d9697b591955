// A capture of an IA-64 PMU's own registers: event address registers and the branch buffer.
#pragma once

#include "models/activity/activity.h"

namespace pmusim::pmu::ia64 {

/// What a register captured, and when.
struct Capture {
  activity::Cycle at;         ///< cycle of the capture
  activity::Signal signal;    ///< signal of the occurrence that was captured
  activity::Occurrence what;  ///< that occurrence
};

}  // namespace pmusim::pmu::ia64
