// Makes activity::refers_to_request() available in the namespace of the monitors.
#pragma once

#include "models/activity/references.h"

namespace pmusim::pmu {
using activity::refers_to_request;
}  // namespace pmusim::pmu
