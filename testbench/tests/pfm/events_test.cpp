// Rules about ticks and counters on modelled processors, where stand-ins have no events: R22 and R79, and again those
// that need the levels, modes and processors of a program.
#include "modelled.h"

namespace pmusim::testbench::pfm {
namespace {

// Cycles at IPL 0 in kernel mode with the idle thread, and the same number with an ordinary thread. A tick that is
// pending at the end of the idle time is delivered to the next thread.
TEST(Pfm, R22_EntrySevenIsIdle) {
  constexpr std::uint64_t idle = 20 * period0;
  ProgramText program;
  program.say("cpl 0").additions(100).say(fmt::format("idle cycles={}", idle)).chains(20 * period0 / 9);
  ModelledEv4 m(PF_CYCLES, PF_FPINST, program, PFM_COUNTERS | PFM_IPL);
  m.run();
  const auto levels = m.data<pfipls>(PCNTGETIPLHIS);
  EXPECT_NEAR(static_cast<double>(levels.ipl[7]), 20, 1);
  EXPECT_NEAR(static_cast<double>(levels.ipl[0]), 20, 1);
  EXPECT_EQ(levels.ipl[7] + levels.ipl[0], m.counts().pf_cntr0);
}

// Any user may select the long periods, and then gets a tick for that number of events.
TEST(Pfm, R79_LongPeriodsAreForEveryone) {
  constexpr std::uint64_t rounds = 17'500, number = 8 * rounds;
  Modelled m("alpha-ev5", ProgramText().chains(rounds));
  m.process.superuser = false;
  m.open();
  EXPECT_EQ(m.call(PCNT5FREQ, PF5_C0_INT_EVERY_65536 | PF5_C1_INT_EVERY_65536 | PF5_C2_INT_EVERY_16384), 0);
  EXPECT_EQ(m.call(PCNT5MUX, PF5_MUX0_ISSUES | PF5_MUX1_INTEGER_OPERATE | PF5_MUX2_C_CYCLES), 0);
  EXPECT_EQ(m.call(PCNT5RESTART, all_of_ev5()), 0);
  m.run();
  const auto counts = m.data<pfcntrs_ev5>(PCNT5GETCNT);
  EXPECT_EQ(counts.pf_cntr0, 9 * rounds / 65536) << "with the branches";
  EXPECT_EQ(counts.pf_cntr1, number / 65536);
  EXPECT_EQ(counts.pf_cntr2, counts.pr_cycle / 16384);
  EXPECT_GE(counts.pr_cycle, number);
}

// A tick every 256 additions: the level is that of the addition, because the stretches begin in the middle of a period.
TEST(Modelled, R20_R21_R23_LevelsOfTheInterruptedCode) {
  ProgramText program;
  program.say("cpl 0").say("ipl 0").additions(128);
  for (unsigned ipl = 0; ipl < 6; ++ipl) program.say(fmt::format("ipl {}", ipl)).additions(4 * 256);
  program.say("ipl 6").additions(512).say("ipl 1").additions(128 + 256);
  program.say("ipl 0").say("cpl 3").additions(3 * 256 + 100);
  ModelledEv4 m(PF_CYCLES, PF_INTOPS, program, PFM_COUNTERS | PFM_IPL);
  iccsr fields{};
  fields.iccsr_mux1 = PF_INTOPS;
  fields.iccsr_pc1 = PF_C1_INT_EVERY_256;
  fields.iccsr_disable = 1;
  ASSERT_EQ(m.call(PCNTSETMUX, fields), 0);
  m.run();
  const auto levels = m.data<pfipls>(PCNTGETIPLHIS);
  // Two periods that end at IPL 6 give one tick after it, at IPL 1; another period ends there. 31 periods in all, two
  // of which are one tick.
  EXPECT_EQ(std::vector<unsigned long>(levels.ipl, levels.ipl + 9),
            (std::vector<unsigned long>{4, 4 + 2, 4, 4, 4, 4, 0, 0, 4}));
}

// Several modes of the 21164 in one program: user code counts as executive.
TEST(Modelled, R85_ContextsChooseWhatCounts) {
  constexpr std::uint64_t user = 4000, kernel = 3000;
  ProgramText program;
  program.additions(user).say("cpl 0").additions(kernel);
  const auto issues = [&](long contexts) {
    Modelled m("alpha-ev5", program);
    m.open();
    EXPECT_EQ(m.call(PCNT5CTXTS, contexts), 0);
    EXPECT_EQ(m.call(PCNT5MUX, long{PF5_MUX0_ISSUES}), 0);
    EXPECT_EQ(m.call(PCNT5RESTART, all_of_ev5()), 0);
    m.run();
    return m.data<pfcntrs_ev5>(PCNT5READCNTRS).pf_cntr0;
  };
  EXPECT_EQ(issues(0), user + kernel);
  EXPECT_EQ(issues(PF5_CTXT_EXEC_AND_SUPER), user);
  EXPECT_EQ(issues(PF5_CTXT_SEL_PROC), 0u) << "no process is marked";
  EXPECT_EQ(issues(PF5_CTXT_SEL_PROC | PF5_CTXT_PME_THIS), user + kernel) << "the caller is the process that runs";
}

// One program on each of two processors: their events are added for ALL and separate for EACH (R4, R5); ONE has only
// its own (R3).
TEST(Modelled, R3_R4_R5_EventsOfProcessors) {
  constexpr std::uint64_t number = 5000;
  for (const unsigned mode : {PCNTOPENONE, PCNTOPENEACH, PCNTOPENALL}) {
    Modelled m("alpha-ev6", ProgramText().additions(number), {}, 2);
    m.open(mode);
    ASSERT_EQ(m.call(PCNT6MUX, long{PF6_MUX0_RET_INSTRUCTIONS}), 0);
    ASSERT_EQ(m.call(PCNT6RESTART, all_of_ev6()), 0);
    m.run();
    std::array<pfcntrs_ev6, 2> counts{};
    pfcntrs_ev6* pointer = counts.data();
    ASSERT_EQ(m.machine->device().ioctl(m.process, m.descriptor, PCNT6READCNTRS, &pointer), 0);
    EXPECT_EQ(counts[0].pf_cntr0, mode == PCNTOPENALL ? 2 * number : number);
    EXPECT_EQ(counts[1].pf_cntr0, mode == PCNTOPENEACH ? number : 0);
  }
}

// A statistic needs counters with its quantity: only with SL1 = 1 does PCTR1 count the retire delay.
TEST(Pfm67, StatisticsNeedTheirSelection) {
  constexpr long modes[] = {PF67_RET_INST_AND_CYCLES, PF67_CYCLES_AND_RET_DELAY, PF67_RET_INST_AND_BCACHE_MISS,
                            PF67_CYCLES_AND_REPLAY_TRAPS};
  struct Row {
    long statistic;
    std::array<bool, 4> fits;
  };
  const Row rows[] = {{PF67_PM_DELAY, {false, true, false, false}},
                      {PF67_PM_DELAY_PER_RET, {false, true, false, false}},
                      {PF67_PM_CYCLES, {false, true, false, true}},
                      {PF67_PM_INFLT_RETIRES, {true, false, true, false}},
                      {PF67_PM_INFLT_BCACHE_MISS, {false, false, true, false}},
                      {PF67_PM_INFLT_REPLAYS, {false, false, false, true}},
                      {PF67_PM_RETIRE, {true, true, true, true}}};
  for (const Row& row : rows) {
    for (std::size_t mode = 0; mode < 4; ++mode) {
      Modelled m("alpha-ev67", ProgramText().additions(10));
      m.open();
      ASSERT_EQ(m.call(PCNTSETITEMS, long{PFM_PROFILING} | row.statistic << PFM_PROFME_MODE_SHIFT), 0);
      ASSERT_EQ(m.call(PCNT6MUX, PF67_PROFILE_ME_MODE | modes[mode]), 0) << "another order of the calls is right, too";
      const int expected = row.fits[mode] ? 0 : -EINVAL;
      EXPECT_EQ(m.call(PCNT6ENABLE, all_of_ev6()), expected) << row.statistic << " " << mode;
      EXPECT_EQ(m.call(PCNT6RESTART, all_of_ev6()), expected);
      EXPECT_EQ(m.call(PCNTRENABLE), expected);
      if (expected != 0) continue;
      EXPECT_EQ(m.call(PCNT6MUX, PF67_RET_INST_AND_CYCLES), -EINVAL) << "aggregate mode has no samples";
    }
  }
}

}  // namespace
}  // namespace pmusim::testbench::pfm
