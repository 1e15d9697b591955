// Choices that change no count of the micro-traces, and behaviours that have none. parameters/pmu_test.cpp has the
// others.
#include "testbench/tests/pmu_ppc750gx/bench.h"

namespace pmusim::testing {
namespace {

namespace d = activity::detail;

TEST(Choices, SoftReset) {
  HandMade activity(10);
  activity.occur(Signal::trap, 5, d::trap_nmi);
  auto m = programmed(select1(cycles) | enint);
  put(*m, sia, 0x1234);
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmc1), 10u);
  EXPECT_EQ(get(*m, mmcr0), select1(cycles) | enint);
  EXPECT_EQ(get(*m, sia), 0x1234u);
}

TEST(Choices, DiscountCycle) {
  auto m = programmed(select1(cycles) | select2(cycles) | enint | discount | pmc1intcontrol);
  put(*m, pmc1, 0x7fff'fffd);  // negative with the third cycle
  consume_both(*m, HandMade(10).block());
  EXPECT_EQ(get(*m, pmc1), 0x8000'0000u) << "its increment makes the signal";
  EXPECT_EQ(get(*m, pmc2), 3u);
  // A counter that DISCOUNT does not stop loses nothing.
  auto triggered = programmed(select1(cycles) | select2(cycles) | enint | discount | pmcintcontrol | pmctrigger);
  put(*triggered, pmc1, 0x8000'0000);
  put(*triggered, pmc2, 0x7fff'fffd);
  consume_both(*triggered, HandMade(10).block());
  EXPECT_EQ(get(*triggered, pmc2), 0x7fff'fffdu + 10);
  EXPECT_EQ(get(*triggered, pmc1), 0x8000'0000u + 3);
}

TEST(Choices, TriggerCycle) {
  auto m = programmed(select1(cycles) | select2(cycles) | pmctrigger);
  put(*m, pmc1, 0x7fff'fffd);  // negative with the third cycle
  consume_both(*m, HandMade(10).block());
  EXPECT_EQ(get(*m, pmc2), 7u);
}

TEST(Choices, DiscountEffect) {
  for (const bool sets : {false, true}) {
    auto m = programmed(select1(cycles) | enint | discount | pmc1intcontrol, 0,
                        {{"pmu.discount_effect", sets ? "sets_dis" : "stop"}});
    put(*m, pmc1, 0x7fff'fffd);
    consume_in(*m, HandMade(10).block(), 10, false);
    EXPECT_EQ(get(*m, pmc1), 0x8000'0000u);
    EXPECT_EQ((get(*m, mmcr0) & dis) != 0, sets);
  }
}

TEST(Choices, ReadOrder) {
  EXPECT_FALSE(make_750()->reads_own_cycle());
  EXPECT_TRUE(make_750({{"pmu.read_order", "after"}})->reads_own_cycle());
}

}  // namespace
}  // namespace pmusim::testing
