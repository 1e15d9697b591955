// The interface through which a module receives activity.
#pragma once

#include <systemc>

#include "models/activity/activity.h"

namespace pmusim::pmu {

/// Receives blocks of activity, each at the time at which its first cycle begins.
class ActivityIf : public virtual sc_core::sc_interface {
 public:
  /// The cycles of this block begin now: the first one at the present time, each lasting one clock period. The block
  /// must follow the previous one without a gap, must be handed over when the time of the previous one has passed, and
  /// must not change until the next call, or settle_block().
  virtual void consume(const activity::Block& block) = 0;
  /// The time of the block has passed: does what is due at this moment and releases the block.
  virtual void settle_block() = 0;
};

}  // namespace pmusim::pmu
