// What keeps the time of a session: behind this interface a PMU is a SystemC module or a plain object.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "testbench/driver/session.h"

namespace pmusim::testbench {

struct EngineMonitor {
  std::unique_ptr<pmu::Monitor> monitor;
  std::function<void(const pmu::EntryState&)> taken;
  std::function<void(const pmu::AccessReport&)> accessed;
  bool called = false;                       ///< see MonitorSetup
  std::vector<std::uint64_t*> tallies = {};  ///< all that taken() changes, if it only counts; empty: it does more
};

class TimeKeeper {
 public:
  virtual ~TimeKeeper() = default;
  /// Runs `body` to its end, in a context in which consume() may be called. Passes its exceptions on.
  virtual void run(const std::function<void()>& body) = 0;
  /// All PMUs consume the block; returns when its time is over and all that it caused has happened.
  virtual void consume(const Block& block) = 0;
  [[nodiscard]] virtual RegisterBus& bus(std::size_t monitor) = 0;
  [[nodiscard]] virtual const pmu::Follower& follower(std::size_t monitor) const = 0;
  /// No interrupt is taken after an earlier cycle than this one.
  virtual void hold_until(Cycle cycle) = 0;
};

[[nodiscard]] std::unique_ptr<TimeKeeper> make_direct(std::vector<EngineMonitor> monitors,
                                                      const SessionOptions& options, Cycle first_cycle);
[[nodiscard]] std::unique_ptr<TimeKeeper> make_systemc(std::vector<EngineMonitor> monitors,
                                                       const SessionOptions& options, Cycle first_cycle);

}  // namespace pmusim::testbench
