// Advances a monitor through the activity, from one stop to the next; a stop is a time at which the processor or the
// platform must react. The SystemC modules and the simulator without SystemC both use it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/pmu/interrupt_port.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu {

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
