// A PMU on wires in block mode: it consumes activity in blocks and wakes only when its outputs change or an interrupt
// is taken. Registers, interrupt times and pin edges are cycle for cycle those of signal_module.h.
#pragma once

#include "models/pmu/activity_if.h"
#include "models/pmu/pmu_shell.h"

namespace pmusim::pmu {

/// A PMU in block mode.
class PmuModule : public PmuShell, public ActivityIf {
 public:
  sc_core::sc_export<ActivityIf> activity;  ///< input for the blocks of the platform's core

  /// `monitor`: of any target (models/targets.h), in its initial state.
  PmuModule(const sc_core::sc_module_name& name, std::unique_ptr<Monitor> monitor, const ModuleOptions& options = {});
  void consume(const Block& block) override;
  void settle_block() override;

 private:
  void before_end_of_elaboration() override;
  void settle() override;
  void register_written() override;
  [[nodiscard]] Follower settled_copy() override;
  void settle_to(Cycle cycle);
  void adopt();
  void foresee();
  void stop_reached();
  void pin_reached();
  void schedule_pins();

  const Block* block_ = nullptr;
  Follower ahead_;  ///< state scanned ahead to the next stop, from live_ or an earlier state of it
  Stop stop_;       ///< the stop that ahead_ has reached
  sc_core::sc_event stop_event_{"stop_event"};
  sc_core::sc_event pin_time_{"pin_time"};
};

}  // namespace pmusim::pmu
