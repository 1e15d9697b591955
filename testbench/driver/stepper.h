// A session that a caller advances a number of cycles at a time: a core on its traces, and one PMU.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "testbench/driver/activity_source.h"
#include "testbench/driver/direct_bus.h"

namespace pmusim::testbench {

class Stepper {
 public:
  /// A trace for each hardware thread. Of the options: warmup, region, block_cycles and counter_reads_allowed.
  Stepper(const models::Target& target, const models::Parameters& parameters,
          std::vector<std::unique_ptr<trace::Reader>> traces, const SessionOptions& options = {});
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;
  [[nodiscard]] RegisterBus& bus() { return bus_; }
  [[nodiscard]] const pmu::Follower& follower() const { return follower_; }
  /// First cycle not executed.
  [[nodiscard]] Cycle now() const { return follower_.consumed(); }
  /// Whether trace or region have ended and nothing is in flight.
  [[nodiscard]] bool ended() const { return ended_; }
  /// Runs for `cycles`, or fewer: to the end of the trace, or to an interrupt that the processor takes; its handler
  /// runs now.
  std::optional<pmu::EntryState> advance(Cycle cycles);
  /// Accesses of the program to PMU registers since the last call.
  [[nodiscard]] std::vector<pmu::AccessReport> take_reports() { return follower_.take_reports(); }

 private:
  CoreSource source_;
  pmu::Follower follower_;
  DirectBus bus_{follower_};
  Cycle block_cycles_;
  const Block* block_ = nullptr;
  bool ended_ = false;
};

}  // namespace pmusim::testbench
