// The privilege levels of an event string.
#pragma once

#include "backend.h"

namespace pmusim::encoder {

struct Levels {
  bool user = true;
  bool kernel = true;
  friend bool operator==(const Levels&, const Levels&) = default;
};

/// Reads the settings u, k and plm. If no level is named, both apply; else only the named levels. plm with a
/// contradicting u or k is an error.
[[nodiscard]] Result<Levels> levels_of(const Request& request);

}  // namespace pmusim::encoder
