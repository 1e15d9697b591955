// Keeps the time of a session. An implementation runs each PMU either as a SystemC module or as a plain object.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "testbench/driver/session.h"

namespace pmusim::testbench {

struct EngineMonitor {
  std::unique_ptr<pmu::Monitor> monitor;
  std::function<void(const pmu::EntryState&)> taken;
  std::function<void(const pmu::AccessReport&)> accessed;
  bool called = false;  ///< see MonitorSetup
  std::vector<std::uint64_t*> tallies =
      {};  ///< everything that taken() changes, if it only counts; empty if it does more
};

class TimeKeeper {
 public:
  virtual ~TimeKeeper() = default;
  /// Runs `body` to its end, in a context in which consume() may be called. Rethrows its exceptions.
  virtual void run(const std::function<void()>& body) = 0;
  /// All PMUs consume the block. Returns when the time of the block has passed and all its effects have happened.
  virtual void consume(const Block& block) = 0;
  [[nodiscard]] virtual RegisterBus& bus(std::size_t monitor) = 0;
  [[nodiscard]] virtual const pmu::Follower& follower(std::size_t monitor) const = 0;
  /// No interrupt is taken after a cycle before this one.
  virtual void hold_until(Cycle cycle) = 0;
};

[[nodiscard]] std::unique_ptr<TimeKeeper> make_direct(std::vector<EngineMonitor> monitors,
                                                      const SessionOptions& options, Cycle first_cycle);
[[nodiscard]] std::unique_ptr<TimeKeeper> make_systemc(std::vector<EngineMonitor> monitors,
                                                       const SessionOptions& options, Cycle first_cycle);

}  // namespace pmusim::testbench
