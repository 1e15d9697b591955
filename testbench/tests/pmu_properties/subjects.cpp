// The PMUs that the properties are checked on.
#include "testbench/tests/pmu_properties/scenario.h"
#include "testbench/tests/pmu_shell/toy_monitor.h"

namespace pmusim::testing {
namespace {

std::unique_ptr<pmu::Monitor> make_toy(std::uint64_t seed) { return std::make_unique<ToyMonitor>(seed % 6); }

/// Counters a few units before their overflow.
std::uint64_t shape_toy(const pmu::RegisterInfo& info, std::uint64_t random) {
  if (info.kind == pmu::RegisterKind::counter) return 0x10000 - (random % 64 + 1);
  return (random & 0x0f) | (random >> 8) % 4 << ToyMonitor::threshold_shift;
}

}  // namespace

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all{{"toy", make_toy, shape_toy}};
  return all;
}

}  // namespace pmusim::testing
