// EV5, EV56, PCA56: R75 to R78, R80 to R87.
#include "bench.h"

namespace pmusim::testbench::pfm::ev5 {
namespace {

pmctrs_ev5 which(unsigned select, unsigned cpu = PMCTRS_ALL_CPUS) {
  pmctrs_ev5 w{};
  w.pmctrs_ev5_select = select & 7;
  w.pmctrs_ev5_cpu = cpu & 0xFF;
  return w;
}
constexpr unsigned all = PF5_SEL_COUNTER_0 | PF5_SEL_COUNTER_1 | PF5_SEL_COUNTER_2;
/// The value of PMCTR with these values of counters 0, 1 and 2.
constexpr std::uint64_t image(std::uint64_t c0, std::uint64_t c1, std::uint64_t c2) {
  return c0 << 48 | c1 << 32 | c2 << 16;
}

TEST(Pfm, R75_ThreeCountersAndMostCallsOfEv4) {
  Ready m(Family::ev5);
  for (unsigned counter = 0; counter < 4; ++counter) m.device->tick(0, in_user(0, counter));
  const auto counts = m.counts<pfcntrs_ev5>(PCNT5GETCNT)[0];
  EXPECT_EQ(counts.pf_cntr0 + counts.pf_cntr1 + counts.pf_cntr2, 3u);
  EXPECT_EQ(m.call(PCNTSETMUX, iccsr{}), -EINVAL);
  m.counts<pfcntrs>(PCNTGETCNT, 1, -EINVAL);
  EXPECT_EQ(m.call(PCNTCLEARCNT), 0);
}

std::uint64_t mux(Family family, long events) {
  StandIns m(family);
  EXPECT_EQ(m.call(m.open(PCNTOPENALL), PCNT5MUX, events), 0);
  return m.cpu(1).last(Function::select);
}

TEST(Pfm, R76_MuxIsThreeConstantsOred) {
  EXPECT_EQ(mux(Family::ev5, PF5_MUX0_ISSUES | PF5_MUX1_REPLAY_TRAP | PF5_MUX2_C_DTB_MISS), 0x80000000u | 3u << 4 | 7u);
  // The second selects: bits 21:19 and 24:22 of an EV5's argument, 10:8 and 13:11 of a PCA56's.
  EXPECT_EQ(mux(Family::ev5, PF5_MUX1_C_SYS_REQ | PF5_MUX2_C_SYS_INV), 0xFFu | 7u << 19 | 6u << 22);
  EXPECT_EQ(mux(Family::pca56, PF5_MUX1_C_READ_MISS_2 | PF5_MUX2_C_READ_MISS_3), 0xFFu | 7u << 8 | 7u << 11);
  EXPECT_EQ(mux(Family::ev5, static_cast<long>(0x7FFFFF00)), 0u) << "other bits are masked off";
}

TEST(Pfm, R77_FrequencyIsThreeConstantsOred) {
  Opened m(Family::ev5);
  EXPECT_EQ(m.cpu(0).last(Function::frequency), 0x2A0u) << "long periods before the first call";
  const long fast0 = PF5_C0_INT_EVERY_256 | PF5_C1_INT_EVERY_65536 | PF5_C2_INT_EVERY_16384;
  EXPECT_EQ(m.device->ioctl(m.root, m.d, PCNT5FREQ, const_cast<long*>(&fast0)), 0);
  EXPECT_EQ(m.cpu(0).last(Function::frequency), 3u << 8 | 2u << 6 | 2u << 4);
  EXPECT_EQ(m.call(PCNT5FREQ, 0L), 0);
  EXPECT_EQ(m.cpu(0).last(Function::frequency), 0x2A0u) << "a counter of pfm always has a period";
}

TEST(Pfm, R78_Every256NeedsTheSuperuser) {
  for (const long period : {PF5_C0_INT_EVERY_256, PF5_C1_INT_EVERY_256, PF5_C2_INT_EVERY_256}) {
    Opened m(Family::ev5);
    EXPECT_EQ(m.call(PCNT5FREQ, period), -EPERM);
    EXPECT_EQ(m.cpu(0).last(Function::frequency), 0x2A0u);
    EXPECT_EQ(m.device->ioctl(m.root, m.d, PCNT5FREQ, const_cast<long*>(&period)), 0);
  }
}

TEST(Pfm, R80_EnableKeepsTheValues) {
  Opened m(Family::ev5);
  m.device->tick(0, in_user(0, 2));
  EXPECT_EQ(m.call(PCNT5ENABLE, which(PF5_SEL_COUNTER_0 | PF5_SEL_COUNTER_2)), 0);
  EXPECT_EQ(m.cpu(1).last(Function::enable), 5u);
  for (unsigned counter = 0; counter < 3; ++counter) m.device->tick(0, in_user(0, counter));
  const auto counts = m.counts<pfcntrs_ev5>(PCNT5GETCNT)[0];
  EXPECT_EQ(counts.pf_cntr0, 1u);
  EXPECT_EQ(counts.pf_cntr1, 0u);
  EXPECT_EQ(counts.pf_cntr2, 1u);
}

TEST(Pfm, R81_RestartClearsAndEnables) {
  Opened m(Family::ev5);
  EXPECT_EQ(m.call(PCNT5RESTART, which(PF5_SEL_COUNTER_1)), 0);
  EXPECT_EQ(m.cpu(1).last(Function::enable_write), 2u);
  m.device->tick(0, in_user(0, 1));
  EXPECT_EQ(m.counts<pfcntrs_ev5>(PCNT5GETCNT)[0].pf_cntr1, 1u);
}

TEST(Pfm, R82_EnableAndRestartAreForAllCpus) {
  Opened m(Family::ev5);
  for (const std::uint32_t request : {PCNT5ENABLE, PCNT5RESTART}) {
    EXPECT_EQ(m.call(request, which(all, 0)), -EINVAL);
    EXPECT_EQ(m.call(request, which(all)), 0);
    EXPECT_EQ(m.call(request), -EFAULT);
    pmctrs_ev5 fourth = which(all);
    fourth.pmctrs_ev5_long |= 8;  // the mask of sys/pfcntr.h has three counters
    EXPECT_EQ(m.call(request, fourth), -EINVAL);
  }
}

TEST(Pfm, R83_DisableStopsTheSelectedCounters) {
  Ready m(Family::ev5);
  EXPECT_EQ(m.call(PCNT5DISABLE, which(PF5_SEL_COUNTER_0)), 0);
  EXPECT_EQ(m.cpu(0).last(Function::disable), 1u);
  EXPECT_EQ(m.call(PCNT5DISABLE, which(all, 1)), -EINVAL);
  for (unsigned counter = 0; counter < 2; ++counter) m.device->tick(0, in_user(0, counter));
  const auto counts = m.counts<pfcntrs_ev5>(PCNT5GETCNT)[0];
  EXPECT_EQ(counts.pf_cntr0, 0u);
  EXPECT_EQ(counts.pf_cntr1, 1u);
}

TEST(Pfm, R84_ClearAndSetChangeTheSelectedCountersOfTheSelectedCpus) {
  Opened m(Family::ev5);
  m.cpu(0).image = m.cpu(1).image = image(100, 200, 300);
  EXPECT_EQ(m.call(PCNT5CLEAR, which(PF5_SEL_COUNTER_1, 1)), 0);
  EXPECT_EQ(m.cpu(0).image, image(100, 200, 300));
  EXPECT_EQ(m.cpu(1).image, image(100, 0, 300));
  pmctrs_ev5 values = which(PF5_SEL_COUNTER_0 | PF5_SEL_COUNTER_2);
  values.pmctrs_ev5_cntr0 = 0xFFFE;
  values.pmctrs_ev5_cntr1 = 5;
  values.pmctrs_ev5_cntr2 = 0x3FFF;
  EXPECT_EQ(m.call(PCNT5SETCNTRS, values), 0);
  EXPECT_EQ(m.cpu(0).image, image(0xFFFE, 200, 0x3FFF));
  EXPECT_EQ(m.cpu(1).image, image(0xFFFE, 0, 0x3FFF));
  EXPECT_EQ(m.call(PCNT5CLEAR, which(all, 2)), -EINVAL) << "no such CPU";
}

TEST(Pfm, R85_Contexts) {
  Opened m(Family::ev5);
  EXPECT_EQ(m.call(PCNT5CTXTS, PF5_CTXT_EXEC_AND_SUPER | PF5_CTXT_SEL_PROC), 0);
  EXPECT_EQ(m.cpu(1).last(Function::options), 1u << 30 | 1u << 9 | 1u << 8 | 1u);
  EXPECT_FALSE(m.user.marked);
  EXPECT_EQ(m.call(PCNT5CTXTS, PF5_CTXT_THIS_PROC | PF5_CTXT_NO_PAL), 0);
  EXPECT_EQ(m.cpu(1).last(Function::options), 1u << 9 | 1u) << "marking is not the chip's";
  EXPECT_TRUE(m.user.marked);
  EXPECT_EQ(m.call(PCNTLOGALL), 0);
  EXPECT_EQ(m.cpu(1).last(Function::options), 1u << 9) << "the modes stay";
}

TEST(Pfm, R86_CountsOfThreeCounters) {
  Ready m(Family::ev5, PFM_COUNTERS, PCNTOPENEACH);
  m.device->tick(0, in_user(0, 2));
  m.device->tick(1, in_user(0, 0));
  m.cpu(1).clock = 40;
  m.cpu(1).image = image(7, 0, 0);
  const auto counts = m.counts<pfcntrs_ev5>(PCNT5GETCNT, 2);
  EXPECT_EQ(counts[0].pf_cntr2, 1u);
  EXPECT_EQ(counts[1].pf_cntr0, 1u);
  EXPECT_EQ(counts[1].pr_cycle, 40u);
  const auto with_hardware = m.counts<pfcntrs_ev5>(PCNT5READCNTRS, 2);
  EXPECT_EQ(with_hardware[0].pf_cntr2, 1u << 14);
  EXPECT_EQ(with_hardware[1].pf_cntr0, (1u << 16) + 7);
  ASSERT_EQ(m.call(PCNTSETITEMS, long{PFM_IPL}), 0);
  m.counts<pfcntrs_ev5>(PCNT5GETCNT, 2, -EINVAL);
}

TEST(Pfm, R87_ReadsTheHardwareCountersOfOneCpu) {
  Opened m(Family::ev5);
  m.cpu(1).image = image(0x1234, 0x5678, 0x2345);
  pmctrs_ev5 wanted = which(all, 1);
  EXPECT_EQ(m.device->ioctl(m.user, m.d, PCNT5GETCNTRS, &wanted), 0);
  EXPECT_EQ(wanted.pmctrs_ev5_cntr0, 0x1234u);
  EXPECT_EQ(wanted.pmctrs_ev5_cntr1, 0x5678u);
  EXPECT_EQ(wanted.pmctrs_ev5_cntr2, 0x2345u);
  EXPECT_EQ(wanted.pmctrs_ev5_select, all);
  EXPECT_EQ(wanted.pmctrs_ev5_cpu, 1u);
  EXPECT_EQ(m.call(PCNT5GETCNTRS, which(all)), -EINVAL);
  EXPECT_EQ(m.call(PCNT5GETCNTRS, which(all, 2)), -EINVAL);
}

}  // namespace
}  // namespace pmusim::testbench::pfm::ev5
