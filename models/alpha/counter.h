// A counter of an Alpha: a modulo counter with a tap. A carry out of the tap requests the interrupt.
#pragma once

#include <array>
#include <cstdint>

#include "models/alpha/event.h"
#include "models/pmu/probe.h"

namespace pmusim::pmu::alpha {

/// The effect of a stretch of cycles on a counter.
struct Scan {
  std::uint64_t added = 0;
  Cycle carry = activity::never;  ///< first cycle with a carry out of the tap
  std::uint32_t n = 0;            ///< value of the input in the last cycle
  std::uint64_t run = 0;          ///< Counter::run after the stretch
  std::uint32_t backlog = 0;      ///< Counter::backlog after the stretch
};

struct Counter {
  const Event* event = nullptr;  ///< null: no event
  std::uint64_t value = 0;
  std::uint64_t start = 0;  ///< the value that was written last
  std::uint64_t modulus = 0;
  std::uint64_t period = 0;   ///< units between two carries out of the tap; divides modulus
  std::uint64_t carries = 0;  ///< out of the tap since reset, whether or not they caused interrupts
  std::uint64_t wraps = 0;    ///< of the counter itself since reset
  std::uint64_t run = 0;  ///< Rule::long_run: cycles for which the input has been on; Rule::sampled: 1 + number of the
                          ///< last pin clock cycle that had an input
  std::uint32_t backlog = 0;  ///< Rule::carried: occurrences not yet added

  void write(std::uint64_t written) { value = start = written; }
  void choose(const Event* chosen) {
    if (chosen == event) return;
    event = chosen;
    run = 0;
    backlog = 0;
  }
  /// Counts the cycles [from, to) of the block without changing the counter. Reports to the funnel, if any.
  [[nodiscard]] Scan scan(const Behaviour& behaviour, const Block& block, Cycle from, Cycle to,
                          const Funnel* funnel = nullptr) const;
  void apply(const Scan& scan) {
    if (scan.carry != activity::never) {
      carries += (value % period + scan.added) / period;
      wraps += (value + scan.added) / modulus;
    }
    value = (value + scan.added) % modulus;
    run = scan.run;
    backlog = scan.backlog;
  }
  /// True if the input must also be tracked in cycles that are not counted.
  [[nodiscard]] bool follows() const {
    return event != nullptr && (event->rule == Rule::long_run || event->rule == Rule::sampled);
  }
  /// True if constant inputs repeat the counter's values, given that it was `earlier` `period` cycles ago.
  [[nodiscard]] bool recurs(const Behaviour& behaviour, const Counter& earlier, Cycle period) const;
  /// Tracks the input without counting.
  void pass(const Scan& scan) { run = scan.run; }
  /// A number of cycles in which no carry can occur.
  [[nodiscard]] Cycle quiet(const Behaviour& behaviour) const;
};

}  // namespace pmusim::pmu::alpha
