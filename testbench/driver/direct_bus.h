// Register access to a PMU that is called directly instead of clocked.
#pragma once

#include "testbench/driver/session.h"

namespace pmusim::testbench {

class DirectBus final : public RegisterBus {
 public:
  /// The follower must outlive this object and must not move.
  explicit DirectBus(pmu::Follower& follower) : follower_(follower) {}
  pmu::AccessResult try_read(pmu::RegisterId id) override { return follower_.monitor().read(id, {}); }
  pmu::AccessResult try_write(pmu::RegisterId id, std::uint64_t value) override {
    const pmu::AccessResult result = follower_.monitor().write(id, value, {});
    follower_.written();
    return result;
  }
  [[nodiscard]] const pmu::Monitor& monitor() const override { return follower_.monitor(); }

 private:
  pmu::Follower& follower_;
};

}  // namespace pmusim::testbench
