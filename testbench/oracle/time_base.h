// The 750GX time base as a count of core cycles: it ticks once every four bus clocks (User's Manual, p. 114).
#pragma once

#include <cstdint>

#include "models/activity/activity.h"

namespace pmusim::oracle {

class TimeBase {
 public:
  /// `start` is the value in cycle 0; core clocks per bus clock as State::bus_ratio packs them. A ratio of zero means
  /// that the bus clock is stopped.
  TimeBase(std::uint64_t start, std::uint64_t packed_ratio) : value_(start) { set_ratio(0, packed_ratio); }

  /// From cycle `from` on the bus has another ratio. The present tick starts again.
  void set_ratio(activity::Cycle from, std::uint64_t packed_ratio);
  /// At the end of the cycle before `from` the lower word becomes `tbl`; the tick under way goes on, as the bus
  /// clocks do.
  void write(activity::Cycle from, std::uint32_t tbl);
  /// Value in a cycle that is not before the last change.
  [[nodiscard]] std::uint64_t value(activity::Cycle cycle) const;
  /// First cycle after `cycle` with another value, or activity::never.
  [[nodiscard]] activity::Cycle next_tick(activity::Cycle cycle) const;

 private:
  [[nodiscard]] bool runs() const { return core_clocks_ != 0 && bus_clocks_ != 0; }
  std::uint64_t value_ = 0;  ///< in cycle anchor_
  activity::Cycle anchor_ = 0;
  std::uint64_t core_clocks_ = 0;  ///< this many core clocks take...
  std::uint64_t bus_clocks_ = 0;   ///< ...this many bus clocks
};

/// Whether a bus clock begins in this core cycle. The first one begins in cycle 0. Core clocks per bus clock as
/// State::bus_ratio packs them; none if it is zero.
[[nodiscard]] bool bus_clock_begins(activity::Cycle cycle, std::uint64_t packed_ratio);
/// First cycle after `cycle` in which a bus clock begins, or activity::never.
[[nodiscard]] activity::Cycle next_bus_clock(activity::Cycle cycle, std::uint64_t packed_ratio);
/// Number of bus clocks that begin after cycle `after` and before cycle `before`.
[[nodiscard]] std::uint64_t bus_clocks_between(activity::Cycle after, activity::Cycle before,
                                               std::uint64_t packed_ratio);

}  // namespace pmusim::oracle
