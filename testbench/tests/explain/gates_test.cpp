// The gate that stopped a count: the steps before the closed gate report the full count, the closed one and later ones
// zero.
#include <array>

#include "testbench/explain/names.h"
#include "testbench/explain/recorder.h"
#include "testbench/tests/pmu_itanium2/bench.h"

namespace pmusim::testing {
namespace {

using pmu::Step;
using testbench::Recorder;

constexpr std::array gates{Step::clock,     Step::enabled,     Step::frozen,
                           Step::privilege, Step::monitor_bit, Step::instruction_set};

// One instruction retires in each of ten cycles, at level 0 in IA-64 code with PSR.up = 1.
TEST(ExplainGates, OfAnItanium2) {
  for (const Step closed : {Step::clock, Step::enabled, Step::frozen, Step::privilege, Step::monitor_bit,
                            Step::instruction_set, Step::count_}) {
    SCOPED_TRACE(closed == Step::count_ ? "none" : testbench::name_of(closed));
    const auto is = [&](Step step) { return step == closed; };
    Activity activity(10);
    for (Cycle at = 0; at < 10; ++at) activity.retires(at);
    if (is(Step::clock)) activity.state(State::clock, 0);
    if (is(Step::monitor_bit)) activity.state(State::psr, psr::i);
    auto monitor = counting({});
    put(*monitor, pmc(4),
        event(retired) | (is(Step::enabled) ? 0 : enable) | (is(Step::privilege) ? 0xe : any_level) |
            ism(is(Step::instruction_set) ? 1 : 0));
    if (is(Step::frozen)) put(*monitor, pmc(0), 1);
    Recorder recorder(4);
    monitor->watch(&recorder);
    monitor->consume(activity.block(), 0, 10);
    const testbench::CounterRecord& told = recorder.counter(0);
    for (const Step step : gates) {
      const auto& left = told.left[static_cast<std::size_t>(step)];
      EXPECT_EQ(left, std::optional<std::uint64_t>(step < closed ? 10 : 0)) << testbench::name_of(step);
    }
    EXPECT_EQ(told.left_after(Step::added), is(Step::count_) ? 10u : 0u);
    EXPECT_EQ(get(*monitor, pmd(4)), is(Step::count_) ? 10u : 0u);
  }
}

}  // namespace
}  // namespace pmusim::testing
