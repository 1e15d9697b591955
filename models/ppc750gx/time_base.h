// The 64-bit time base: one tick every four bus clocks (User's Manual p. 114), and the rising edges of the bit that
// MMCR0[RTCSELECT] selects. All values are computed from cycle numbers.
#pragma once

#include <cstdint>

#include "models/activity/activity.h"
#include "models/pmu/clock_divider.h"

namespace pmusim::pmu::ppc750gx {

using activity::Cycle;

class TimeBase {
 public:
  void set_ratio(Cycle at, std::uint64_t ratio) { divider_.set_ratio(at, ratio); }
  /// Value in the last cycle passed, including writes after it.
  [[nodiscard]] std::uint64_t value() const { return value_; }
  /// A write between two cycles, after the last cycle passed. The tick in progress continues. Unless `ignore_edge`, a
  /// bit that is 0 in the last cycle and 1 in the next is an edge of the next.
  void write(std::uint64_t value, bool ignore_edge) {
    offset_ += value - value_;
    value_ = value;
    if (ignore_edge) seen_ = value;
  }
  /// Number of cycles in [from, to) in which bit `bit` rises; `from` is the first cycle not passed.
  [[nodiscard]] std::uint64_t edges(Cycle from, Cycle to, unsigned bit) const {
    return from >= to ? 0 : (rises_at_once(from, bit) ? 1 : 0) + rises(at(from), at(to - 1), bit);
  }
  /// Cycle of the k-th of these edges (k from 1), activity::never if it is not before `to`.
  [[nodiscard]] Cycle edge(std::uint64_t k, Cycle from, Cycle to, unsigned bit) const {
    if (k > edges(from, to, bit)) return activity::never;
    if (rises_at_once(from, bit) && --k == 0) return from;
    const std::uint64_t half = std::uint64_t{1} << bit;
    const std::uint64_t first = at(from);
    const std::uint64_t to_first_rise = 2 * half - ((first + half) & (2 * half - 1));
    return divider_.first_cycle(divider_.ticks(from) + to_first_rise + (k - 1) * 2 * half);
  }
  /// Ticks from the last cycle passed to the next edge of the bit, at least 1.
  [[nodiscard]] std::uint64_t ticks_to_edge(unsigned bit) const {
    const std::uint64_t half = std::uint64_t{1} << bit;
    return 2 * half - ((value_ + half) & (2 * half - 1));
  }
  /// True if a write has set the bit and the next cycle detects the edge.
  [[nodiscard]] bool edge_waits(unsigned bit) const { return ((~seen_ & value_) >> bit & 1) != 0; }
  /// Advances to cycle `to`: all cycles before it have passed.
  void pass(Cycle to) { value_ = seen_ = at(to - 1); }

 private:
  [[nodiscard]] std::uint64_t at(Cycle cycle) const { return divider_.ticks(cycle) + offset_; }
  [[nodiscard]] bool rises_at_once(Cycle from, unsigned bit) const { return ((~seen_ & at(from)) >> bit & 1) != 0; }
  [[nodiscard]] static std::uint64_t rises(std::uint64_t before, std::uint64_t after, unsigned bit) {
    const std::uint64_t half = std::uint64_t{1} << bit;
    const std::uint64_t phase = (before + half) & (2 * half - 1);
    return (phase + (after - before)) >> (bit + 1);
  }

  /// Four bus clocks per tick; 4:1 is the default ratio of core clock to bus clock.
  ClockDivider divider_{4, 4u << 16 | 1u};
  std::uint64_t offset_ = 0;  ///< value minus the divider's ticks
  std::uint64_t value_ = 0;
  std::uint64_t seen_ = 0;  ///< value in the edge detector's last sample
};

}  // namespace pmusim::pmu::ppc750gx
