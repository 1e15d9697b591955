// Shared parts of all units of the 750GX core: settings and recorder.
#pragma once

#include "models/core/parts/selective_recorder.h"
#include "models/core/ppc750/settings.h"

namespace pmusim::core::ppc750 {

struct Machine {
  explicit Machine(const models::Parameters& parameters) : settings(parameters) {}
  const Settings settings;
  SelectiveRecorder recorder;
};

}  // namespace pmusim::core::ppc750
