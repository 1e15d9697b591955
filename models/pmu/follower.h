// A monitor on its way through the activity: it goes from one moment at which something outside must react
// to the next. The SystemC modules and the simulator without SystemC both go this way, so there is one model.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/pmu/interrupt_port.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu {

/// What became of a register access that the program made itself.
struct AccessReport {
  Cycle cycle = 0;            ///< in which the access was made
  std::uint64_t ip = 0;       ///< of the instruction, 0 if the activity names none
  std::string name;           ///< register, the model's spelling
  bool write = false;         ///< writes; else reads
  std::uint64_t value = 0;    ///< written, or read
  Fault fault = Fault::none;  ///< the exception it would take; the trace goes on all the same
  friend bool operator==(const AccessReport&, const AccessReport&) = default;
};

/// Where a follower stopped and why.
struct Stop {
  Cycle at = 0;               ///< first cycle not consumed
  bool line_changed = false;  ///< the interrupt line has another level from this cycle on
  bool taking = false;        ///< the processor takes the interrupt before this cycle: take() must follow
};

/// A monitor, how far it has come, and the processor's side of its interrupt.
class Follower {
 public:
  /// `counter_reads_allowed` is what lets less privileged levels read counters (x86 CR4.PCE).
  explicit Follower(std::unique_ptr<Monitor> monitor, bool counter_reads_allowed = false);
  /// A copy of the whole state: it goes its own way.
  Follower(const Follower& other);
  Follower& operator=(const Follower& other);  ///< the same
  Follower(Follower&&) noexcept = default;
  Follower& operator=(Follower&&) noexcept = default;

  /// The model itself.
  [[nodiscard]] Monitor& monitor() { return *monitor_; }
  /// The model itself.
  [[nodiscard]] const Monitor& monitor() const { return *monitor_; }
  /// First cycle not consumed.
  [[nodiscard]] Cycle consumed() const { return consumed_; }
  /// Where the activity starts, or goes on when what lies before changes nothing, as whole periods of an idle monitor.
  void start_at(Cycle cycle) { consumed_ = cycle; }
  /// Level of the interrupt line: a request was made and neither taken nor withdrawn.
  [[nodiscard]] bool line() const { return port_.pending(); }

  /// Consumes up to cycle `to` of the block or the next stop, making the program's own accesses in their
  /// cycles. Throws std::invalid_argument when the program names a register that the monitor has not.
  Stop advance(const Block& block, Cycle to);
  /// After a stop with `taking`: the interrupt is accepted; returns what its handler sees.
  EntryState take(const Block& block);
  /// Somebody outside takes the interrupts: advance() never says `taking`, and accepted() tells when it is done.
  void leave_taking_outside() { taken_outside_ = true; }
  /// The processor outside has accepted the interrupt between two cycles. Without a request it says nothing.
  void accepted();
  /// Hard reset between two cycles: the registers have their reset values and no request is left.
  void reset();
  /// To be called after a register was written from outside: the write may have withdrawn a request.
  void written();
  /// Accesses of the program since the last call, in order.
  [[nodiscard]] std::vector<AccessReport> take_reports();

  /// A number of further cycles after which no interrupt is taken for certain, unless a register is written.
  [[nodiscard]] Cycle quiet_cycles() const { return port_.quiet_cycles(*monitor_, consumed_); }
  /// Nothing is taken after an earlier cycle than this one.
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
