// A PMU that is called directly: it processes each block on its own and calls handlers where it stops.
#pragma once

#include <functional>
#include <utility>

#include "testbench/driver/direct_bus.h"
#include "testbench/driver/engine.h"
#include "testbench/driver/recurrence.h"

namespace pmusim::testbench {

class DirectMonitor {
 public:
  DirectMonitor(EngineMonitor parts, bool counter_reads_allowed, Cycle first_cycle)
      : follower_(std::move(parts.monitor), counter_reads_allowed),
        taken_(std::move(parts.taken)),
        accessed_(std::move(parts.accessed)),
        recurrence_(follower_, std::move(parts.tallies)) {
    follower_.start_at(first_cycle);
  }
  void consume(const Block& block) {
    recurrence_.begin(block);
    while (follower_.consumed() < block.end) {
      if (!follower_.advance(block, block.end).taking) continue;
      taken_(follower_.take(block));
      recurrence_.taken(block);
    }
    for (const pmu::AccessReport& report : follower_.take_reports()) accessed_(report);
  }
  pmu::Follower& follower() { return follower_; }
  RegisterBus& bus() { return bus_; }

 private:
  pmu::Follower follower_;
  DirectBus bus_{follower_};
  std::function<void(const pmu::EntryState&)> taken_;
  std::function<void(const pmu::AccessReport&)> accessed_;
  Recurrence recurrence_;
};

}  // namespace pmusim::testbench
