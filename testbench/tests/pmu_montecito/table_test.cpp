#include "models/montecito/events.h"
#include "testbench/tests/monitors/ia64_table.h"
#include "testbench/tests/pmu_montecito/bench.h"

namespace pmusim::testing {
namespace {

TEST(Table, EveryRow) {
  const auto table = pmu::montecito::multiplexer();
  const std::size_t named = expect_the_encoders_facts("montecito", table, {"L1D", "L2D"});
  EXPECT_EQ(selectors_of(table), named) << "nothing else counts";
}

}  // namespace
}  // namespace pmusim::testing
