// A monitor that can tell when it is again what it was. While nothing happens but its own interrupts, one period of
// them is enough to know the others, however many there are.
#pragma once

#include <cstdint>
#include <vector>

#include "models/pmu/monitor.h"

namespace pmusim::pmu {

class Recurring {
 public:
  virtual ~Recurring() = default;
  /// `period` cycles ago it was `earlier`: does constant activity take it through the same states again? grows() is not
  /// compared.
  [[nodiscard]] virtual bool recurs(const Monitor& earlier, Cycle period) const = 0;
  /// What no other state depends on and what grows by as much in each period.
  [[nodiscard]] virtual std::vector<std::uint64_t*> grows() = 0;
};

}  // namespace pmusim::pmu
