// EV4: R27 to R34, R70. R71 to R74 are in ev4_events_test.cpp.
#include "bench.h"

namespace pmusim::testbench::pfm {
namespace {

/// The argument of WRPERFMON that PCNTSETMUX makes from the fields.
std::uint64_t programmed(iccsr fields) {
  StandIns m(Family::ev4);
  const int d = m.open(PCNTOPENALL);
  EXPECT_EQ(m.call(d, PCNTSETMUX, fields), 0);
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
  StandIns m(Family::ev4);
  const int d = m.ready(PCNTOPENALL);
  iccsr fields{};
  fields.iccsr_disable = disable & 3;
  EXPECT_EQ(m.call(d, PCNTSETMUX, fields), 0);
  EXPECT_EQ(m.cpu(0).last(Function::select), 0u) << "the driver's own field never reaches the chip";
  for (unsigned counter : {0u, 1u}) m.device->tick(0, in_user(0, counter));
  const auto counts = m.counts<pfcntrs>(d, PCNTGETCNT, 1)[0];
  return {counts.pf_cntr0, counts.pf_cntr1};
}

TEST(Pfm, R32_DisableFieldStopsTheData) {
  EXPECT_EQ(taken(0), std::pair(1ul, 1ul));
  EXPECT_EQ(taken(1), std::pair(0ul, 1ul));
  EXPECT_EQ(taken(2), std::pair(1ul, 0ul));
}

TEST(Pfm, R33_NotBothDisabled) {
  StandIns m(Family::ev4);
  const int d = m.ready(PCNTOPENALL);
  iccsr fields{};
  fields.iccsr_mux0 = PF_CYCLES;
  fields.iccsr_disable = 3;
  EXPECT_EQ(m.call(d, PCNTSETMUX, fields), -EINVAL);
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
  StandIns m(Family::ev4);
  const int d = m.ready(PCNTOPENALL, PFM_COUNTERS | PFM_IPL);
  iccsr fields{};
  fields.iccsr_disable = 2;
  ASSERT_EQ(m.call(d, PCNTSETMUX, fields), 0);
  m.device->tick(0, in_user(0, 1));
  EXPECT_EQ(m.counts<pfcntrs>(d, PCNTGETCNT, 1)[0].pf_cntr1, 0u);
  EXPECT_EQ(m.counts<pfipls>(d, PCNTGETIPLHIS, 1)[0].ipl[8], 0u) << "no data at all";
}

}  // namespace
}  // namespace pmusim::testbench::pfm
