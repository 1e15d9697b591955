// Explanation of counts: a monitor reports to its observer every step from the core's signals to a counter. Without an
// observer the cost is one comparison per stretch of cycles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "models/pmu/runs.h"

namespace pmusim::pmu {

/// Steps on the way to a counter, in order. Each family has a subset of them.
enum class Step : std::uint8_t {
  signal,           ///< occurrences of the event's input signals, by their amounts; for a state, its cycles
  selected,         ///< the part that event code and unit mask select, as the event counts it
  opcode,           ///< passed by the opcode matcher
  code_range,       ///< passed by the range of instruction addresses
  data_range,       ///< passed by the data ranges and their tags
  together,         ///< cycles in which all levels of the event are asserted
  clock,            ///< while the core clock runs
  enabled,          ///< while the counter is enabled
  frozen,           ///< while the PMU is not frozen
  stopped,          ///< while no signalled interrupt has stopped the counting
  trigger,          ///< after the trigger
  thread,           ///< of the hardware threads that the counter counts
  privilege,        ///< at the privilege levels that the counter counts
  monitor_bit,      ///< while the bit of the PSR that runs the counter is 1
  instruction_set,  ///< in the instruction sets that the counter counts
  process,          ///< of the processes that the counter counts
  first,            ///< the first occurrence of each cycle
  limited,          ///< limited to what the counter can add in a cycle
  carried,          ///< the same; the remainder is added in the following cycles
  threshold,        ///< cycles in which the comparison holds; the following steps count cycles, too
  inverted,         ///< cycles in which it does not hold, or unused slots
  sampled,          ///< cycles in which a slower clock samples the input
  long_run,         ///< cycles in which the input has been on for long enough
  edges,            ///< cycles in which the condition begins to hold
  added,            ///< what was added to the counter, in its own unit
  count_
};
inline constexpr std::size_t step_count = static_cast<std::size_t>(Step::count_);  ///< number of steps

/// Receives a monitor's reports on its inputs and counters.
class Probe {
 public:
  virtual ~Probe() = default;
  /// The counter's event has this signal or this state as an input; the other argument is count_.
  virtual void looks_at(unsigned counter, activity::Signal signal, activity::State state) = 0;
  /// After the step, run.n remains in each cycle of the run. The runs of a step are in order of time.
  virtual void left(unsigned counter, Step step, const Run& run) = 0;
  /// This occurrence contributes `amount`, in the counter's unit, to the amount that will be left in its cycle. Called
  /// before left() with Step::added for that cycle.
  virtual void named(unsigned counter, const Block& block, activity::Signal signal, const Occurrence& occurrence,
                     std::uint32_t amount) = 0;
  /// The counter was set to this value.
  virtual void written(unsigned counter, std::uint64_t value) = 0;
};

/// Link from a monitor to its observer. A copy of the monitor has no observer; an assignment keeps the target's
/// observer.
class Watcher {
 public:
  Watcher() = default;
  /// The copy has no observer.
  Watcher(const Watcher&) {}
  /// Keeps the observer.
  Watcher& operator=(const Watcher&) { return *this; }  // NOLINT(cert-oop54-cpp): changes nothing
  ~Watcher() = default;
  /// Sets the observer, or removes it (null).
  void set(Probe* probe) { probe_ = probe; }
  /// The observer, or null.
  [[nodiscard]] Probe* get() const { return probe_; }

 private:
  Probe* probe_ = nullptr;
};

/// Reports one counter in a stretch of cycles to a probe: its gates, each of which is open or closed for the whole
/// stretch, and the steps after the gates.
class Funnel {
 public:
  /// Starts without gates.
  Funnel(Probe& probe, unsigned counter) : probe_(&probe), counter_(counter) {}
  /// Adds a gate. Gates must be added in the order of the steps.
  void gate(Step step, bool open) {
    gates_[gate_count_++] = {step, open};
    open_ = open_ && open;
  }
  /// True if all gates added so far are open.
  [[nodiscard]] bool open() const { return open_; }
  /// Reports the terms over [from, to): Step::signal and Step::selected, and the occurrences that count. An amount of 1
  /// is `weight` in the counter's unit.
  void inputs(const Block& block, std::span<const Term> terms, const TermContext& context, Cycle from, Cycle to,
              std::uint32_t weight = 1) const;
  /// Reports an input that is neither a column nor a state.
  void input(const Run& run) const {
    probe_->left(counter_, Step::signal, run);
    probe_->left(counter_, Step::selected, run);
  }
  /// Reports a run of the event line at each gate.
  void line(Run run) const {
    for (std::size_t i = 0; i < gate_count_; ++i) {
      if (!gates_[i].open) run.n = 0;
      probe_->left(counter_, gates_[i].step, run);
    }
  }
  /// Reports the amount that remains after a step after the gates: 0 if a gate is closed.
  void left(Step step, const Run& run) const { probe_->left(counter_, step, {run.begin, run.end, open_ ? run.n : 0}); }
  /// Calls Probe::named() for this counter.
  void named(const Block& block, activity::Signal signal, const Occurrence& occurrence, std::uint32_t amount) const {
    probe_->named(counter_, block, signal, occurrence, amount);
  }
  /// Calls Probe::looks_at() for this counter.
  void looks_at(activity::Signal signal, activity::State state) const { probe_->looks_at(counter_, signal, state); }
  /// Reports a step independently of the gates.
  void tell(Step step, const Run& run) const { probe_->left(counter_, step, run); }

 private:
  struct GateState {
    Step step = Step::signal;
    bool open = true;
  };
  Probe* probe_;
  unsigned counter_;
  std::array<GateState, 8> gates_{};
  std::size_t gate_count_ = 0;
  bool open_ = true;
};

}  // namespace pmusim::pmu
