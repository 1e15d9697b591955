// The privilege levels that an event string asks for.
#pragma once

#include "backend.h"

namespace pmusim::encoder {

struct Levels {
  bool user = true;
  bool kernel = true;
  friend bool operator==(const Levels&, const Levels&) = default;
};

/// From the settings u, k and plm. Naming no level means both; naming one leaves the other out unless it is
/// named too. plm together with a different u or k is an error.
[[nodiscard]] Result<Levels> levels_of(const Request& request);

}  // namespace pmusim::encoder
