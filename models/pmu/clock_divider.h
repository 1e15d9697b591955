// A slow clock that is derived from the core clock by a rational ratio: bus clock, time base. Its edges are computed
// from the cycle number, without stepping through cycles.
#pragma once

#include <cstdint>

#include "models/activity/activity.h"

namespace pmusim::pmu {

/// Counts ticks of a clock with a period of `bus_clocks` bus clocks. When the ratio changes, the current tick starts
/// again at the cycle of the change.
class ClockDivider {
 public:
  /// `initial_ratio` (numerator << 16 | denominator, core clocks per bus clock) is used while the activity contains no
  /// ratio.
  ClockDivider(std::uint64_t bus_clocks, std::uint64_t initial_ratio)
      : bus_clocks_(bus_clocks), initial_ratio_(initial_ratio) {
    use(initial_ratio);
  }

  /// State::bus_ratio has this value from cycle `at` on. If a part of the value is zero, the initial ratio is used.
  void set_ratio(activity::Cycle at, std::uint64_t ratio) {
    if ((ratio >> 16) == 0 || (ratio & 0xffff) == 0) ratio = initial_ratio_;
    if (ratio == ratio_ && started_) return;
    if (started_) {
      base_ = ticks(at);
      anchor_ = at;
    }
    started_ = true;
    use(ratio);
  }
  /// Number of ticks up to and including cycle `at`; cycle 0 is at tick 0. `at` must not be before the last change of
  /// the ratio.
  [[nodiscard]] std::uint64_t ticks(activity::Cycle at) const {
    return base_ + (at - anchor_) * denominator_ / (numerator_ * bus_clocks_);
  }
  /// The first cycle in which ticks() has this value. The tick must not be before the last change of the ratio.
  [[nodiscard]] activity::Cycle first_cycle(std::uint64_t tick) const {
    return anchor_ + ((tick - base_) * numerator_ * bus_clocks_ + denominator_ - 1) / denominator_;
  }

 private:
  void use(std::uint64_t ratio) {
    ratio_ = ratio;
    numerator_ = ratio >> 16;
    denominator_ = ratio & 0xffff;
  }
  std::uint64_t bus_clocks_;
  std::uint64_t initial_ratio_;
  std::uint64_t ratio_ = 0;
  std::uint64_t numerator_ = 1;
  std::uint64_t denominator_ = 1;
  std::uint64_t base_ = 0;
  activity::Cycle anchor_ = 0;
  bool started_ = false;
};

}  // namespace pmusim::pmu
