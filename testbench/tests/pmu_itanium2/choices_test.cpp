// Behaviours that no document specifies and that the other tests do not vary: each with both values.
#include "testbench/tests/pmu_itanium2/bench.h"

namespace pmusim::testing::choices {
namespace {

const Accessor kernel{0, false};
constexpr std::uint64_t every_level = 0xfull << 56, page_mask = 0x00ff'ffff'ffff'f000;
constexpr std::uint64_t code_ranges_on = 0xFFFFFFFF3FFFFFFC;  // PMC8 without ig_ad and inv
constexpr std::uint64_t all_branches = at(8, 3) | at(10, 3) | at(12, 3);

TEST(WriteChoices, CycleThatAWriteGoverns) {
  for (const bool at_once : {false, true}) {
    auto m = counting({event(cycles) | any_level}, {{"pmu.control_write", at_once ? "same_cycle" : "next_cycle"}});
    Activity activity(8);
    pmu::AccessResult result;
    m->consume(activity.block(), 0, 2);
    m->consume_with_write(activity.block(), 2, pmc(4), enable, kernel, result);  // no level
    EXPECT_EQ(get(*m, pmd(4)), at_once ? 2u : 3u);
    m->consume_with_write(activity.block(), 3, pmd(4), 50, kernel, result);
    EXPECT_EQ(get(*m, pmd(4)), 50u) << "data registers have a choice of their own";
  }
}

TEST(WriteChoices, SoftwareSetsAnOverflowBit) {
  auto m = counting({event(cycles) | any_level}, {{"pmu.pmc0_write", "raises"}});
  Activity activity(10);
  put(*m, pmc(0), 0);
  m->consume(activity.block(), 0, 2);
  EXPECT_FALSE(m->interrupt_pending());
  put(*m, pmc(0), 0x10);
  m->consume(activity.block(), 2, 4);
  EXPECT_TRUE(m->interrupt_pending());
  m->interrupt_taken();
  put(*m, pmv, 0x100ee);
  put(*m, pmc(0), 0x10);
  EXPECT_FALSE(m->interrupt_pending()) << "masked";
}

// --- ranges -----------------------------------------------------------------------------------------
/// A monitor of retired instructions in the page of 0x4000, with a coarse or a fine range.
std::unique_ptr<Monitor> in_page(bool fine, Flips flips) {
  auto m = counting({event(retired) | any_level}, flips);
  put(*m, pmc(8), code_ranges_on);
  put(*m, pmc(14), 0x490 | (fine ? 0x2000u : 0u));
  put(*m, ibr(0), 0x4000);
  put(*m, ibr(4), 0x4ff0);
  for (const unsigned n : {1u, 5u}) put(*m, ibr(n), page_mask | every_level);
  return m;
}
std::uint64_t counted_at_level(Monitor& m, unsigned level) {
  put(m, pmd(4), 0);
  Activity activity(1);
  activity.state(State::cpl, level);
  activity.retires(0, {.ip = 0x4040});
  m.consume(activity.block(), 0, 1);
  return get(m, pmd(4));
}

TEST(RangeChoices, LevelsOfAFineRange) {
  for (const bool both : {false, true}) {
    auto m = in_page(true, {{"pmu.fine_plm", both ? "both" : "lower"}});
    put(*m, ibr(5), page_mask | 1ull << 56);  // the upper pair only at level 0
    EXPECT_EQ(counted_at_level(*m, 0), 1u);
    EXPECT_EQ(counted_at_level(*m, 3), both ? 0u : 1u);
  }
}

TEST(RangeChoices, PairsThatAreArmedAsBreakpoints) {
  constexpr std::uint64_t r = 1ull << 63, w = 1ull << 62, x = 1ull << 63;
  for (const bool withheld : {false, true}) {
    const Flips flips{{"pmu.breakpoint_pairs", withheld ? "withheld" : "serve"}};
    for (const bool fine : {false, true}) {
      auto m = in_page(fine, flips);
      EXPECT_EQ(counted_at_level(*m, 3), 1u);
      put(*m, ibr(1), page_mask | every_level | x);
      EXPECT_EQ(counted_at_level(*m, 3), withheld ? 0u : 1u);
    }
    for (const std::uint64_t armed : {std::uint64_t{0}, r, w}) {
      auto m = counting({event(0xcd) | any_level}, flips);
      put(*m, dbr(0), 0x8000);
      put(*m, dbr(1), page_mask | armed);
      put(*m, pmc(13), at(3, 2) | at(45, 1));
      Activity activity(2);
      activity.occur(Signal::access_retire, 1, 0, activity.request(0x8010, activity.instruction({.ip = 0x4040})));
      consume_both(*m, activity.block());
      EXPECT_EQ(get(*m, pmd(4)), withheld && armed != 0 ? 0u : 1u) << armed;
    }
  }
}

// --- retirement -------------------------------------------------------------------------------------
TEST(RetirementChoices, NopsWithAFalsePredicate) {
  for (const bool any : {false, true}) {
    auto m = counting({event(0x50) | any_level}, {{"pmu.nop_predicate", any ? "any" : "true"}});
    Activity activity(4);
    activity.retires(1, {.kinds = bit(ia64::Kind::nop)});
    activity.retires(2, {.kinds = bit(ia64::Kind::nop), .predicate = false});
    activity.retires(3, {});
    consume_both(*m, activity.block());
    EXPECT_EQ(get(*m, pmd(4)), any ? 2u : 1u);
  }
}

TEST(RetirementChoices, LongInstructions) {
  for (const bool two : {false, true}) {
    for (unsigned channel = 0; channel < 4; ++channel) {
      auto m = counting({event(retired, channel) | any_level}, {{"pmu.long_instruction", two ? "two" : "one"}});
      Activity activity(4);
      activity.retires(1, {.type = ia64::SlotType::m});
      activity.retires(1, {.type = ia64::SlotType::x});
      consume_both(*m, activity.block());
      EXPECT_EQ(get(*m, pmd(4)), two ? 3u : 2u) << channel;
    }
  }
}

// --- event address registers ------------------------------------------------------------------------
TEST(DataEarOfACycle, KeepsTheOldest) {
  auto m = counting({event(data_ear) | any_level});
  put(*m, pmc(11), any_level | at(7, 1) | at(16, 0xe));
  Activity activity(6);
  const auto miss = [&](Cycle c, std::uint64_t address) {
    const std::uint32_t r = activity.request(address);
    activity.more(r).translation = ia64::Translation::walker;
    activity.occur(Signal::access_retire, c, 0, r);
  };
  for (const std::uint64_t address : {0x8000, 0x9000, 0xa000}) miss(2, address);
  put(*m, pmd(3), 0x1234);
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 1u);
  EXPECT_EQ(get(*m, pmd(2)), 0x8000u);
  EXPECT_EQ(get(*m, pmd(3)), 0x8000u) << "stat 2, the walker; TLB mode clears the latency";
  auto checks = counting({event(data_ear) | any_level});
  put(*checks, pmc(11), any_level | at(7, 2));
  Activity failing(6);
  for (const std::uint64_t ip : {0x4000, 0x4010}) {
    const std::uint32_t i = failing.instruction({.ip = ip, .kinds = bit(ia64::Kind::check_advanced)});
    failing.syllable(i).window = ip;
    failing.syllable(i).check_failed = true;
    failing.occur(Signal::retire, 3, 0, i);
  }
  consume_both(*checks, failing.block());
  EXPECT_EQ(get(*checks, pmd(4)), 1u);
  EXPECT_EQ(get(*checks, pmd(17)) & ~0xfull, 0x4000u);
}

TEST(Ears, ForgetWhatTheyFollowWhenTheyAreWritten) {
  for (const std::uint32_t written : {11u, 12u}) {
    auto m = counting({event(data_ear) | any_level});
    put(*m, pmc(11), any_level);
    Activity activity(60);
    activity.load(0x8000, 2, 30);
    m->consume(activity.block(), 0, 10);
    put(*m, pmc(written), get(*m, pmc(written)));
    m->consume(activity.block(), 10, 60);
    EXPECT_EQ(get(*m, pmd(4)), 0u) << written;
    EXPECT_EQ(get(*m, pmd(3)) & 0x1fff, 0u);
  }
  auto m = counting({event(fetch_ear) | any_level});
  put(*m, pmc(10), any_level | at(13, 1) | at(5, 0xff));
  Activity activity(60);
  activity.fetch(0x4020, 2, d::lookup_miss, 30);
  m->consume(activity.block(), 0, 10);
  put(*m, pmc(10), any_level | at(13, 1) | at(5, 0xff));
  m->consume(activity.block(), 10, 60);
  EXPECT_EQ(get(*m, pmd(1)), 0u);
}

TEST(EarChoices, StatOfAFetch) {
  for (const unsigned stat : {1u, 3u}) {
    auto m = counting({event(fetch_ear) | any_level}, {{"pmu.iear_stat", stat == 1 ? "1" : "3"}});
    put(*m, pmc(10), any_level | at(13, 1) | at(5, 0xff));
    Activity activity(60);
    activity.fetch(0x4020, 2, d::lookup_miss, 30);
    consume_both(*m, activity.block());
    EXPECT_EQ(get(*m, pmd(0)), 0x4020u + stat);
  }
}

// --- branch trace buffer ----------------------------------------------------------------------------
void retire(Activity& activity, Cycle c, std::uint64_t ip, bool taken) {
  const std::uint32_t i = activity.instruction({.ip = ip,
                                                .slot = 2,
                                                .type = ia64::SlotType::b,
                                                .kinds = bit(ia64::Kind::branch),
                                                .next_ip = 0x8000,
                                                .taken = taken});
  activity.syllable(i).window = ip;
  activity.syllable(i).prediction = ia64::Prediction::correct;
  activity.occur(Signal::retire, c, 0, i);
}

TEST(BranchRingChoices, WhichOfSeveralThatAreNotTaken) {
  for (const bool first : {false, true}) {
    auto m = counting({}, {{"pmu.btb_choice", first ? "first" : "last"}});
    put(*m, pmc(12), any_level | all_branches);
    Activity activity(20);
    for (const std::uint64_t ip : {0x4000, 0x4010, 0x4020}) retire(activity, 2, ip, false);
    retire(activity, 9, 0x5000, false);
    retire(activity, 9, 0x5010, true);
    consume_both(*m, activity.block());
    EXPECT_EQ(get(*m, pmd(8)) & ~0xfull, first ? 0x4000u : 0x4020u);
    EXPECT_EQ(get(*m, pmd(9)) & ~0xfull, 0x5010u) << "a taken one goes first in any case";
  }
}

}  // namespace
}  // namespace pmusim::testing::choices
