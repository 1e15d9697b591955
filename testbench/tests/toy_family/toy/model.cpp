// The toy PMU (testbench/tests/pmu_shell/toy_monitor.h) on the Athlon's core.
#include "models/core/athlon/athlon.h"
#include "models/targets.h"
#include "testbench/tests/pmu_shell/toy_monitor.h"

namespace pmusim::models::toy {
namespace {

std::unique_ptr<pmu::Monitor> make_monitor(const Parameters& /*parameters*/) {
  return std::make_unique<testing::ToyMonitor>();
}

}  // namespace

Target target() {
  return {"toy",
          "A PMU of no processor: two counters of two events",
          trace::Isa::i386,
          core::athlon_parameters,
          core::make_athlon,
          make_monitor};
}

}  // namespace pmusim::models::toy
