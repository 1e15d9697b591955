// The events of an EV4, on a modelled one: R71 to R74.
#include "modelled.h"
#include "testbench/pfm/ratios.h"

namespace pmusim::testbench::pfm {
namespace {

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
