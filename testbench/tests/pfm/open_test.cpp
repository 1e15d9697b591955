// Configuration, open, close and sharing: R1 to R16.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "bench.h"
#include "testbench/tests/scratch.h"

namespace pmusim::testbench::pfm {

namespace {

TEST(Pfm, R1_NeedsTheDeviceConfigured) {
  pfm::Setup setup;
  setup.configured = false;
  EXPECT_EQ(StandIns(Family::ev4, 1, setup).open(PCNTOPENONE), -ENXIO);
  EXPECT_GE(StandIns(Family::ev4).open(PCNTOPENONE), 0);
}

extern "C" unsigned long pfm_header_iccsr(void);

TEST(Pfm, R2_CallsHaveTheHeadersNumbers) {
  EXPECT_EQ(PCNTRDISABLE, 0x20005000u);
  EXPECT_EQ(PCNTCALLER, 0x20005008u);
  EXPECT_EQ(PCNTGETRSIZE, 0x4008500Au);
  EXPECT_EQ(PCNTGETIPLHIS, 0x8008500Bu);
  EXPECT_EQ(PCNTSETITEMS, 0x8008501Fu);
  EXPECT_EQ(PCNTSETUADDR, 0x80105020u);
  EXPECT_EQ(PCNTSETKRANGE, 0x80205023u);
  EXPECT_EQ(PCNTSETMUX, 0x80085002u);
  EXPECT_EQ(PCNTGETCNT, 0x80085006u);
  EXPECT_EQ(PCNT5CTXTS, 0x80085028u);
  EXPECT_EQ(PCNT5GETCNTRS, 0xC0085030u);
  EXPECT_EQ(PCNT5READCNTRS, 0x80085032u);
  EXPECT_EQ(PCNT6MUX, 0x80085033u);
  EXPECT_EQ(PCNT6GETCNTRS, 0xC008503Au);
  EXPECT_EQ(PCNT6READCNTRS, 0x8008503Cu);
  EXPECT_EQ(pfm_header_iccsr(), 1ul | 0xEul << 8 | 7ul << 32 | 2ul << 35);
  Opened m(Family::ev4);
  EXPECT_EQ(m.call(0x20005002u), -EINVAL) << "no such number";
  EXPECT_EQ(m.call(PCNT6MUX, 0L), -EINVAL) << "of another family";
  EXPECT_EQ(m.StandIns::call(m.d + 1, PCNTLOGALL), -EBADF);
}

TEST(Pfm, R3_OneCollectsOnTheProgramsCpuAlone) {
  StandIns m(Family::ev4);
  m.user.cpu = 1;
  const int d = m.ready(PCNTOPENONE);
  EXPECT_TRUE(m.cpu(0).made.empty());
  EXPECT_FALSE(m.cpu(1).made.empty());
  m.device->tick(0, in_user(0));
  m.device->tick(1, in_user(0));
  EXPECT_EQ(m.counts<pfcntrs>(d, PCNTGETCNT, 1)[0].pf_cntr0, 1u);
}

TEST(Pfm, R4_EachKeepsTheCpusApart) {
  Ready m(Family::ev4, PFM_COUNTERS, PCNTOPENEACH, 3);
  for (unsigned cpu = 0; cpu < 3; ++cpu) {
    for (unsigned i = 0; i <= cpu; ++i) m.device->tick(cpu, in_user(0));
  }
  const auto counts = m.counts<pfcntrs>(PCNTGETCNT, 3);
  for (unsigned cpu = 0; cpu < 3; ++cpu) EXPECT_EQ(counts[cpu].pf_cntr0, cpu + 1);
}

TEST(Pfm, R5_AllAddsTheCpusUp) {
  Ready m(Family::ev4, PFM_COUNTERS, PCNTOPENALL, 3);
  for (unsigned cpu = 0; cpu < 3; ++cpu) m.device->tick(cpu, in_user(0));
  EXPECT_EQ(m.counts<pfcntrs>(PCNTGETCNT)[0].pf_cntr0, 3u);
}

TEST(Pfm, R6_OneNeedsABoundProgram) {
  StandIns m(Family::ev4);
  m.user.cpu = Process::not_bound;
  EXPECT_EQ(m.open(PCNTOPENONE), -EINVAL);
  m.user.cpu = 2;
  EXPECT_EQ(m.open(PCNTOPENONE), -EINVAL) << "no such CPU";
  m.user.cpu = Process::not_bound;
  EXPECT_GE(m.open(PCNTOPENALL), 0);
}

TEST(Pfm, R7_TheCpuOfTheOpenStays) {
  Ready m(Family::ev4, PFM_COUNTERS, PCNTOPENONE);
  m.user.cpu = 1;
  m.device->tick(1, in_user(0));
  m.device->tick(0, in_user(0));
  EXPECT_EQ(m.counts<pfcntrs>(PCNTGETCNT)[0].pf_cntr0, 1u) << "that of CPU 0";
}

TEST(Pfm, R8_OneProcessAtATime) {
  Opened m(Family::ev4, PCNTOPENONE);
  m.root.cpu = 1;
  EXPECT_EQ(m.device->open(m.root, PCNTOPENONE), -EBUSY) << "whichever CPU, whoever asks";
  EXPECT_EQ(m.device->close(m.d), 0);
  EXPECT_GE(m.device->open(m.root, PCNTOPENONE), 0);
}

TEST(Pfm, R9_TheHolderMayOpenAnotherCpu) {
  StandIns m(Family::ev4);
  ASSERT_GE(m.open(PCNTOPENONE), 0);
  EXPECT_EQ(m.open(PCNTOPENONE), -EBUSY) << "the same CPU again";
  m.user.cpu = 1;
  EXPECT_GE(m.open(PCNTOPENONE), 0);
}

TEST(Pfm, R10_AllAndEachNeedEveryCpu) {
  for (const unsigned mode : {PCNTOPENALL, PCNTOPENEACH}) {
    Opened m(Family::ev4, PCNTOPENONE);
    EXPECT_EQ(m.open(mode), -EBUSY);
    m.device->close(m.d);
    EXPECT_GE(m.open(mode), 0);
    EXPECT_EQ(m.open(PCNTOPENONE), -EBUSY);
  }
}

TEST(Pfm, R11_BusyWhenAnotherToolHasTheCounters) {
  StandIns m(Family::ev4);
  EXPECT_TRUE(m.device->default_handler());
  m.device->taken_by_another_tool();
  EXPECT_FALSE(m.device->default_handler());
  EXPECT_EQ(m.open(PCNTOPENALL), -EBUSY);
}

TEST(Pfm, R12_TheSuperuserResetsTheBusyStatus) {
  StandIns m(Family::ev4);
  m.device->taken_by_another_tool();
  const int d = m.device->open(m.root, PCNTOPENALL);
  ASSERT_GE(d, 0);
  m.device->close(d);
  EXPECT_GE(m.open(PCNTOPENALL), 0) << "it is over";
}

TEST(Pfm, R13_ReadOnlyIsEnough) {
  for (const unsigned access : {0u, 1u, 2u}) {  // O_RDONLY, O_WRONLY, O_RDWR
    StandIns m(Family::ev4);
    EXPECT_GE(m.open(PCNTOPENALL | access), 0);
  }
  EXPECT_EQ(StandIns(Family::ev4).open(0), -EINVAL) << "a mode has to be named";
}

TEST(Pfm, R14_OpenDisablesLogsAllAndCountsOnly) {
  using Made = StandIn::Made;
  StandIns four(Family::ev4), five(Family::ev5), six(Family::ev6);
  const int d = four.open(PCNTOPENALL);
  ASSERT_GE(five.open(PCNTOPENALL), 0);
  ASSERT_GE(six.open(PCNTOPENALL), 0);
  EXPECT_EQ(four.cpu(1).made, (std::vector<Made>{{Function::disable, 0}, {Function::options, 1}}));
  EXPECT_EQ(five.cpu(1).made,
            (std::vector<Made>{{Function::disable, 7}, {Function::options, 0}, {Function::frequency, 0x2A0}}));
  EXPECT_EQ(six.cpu(1).made, (std::vector<Made>{{Function::disable, 3}, {Function::options, 0}}));
  four.device->tick(0, in_user(0));
  EXPECT_EQ(four.counts<pfcntrs>(d, PCNTGETCNT, 1)[0].pf_cntr0, 0u) << "interrupts are off";
  EXPECT_EQ(four.call(d, PCNTSETUADDR, addr_range{0, 64}), -EINVAL) << "counters alone";
}

TEST(Pfm, R15_OpenDoesNotClear) {
  StandIns m(Family::ev4);
  const int first = m.ready(PCNTOPENALL, PFM_COUNTERS | PFM_IPL);
  m.device->tick(0, in_user(0));
  m.device->close(first);
  const int second = m.ready(PCNTOPENALL, PFM_COUNTERS | PFM_IPL);
  EXPECT_EQ(m.counts<pfcntrs>(second, PCNTGETCNT, 1)[0].pf_cntr0, 1u);
  EXPECT_EQ(m.counts<pfipls>(second, PCNTGETIPLHIS, 1)[0].ipl[8], 1u);
}

TEST(Pfm, R16_CloseDisablesAndRestoresTheHandler) {
  Ready m(Family::ev5);
  EXPECT_FALSE(m.device->default_handler());
  m.cpu(0).made.clear();
  EXPECT_EQ(m.device->close(m.d), 0);
  EXPECT_EQ(m.cpu(0).made, (std::vector<StandIn::Made>{{Function::disable, 7}}));
  EXPECT_TRUE(m.device->default_handler());
  EXPECT_EQ(m.device->close(m.d), -EBADF);
}

// Every rule must have a test with its number, and the page must name it.

TEST(Rules, EachHasItsTestAndItsLine) {
  const std::filesystem::path source = PMUSIM_SOURCE_DIR;
  std::string tests;
  for (const auto& entry : std::filesystem::directory_iterator(source / "testbench/tests/pfm")) {
    if (entry.path().extension() == ".cpp") tests += content_of(entry.path());
  }
  const std::string page = content_of(source / "docs/tru64-pfm.md");
  constexpr unsigned rules = 102;
  for (unsigned rule = 1; rule <= rules; ++rule) {
    const std::string head = fmt::format("TEST(Pfm, R{}_", rule);
    const auto place = tests.find(head);
    ASSERT_NE(place, std::string::npos) << head;
    const auto name_at = place + std::string("TEST(Pfm, ").size();
    const std::string name = tests.substr(name_at, tests.find(')', name_at) - name_at);
    EXPECT_NE(page.find(fmt::format("| R{} |", rule)), std::string::npos) << rule;
    EXPECT_NE(page.find('`' + name + '`'), std::string::npos) << name;
  }
}

}  // namespace

}  // namespace pmusim::testbench::pfm
