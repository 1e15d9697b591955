// EV4: R27 to R34, R70; and its events on a modelled one, R71 to R74.
#include "bench.h"
#include "modelled.h"
#include "testbench/pfm/profile_me.h"

namespace pmusim::testbench::pfm {

namespace {

/// The argument of WRPERFMON that PCNTSETMUX makes from the fields.
std::uint64_t programmed(iccsr fields) {
  Opened m(Family::ev4);
  EXPECT_EQ(m.call(PCNTSETMUX, fields), 0);
  EXPECT_EQ(m.cpu(0).last(Function::select), m.cpu(1).last(Function::select));
  return m.cpu(0).last(Function::select);
}

TEST(Pfm, R27_SetMuxProgramsBothCounters) {
  iccsr fields{};
  fields.iccsr_mux0 = PF_CYCLES;
  fields.iccsr_mux1 = PF_BRANCHMISS;
  EXPECT_EQ(programmed(fields), 0xAull << 8 | 3ull << 32);
  StandIns m(Family::ev4);
  EXPECT_EQ(m.call(m.open(PCNTOPENALL), PCNTSETMUX), -EFAULT);
}

TEST(Pfm, R28_PeriodOfCounter0) {
  iccsr fields{};
  fields.iccsr_pc0 = PF_C0_INT_EVERY_4096;
  EXPECT_EQ(programmed(fields), 1ull << 3);
  fields.iccsr_pc0 = PF_C0_INT_EVERY_65536;
  EXPECT_EQ(programmed(fields), 0u);
}

TEST(Pfm, R29_PeriodOfCounter1) {
  iccsr fields{};
  fields.iccsr_pc1 = PF_C1_INT_EVERY_256;
  EXPECT_EQ(programmed(fields), 1u);
  fields.iccsr_pc1 = PF_C1_INT_EVERY_4096;
  EXPECT_EQ(programmed(fields), 0u);
}

TEST(Pfm, R30_EventsOfCounter0) {
  const std::array events{PF_ISSUES, PF_PIPEDRY, PF_LOADI,     PF_PIPEFROZEN, PF_BRANCHI,
                          PF_CYCLES, PF_PALMODE, PF_NONISSUES, PF_EXTPIN0};
  const std::array<std::uint64_t, 9> selects{0x0, 0x2, 0x4, 0x6, 0x8, 0xA, 0xB, 0xC, 0xE};
  for (std::size_t i = 0; i < events.size(); ++i) {
    iccsr fields{};
    fields.iccsr_mux0 = static_cast<unsigned long>(events[i]) & 0xF;
    EXPECT_EQ(programmed(fields), selects[i] << 8);
  }
}

TEST(Pfm, R31_EventsOfCounter1) {
  const std::array events{PF_DCACHE, PF_ICACHE, PF_DUAL, PF_BRANCHMISS, PF_FPINST, PF_INTOPS, PF_STOREI, PF_EXTPIN1};
  for (std::uint64_t i = 0; i < events.size(); ++i) {
    iccsr fields{};
    fields.iccsr_mux1 = static_cast<unsigned long>(events[i]) & 7;
    EXPECT_EQ(programmed(fields), i << 32);
  }
}

/// Ticks of both counters with this `disable` field.
std::pair<unsigned long, unsigned long> taken(unsigned disable) {
  Ready m(Family::ev4);
  iccsr fields{};
  fields.iccsr_disable = disable & 3;
  EXPECT_EQ(m.call(PCNTSETMUX, fields), 0);
  EXPECT_EQ(m.cpu(0).last(Function::select), 0u) << "the driver's own field never reaches the chip";
  for (unsigned counter : {0u, 1u}) m.device->tick(0, in_user(0, counter));
  const auto counts = m.counts<pfcntrs>(PCNTGETCNT)[0];
  return {counts.pf_cntr0, counts.pf_cntr1};
}

TEST(Pfm, R32_DisableFieldStopsTheData) {
  EXPECT_EQ(taken(0), std::pair(1ul, 1ul));
  EXPECT_EQ(taken(1), std::pair(0ul, 1ul));
  EXPECT_EQ(taken(2), std::pair(1ul, 0ul));
}

TEST(Pfm, R33_NotBothDisabled) {
  Ready m(Family::ev4);
  iccsr fields{};
  fields.iccsr_mux0 = PF_CYCLES;
  fields.iccsr_disable = 3;
  EXPECT_EQ(m.call(PCNTSETMUX, fields), -EINVAL);
  EXPECT_EQ(m.cpu(0).last(Function::select), ~std::uint64_t{0}) << "nothing changes";
}

TEST(Pfm, R34_OtherFieldsAreMaskedOff) {
  iccsr fields{};
  fields.iccsr_ign0 = 3;
  fields.iccsr_ign1 = 15;
  fields.iccsr_ign2 = 0xFFFFF;
  fields.iccsr_ign3 = 0x7FFFFFF;
  EXPECT_EQ(programmed(fields), 0u);
}

TEST(Pfm, R70_ADisabledCounterIsDismissed) {
  Ready m(Family::ev4, PFM_COUNTERS | PFM_IPL);
  iccsr fields{};
  fields.iccsr_disable = 2;
  ASSERT_EQ(m.call(PCNTSETMUX, fields), 0);
  m.device->tick(0, in_user(0, 1));
  EXPECT_EQ(m.counts<pfcntrs>(PCNTGETCNT)[0].pf_cntr1, 0u);
  EXPECT_EQ(m.counts<pfipls>(PCNTGETIPLHIS)[0].ipl[8], 0u) << "no data at all";
}

// The events of an EV4, on a modelled one: R71 to R74.

// A direct-mapped board cache: addresses 16 MB apart have the same index, whatever its size is. The stores miss and
// allocate blocks without evicting any; the loads of other blocks with the same index evict them modified.
TEST(Pfm, R71_PinsAreEventsOfBothCounters) {
  constexpr std::uint64_t blocks = 4300, apart = 16 << 20;
  ProgramText stores;
  stores.stores(blocks, data_start).chains(500);
  ModelledEv4 clean(PF_EXTPIN0, PF_EXTPIN1, stores);
  clean.run();
  EXPECT_EQ(clean.counts().pf_cntr0, 0u) << "no victims";
  EXPECT_EQ(clean.counts().pf_cntr1, blocks / period1);
  ProgramText both;
  both.stores(blocks, data_start).chains(500).loads(blocks, data_start + apart).chains(500);
  ModelledEv4 victims(PF_EXTPIN0, PF_EXTPIN1, both);
  victims.run();
  EXPECT_EQ(victims.counts().pf_cntr0, blocks / period0);
  EXPECT_EQ(victims.counts().pf_cntr1, blocks / period1) << "a miss has one of the two";
}

TEST(Pfm, R72_SelectingSucceedsOnAnyPass) {
  constexpr std::uint64_t marked = 3000, others = 5000;
  ProgramText program;
  program.say("pcb pme=1").additions(marked).say("pcb pme=0").additions(others);
  for (const std::int64_t early : {0, 1}) {
    ModelledEv4 m(PF_CYCLES, PF_INTOPS, program, PFM_COUNTERS, {{"pmu.selective_counting", early}});
    m.process.id = 99;  // not a process of the program
    EXPECT_EQ(m.call(PCNTLOGSELECT), 0);
    m.run();
    EXPECT_EQ(m.counts().pf_cntr1, (early != 0 ? marked + others : marked) / period1)
        << "pass " << (early != 0 ? 2 : 3);
  }
}

/// The events that follow from the driver's ticks. The rest of a counter, less than a period, is not visible.
struct Issued {
  double issues, duals, cycles;
  explicit Issued(const ProgramText& program) {
    ModelledEv4 m(PF_ISSUES, PF_DUAL, program);
    m.run();
    const pfcntrs counts = m.counts();
    issues = static_cast<double>(events_of(counts.pf_cntr0, period0));
    duals = static_cast<double>(events_of(counts.pf_cntr1, period1));
    cycles = static_cast<double>(counts.pr_cycle);
  }
};

// Dependent additions issue one at a time; only the branch of an iteration may issue with the last one. Pairs issue
// together. Non-issues are the other cycles.
TEST(Pfm, R73_SingleAndNonIssues) {
  constexpr double rounds = 5000, number = 9 * rounds;
  const Issued chain(ProgramText().chains(static_cast<std::uint64_t>(rounds)));
  EXPECT_NEAR(2 * chain.issues, number, 2.0 * period0) << "halves: an issue is two instructions";
  EXPECT_LE(chain.duals, rounds + period1);
  EXPECT_GE(single_issues(chain.issues, chain.duals), 7 * rounds - 2.0 * period0);
  EXPECT_NEAR(non_issues(chain.cycles, chain.issues), chain.cycles - number / 2, period0);
  constexpr double pairs_number = 20000;
  const Issued pairs(ProgramText().pairs(static_cast<std::uint64_t>(pairs_number)));
  EXPECT_NEAR(pairs.duals, pairs_number, period1 + pairs_number / 50);
  EXPECT_NEAR(single_issues(pairs.issues, pairs.duals), 0, 2.0 * (period0 + period1) + pairs_number / 25);
}

// As many multiplications as additions: counts of instructions are equal, counts of cycles are not.
TEST(Pfm, R74_TicksSayHowManyAndNotHowLong) {
  constexpr std::uint64_t rounds = 2500, number = 8 * rounds;
  struct Run {
    std::uint64_t operates, cycles, frozen;
    explicit Run(const ProgramText& program) {
      ModelledEv4 m(PF_PIPEFROZEN, PF_INTOPS, program);
      m.run();
      operates = m.counts().pf_cntr1;
      cycles = m.counts().pr_cycle;
      frozen = m.counts().pf_cntr0 * period0;
    }
  };
  const Run additions(ProgramText().chains(rounds)), multiplications(ProgramText().multiplications(rounds));
  EXPECT_EQ(additions.operates, number / period1);
  EXPECT_EQ(multiplications.operates, number / period1);
  EXPECT_LT(additions.cycles, 3 * number);
  EXPECT_GT(multiplications.cycles, 15 * number) << "a multiplication takes some twenty cycles";
  EXPECT_LT(additions.frozen, number);
  EXPECT_GT(multiplications.frozen, 14 * number) << "frozen counts cycles";
}

}  // namespace

}  // namespace pmusim::testbench::pfm
