// Time without SystemC: each PMU processes the block on its own and calls handlers where it stops.
#include "testbench/driver/direct_monitor.h"
#include "testbench/driver/engine.h"

namespace pmusim::testbench {
namespace {

class DirectEngine final : public TimeKeeper {
 public:
  DirectEngine(std::vector<EngineMonitor> monitors, const SessionOptions& options, Cycle first_cycle) {
    for (EngineMonitor& parts : monitors) {
      monitors_.push_back(
          std::make_unique<DirectMonitor>(std::move(parts), options.counter_reads_allowed, first_cycle));
    }
  }
  void run(const std::function<void()>& body) override { body(); }
  void consume(const Block& block) override {
    for (auto& monitor : monitors_) monitor->consume(block);
  }
  RegisterBus& bus(std::size_t monitor) override { return monitors_[monitor]->bus(); }
  const pmu::Follower& follower(std::size_t monitor) const override { return monitors_[monitor]->follower(); }
  void hold_until(Cycle cycle) override {
    for (auto& monitor : monitors_) monitor->follower().hold_until(cycle);
  }

 private:
  std::vector<std::unique_ptr<DirectMonitor>> monitors_;
};

}  // namespace

std::unique_ptr<TimeKeeper> make_direct(std::vector<EngineMonitor> monitors, const SessionOptions& options,
                                        Cycle first_cycle) {
  return std::make_unique<DirectEngine>(std::move(monitors), options, first_cycle);
}

}  // namespace pmusim::testbench
