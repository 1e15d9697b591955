// Advances a monitor through the activity, from one stop to the next; a stop is a time at which the processor or the
// platform must react. The SystemC modules and the simulator without SystemC both use it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/activity/activity.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu {

// The processor's side of the monitor's interrupt in observe mode: determines the cycle after which a pending request
// is taken, and the state that the handler sees. It only reads activity; the core is not affected.

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

/// The result of a register access made by the program itself.
struct AccessReport {
  Cycle cycle = 0;            ///< cycle of the access
  std::uint64_t ip = 0;       ///< of the instruction, 0 if the activity names none
  std::string name;           ///< register, in the model's spelling
  bool write = false;         ///< true: a write; false: a read
  std::uint64_t value = 0;    ///< written, or read
  Fault fault = Fault::none;  ///< the exception that the access would take; the trace continues anyway
  friend bool operator==(const AccessReport&, const AccessReport&) = default;
};

/// The cycle at which a follower stopped, and the reason.
struct Stop {
  Cycle at = 0;               ///< first cycle not consumed
  bool line_changed = false;  ///< the interrupt line changes its level at this cycle
  bool taking = false;        ///< the processor takes the interrupt before this cycle; call take() next
};

/// A monitor, its position in the activity, and the processor's side of its interrupt.
class Follower {
 public:
  /// `counter_reads_allowed`: less privileged levels may read counters (x86 CR4.PCE).
  explicit Follower(std::unique_ptr<Monitor> monitor, bool counter_reads_allowed = false);
  /// Copies the whole state, including the monitor.
  Follower(const Follower& other);
  Follower& operator=(const Follower& other);  ///< copies the whole state, including the monitor
  Follower(Follower&&) noexcept = default;
  Follower& operator=(Follower&&) noexcept = default;

  /// The model itself.
  [[nodiscard]] Monitor& monitor() { return *monitor_; }
  /// The model itself.
  [[nodiscard]] const Monitor& monitor() const { return *monitor_; }
  /// First cycle not consumed.
  [[nodiscard]] Cycle consumed() const { return consumed_; }
  /// Sets the position: the start of the activity, or a later cycle if the cycles before it do not change the state, as
  /// for whole periods of an idle monitor.
  void start_at(Cycle cycle) { consumed_ = cycle; }
  /// Level of the interrupt line: high while a request has been neither taken nor withdrawn.
  [[nodiscard]] bool line() const { return port_.pending(); }

  /// Consumes the block up to cycle `to` or to the next stop, and makes the program's own accesses in their cycles.
  /// Throws std::invalid_argument if the program accesses a register that the monitor does not have.
  Stop advance(const Block& block, Cycle to);
  /// The processor takes the interrupt. Call it after a stop with `taking`. Returns the state that the handler sees.
  EntryState take(const Block& block);
  /// The processor is not part of the model: advance() never reports `taking`; the platform calls accepted() instead.
  void leave_taking_outside() { taken_outside_ = true; }
  /// The outside processor accepted the interrupt between two cycles. Without a request it has no effect.
  void accepted();
  /// Hard reset between two cycles: registers take their reset values and requests are cleared.
  void reset();
  /// Must be called after a register was written from outside, because the write may have withdrawn a request.
  void written();
  /// Accesses of the program since the last call, in order.
  [[nodiscard]] std::vector<AccessReport> take_reports();

  /// A number of further cycles in which no interrupt can be taken, unless a register is written.
  [[nodiscard]] Cycle quiet_cycles() const { return port_.quiet_cycles(*monitor_, consumed_); }
  /// No interrupt is taken after a cycle before this one.
  void hold_until(Cycle cycle) { port_.hold_until(cycle); }

 private:
  [[nodiscard]] std::size_t first_access(const Block& block) const;
  [[nodiscard]] bool of_another_thread(const Block& block, const activity::RegisterAccess& access) const;
  Consumed consume_accesses(const Block& block, std::size_t& index);
  AccessReport& report(const Block& block, const activity::RegisterAccess& access, RegisterInfo& info);

  std::unique_ptr<Monitor> monitor_;
  InterruptPort port_;
  Cycle consumed_ = 0;
  bool counter_reads_allowed_;
  bool taken_outside_ = false;
  std::vector<AccessReport> reports_;
};

}  // namespace pmusim::pmu
