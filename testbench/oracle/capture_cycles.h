// The cycles in which a unit of an Itanium captures something, block by block. The unit's event counts them.
#pragma once

#include <memory>
#include <vector>

#include "testbench/oracle/captures.h"
#include "testbench/oracle/event.h"

namespace pmusim::oracle {

/// The request without restrictions, as far as restrictions change what is captured.
[[nodiscard]] Request without_filters(const Request& request);

class CaptureCycles {
 public:
  CaptureCycles(CaptureUnit unit, const Request& request, const ParameterLookup& parameters, std::string_view target);

  /// Starts reading a block at cycle `at`. The same block may be entered again later.
  void enter(const activity::Block& block, activity::Cycle at);
  /// Captures in a cycle, 0 or 1. Cycles must not decrease; a cycle may be repeated.
  std::uint32_t at(activity::Cycle cycle);
  /// Cycle of the next capture in this block, or activity::never.
  [[nodiscard]] activity::Cycle next() const { return index_ < cycles_.size() ? cycles_[index_] : activity::never; }

 private:
  void read(const activity::Block& block);

  std::unique_ptr<CaptureList> list_;     ///< of an event address register, or
  std::unique_ptr<BranchList> branches_;  ///< of the branch trace buffer
  activity::Cycle read_until_ = 0;
  std::vector<activity::Cycle> cycles_;  ///< of the block
  std::size_t index_ = 0;
  activity::Cycle asked_ = activity::never;  ///< the cycle of the last call of at()
  std::uint32_t answer_ = 0;                 ///< ... and its result
};

}  // namespace pmusim::oracle
