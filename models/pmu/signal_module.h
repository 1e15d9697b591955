// A PMU in signal mode: it samples the wires of a cycle at the rising edge that ends the cycle. It is slower than
// pmu_module.h, but shows every cycle. Registers, interrupt times and pin edges are those of pmu_module.h.
#pragma once

#include <functional>
#include <utility>

#include "models/pmu/activity_wires.h"
#include "models/pmu/pmu_shell.h"

namespace pmusim::pmu {

/// A PMU in signal mode.
class SignalPmuModule : public PmuShell {
 public:
  sc_core::sc_in<bool> clock;           ///< the core's clock
  sc_core::sc_in<std::uint64_t> cycle;  ///< number of the cycle; bind() connects this and the following inputs
  sc_core::sc_vector<sc_core::sc_in<ColumnValue>> columns;   ///< index: activity::Signal
  sc_core::sc_vector<sc_core::sc_in<std::uint64_t>> states;  ///< index: activity::State
  sc_core::sc_in<RecordsValue> records;                      ///< records that the columns' occurrences name

  /// As for PmuModule.
  SignalPmuModule(const sc_core::sc_module_name& name, std::unique_ptr<Monitor> monitor,
                  const ModuleOptions& options = {});
  /// Binds the clock, which must be the one that drives the wires, and all activity inputs.
  void bind(ActivityWires& wires, sc_core::sc_signal_in_if<bool>& core_clock);
  /// Samples now instead of at the next rising edge, for a process that runs in the delta cycle before the edge.
  void settle_now() { settle(); }
  /// Consumes a block as if it had been on the wires, in no time and without the function of on_cycle(). All cycles
  /// before it must have been sampled, and no later cycle may be driven onto the wires.
  void consume_at_once(const Block& block);
  /// Sets the function that is called with each consumed cycle at the edge that ends it, for a waveform.
  /// Monitor::probe() and Monitor::indicator() then refer to that cycle. The function must not write registers.
  void on_cycle(std::function<void(const Block&, Monitor&)> watcher) { cycle_watcher_ = std::move(watcher); }

 private:
  void settle() override;
  void register_written() override {}
  [[nodiscard]] Follower settled_copy() override;
  void cycle_begins();
  void sample();
  void gather();

  Block block_;  ///< contains the cycle on the wires
  std::function<void(const Block&, Monitor&)> cycle_watcher_;
};

}  // namespace pmusim::pmu
