// The targets that can be simulated. targets.cpp has one row for each.
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

/// A processor with its PMU: the functions that make their models.
struct Target {
  std::string_view name;         ///< athlon, ppc750gx, ...
  std::string_view description;  ///< the processor and its counters, for people
  trace::Isa isa;                ///< instruction set of the traces that its core runs
  /// Core and PMU parameters with their defaults. The names of PMU parameters start with `pmu.`.
  Parameters (*parameters)();
  /// Makes a core that runs a trace. Throws ParameterError; the core's run() throws TraceError and CoreError.
  std::unique_ptr<core::Core> (*make_core)(std::unique_ptr<trace::Reader>, const Parameters&);
  /// Makes a PMU in its reset state. Throws ParameterError.
  std::unique_ptr<pmu::Monitor> (*make_monitor)(const Parameters&);
  /// Makes a core with two hardware threads that runs one or two traces. Null if the core has one thread. Each thread
  /// has its own monitor; the parameter `pmu.thread` selects the thread of a monitor.
  std::unique_ptr<core::Core> (*make_threaded_core)(std::vector<std::unique_ptr<trace::Reader>>,
                                                    const Parameters&) = nullptr;

  /// Hardware threads of a core: 1 or 2.
  [[nodiscard]] unsigned threads() const { return make_threaded_core == nullptr ? 1 : 2; }
};

/// All targets, in the order in which the commands list them. The list has static storage duration.
[[nodiscard]] std::span<const Target> targets();
/// The target of this name, or null.
[[nodiscard]] const Target* find_target(std::string_view name);

}  // namespace pmusim::models
