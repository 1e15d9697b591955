// Conditions under which the counters run, and the amount added in a cycle.
#include "testbench/tests/pmu_itanium2/bench.h"

namespace pmusim::testing {
namespace {

TEST(Counting, EnableCondition) {
  // Every level, user or privileged monitor, PSR.up and pp, instruction set, ism: 10 cycles or 0.
  for (unsigned plm = 0; plm < 16; ++plm) {
    for (unsigned cpl = 0; cpl < 4; ++cpl) {
      for (unsigned bits = 0; bits < 16; ++bits) {
        const bool up = bits & 1, pp = bits & 2, privileged = bits & 4, ia32 = bits & 8;
        for (unsigned set = 0; set < 4; ++set) {
          auto m = counting({event(cycles) | plm | (privileged ? pm : 0) | ism(set)});
          Activity activity(10);
          activity.state(State::cpl, cpl)
              .state(State::psr, (up ? psr::up : 0) | (pp ? psr::pp : 0) | (ia32 ? psr::is : 0));
          m->consume(activity.block(), 0, 10);
          const bool isa_ok = set == 0 || (set == 1 && ia32) || (set == 2 && !ia32);
          const bool runs = (plm >> cpl & 1) != 0 && (privileged ? pp : up) && isa_ok;
          ASSERT_EQ(get(*m, pmd(4)), runs ? 10u : 0u) << plm << cpl << bits << set;
        }
      }
    }
  }
}

TEST(Counting, NeedsTheEnableBitOfPmc4) {
  auto m = counting({event(cycles) | any_level, event(cycles) | any_level});
  put(*m, pmc(4), event(cycles) | any_level);
  Activity activity(5);
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 0u);
  EXPECT_EQ(get(*m, pmd(5)), 0u);
}

TEST(Counting, ThresholdTable) {
  // Cycle c retires c instructions, 0 to 6. In 6 - t cycles the number is greater than t.
  for (unsigned t = 0; t < 8; ++t) {
    const std::uint64_t value = event(retired) | any_level | threshold(t);
    auto m = counting({value, value, value, value});
    Activity activity(7);
    for (Cycle c = 0; c < 7; ++c) {
      for (Cycle i = 0; i < c; ++i) activity.retires(c);
    }
    consume_both(*m, activity.block());
    const unsigned expected = t == 0 ? 21 : t >= 6 ? 0 : 6 - t;
    for (std::uint32_t n = 4; n < 8; ++n) EXPECT_EQ(get(*m, pmd(n)), expected) << t;
  }
}

TEST(Counting, ThresholdOverLevels) {
  // One bundle is missing in cycles 2-4, two in 5-9.
  Activity activity(12);
  activity.change(State::front_end, 2, ia64::front_end(ia64::FrontEnd::instruction_miss, 1));
  activity.change(State::front_end, 5, ia64::front_end(ia64::FrontEnd::instruction_miss, 2));
  activity.change(State::front_end, 10, 0);
  auto m = counting({event(0x70) | any_level, event(0x70) | any_level | threshold(1), event(0x70, 6) | any_level,
                     event(0x70, 7) | any_level});
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 3u + 10u);
  EXPECT_EQ(get(*m, pmd(5)), 5u);
  EXPECT_EQ(get(*m, pmd(6)), 13u);
  EXPECT_EQ(get(*m, pmd(7)), 0u);
}

TEST(Counting, NoMoreInACycleThanTheTableSays) {
  Activity activity(2);
  for (int i = 0; i < 3; ++i) activity.fetch(0x4000, 1, d::lookup_hit);  // L1I_READS: at most 1
  auto limited = counting({event(0x40) | any_level});
  consume_both(*limited, activity.block());
  EXPECT_EQ(get(*limited, pmd(4)), 1u);
  auto unlimited = counting({event(0x40) | any_level}, {{"pmu.increment_limit", "none"}});
  consume_both(*unlimited, activity.block());
  EXPECT_EQ(get(*unlimited, pmd(4)), 3u);
}

