// A monitor that can detect that its state recurs. While nothing happens but its own interrupts, one period determines
// all the others.
#pragma once

#include <cstdint>
#include <vector>

#include "models/pmu/monitor.h"

namespace pmusim::pmu {

class Recurring {
 public:
  virtual ~Recurring() = default;
  /// Whether constant activity takes it through the same states again, given that it was `earlier` a `period` of cycles
  /// ago. grows() is not
  /// compared.
  [[nodiscard]] virtual bool recurs(const Monitor& earlier, Cycle period) const = 0;
  /// Values on which no other state depends and that grow by the same amount in each period.
  [[nodiscard]] virtual std::vector<std::uint64_t*> grows() = 0;
};

}  // namespace pmusim::pmu
