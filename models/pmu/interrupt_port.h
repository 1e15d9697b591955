// The processor's side of the monitor's interrupt in observe mode: determines the cycle after which a pending request
// is taken, and the state that the handler sees. It only reads activity; the core is not affected.
#pragma once

#include <cstdint>
#include <optional>

#include "models/activity/activity.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu {

/// The processor state that a handler sees at entry: that of the last cycle before it, so that it does not depend on
/// later cycles.
struct EntryState {
  Cycle cycle = 0;            ///< first cycle not executed: the handler runs between cycle - 1 and this one
  Cycle requested = 0;        ///< cycle in which the monitor requested the interrupt
  std::uint64_t pc = 0;       ///< address of the instruction that runs next: successor of the last one retired
  std::uint64_t last_ip = 0;  ///< address of the last instruction retired
  bool pc_valid = false;      ///< false: no instruction has retired yet
  std::uint64_t msr = 0;      ///< PowerPC machine state
  unsigned cpl = 0;           ///< 0 most privileged .. 3
  unsigned thread = 0;        ///< hardware thread that takes it
  std::uint64_t process = 0;  ///< number given by the last `process` directive
};

/// Holds a request and the last instruction retired. A value that is copied with its monitor.
///
/// A request made in cycle r is taken after the first cycle c >= r + Monitor::interrupt_skid() that is a boundary
/// (Monitor::interrupt_boundary()) and in which Monitor::interrupt_enabled() holds. Before the first instruction has
/// left in program order, no program counter is known; until then only cycles with such an instruction are boundaries.
class InterruptPort {
 public:
  /// The monitor requested the interrupt in this cycle. A further request while one is pending is merged with it.
  void request(Cycle cycle) {
    if (!pending_) requested_ = cycle;
    pending_ = true;
  }
  /// The monitor withdrew its request.
  void drop() { pending_ = false; }
  /// No interrupt is taken after a cycle before this one.
  void hold_until(Cycle cycle) { not_before_ = cycle; }
  /// True if a request has been neither taken nor withdrawn.
  [[nodiscard]] bool pending() const { return pending_; }
  /// Cycle of the pending request.
  [[nodiscard]] Cycle requested() const { return requested_; }

  /// The cycle in [from, to) after which the pending request is taken, or activity::never.
  [[nodiscard]] Cycle find(const Block& block, const Monitor& monitor, Cycle from, Cycle to) const;
  /// Smallest number of cycles from `now` (the first cycle not run) until an interrupt can be taken, with or without a
  /// pending request, if no register is written. The core may run this number of cycles and one more before it must
  /// call the function again.
  [[nodiscard]] Cycle quiet_cycles(const Monitor& monitor, Cycle now) const;
  /// Takes the request after cycle `at`, the last cycle consumed, and clears it.
  EntryState take(const Block& block, Cycle at);
  /// Reads the retired instructions in [from, to). Must be called for every stretch of cycles, in order.
  void pass(const Block& block, Cycle from, Cycle to);

 private:
  bool pending_ = false;
  Cycle requested_ = 0;
  Cycle not_before_ = 0;
  bool retired_any_ = false;
  std::uint64_t last_ip_ = 0;
  std::uint64_t next_ip_ = 0;
};

}  // namespace pmusim::pmu
