// Where the reference of an occurrence leads, by the name that monitors use.
#pragma once

#include "models/activity/references.h"

namespace pmusim::pmu {
using activity::refers_to_request;
}  // namespace pmusim::pmu
