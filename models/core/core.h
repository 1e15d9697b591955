// A timing core: turns a trace into activity, cycle by cycle.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "models/activity/activity.h"
#include "models/activity/subscription.h"
#include "models/common/parameters.h"
#include "pmusim/trace/reader.h"

namespace pmusim::core {

using activity::Block;
using activity::Cycle;

/// The last cycle that can be simulated: SystemC's time has 64 bits, and a cycle is 1,000 of its steps.
inline constexpr Cycle last_cycle = Cycle{1} << 53;

/// A directive or instruction that this core does not support, or that is used wrongly. The message is one line and
/// names the place.
struct CoreError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One run of a processor over its traces. It cannot be copied, because it reads the traces as it runs.
class Core {
 public:
  virtual ~Core() = default;
  /// First cycle not simulated yet.
  [[nodiscard]] virtual Cycle now() const = 0;
  /// Simulates up to, not including, cycle `limit`, or to the end of the trace with an empty pipeline, whichever comes
  /// first. `block` must have been restarted at now(); it receives the activity of [now(), new now()). Returns false
  /// when the trace has ended and nothing is in flight.
  virtual bool run(Cycle limit, Block& block) = 0;
  /// Simulates until `count` instructions of the trace have retired (or the trace ends), and records into `block` as
  /// run() does. For warm-up and for regions of interest.
  virtual bool run_instructions(std::uint64_t count, Block& block) = 0;
  /// From now() up to this cycle nothing happens: a block of these cycles is empty, however long it is.
  [[nodiscard]] virtual Cycle quiet_until() const = 0;
  /// What the readers of the blocks subscribe to. The core may leave out everything else until an instruction of the
  /// trace accesses a PMU register; from then on the blocks hold all activity. May be called only before the first
  /// run().
  virtual void subscribe(const activity::Subscription& subscription) = 0;
  /// Number of instructions of the trace retired so far.
  [[nodiscard]] virtual std::uint64_t retired() const = 0;
  /// Number of instructions retired so far of one hardware thread's trace.
  [[nodiscard]] virtual std::uint64_t retired_of(unsigned thread) const { return thread == 0 ? retired() : 0; }
  /// Perturbing mode: takes an interrupt now, between two cycles. Instructions in flight are killed and fetched again
  /// afterwards, mode bits change as at exception entry, and `handler_instructions` instructions of the handler run in
  /// supervisor mode before the program continues. The following run() calls record the activity (trap, flush, mode).
  virtual void take_interrupt(unsigned handler_instructions) = 0;
  /// True while the handler entered by take_interrupt() runs.
  [[nodiscard]] virtual bool in_handler() const = 0;
};

}  // namespace pmusim::core