TEST(Counting, UnlistedCodesAndUnitMasks) {
  Activity activity(4);
  activity.retires(1);
  auto m = counting({event(cycles, 1) | any_level, event(retired, 4) | any_level, event(0x0a) | any_level,
                     event(0x02, 9) | any_level});
  activity.state(State::back_end, ia64::back_end(ia64::BackEnd::execute, 1));
  consume_both(*m, activity.block());
  for (std::uint32_t n = 4; n < 8; ++n) EXPECT_EQ(get(*m, pmd(n)), 0u) << n;
}

TEST(Counting, ChangesOfLevelAndInstructionSet) {
  Activity activity(10);
  activity.change(State::cpl, 3, 3).change(State::cpl, 6, 0).change(State::psr, 4, psr::up | psr::is);
  auto m = counting({event(0x13) | any_level, event(0x07) | any_level, event(0x13) | 0x8});
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 2u);
  EXPECT_EQ(get(*m, pmd(5)), 1u);
  EXPECT_EQ(get(*m, pmd(6)), 1u) << "the change to level 3";
}

TEST(Counting, StoppedClock) {
  Activity activity(10);
  activity.change(State::clock, 3, 0).change(State::clock, 8, 1);
  auto m = counting({event(cycles) | any_level});
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 5u);
}

TEST(Counting, SetRules) {
  // PMC5 selects L1D set 0 (0xC3) or 1 (0xC5); PMC6 and PMC7 have one of each.
  Activity activity(3);
  activity.load(0x8000, 1, 2);
  const auto count = [&](std::uint64_t chooser, Flips flips) {
    auto m = counting(
        {event(cycles) | any_level, chooser | any_level, event(0xc3) | any_level, event(0xc5) | any_level}, flips);
    consume_both(*m, activity.block());
    return std::pair{get(*m, pmd(6)), get(*m, pmd(7))};
  };
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(count(event(0xc3), {}), Pair(1, 1)) << "not enforced";
  const Flips strict = {{"pmu.event_sets", "enforced"}};
  EXPECT_EQ(count(event(0xc3), strict), Pair(1, 0));
  EXPECT_EQ(count(event(0xc5), strict), Pair(0, 1));
  EXPECT_EQ(count(event(cycles), strict), Pair(0, 0)) << "no member in PMC5";
}

TEST(Counting, L2SetsAndTheSharedUnitMask) {
  Activity activity(3);
  const std::uint32_t r = activity.request(0x8000);
  activity.occur(Signal::queue_issue, 1, ia64::detail::operation_store, r);
  // L2_OPS_ISSUED: store (0xB) in PMC4, integer load (0x8) in PMC5.
  auto own = counting({event(0xb8, 0xb) | any_level, event(0xb8, 8) | any_level});
  consume_both(*own, activity.block());
  EXPECT_EQ(get(*own, pmd(4)), 1u);
  EXPECT_EQ(get(*own, pmd(5)), 0u);
  auto shared = counting({event(0xb8, 0xb) | any_level, event(0xb8, 8) | any_level}, {{"pmu.shared_umask", "pmc4"}});
  consume_both(*shared, activity.block());
  EXPECT_EQ(get(*shared, pmd(5)), 1u);
  // Codes 0xB9 and 0xBA belong to set 3 or 4 by their unit mask.
  activity.occur(Signal::recirculate_try, 2, 0, r);
  auto other = counting({event(0xb8, 0) | any_level, event(0xb9, 8) | any_level}, {{"pmu.event_sets", "enforced"}});
  consume_both(*other, activity.block());
  EXPECT_EQ(get(*other, pmd(5)), 0u) << "set 3 is chosen, 0xB9 with 8 is of set 4";
  auto same = counting({event(0xb8, 8) | any_level, event(0xb9, 8) | any_level}, {{"pmu.event_sets", "enforced"}});
  consume_both(*same, activity.block());
  EXPECT_EQ(get(*same, pmd(5)), 1u);
}

}  // namespace
}  // namespace pmusim::testing
