// The same PMU clock by clock: it samples the wires of one cycle at the rising edge that ends it. Slow, and
// shows everything. One model, two clocks: registers, interrupt times and pin edges are pmu_module.h's.
#pragma once

#include <functional>
#include <utility>

#include "models/pmu/activity_wires.h"
#include "models/pmu/pmu_shell.h"

namespace pmusim::pmu {

/// A PMU in signal-level mode.
class SignalPmuModule : public PmuShell {
 public:
  sc_core::sc_in<bool> clock;           ///< of the core
  sc_core::sc_in<std::uint64_t> cycle;  ///< and the inputs after it: bind() connects them to ActivityWires
  sc_core::sc_vector<sc_core::sc_in<ColumnValue>> columns;   ///< index: activity::Signal
  sc_core::sc_vector<sc_core::sc_in<std::uint64_t>> states;  ///< index: activity::State
  sc_core::sc_in<RecordsValue> records;                      ///< what the columns' occurrences name

  /// As PmuModule.
  SignalPmuModule(const sc_core::sc_module_name& name, std::unique_ptr<Monitor> monitor,
                  const ModuleOptions& options = {});
  /// Binds the clock, which must be the one that drives the wires, and all activity inputs.
  void bind(ActivityWires& wires, sc_core::sc_signal_in_if<bool>& core_clock);
  /// Samples now what the next rising edge would, for a process that runs in the delta cycle before it.
  void settle_now() { settle(); }
  /// Sees the one cycle that has just been consumed, at the edge that ends it: for a waveform. What Monitor::probe()
  /// and Monitor::indicator() then say is of that cycle. The watcher must write no register.
  void on_cycle(std::function<void(const Block&, Monitor&)> watcher) { cycle_watcher_ = std::move(watcher); }

 private:
  void settle() override;
  void register_written() override {}
  [[nodiscard]] Follower settled_copy() override;
  void cycle_begins();
  void sample();
  void gather();

  Block block_;  ///< the one cycle on the wires
  std::function<void(const Block&, Monitor&)> cycle_watcher_;
};

}  // namespace pmusim::pmu
