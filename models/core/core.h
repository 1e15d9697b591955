// A timing core: turns a trace into activity, up to any cycle it is asked for.
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

/// The last one that is simulated: SystemC's time has 64 bits, and a cycle 1,000 of its steps.
inline constexpr Cycle last_cycle = Cycle{1} << 53;

/// A directive or instruction that this core does not know, or that is used wrongly; one line, with place.
struct CoreError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One run of a processor over its traces. Not copyable: it reads as it goes.
class Core {
 public:
  virtual ~Core() = default;
  /// First cycle not simulated yet.
  [[nodiscard]] virtual Cycle now() const = 0;
  /// Simulates up to, not including, cycle `limit`, or to the end of the trace with an empty pipeline,
  /// whichever comes first. `block` must have been restarted at now(); it gets what happened in
  /// [now(), new now()). Returns false when the trace has ended and nothing is in flight any more.
  virtual bool run(Cycle limit, Block& block) = 0;
  /// Simulates until `count` instructions of the trace have retired (or its end), recording into `block`
  /// as run() does. For warm-up and for regions of interest.
  virtual bool run_instructions(std::uint64_t count, Block& block) = 0;
  /// From now() up to this cycle nothing happens: a block of them is empty, however long.
  [[nodiscard]] virtual Cycle quiet_until() const = 0;
  /// What the readers of the blocks read: the core may leave out the rest, until an instruction of the trace accesses a
  /// PMU register; from then on the blocks hold everything. Only before the first run().
  virtual void subscribe(const activity::Subscription& subscription) = 0;
  /// Instructions of the trace retired so far.
  [[nodiscard]] virtual std::uint64_t retired() const = 0;
  /// Those of one hardware thread's trace.
  [[nodiscard]] virtual std::uint64_t retired_of(unsigned thread) const { return thread == 0 ? retired() : 0; }
  /// Perturbing mode: takes an interrupt now, between two cycles: what is in flight is killed and fetched
  /// again afterwards, mode bits change as at exception entry, `handler_instructions` instructions of the
  /// handler run as supervisor, then the program goes on. Its occurrences (trap, flush, mode) are recorded
  /// by the following run() calls.
  virtual void take_interrupt(unsigned handler_instructions) = 0;
  /// True while the handler entered by take_interrupt() runs.
  [[nodiscard]] virtual bool in_handler() const = 0;
};

}  // namespace pmusim::core
