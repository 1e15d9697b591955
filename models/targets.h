// The targets that can be simulated: one line each in targets.cpp.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "models/common/parameters.h"
#include "models/core/core.h"
#include "models/pmu/monitor.h"

namespace pmusim::models {

struct Target {
  std::string_view name;
  std::string_view description;
  trace::Isa isa;
  /// Core and PMU parameters with their defaults; core names as they are, PMU names start with `pmu.`.
  Parameters (*parameters)();
  std::unique_ptr<core::Core> (*make_core)(std::unique_ptr<trace::Reader>, const Parameters&);
  std::unique_ptr<pmu::Monitor> (*make_monitor)(const Parameters&);
  /// A core with two hardware threads: one or two traces. Null where there is one thread. Each thread has a monitor,
  /// and the parameter `pmu.thread` says whose one is.
  std::unique_ptr<core::Core> (*make_threaded_core)(std::vector<std::unique_ptr<trace::Reader>>,
                                                    const Parameters&) = nullptr;

  [[nodiscard]] unsigned threads() const { return make_threaded_core == nullptr ? 1 : 2; }
};

[[nodiscard]] std::span<const Target> targets();
/// Null for an unknown name.
[[nodiscard]] const Target* find_target(std::string_view name);

}  // namespace pmusim::models
