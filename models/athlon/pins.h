// The PM pins: pulses of one bus clock. 22007 Rev. E p. 163.
#pragma once

#include <cstdint>
#include <vector>

#include "models/pmu/clock_divider.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu::athlon {

/// One pin. A trigger in bus clock B, with the pin negated in B, asserts it during B+1. A trigger while it is
/// asserted is lost, or with `extends` keeps it asserted for another bus clock.
class Pin {
 public:
  /// A trigger occurs in every core clock of [from, to).
  void trigger(Cycle from, Cycle to, const ClockDivider& bus, bool extends, unsigned number,
               std::vector<PinEdge>& edges) {
    const std::uint64_t last = bus.ticks(to - 1);
    for (std::uint64_t clock = bus.ticks(from); clock <= last; ++clock) {
      pass(clock, bus, extends, number, edges);
      triggered_ = true;
    }
  }
  /// Advances to bus clock `clock` and appends the edges up to then.
  void pass(std::uint64_t clock, const ClockDivider& bus, bool extends, unsigned number, std::vector<PinEdge>& edges) {
    while (clock_ < clock) {
      const bool next = triggered_ && (!asserted_ || extends);
      ++clock_;
      if (next != asserted_) edges.push_back({bus.first_cycle(clock_), number, next});
      asserted_ = next;
      triggered_ = false;
      if (!asserted_) clock_ = clock;
    }
  }

 private:
  std::uint64_t clock_ = 0;  ///< current bus clock
  bool triggered_ = false;   ///< a trigger occurred in it
  bool asserted_ = false;    ///< level in it
};

}  // namespace pmusim::pmu::athlon
