// EV6: R88 to R95.
#include "bench.h"

namespace pmusim::testbench::pfm::ev6 {
namespace {

pmctrs_ev6 which(unsigned select, unsigned cpu = PMCTRS_ALL_CPUS, unsigned c0 = 0, unsigned c1 = 0) {
  pmctrs_ev6 w{};
  w.pmctrs_ev6_select = select & 3;
  w.pmctrs_ev6_cpu = cpu & 0xFF;
  w.pmctrs_ev6_cntr0 = c0 & 0xFFFFF;
  w.pmctrs_ev6_cntr1 = c1 & 0xFFFFF;
  return w;
}
constexpr unsigned both = PF6_SEL_COUNTER_0 | PF6_SEL_COUNTER_1;
constexpr std::uint64_t image(std::uint64_t c0, std::uint64_t c1) { return c0 << 28 | c1 << 6; }

TEST(Pfm, R88_TwoCountersAndMostCallsOfEv4) {
  Ready m(Family::ev6);
  for (unsigned counter = 0; counter < 3; ++counter) m.device->tick(0, in_user(0, counter));
  const auto counts = m.counts<pfcntrs_ev6>(PCNT6GETCNT)[0];
  EXPECT_EQ(counts.pf_cntr0 + counts.pf_cntr1, 2u);
  EXPECT_EQ(m.call(PCNTSETMUX, iccsr{}), -EINVAL);
  EXPECT_EQ(m.call(PCNT5MUX, 0L), -EINVAL);
  EXPECT_EQ(m.call(PCNTLOGSELECT), 0);
}

TEST(Pfm, R89_MuxIsTwoConstantsOred) {
  Opened m(Family::ev6);
  EXPECT_EQ(m.call(PCNT6MUX, PF6_MUX0_RET_INSTRUCTIONS | PF6_MUX1_RET_UNALIGNED_TRAPS), 0);
  EXPECT_EQ(m.cpu(1).last(Function::select), 0x16u);
  EXPECT_EQ(m.call(PCNT6MUX, ~0L), 0);
  EXPECT_EQ(m.cpu(1).last(Function::select), 0x1Fu);
}

TEST(Pfm, R90_EnableRestartAndEnableWrite) {
  Opened m(Family::ev6);
  EXPECT_EQ(m.call(PCNT6ENABLE, which(PF6_SEL_COUNTER_1)), 0);
  EXPECT_EQ(m.cpu(1).last(Function::enable), 2u);
  EXPECT_EQ(m.call(PCNT6RESTART, which(both, PMCTRS_ALL_CPUS, 5, 6)), 0);
  EXPECT_EQ(m.cpu(1).last(Function::enable_write), 3u) << "zero, whatever the argument has";
  EXPECT_EQ(m.call(PCNT6ENABWRITE, which(both, PMCTRS_ALL_CPUS, 5, 6)), 0);
  EXPECT_EQ(m.cpu(1).last(Function::enable_write), image(5, 6) | 3);
  m.device->tick(0, in_user(0, 0));
  EXPECT_EQ(m.counts<pfcntrs_ev6>(PCNT6GETCNT)[0].pf_cntr0, 1u);
}

TEST(Pfm, R91_EnablingIsForAllCpus) {
  Opened m(Family::ev6);
  for (const std::uint32_t request : {PCNT6ENABLE, PCNT6RESTART, PCNT6ENABWRITE}) {
    EXPECT_EQ(m.call(request, which(both, 1)), -EINVAL);
    EXPECT_EQ(m.call(request, which(both)), 0);
    EXPECT_EQ(m.call(request), -EFAULT);
    pmctrs_ev6 third = which(both);
    third.pmctrs_ev6_long |= 4;  // there are two counters
    EXPECT_EQ(m.call(request, third), -EINVAL);
  }
}

TEST(Pfm, R92_DisableStopsTheSelectedCounters) {
  Ready m(Family::ev6);
  EXPECT_EQ(m.call(PCNT6DISABLE, which(PF6_SEL_COUNTER_0)), 0);
  EXPECT_EQ(m.cpu(0).last(Function::disable), 1u);
  EXPECT_EQ(m.call(PCNT6DISABLE, which(both, 0)), -EINVAL);
  m.device->tick(0, in_user(0, 0));
  EXPECT_EQ(m.counts<pfcntrs_ev6>(PCNT6GETCNT)[0].pf_cntr0, 0u);
}

TEST(Pfm, R93_ClearAndSetChangeTheSelectedCountersOfTheSelectedCpus) {
  Opened m(Family::ev6);
  m.cpu(0).image = m.cpu(1).image = image(100, 200);
  EXPECT_EQ(m.call(PCNT6CLEAR, which(PF6_SEL_COUNTER_1, 1, 9, 9)), 0);
  EXPECT_EQ(m.cpu(0).image, image(100, 200));
  EXPECT_EQ(m.cpu(1).image, image(100, 0));
  EXPECT_EQ(m.call(PCNT6SETCNTRS, which(PF6_SEL_COUNTER_0, PMCTRS_ALL_CPUS, 0xFFFF0, 3)), 0);
  EXPECT_EQ(m.cpu(0).image, image(0xFFFF0, 200));
  EXPECT_EQ(m.cpu(1).image, image(0xFFFF0, 0));
  EXPECT_EQ(m.call(PCNT6SETCNTRS, which(both, 2)), -EINVAL);
}

TEST(Pfm, R94_CountsOfTwoCounters) {
  Ready m(Family::ev6);
  m.device->tick(0, in_user(0, 1));
  m.device->tick(1, in_user(0, 1));
  m.cpu(0).clock = 30;
  m.cpu(0).image = image(1, 2);
  m.cpu(1).image = image(3, 4);
  const auto counts = m.counts<pfcntrs_ev6>(PCNT6GETCNT)[0];
  EXPECT_EQ(counts.pr_cycle, 30u);
  EXPECT_EQ(counts.pf_cntr1, 2u);
  const auto with_hardware = m.counts<pfcntrs_ev6>(PCNT6READCNTRS)[0];
  EXPECT_EQ(with_hardware.pf_cntr0, 1u + 3u);
  EXPECT_EQ(with_hardware.pf_cntr1, (2u << 20) + 2 + 4);
}

TEST(Pfm, R95_ReadsTheHardwareCountersOfOneCpu) {
  Opened m(Family::ev6);
  m.cpu(1).image = image(0x12345, 0xABCDE);
  pmctrs_ev6 wanted = which(both, 1);
  EXPECT_EQ(m.device->ioctl(m.user, m.d, PCNT6GETCNTRS, &wanted), 0);
  EXPECT_EQ(wanted.pmctrs_ev6_cntr0, 0x12345u);
  EXPECT_EQ(wanted.pmctrs_ev6_cntr1, 0xABCDEu);
  EXPECT_EQ(wanted.pmctrs_ev6_select, both);
  EXPECT_EQ(wanted.pmctrs_ev6_cpu, 1u);
  EXPECT_EQ(m.call(PCNT6GETCNTRS, which(both)), -EINVAL);
}

}  // namespace
}  // namespace pmusim::testbench::pfm::ev6
