// Overflow, freeze and interrupt.
#include "testbench/tests/pmu_itanium2/bench.h"

namespace pmusim::testing {
namespace {

constexpr std::uint64_t count_cycles = event(cycles) | any_level;

TEST(Overflow, FreezesBehindTheCycleOfTheWrap) {
  auto m = counting({count_cycles | oi, count_cycles});
  put(*m, pmd(4), wrap - 5);
  Activity activity(100);
  const Observed seen = consume_both(*m, activity.block());
  EXPECT_EQ(seen.requests, std::vector<Cycle>{4});
  EXPECT_EQ(get(*m, pmd(4)), 0u);
  EXPECT_EQ(get(*m, pmd(5)), 5u) << "the cycle of the wrap is counted whole";
  EXPECT_EQ(get(*m, pmc(0)), 0x11u);
  EXPECT_TRUE(seen.pending);
}

TEST(Overflow, IncrementBeyondTheWrapStays) {
  auto m = counting({event(retired) | any_level | oi});
  put(*m, pmd(4), wrap - 2);
  Activity activity(5);
  for (int i = 0; i < 6; ++i) activity.retires(3);
  EXPECT_EQ(consume_both(*m, activity.block()).requests, std::vector<Cycle>{3});
  EXPECT_EQ(get(*m, pmd(4)), 4u);
}

TEST(Overflow, DelayOfTheFreeze) {
  for (const unsigned delay : {1u, 3u}) {
    auto m = counting({count_cycles | oi, count_cycles}, {{"pmu.freeze_delay", delay == 1 ? "1" : "3"}});
    put(*m, pmd(4), wrap - 5);
    Activity activity(100);
    EXPECT_EQ(consume_both(*m, activity.block()).requests, std::vector<Cycle>{4});
    EXPECT_EQ(get(*m, pmd(4)), delay);
    EXPECT_EQ(get(*m, pmd(5)), 5u + delay);
    EXPECT_EQ(get(*m, pmc(0)), 0x11u);
  }
}

TEST(Overflow, WithoutOi) {
  Activity activity(20);
  auto m = counting({count_cycles});
  put(*m, pmd(4), wrap - 5);
  EXPECT_TRUE(consume_both(*m, activity.block()).requests.empty());
  EXPECT_EQ(get(*m, pmd(4)), 15u);
  EXPECT_EQ(get(*m, pmc(0)), 0x10u);
  auto quiet = counting({count_cycles}, {{"pmu.overflow_bit", "with_oi"}});
  put(*quiet, pmd(4), wrap - 5);
  consume_both(*quiet, activity.block());
  EXPECT_EQ(get(*quiet, pmc(0)), 0u);
}

TEST(Overflow, SeveralCountersInOneCycle) {
  auto m = counting({count_cycles | oi, count_cycles | oi, count_cycles, count_cycles | oi});
  for (std::uint32_t n = 4; n < 8; ++n) put(*m, pmd(n), wrap - 8);
  Activity activity(20);
  EXPECT_EQ(consume_both(*m, activity.block()).requests, std::vector<Cycle>{7});
  EXPECT_EQ(get(*m, pmc(0)), 0xf1u);
}

TEST(Overflow, MaskedByPmv) {
  auto m = counting({count_cycles | oi});
  put(*m, pmv, 0x100ee);
  put(*m, pmd(4), wrap - 5);
  Activity activity(20);
  const Observed seen = consume_both(*m, activity.block());
  EXPECT_TRUE(seen.requests.empty());
  EXPECT_FALSE(seen.pending);
  EXPECT_EQ(get(*m, pmc(0)), 0x11u) << "it freezes all the same";
}

TEST(Overflow, SoftwareMakesNoInterrupt) {
  auto m = counting({count_cycles | oi});
  put(*m, pmc(0), 0xf0);
  Activity activity(20);
  EXPECT_TRUE(consume_both(*m, activity.block()).requests.empty());
  EXPECT_EQ(get(*m, pmc(0)), 0xf0u);
  EXPECT_EQ(get(*m, pmd(4)), 20u) << "overflow bits do not freeze";
}

TEST(Overflow, AgainAfterTheHandler) {
  auto m = counting({count_cycles | oi});
  put(*m, pmd(4), wrap - 5);
  Activity activity(60);
  EXPECT_EQ(m->consume(activity.block(), 0, 60).reached, 5u);
  m->interrupt_taken();
  EXPECT_FALSE(m->interrupt_pending());
  m->consume(activity.block(), 5, 20);
  EXPECT_EQ(get(*m, pmd(4)), 0u);
  put(*m, pmd(4), wrap - 10);
  put(*m, pmc(0), 0);
  const pmu::Consumed again = m->consume(activity.block(), 20, 60);
  EXPECT_TRUE(again.interrupt_request);
  EXPECT_EQ(again.reached, 30u);
}

TEST(Interrupt, TakenWithPsrI) {
  auto m = make_itanium2();
  Activity activity(4);
  activity.change(State::psr, 2, psr::up);
  EXPECT_TRUE(m->interrupt_enabled(activity.block(), 1));
  EXPECT_FALSE(m->interrupt_enabled(activity.block(), 2));
  EXPECT_EQ(m->interrupt_skid(), 12u);
  EXPECT_EQ(make_itanium2({{"pmu.interrupt_latency", "40"}})->interrupt_skid(), 40u);
}

TEST(Interrupt, QuietCyclesAreAPromise) {
  auto m = counting({event(retired) | any_level | oi});
  put(*m, pmd(4), wrap - 60);
  EXPECT_EQ(m->quiet_cycles(), 9u) << "ten cycles of six instructions wrap";
  put(*m, pmc(4), event(retired) | any_level | oi | enable | threshold(2));
  EXPECT_EQ(m->quiet_cycles(), 59u);
}

}  // namespace
}  // namespace pmusim::testing
