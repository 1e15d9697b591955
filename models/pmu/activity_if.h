// How activity enters a module: the interface of its export.
#pragma once

#include <systemc>

#include "models/activity/activity.h"

namespace pmusim::pmu {

/// What takes blocks of activity, at the times at which their first cycles begin.
class ActivityIf : public virtual sc_core::sc_interface {
 public:
  /// The cycles of this block begin now: the first at the present time, one clock period each. The block must
  /// follow the one before without a gap, be handed over when that one's time is over, and stay as it is
  /// until the next call, or settle_block().
  virtual void consume(const activity::Block& block) = 0;
  /// The time of the block is over: does what is due at this very moment and lets go of the block.
  virtual void settle_block() = 0;
};

}  // namespace pmusim::pmu
