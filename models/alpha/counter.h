// A counter of an Alpha: a modulo counter with a tap whose carry requests the interrupt.
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
  std::uint32_t n = 0;            ///< inputs in the last cycle
  std::uint64_t run = 0;          ///< Counter::run after the stretch
  std::uint32_t backlog = 0;      ///< Counter::backlog after the stretch
};

struct Counter {
  const Event* event = nullptr;  ///< null: no event
  std::uint64_t value = 0;
  std::uint64_t modulus = 0;
  std::uint64_t period = 0;   ///< units from carry to carry out of the tap; divides modulus
  std::uint64_t carries = 0;  ///< out of the tap since reset, whether or not they became interrupts
  std::uint64_t wraps = 0;    ///< of the counter itself since reset
  std::uint64_t run = 0;      ///< Rule::long_run: cycles that the input has been on by now; sampled: after the last
                              ///< cycle of the clock that had an input
  std::uint32_t backlog = 0;  ///< Rule::carried: occurrences not yet added

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
  /// Whether the input must be tracked in cycles that do not count, too.
  [[nodiscard]] bool follows() const {
    return event != nullptr && (event->rule == Rule::long_run || event->rule == Rule::sampled);
  }
  /// `period` cycles ago it was `earlier`: constant inputs take it through the same values again.
  [[nodiscard]] bool recurs(const Behaviour& behaviour, const Counter& earlier, Cycle period) const;
  /// Tracks the input without counting.
  void pass(const Scan& scan) { run = scan.run; }
  /// A number of cycles in which certainly no carry occurs.
  [[nodiscard]] Cycle quiet(const Behaviour& behaviour) const;
};

}  // namespace pmusim::pmu::alpha
