// The division into blocks must not matter: a monitor that consumes cycle by cycle and one that consumes in any blocks
// must agree in registers, interrupt cycles, pin edges and results of the program's own accesses.
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

#include "testbench/tests/pmu_properties/scenario.h"

namespace pmusim::testing {
namespace {

class Cuts : public ::testing::TestWithParam<Subject> {
 protected:
  // Replaces rapidcheck's default of 100 cases, unless the caller has set RC_PARAMS.
  static void SetUpTestSuite() { setenv("RC_PARAMS", "max_success=400", 0); }
};

TEST_P(Cuts, AgreeWithCycleByCycle) {
  const Subject& subject = GetParam();
  std::size_t takings = 0, edges = 0;
  const bool held = rc::check(subject.name + ": cuts change nothing", [&] {
    const auto scenario = *scenarios();
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000);
    std::vector<std::uint32_t> every(scenario.cycles);
    std::iota(every.begin(), every.end(), 0u);
    const Outcome reference = run_pure(subject, seed, scenario, every);
    const Outcome whole = run_pure(subject, seed, scenario, {});
    const Outcome cut = run_pure(subject, seed, scenario, scenario.cuts);
    RC_ASSERT(whole == reference);
    RC_ASSERT(cut == reference);
    takings += reference.takings.size();
    edges += reference.edges.size();
  });
  EXPECT_TRUE(held);
  // The property is trivially true if the scenarios contain no interrupts and edges. The bounds are far below the mean
  // (Athlon: 21 interrupts in 400 cases), because each run draws new cases.
  EXPECT_GT(takings, 0u);
  EXPECT_GT(edges, 0u);
}

INSTANTIATE_TEST_SUITE_P(Monitors, Cuts, ::testing::ValuesIn(subjects()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace pmusim::testing
