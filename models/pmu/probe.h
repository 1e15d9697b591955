// Why a count is what it is: what a monitor tells whoever watches it of each step from the core's signals to a counter.
// A monitor without a watcher tells nothing, and pays for one comparison a stretch of cycles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "models/pmu/runs.h"

namespace pmusim::pmu {

/// Steps on the way to a counter, in the order in which they follow each other. A family has some of them.
enum class Step : std::uint8_t {
  signal,           ///< occurrences of the signals that the event looks at, by their amounts; of a state its cycles
  selected,         ///< what event code and unit mask select of them, as the event counts it
  opcode,           ///< passed by the opcode matcher
  code_range,       ///< passed by the range of instruction addresses
  data_range,       ///< passed by the data ranges and what they ask for beside
  together,         ///< cycles in which all levels of the event are on
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
  first,            ///< the first of each cycle
  limited,          ///< no more than the counter can take in a cycle
  carried,          ///< the same; the rest is taken in the cycles after
  threshold,        ///< from here on cycles: those in which the comparison holds
  inverted,         ///< cycles in which it does not, or slots that are left
  sampled,          ///< cycles in which a slower clock sees the input
  long_run,         ///< cycles in which the input has been on for long enough
  edges,            ///< cycles in which the condition begins to hold
  added,            ///< what was added to the counter, in its own unit
  count_
};
inline constexpr std::size_t step_count = static_cast<std::size_t>(Step::count_);  ///< number of steps

/// Is told what a monitor does with what it sees.
class Probe {
 public:
  virtual ~Probe() = default;
  /// The counter's event looks at this signal, or at this state; the other one is count_.
  virtual void looks_at(unsigned counter, activity::Signal signal, activity::State state) = 0;
  /// After the step, run.n is left in each cycle of the run. The runs of a step follow each other in time.
  virtual void left(unsigned counter, Step step, const Run& run) = 0;
  /// This occurrence is `amount` of what will be left in its cycle, in the counter's own unit. Told before Step::added
  /// of that cycle.
  virtual void named(unsigned counter, const Block& block, activity::Signal signal, const Occurrence& occurrence,
                     std::uint32_t amount) = 0;
  /// The counter has this value now, whatever was added to it before.
  virtual void written(unsigned counter, std::uint64_t value) = 0;
};

/// Who watches a monitor. A copy of the monitor has no watcher, and an assignment changes only what is watched.
class Watcher {
 public:
  Watcher() = default;
  /// The copy has no watcher.
  Watcher(const Watcher&) {}
  /// Who watches stays.
  Watcher& operator=(const Watcher&) { return *this; }  // NOLINT(cert-oop54-cpp): changes nothing
  ~Watcher() = default;
  /// From now on this one is told; null: none.
  void set(Probe* probe) { probe_ = probe; }
  /// Who is told; null: none.
  [[nodiscard]] Probe* get() const { return probe_; }

 private:
  Probe* probe_ = nullptr;
};

/// Tells a probe of one counter in a stretch of cycles: gates, each open or closed in all of it, and what comes after.
class Funnel {
 public:
  /// Of this counter, with no gate yet.
  Funnel(Probe& probe, unsigned counter) : probe_(&probe), counter_(counter) {}
  /// In the order of the steps.
  void gate(Step step, bool open) {
    gates_[gate_count_++] = {step, open};
    open_ = open_ && open;
  }
  /// All gates so far are open.
  [[nodiscard]] bool open() const { return open_; }
  /// What the terms carry over [from, to), and what of it counts; one of it is `weight` in the counter's unit.
  void inputs(const Block& block, std::span<const Term> terms, const TermContext& context, Cycle from, Cycle to,
              std::uint32_t weight = 1) const;
  /// An input that is neither a column nor a state.
  void input(const Run& run) const {
    probe_->left(counter_, Step::signal, run);
    probe_->left(counter_, Step::selected, run);
  }
  /// n on the event line, gate by gate.
  void line(Run run) const {
    for (std::size_t i = 0; i < gate_count_; ++i) {
      if (!gates_[i].open) run.n = 0;
      probe_->left(counter_, gates_[i].step, run);
    }
  }
  /// What is left after a step after the gates: nothing if one of them is closed.
  void left(Step step, const Run& run) const { probe_->left(counter_, step, {run.begin, run.end, open_ ? run.n : 0}); }
  /// As Probe::named(), of this counter.
  void named(const Block& block, activity::Signal signal, const Occurrence& occurrence, std::uint32_t amount) const {
    probe_->named(counter_, block, signal, occurrence, amount);
  }
  /// As Probe::looks_at(), of this counter.
  void looks_at(activity::Signal signal, activity::State state) const { probe_->looks_at(counter_, signal, state); }
  /// Whatever the gates say.
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
