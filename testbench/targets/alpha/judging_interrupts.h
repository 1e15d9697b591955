// Judges the interrupts of an Alpha's counters against the oracle: each must belong to the event that its period
// determines and be taken where the skid requires.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "testbench/driver/activity_source.h"

namespace pmusim::testbench {

/// Computes when the processor takes the interrupts of one counter from the cycles of its overflows. An in-order
/// pipeline takes an interrupt after the first cycle at least `skid` cycles later outside PALcode at an IPL below 6. On
/// an out-of-order pipeline this cycle must also retire an instruction or release a no-operation, or the idle thread
/// runs in it. In both cases an instruction must have left before, or the clock stands. Overflows before the interrupt
/// is taken are merged with it.
///
/// Cycles are given for every `grain` events. A handler that presets the counter, whatever its value, puts the next
/// overflow a multiple of the period after the requesting one, or after the counter's last wrap since.
class InterruptTimeline {
 public:
  struct Taken {
    Cycle requested = 0;
    Cycle cycle = 0;  ///< first one not executed
    std::uint64_t pc = 0;
    friend bool operator==(const Taken&, const Taken&) = default;
  };
  /// In grains: the distance of overflows as preset by the handler, and that of a counter that is not preset.
  struct Period {
    std::uint64_t preset = 1, counter = 1;
  };
  InterruptTimeline(Cycle skid, bool in_order, Period period)
      : skid_(skid), in_order_(in_order), period_(period), next_(period.preset - 1) {}
  /// `grains`: of all blocks so far, in order. Looks at the cycles in which a request waits. Only without skid is a
  /// request made and taken in the same cycle.
  void consume(const Block& block, const std::vector<Cycle>& grains);
  [[nodiscard]] const std::vector<Taken>& taken() const { return taken_; }
  /// Requests without an interrupt: merged with the previous one, or pending at the end.
  [[nodiscard]] std::uint64_t untaken() const { return merged_ + (requested_ ? 1 : 0); }

 private:
  void boundary(const Block& block, const std::vector<Cycle>& grains, Cycle at);
  Cycle skid_;
  bool in_order_;
  Period period_;
  bool retired_any_ = false;
  std::uint64_t next_;       ///< grain of the next overflow
  std::uint64_t asked_ = 0;  ///< the grain of the overflow that requested the interrupt
  std::optional<Cycle> requested_;
  std::uint64_t merged_ = 0;     ///< overflows during a pending request
  std::uint64_t successor_ = 0;  ///< of the instruction retired last
  std::vector<Taken> taken_;
};

}  // namespace pmusim::testbench
