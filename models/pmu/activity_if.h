// The interface through which a module receives activity.
#pragma once

#include <systemc>

#include "models/activity/activity.h"

namespace pmusim::pmu {

/// Receives blocks of activity, each at the time at which its first cycle begins.
class ActivityIf : public virtual sc_core::sc_interface {
 public:
  /// The first cycle of this block begins at the present time; each cycle lasts one clock period. The block must follow
  /// the previous one without a gap and must not be passed before the time of the previous one is over. It must not
  /// change until the next call, or until settle_block().
  virtual void consume(const activity::Block& block) = 0;
  /// The time of the block is over: performs what is due at this time and releases the block.
  virtual void settle_block() = 0;
};

}  // namespace pmusim::pmu
