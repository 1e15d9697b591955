// Choices for single codes and accesses: each value on activity for which it differs from the default.
#include "testbench/tests/pmu_ppc750gx/bench.h"

namespace pmusim::testing {
namespace {

namespace d = activity::detail;

std::uint64_t count(unsigned counter, unsigned code, const HandMade& activity, Flips flips = {},
                    std::uint32_t iabr_value = 0) {
  auto m = selecting(counter, code, 0, flips);
  put(*m, iabr, iabr_value);
  consume_both(*m, activity.block());
  return get(*m, pmc[counter - 1]);
}
HandMade one(Signal s, unsigned detail = 0, std::uint32_t traits = 0) {
  HandMade activity(10);
  activity::InstructionRecord i;
  i.traits = traits;
  activity.occur(s, 5, static_cast<std::uint16_t>(detail), activity.add(i));
  return activity;
}

TEST(Choices, SingleCodes) {
  struct Row {
    unsigned counter, code;
    HandMade activity;
    const char *parameter, *value;
  };
  const unsigned data_miss = d::side_data | d::access_load | d::lookup_miss;
  for (const Row& row : {Row{1, 7, one(Signal::l2_lookup, d::lookup_miss), "pmu.pmc1_7", "lookups"},
                         Row{3, 5, one(Signal::dcache_lookup, d::side_data | d::access_load | d::lookup_pending),
                             "pmu.pmc3_5", "pending"},
                         Row{3, 8, one(Signal::branch_resolved, d::branch_conditional | d::branch_predicted_taken),
                             "pmu.pmc3_8", "predicted"},
                         Row{1, 13, one(Signal::fetch, d::lookup_miss), "pmu.pmc1_13", "fetch_misses"},
                         Row{4, 31, one(Signal::dcache_lookup, data_miss), "pmu.pmc4_31", "data_misses"},
                         Row{2, 11, one(Signal::retire, 0, activity::bit(activity::Trait::cache_operation)),
                             "pmu.pmc2_11", "cache_operations"}}) {
    EXPECT_EQ(count(row.counter, row.code, row.activity), 0u) << row.parameter;
    EXPECT_EQ(count(row.counter, row.code, row.activity, {{row.parameter, row.value}}), 1u) << row.parameter;
  }
}

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

TEST(Choices, MsrToggles) {
  HandMade activity(12);  // PR toggles in 2, 6 and 9; PM in user state in 4, in supervisor state in 8
  activity.state(State::msr, 0).change(State::msr, 2, pr).change(State::msr, 4, pr | pm).change(State::msr, 6, pm);
  activity.change(State::msr, 8, 0).change(State::msr, 9, pr);
  EXPECT_EQ(count(2, 9, activity), 0u);
  EXPECT_EQ(count(2, 9, activity, {{"pmu.pmc2_9", "pr_toggles"}}), 3u);
  EXPECT_EQ(count(3, 9, activity), 0u);
  EXPECT_EQ(count(3, 9, activity, {{"pmu.pmc3_9", "pm_toggles"}}), 1u);
  EXPECT_EQ(count(4, 9, activity), 0u);
  EXPECT_EQ(count(4, 9, activity, {{"pmu.pmc4_9", "pm_toggles"}}), 1u);
}

TEST(Choices, InstructionAddressBreakpoint) {
  HandMade activity(10);
  activity.state(State::msr, 0).retire(3, 0x2000);
  EXPECT_EQ(count(1, 9, activity, {}, 0x2000), 1u) << "BE plays no part";
  EXPECT_EQ(count(1, 9, activity, {}, 0x2002), 1u);
  EXPECT_EQ(count(1, 9, activity, {}, 0x2001), 0u);
  EXPECT_EQ(count(1, 9, activity, {{"pmu.iabr_translation", "ignored"}}, 0x2001), 1u);
}

TEST(Choices, ThresholdStart) {
  activity::RequestRecord load;
  load.oldest_in_queue = true;
  load.start = 10;
  load.end = 16;
  HandMade activity(20);
  activity.occur(Signal::load_return, 16, 0, activity.add(load));
  for (const bool later : {false, true}) {
    auto m = selecting(1, 10, threshold(5), {{"pmu.threshold_start", later ? "allocation" : "miss"}});
    consume_both(*m, activity.block());
    EXPECT_EQ(get(*m, pmc1), later ? 0u : 1u);
  }
}

TEST(Choices, ThresholdEnd) {
  activity::RequestRecord load;
  load.oldest_in_queue = true;
  load.start = 10;
  load.end = 16;
  load.fill_lag = 5;
  HandMade activity(30);
  activity.occur(Signal::load_return, 16, 0, activity.add(load));
  for (const unsigned limit : {5u, 6u, 10u, 11u}) {
    for (const bool line : {false, true}) {
      auto m = selecting(1, 10, threshold(limit), {{"pmu.threshold_end", line ? "line" : "register"}});
      consume_both(*m, activity.block());
      EXPECT_EQ(get(*m, pmc1), (line ? 11u : 6u) > limit ? 1u : 0u) << limit;
    }
  }
}

TEST(Choices, FetchMisses) {
  HandMade activity(10);
  activity.occur(Signal::fetch, 3, d::lookup_miss);
  activity.change(State::fetch_stall, 3, 1).change(State::fetch_stall, 8, 0);
  EXPECT_EQ(count(2, 15, activity), 1u);
  EXPECT_EQ(count(2, 15, activity, {{"pmu.pmc2_15", "cycles"}}), 5u);
  EXPECT_EQ(count(1, 13, activity, {{"pmu.pmc2_15", "cycles"}, {"pmu.pmc1_13", "fetch_misses"}}), 1u);
}

TEST(Choices, WordsOfMultiples) {
  using activity::Trait;
  for (const auto& [kind, words] : {std::pair{Trait::multiple, 32u}, std::pair{Trait::string, 3u}}) {
    activity::InstructionRecord instruction;
    instruction.traits = activity::bit(Trait::load) | activity::bit(kind);
    HandMade activity(10);
    const std::uint32_t ref = activity.add(instruction);
    activity.occur(Signal::retire, 5, 0, ref).occur(Signal::operation_retire, 5, 0, ref, words);
    instruction.traits = activity::bit(Trait::store);
    activity.occur(Signal::retire, 6, 0, activity.add(instruction));
    EXPECT_EQ(count(2, 11, activity), 1 + 1u);
    EXPECT_EQ(count(2, 11, activity, {{"pmu.pmc2_11_multiple", "words"}}), words + 1);
  }
}

TEST(Choices, ReservedCodes) {
  const Flips cycles_of_reserved{{"pmu.reserved_code", "cycles"}};
  const HandMade activity(10);
  struct Row {
    unsigned counter, code;
  };
  for (const Row& row : {Row{1, 14}, Row{1, 127}, Row{2, 63}, Row{3, 14}, Row{4, 7}}) {
    EXPECT_EQ(count(row.counter, row.code, activity), 0u) << row.counter << ", " << row.code;
    EXPECT_EQ(count(row.counter, row.code, activity, cycles_of_reserved), 10u) << row.counter << ", " << row.code;
  }
  // Code 0 holds the count by its description; manuals of related processors describe the other codes.
  for (const Row& row : {Row{1, 0}, Row{1, 13}, Row{2, 9}, Row{3, 9}, Row{4, 31}}) {
    EXPECT_EQ(count(row.counter, row.code, activity, cycles_of_reserved), 0u) << row.counter << ", " << row.code;
  }
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
