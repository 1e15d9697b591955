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

/// A processor with its PMU: what simulates the two.
struct Target {
  std::string_view name;         ///< athlon, ppc750gx, ...
  std::string_view description;  ///< the processor in words
  trace::Isa isa;                ///< of the traces that its core runs
  /// Core and PMU parameters with their defaults; core names as they are, PMU names start with `pmu.`.
  Parameters (*parameters)();
  /// Core on a trace. Throws ParameterError; the core's run() throws TraceError and CoreError.
  std::unique_ptr<core::Core> (*make_core)(std::unique_ptr<trace::Reader>, const Parameters&);
  /// PMU after reset. Throws ParameterError.
  std::unique_ptr<pmu::Monitor> (*make_monitor)(const Parameters&);
  /// A core with two hardware threads: one or two traces. Null where there is one thread. Each thread has a monitor,
  /// and the parameter `pmu.thread` says whose one is.
  std::unique_ptr<core::Core> (*make_threaded_core)(std::vector<std::unique_ptr<trace::Reader>>,
                                                    const Parameters&) = nullptr;

  /// Hardware threads of a core: 1 or 2.
  [[nodiscard]] unsigned threads() const { return make_threaded_core == nullptr ? 1 : 2; }
};

/// All targets, in the order in which the commands list them. The list lives as long as the program.
[[nodiscard]] std::span<const Target> targets();
/// Null for an unknown name.
[[nodiscard]] const Target* find_target(std::string_view name);

}  // namespace pmusim::models
