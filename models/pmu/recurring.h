// A monitor that can detect that its state recurs. If the activity is constant and the only events are its own
// interrupts, all periods are the same.
#pragma once

#include <cstdint>
#include <vector>

#include "models/pmu/monitor.h"

namespace pmusim::pmu {

class Recurring {
 public:
  virtual ~Recurring() = default;
  /// True if, under constant activity, the monitor passes through the same states again, given its state `earlier`,
  /// which is `period` cycles old. The values of grows() are not compared.
  [[nodiscard]] virtual bool recurs(const Monitor& earlier, Cycle period) const = 0;
  /// Values that grow by the same amount in each period and on which no other state depends.
  [[nodiscard]] virtual std::vector<std::uint64_t*> grows() = 0;
};

}  // namespace pmusim::pmu
