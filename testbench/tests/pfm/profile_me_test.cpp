// EV67: R96 to R102, and the contribution of a sample to each profile-me statistic.
#include "testbench/pfm/profile_me.h"

#include <algorithm>
#include <cmath>

#include "bench.h"

namespace pmusim::testbench::pfm {
namespace {

ProfileMe sample(const ev67_istat_reg_t& status, const ev67_pctr_ctl_reg_t& control, std::uint64_t pmpc = 0x1000) {
  return {.i_stat = status.qval, .pctr_ctl = control.qval, .pmpc = pmpc};
}
ProfileMe trapping(unsigned type) {
  ev67_istat_reg_t status{};
  status.fields.trp = 1;
  status.fields.ttype = type & 15;
  return sample(status, {});
}
ProfileMe retiring() {
  ev67_pctr_ctl_reg_t control{};
  control.fields.val = 1;
  return sample({}, control);
}
ProfileMe mispredicting() {
  ev67_istat_reg_t status{};
  status.fields.trp = status.fields.mis = 1;
  ProfileMe s = sample(status, {});
  s.conditional_branch = true;
  return s;
}

/// Statistics that a sample increments by 1, without CYCLES, DELAY and the INFLT ones.
std::vector<unsigned> counted(const ProfileMe& s) {
  std::vector<unsigned> statistics;
  for (unsigned statistic = 1; statistic < PF67_PM_COUNT_; ++statistic) {
    if (!is_per_retired(statistic) && contribution(statistic, s) == 1) statistics.push_back(statistic);
  }
  return statistics;
}
using Statistics = std::vector<unsigned>;

TEST(Pfm, R96_AggregateAndProfileMeExclude) {
  Opened m(Family::ev67);
  EXPECT_EQ(m.call(PCNT6MUX, PF67_RET_INST_AND_BCACHE_MISS), 0);
  EXPECT_EQ(m.cpu(0).last(Function::select), 0x08u);
  EXPECT_EQ(m.call(PCNT6MUX, PF67_PROFILE_ME_MODE | PF67_CYCLES_AND_RET_DELAY), 0);
  EXPECT_EQ(m.cpu(0).last(Function::select), 0x14u) << "one mode, that of the last call";
}

TEST(Pfm, R97_OneArgumentIsOnePairOfEvents) {
  // The argument names the pair, so no other pair can be requested here; the encoder rejects them by name.
  for (const long mode : {PF67_RET_INST_AND_CYCLES, PF67_CYCLES_AND_UNDEFINED, PF67_RET_INST_AND_BCACHE_MISS,
                          PF67_CYCLES_AND_REPLAY_TRAPS}) {
    StandIns m(Family::ev67);
    EXPECT_EQ(m.call(m.open(PCNTOPENALL), PCNT6MUX, mode), 0);
    EXPECT_EQ(m.cpu(0).last(Function::select), static_cast<std::uint64_t>(mode));
  }
}

/// An EV67 that profiles user code from 0x1000 to 0x1020 for a statistic.
struct Profiling : Ready {
  explicit Profiling(unsigned statistic)
      : Ready(Family::ev67, PFM_PROFILING | PFM_COUNTERS | long{statistic} << PFM_PROFME_MODE_SHIFT) {
    EXPECT_EQ(call(PCNTSETUADDR, addr_range{0x1000, 0x1020}), 0);
  }
};

TEST(Pfm, R98_ASampleIsAboutOneInstruction) {
  Profiling m(PF67_PM_RETIRE);
  ProfileMe s = retiring();
  s.pmpc = 0x1010;
  m.device->tick(0, in_user(0x2000), s);
  EXPECT_EQ(m.samples(), (std::vector<std::uint32_t>{0, 1})) << "charged to PMPC, not to the frame";
  // The next sample: counter 0 is set to a period before its overflow, counter 1 cleared. Periods are drawn evenly from
  // half of that of the set-up to one and a half times it, so that the instructions of a loop are selected alike.
  constexpr std::uint64_t period = pfm::Setup{}.profile_me_period;
  std::uint64_t least = ~0ull, most = 0, sum = 0;
  constexpr unsigned draws = 1000;
  for (unsigned i = 0; i < draws; ++i) {
    m.device->tick(0, in_user(0x2000), s);
    const std::uint64_t argument = m.cpu(0).last(Function::enable_write);
    EXPECT_EQ(argument & 0xfffffff, 3u);
    const std::uint64_t drawn = (1ull << 20) - (argument >> 28);
    least = std::min(least, drawn);
    most = std::max(most, drawn);
    sum += drawn;
  }
  EXPECT_TRUE(least >= period / 2 && least < period * 6 / 10) << least;
  EXPECT_TRUE(most <= period * 3 / 2 && most > period * 14 / 10) << most;
  EXPECT_NEAR(static_cast<double>(sum) / draws, period, 4 * period / std::sqrt(12.0 * draws));
}

// Enabled in profile-me mode, the counters begin at the first sample's period and not at 0.
TEST(Pfm, R98_TheFirstSampleNeedsNoWholeCounter) {
  Profiling m(PF67_PM_RETIRE);
  pmctrs_ev6 which{};
  which.pmctrs_ev6_cpu = PMCTRS_ALL_CPUS;
  which.pmctrs_ev6_select = PF6_SEL_COUNTER_0 | PF6_SEL_COUNTER_1;
  for (const auto request : {PCNT6RESTART, PCNT6ENABLE}) {
    EXPECT_EQ(m.call(PCNT6MUX, PF67_PROFILE_ME_MODE | PF67_CYCLES_AND_RET_DELAY), 0);
    EXPECT_EQ(m.call(request, which), 0);
    const std::uint64_t drawn = (1ull << 20) - (m.cpu(0).last(Function::enable_write) >> 28);
    EXPECT_TRUE(drawn >= pfm::Setup{}.profile_me_period / 2 && drawn <= pfm::Setup{}.profile_me_period * 3 / 2)
        << drawn;
  }
}

TEST(Pfm, R99_AnyOneStatistic) {
  Opened m(Family::ev67);
  for (long statistic = 1; statistic < PF67_PM_COUNT_; ++statistic) {
    EXPECT_EQ(m.call(PCNTSETITEMS, PFM_PROFILING | statistic << PFM_PROFME_MODE_SHIFT), 0) << statistic;
  }
  EXPECT_EQ(PF67_PM_COUNT_, 44);
  EXPECT_EQ(m.call(PCNTSETITEMS, PFM_PROFILING | long{PF67_PM_COUNT_} << PFM_PROFME_MODE_SHIFT), -EINVAL);
}

TEST(Pfm, R100_PerRetiredStatisticsArePairs) {
  Profiling m(PF67_PM_MISPREDICT_PER_RET);
  EXPECT_EQ(m.read_size(), 2 * 2 * 4);
  for (const ProfileMe& s : {mispredicting(), retiring(), retiring(), trapping(6)}) m.device->tick(0, in_user(0), s);
  EXPECT_EQ(m.samples(), (std::vector<std::uint32_t>{1, 3, 0, 0}));
}

TEST(Pfm, R101_FreqIsRetiredInTheDriver) {
  for (const ProfileMe& s : {mispredicting(), retiring(), trapping(0), trapping(12)}) {
    EXPECT_EQ(contribution(PF67_PM_FREQ, s), contribution(PF67_PM_RETIRE, s));
  }
}

TEST(Pfm, R102_Ratios) {
  EXPECT_EQ(per_hundred_retired(1, 4), 25);
  EXPECT_EQ(per_hundred_retired(3, 0), 0);
  EXPECT_EQ(cycles_per_retired(30, 4), 7.5);
}

TEST(ProfileMeSample, Outcomes) {
  EXPECT_EQ(counted(retiring()), (Statistics{PF67_PM_FREQ, PF67_PM_RETIRE, PF67_PM_VALID}));
  EXPECT_EQ(counted(sample({}, {})), (Statistics{PF67_PM_ABORT})) << "killed after map";
  EXPECT_EQ(counted(mispredicting()), (Statistics{PF67_PM_FREQ, PF67_PM_MISPREDICT, PF67_PM_RETIRE, PF67_PM_TRAP}));
  ProfileMe squashed = sample({}, {});
  squashed.squashed = true;
  EXPECT_EQ(counted(squashed), (Statistics{})) << "neither retires nor aborts";
  squashed.squashed_aborts = true;
  EXPECT_EQ(counted(squashed), (Statistics{PF67_PM_ABORT})) << "pmu.squashed_aborts=counted";
  ProfileMe jump = trapping(0);
  jump.unconditional = true;
  EXPECT_EQ(counted(jump), (Statistics{PF67_PM_FREQ, PF67_PM_MISPREDICT, PF67_PM_RETIRE, PF67_PM_TRAP}));
}

TEST(ProfileMeSample, TrapTypes) {
  const std::vector<std::pair<unsigned, unsigned>> aborting{
      {0, PF67_PM_REPLAY_TRAP},     {2, PF67_PM_DTB_MISS3}, {3, PF67_PM_DTB_MISS4},     {4, PF67_PM_FP_DISABLED},
      {5, PF67_PM_LDST_ALIGN_TRAP}, {6, PF67_PM_DTB_MISS},  {7, PF67_PM_DSTREAM_FAULT}, {8, PF67_PM_OPCDEC_TRAP},
      {10, PF67_PM_MCHK_TRAP},      {15, PF67_PM_RESET}};
  for (const auto& [type, statistic] : aborting) {
    Statistics expected{PF67_PM_ABORT, statistic, PF67_PM_TRAP};
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(counted(trapping(type)), expected) << type;
  }
  EXPECT_EQ(counted(trapping(12)), (Statistics{PF67_PM_ARITH_TRAP, PF67_PM_FREQ, PF67_PM_RETIRE, PF67_PM_TRAP}));
  ProfileMe aborted = trapping(12);
  aborted.only_mispredicts_retire = true;
  EXPECT_EQ(counted(aborted), (Statistics{PF67_PM_ABORT, PF67_PM_ARITH_TRAP, PF67_PM_TRAP}));
  EXPECT_EQ(counted(trapping(14)), (Statistics{PF67_PM_FREQ, PF67_PM_MT_FPCR_TRAP, PF67_PM_RETIRE, PF67_PM_TRAP}));
}

TEST(ProfileMeSample, Bits) {
  ev67_istat_reg_t status{};
  status.fields.trp = status.fields.lso = status.fields.icm = status.fields.par = 1;
  ev67_pctr_ctl_reg_t control{};
  control.fields.kb4map = control.fields.mstall = 1;
  EXPECT_EQ(counted(sample(status, control)),
            (Statistics{PF67_PM_ABORT, PF67_PM_EARLY_KILL, PF67_PM_ICACHE_MISS, PF67_PM_ICACHE_PARITY,
                        PF67_PM_LDST_ORDER_TRAP, PF67_PM_MAP_STALL, PF67_PM_REPLAY_TRAP, PF67_PM_TRAP}));
}

TEST(ProfileMeSample, TakenBranchesUnlessMispredicted) {
  ev67_pctr_ctl_reg_t control{};
  control.fields.tak = 1;
  ProfileMe branch = sample({}, control);
  EXPECT_EQ(contribution(PF67_PM_CBR_TAKEN, branch), 0u) << "no conditional branch";
  branch.conditional_branch = true;
  EXPECT_EQ(contribution(PF67_PM_CBR_TAKEN, branch), 1u);
  EXPECT_EQ(contribution(PF67_PM_CBR_TAKEN_PER_RET, branch), 1u);
  branch.i_stat = mispredicting().i_stat;
  EXPECT_EQ(contribution(PF67_PM_CBR_TAKEN, branch), 0u);
}

TEST(ProfileMeSample, RedirectionsAreChargedToTheFrame) {
  for (const auto& [entry, statistic] :
       {std::pair{0x0581u, PF67_PM_ITB_MISS}, std::pair{0x0481u, PF67_PM_ISTREAM_ACCVIO},
        std::pair{0x0681u, PF67_PM_INTERRUPT}}) {
    Profiling m(statistic);
    ProfileMe s = retiring();
    s.pmpc = 0x8000 | entry;
    EXPECT_FALSE(charged_to_frame(s)) << "the flow's own first instruction, which retires";
    EXPECT_EQ(contribution(statistic, s), 0u);
    s.pctr_ctl = 0;
    EXPECT_TRUE(charged_to_frame(s));
    EXPECT_FALSE(retired(s));
    m.device->tick(0, in_user(0x1000), s);
    EXPECT_EQ(m.samples()[0], 1u) << entry;
  }
}

TEST(ProfileMeSample, WindowCounts) {
  ev67_istat_reg_t status{};
  status.fields.ovr = 3;
  ev67_pctr_ctl_reg_t control{};
  control.fields.pctr0 = 40;
  control.fields.pctr1 = 9;
  const ProfileMe s = sample(status, control);
  EXPECT_EQ(contribution(PF67_PM_CYCLES, s), 40u - 3u);  // instructions fetched before the window are counted
  EXPECT_EQ(contribution(PF67_PM_CYCLES_PER_RET, s), 40u - 3u);
  EXPECT_EQ(contribution(PF67_PM_DELAY, s), 9u);
  EXPECT_EQ(contribution(PF67_PM_INFLT_BCACHE_MISS, s), 9u);
  EXPECT_EQ(contribution(PF67_PM_INFLT_REPLAYS, s), 9u);
  EXPECT_EQ(contribution(PF67_PM_INFLT_RETIRES, s), 40u - 3u);
}

}  // namespace
}  // namespace pmusim::testbench::pfm
