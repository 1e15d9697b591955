// Conditions for the monitor's signal, and its effects. User's Manual sections 11.2 and 11.3.
#include "testbench/tests/pmu_ppc750gx/bench.h"

namespace pmusim::testing {
namespace {

using Requests = std::vector<Cycle>;

constexpr std::uint32_t negative = 0x8000'0000;

TEST(Overflow, ExactlyAtTheNthEvent) {
  // One event per cycle from cycle 0 on: the Nth is in cycle N - 1.
  for (const unsigned n : {1u, 2u, 9u, 10u}) {
    for (unsigned i = 0; i < 4; ++i) {
      auto m = programmed(enint | pmc1intcontrol | pmcintcontrol | select1(i == 0) | select2(i == 1),
                          select3(i == 2) | select4(i == 3));
      put(*m, pmc[i], negative - n);
      auto early = m->clone();
      EXPECT_EQ(consume_both(*m, HandMade(20).block()).requests, Requests{n - 1}) << n << " on PMC" << i + 1;
      EXPECT_EQ(get(*m, pmc[i]), negative - n + 20) << "counting goes on";
      EXPECT_TRUE(m->interrupt_pending());
      EXPECT_EQ(consume_both(*early, HandMade(n - 1).block()).requests, Requests{}) << "one event before";
      EXPECT_EQ(get(*early, pmc[i]), negative - 1);
    }
  }
}

TEST(Overflow, StepsOverTheBoundaryByTwo) {
  HandMade activity(10);
  activity.retire(4).retire(4);
  auto m = programmed(enint | pmc1intcontrol | select1(completed));
  put(*m, pmc1, negative - 1);
  EXPECT_EQ(consume_both(*m, activity.block()).requests, Requests{4});
  EXPECT_EQ(get(*m, pmc1), negative + 1);
}

TEST(Overflow, WorkedWordThresholdSampling) {
  auto m = make_750();
  put(*m, mmcr0, 0x0614'8280);  // PMC1 code 10, threshold 20, interrupt on PMC1, stop at the signal
  put(*m, pmc1, negative - 2);
  HandMade activity(100);
  for (const auto& [at, latency] : {std::pair{30u, 21u}, {40u, 20u}, {50u, 25u}, {60u, 30u}}) {
    activity::RequestRecord load;
    load.start = at - latency;
    load.end = at;
    load.ip = 0x1000 + at;
    load.oldest_in_queue = true;
    activity.occur(Signal::load_return, at, 0, activity.add(load));
  }
  EXPECT_EQ(consume_both(*m, activity.block()).requests, Requests{50});
  EXPECT_EQ(get(*m, pmc1), negative) << "stopped";
  EXPECT_EQ(get(*m, sia), 0x1032u);
}

TEST(Conditions, EachNeedsItsControlBitAndEnint) {
  struct Row {
    unsigned counter;
    std::uint32_t control;
    bool signals;
  };
  for (const Row& row : {Row{1, enint | pmc1intcontrol, true},
                         {1, enint | pmcintcontrol, false},
                         {1, pmc1intcontrol, false},
                         {2, enint | pmcintcontrol, true},
                         {2, enint | pmc1intcontrol, false},
                         {2, pmcintcontrol, false},
                         {3, enint | pmcintcontrol, true},
                         {3, enint | pmc1intcontrol, false},
                         {4, enint | pmcintcontrol, true},
                         {4, enint | pmc1intcontrol, false}}) {
    auto m = selecting(row.counter, cycles, row.control);
    put(*m, pmc[row.counter - 1], negative - 3);
    EXPECT_EQ(consume_both(*m, HandMade(10).block()).requests, row.signals ? Requests{2} : Requests{});
  }
}

TEST(Conditions, ANegativeValueWrittenSignalsAtOnce) {
  auto m = programmed(enint | pmcintcontrol);
  put(*m, pmc3, negative);
  EXPECT_EQ(consume_both(*m, HandMade(10).block()).requests, Requests{0});
}

TEST(Conditions, TimeBaseEdge) {
  auto m = programmed(enint | intonbittrans);
  EXPECT_EQ(consume_both(*m, HandMade(100).block()).requests, Requests{16}) << "tick 1 of 16 cycles";
  auto later = programmed(enint | intonbittrans | rtcselect(1));
  EXPECT_EQ(consume_both(*later, HandMade(5000).block()).requests, Requests{16 * 256});
  auto off = programmed(intonbittrans);
  EXPECT_EQ(consume_both(*off, HandMade(100).block()).requests, Requests{});
}

TEST(Conditions, FreezeBitsDoNotBlockSignals) {
  for (const std::uint32_t freeze : {dis, dp, dmr}) {
    auto m = programmed(freeze | enint | pmc1intcontrol);
    put(*m, pmc1, negative);
    EXPECT_EQ(consume_both(*m, HandMade(10).block()).requests, Requests{0});
  }
  auto edge = programmed(dis | enint | intonbittrans);
  EXPECT_EQ(consume_both(*edge, HandMade(40).block()).requests, Requests{16});
}

TEST(Conditions, WaitWhileTheCoreClockIsStopped) {
  HandMade activity(60);
  activity.state(State::clock, 0).change(State::clock, 30, 1);
  auto level = programmed(enint | pmc1intcontrol);
  put(*level, pmc1, negative);
  EXPECT_EQ(consume_both(*level, activity.block()).requests, Requests{30});
  auto edge = programmed(enint | intonbittrans);
  EXPECT_EQ(consume_both(*edge, activity.block()).requests, Requests{48}) << "the edge of cycle 16 is not seen";
}

TEST(Enint, ClearedByTheSignalAndSetAgainBySoftware) {
  auto m = programmed(enint | pmc1intcontrol | select1(cycles));
  put(*m, pmc1, negative - 3);
  HandMade activity(20);
  EXPECT_EQ(m->consume(activity.block(), 0, 20).reached, 3u);
  EXPECT_EQ(get(*m, mmcr0) & enint, 0u) << "cleared with EE = 0 already";
  m->interrupt_taken();
  EXPECT_FALSE(m->interrupt_pending());
  // The counter is still negative: enabled again without a reload, it signals at once.
  put(*m, mmcr0, enint | pmc1intcontrol | select1(cycles));
  const auto again = m->consume(activity.block(), 3, 20);
  EXPECT_TRUE(again.interrupt_request);
  EXPECT_EQ(again.reached, 4u);
  m->interrupt_taken();
  put(*m, pmc1, 0);
  put(*m, mmcr0, enint | pmc1intcontrol | select1(cycles));
  EXPECT_FALSE(m->consume(activity.block(), 4, 20).interrupt_request);
}

TEST(Enint, WhenItClearsIsAParameter) {
  for (const auto& [name, while_pending, after] :
       {std::tuple{"at_signal", false, false}, {"at_taking", true, false}, {"never", true, true}}) {
    auto m = programmed(enint | pmc1intcontrol, 0, {{"pmu.enint_clear", name}});
    put(*m, pmc1, negative);
    EXPECT_EQ(consume_both(*m, HandMade(5).block()).requests, Requests{0}) << "a pending request takes further ones in";
    EXPECT_EQ((get(*m, mmcr0) & enint) != 0, while_pending) << name;
    m->interrupt_taken();
    EXPECT_EQ((get(*m, mmcr0) & enint) != 0, after) << name;
  }
}

TEST(Taking, WaitsForExternalInterruptsEnabled) {
  HandMade activity(10);
  activity.state(State::msr, 0).change(State::msr, 6, ee);
  auto m = programmed(enint | pmc1intcontrol | select1(cycles));
  put(*m, pmc1, negative - 1);
  EXPECT_EQ(consume_both(*m, activity.block()).requests, Requests{0}) << "EE plays no part in signalling";
  EXPECT_TRUE(m->interrupt_pending());
  EXPECT_FALSE(m->interrupt_enabled(activity.block(), 5));
  EXPECT_TRUE(m->interrupt_enabled(activity.block(), 6));
  EXPECT_EQ(m->interrupt_skid(), 0u);
  m->interrupt_taken();
  EXPECT_FALSE(m->interrupt_pending());
}

TEST(Discount, StopsAtTheSignalWithThatCycleCounted) {
  struct Row {
    std::uint32_t control;
    const char* scope;
    const char* override_;
    bool pmc1_stops, others_stop;
  };
  const Row rows[] = {{0, "trigger", "none", false, false},
                      {discount, "trigger", "none", true, true},
                      {discount | pmctrigger, "trigger", "none", true, false},
                      {discount, "all", "none", true, true},
                      {discount | pmctrigger, "all", "none", true, true},
                      {discount, "pmc1", "none", true, false},
                      {discount | pmcintcontrol, "trigger", "none", true, true},
                      {discount | pmcintcontrol, "trigger", "pmcintcontrol", true, false},
                      {discount, "trigger", "pmcintcontrol", true, true}};
  for (const Row& row : rows) {
    auto m = programmed(row.control | enint | pmc1intcontrol | select1(cycles) | select2(cycles), select3(cycles),
                        {{"pmu.discount_scope", row.scope}, {"pmu.discount_override", row.override_}});
    put(*m, pmc1, negative - 10);
    consume_both(*m, HandMade(30).block());
    const unsigned waited = (row.control & pmctrigger) != 0 ? 10 : 0;  // until PMC1 is negative
    EXPECT_EQ(get(*m, pmc1), negative + (row.pmc1_stops ? 0 : 20));
    EXPECT_EQ(get(*m, pmc2), (row.others_stop ? 10 : 30) - waited) << std::hex << row.control << row.scope;
    EXPECT_EQ(get(*m, pmc3), get(*m, pmc2));
    EXPECT_EQ(get(*m, mmcr0) & dis, 0u) << "DIS does not change";
    // Writing MMCR0 restarts counting.
    put(*m, mmcr0, select1(cycles));
    put(*m, pmc1, 0);
    consume_both(*m, HandMade(5).block());
    EXPECT_EQ(get(*m, pmc1), 5u);
  }
}

TEST(Trigger, OthersWaitForPmc1) {
  // Neither PMC1INTCONTROL nor ENINT is needed. PMC1 is negative after cycle 9; PMC2-4 count from cycle 10.
  auto m = programmed(pmctrigger | select1(cycles) | select2(cycles), select3(cycles) | select4(cycles));
  put(*m, pmc1, negative - 10);
  consume_both(*m, HandMade(30).block());
  for (const RegisterId id : {pmc2, pmc3, pmc4}) EXPECT_EQ(get(*m, id), 20u);
  EXPECT_EQ(get(*m, pmc1), negative + 20);
  EXPECT_NE(get(*m, mmcr0) & pmctrigger, 0u) << "the bit stays";
  auto waiting = programmed(pmctrigger | select1(cycles) | select2(cycles));
  consume_both(*waiting, HandMade(30).block());
  EXPECT_EQ(get(*waiting, pmc2), 0u);
}

TEST(Trigger, ReleasedByASignalUntilMmcr0IsWritten) {
  for (const bool remembered : {true, false}) {
    const std::uint32_t control = pmctrigger | enint | intonbittrans | select2(cycles);
    auto m = programmed(control, 0, {{"pmu.trigger_release", remembered ? "remembered" : "level"}});
    EXPECT_EQ(consume_both(*m, HandMade(40).block()).requests, Requests{16});
    EXPECT_EQ(get(*m, pmc2), remembered ? 23u : 0u) << "cycles 17 to 39";
    put(*m, pmc2, 0);
    put(*m, mmcr0, pmctrigger | select2(cycles));
    consume_both(*m, HandMade(10).block());
    EXPECT_EQ(get(*m, pmc2), 0u) << "waits again";
  }
}

TEST(Trigger, FollowsPmc1BackToPositive) {
  // PMC1 passes 0xFFFFFFFF in cycle 4 and is positive at the start of cycle 5.
  auto m = programmed(pmctrigger | select1(cycles) | select2(cycles));
  put(*m, pmc1, 0xffff'fffb);
  consume_both(*m, HandMade(20).block());
  EXPECT_EQ(get(*m, pmc2), 5u);
}

TEST(Trigger, SelfClearAndSourceAreParameters) {
  auto m = programmed(pmctrigger | select1(cycles) | select2(cycles), 0, {{"pmu.trigger_self_clear", "yes"}});
  put(*m, pmc1, negative - 10);
  consume_both(*m, HandMade(30).block());
  EXPECT_EQ(get(*m, mmcr0) & pmctrigger, 0u);
  EXPECT_EQ(get(*m, pmc2), 20u);
  for (const std::uint32_t control : {0u, pmc1intcontrol}) {
    auto needs =
        programmed(control | pmctrigger | select1(cycles) | select2(cycles), 0, {{"pmu.trigger_source", "controlled"}});
    put(*needs, pmc1, negative - 10);
    consume_both(*needs, HandMade(30).block());
    EXPECT_EQ(get(*needs, pmc2), control != 0 ? 20u : 0u);
  }
}

// --- SIA --------------------------------------------------------------------------------------------

TEST(Sia, LastInstructionThatCompletedInTheSignalCycle) {
  HandMade activity(20);
  activity.retire(4, 0x100).retire(5, 0x104).retire(5, 0x108).retire(6, 0x10c);
  const auto sampled_at = [&](unsigned cycle, Flips flips) {
    auto m = programmed(enint | pmc1intcontrol | select1(cycles), 0, flips);
    put(*m, sia, 0xdead'0000);
    put(*m, pmc1, negative - 1 - cycle);
    EXPECT_EQ(consume_both(*m, activity.block()).requests, Requests{cycle});
    return get(*m, sia);
  };
  EXPECT_EQ(sampled_at(4, {}), 0x100u);
  EXPECT_EQ(sampled_at(5, {}), 0x108u) << "the younger of two";
  EXPECT_EQ(sampled_at(5, {{"pmu.sia_pair", "older"}}), 0x104u);
  EXPECT_EQ(sampled_at(6, {}), 0x10cu);
  EXPECT_EQ(sampled_at(7, {}), 0xdead'0000u) << "nothing completed: keeps its value";
}

TEST(Sia, CycleOfTakingIsAParameter) {
  HandMade activity(20);
  activity.retire(4, 0x100).retire(9, 0x200).retire(12, 0x300);
  for (const bool at_taking : {false, true}) {
    auto m =
        programmed(enint | pmc1intcontrol | select1(cycles), 0, {{"pmu.sia_cycle", at_taking ? "taking" : "signal"}});
    put(*m, pmc1, negative - 5);
    EXPECT_EQ(m->consume(activity.block(), 0, 20).reached, 5u);
    EXPECT_EQ(get(*m, sia), at_taking ? 0u : 0x100u);
    m->consume(activity.block(), 5, 10);
    m->interrupt_taken();
    EXPECT_EQ(get(*m, sia), at_taking ? 0x200u : 0x100u) << "cycle 9 is the last before the handler";
  }
}

activity::RequestRecord slow_load(Cycle at, std::uint64_t ip) {
  activity::RequestRecord load;
  load.start = at - 30;
  load.end = at;
  load.ip = ip;
  load.oldest_in_queue = true;
  return load;
}

TEST(Sia, TheLoadThatOverflowedTheThresholdEvent) {
  HandMade activity(60);
  for (const std::uint64_t ip : {0x400u, 0x404u, 0x408u}) {
    activity.occur(Signal::load_return, 40, 0, activity.add(slow_load(40, ip)));
  }
  activity.retire(40, 0x900);
  for (unsigned n = 1; n <= 3; ++n) {
    auto m = programmed(enint | pmc1intcontrol | select1(10) | threshold(20));
    put(*m, pmc1, negative - n);
    EXPECT_EQ(consume_both(*m, activity.block()).requests, Requests{40});
    EXPECT_EQ(get(*m, sia), 0x400u + 4 * (n - 1)) << "load number " << n << " is the one";
  }
}

TEST(Sia, ThresholdAndAnotherCauseInOneCycle) {
  HandMade activity(60);
  activity.occur(Signal::load_return, 40, 0, activity.add(slow_load(40, 0x400)));
  activity.retire(40, 0x900);
  for (const bool other_cause : {false, true}) {
    auto m = programmed(enint | pmc1intcontrol | pmcintcontrol | select1(10) | threshold(20) | select2(cycles));
    put(*m, pmc1, negative - 1);
    put(*m, pmc2, other_cause ? negative - 41 : 0);
    EXPECT_EQ(consume_both(*m, activity.block()).requests, Requests{40});
    EXPECT_EQ(get(*m, sia), 0x400u);
  }
  // A PMC1 that is already negative is not an overflow of the threshold event.
  auto level = programmed(enint | pmc1intcontrol | select1(10) | threshold(20));
  put(*level, pmc1, negative);
  HandMade early(60);
  early.occur(Signal::load_return, 0, 0, early.add(slow_load(40, 0x400))).retire(0, 0x900);
  EXPECT_EQ(consume_both(*level, early.block()).requests, Requests{0});
  EXPECT_EQ(get(*level, sia), 0x900u);
}

TEST(Sia, LoadedWhileDisabled) {
  HandMade activity(5);
  activity.retire(0, 0x100);
  auto m = programmed(dis | enint | pmc1intcontrol);
  put(*m, pmc1, negative);
  EXPECT_EQ(consume_both(*m, activity.block()).requests, Requests{0});
  EXPECT_EQ(get(*m, sia), 0x100u);
}

// --- quiet cycles -----------------------------------------------------------------------------------

TEST(Quiet, NoRequestComesEarlier) {
  for (const unsigned n : {1u, 2u, 17u, 100u}) {
    auto m = programmed(enint | pmc1intcontrol | select1(cycles));
    put(*m, pmc1, negative - n);
    EXPECT_EQ(m->quiet_cycles(), n - 1);
    EXPECT_EQ(consume_in(*m, HandMade(200).block(), 200, false).requests, Requests{n - 1});
  }
  EXPECT_EQ(programmed(pmc1intcontrol | select1(cycles))->quiet_cycles(), Cycle{1} << 40) << "ENINT = 0";
  auto level = programmed(enint | pmc1intcontrol);
  put(*level, pmc1, negative);
  EXPECT_EQ(level->quiet_cycles(), 0u);
  auto edge = programmed(enint | intonbittrans | rtcselect(1));
  EXPECT_GT(edge->quiet_cycles(), 0u);
  EXPECT_LE(edge->quiet_cycles(), 16u * 256u);
}

}  // namespace
}  // namespace pmusim::testing
