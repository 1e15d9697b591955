// Actions at a tick, and the driver's own counts: R17 to R21, R23, R24, R35, R36, R41 to R51.
#include "bench.h"

namespace pmusim::testbench::pfm {
namespace {

TEST(Pfm, R17_ATickIsAnInterrupt) {
  Ready m(Family::ev4);
  m.device->tick(0, in_user(0, 0));
  m.device->tick(0, in_user(0, 1));
  m.device->tick(0, in_user(0, 1));
  m.device->tick(0, in_user(0, 2));  // an EV4 has two counters
  const auto counts = m.counts<pfcntrs>(PCNTGETCNT)[0];
  EXPECT_EQ(counts.pf_cntr0, 1u);
  EXPECT_EQ(counts.pf_cntr1, 2u);
}

TEST(Pfm, R18_ItemsAreIndependent) {
  for (long items = 1; items < 8; ++items) {
    Ready m(Family::ev4, items | PFM_PROFILING);
    ASSERT_EQ(m.call(PCNTSETUADDR, addr_range{0x1000, 0x1010}), 0);
    ASSERT_EQ(m.call(PCNTSETITEMS, items), 0);
    m.device->tick(0, in_user(0x1000));
    ASSERT_EQ(m.call(PCNTSETITEMS, 7L), 0);
    EXPECT_EQ(m.counts<pfcntrs>(PCNTGETCNT)[0].pf_cntr0, (items & PFM_COUNTERS) != 0 ? 1u : 0u);
    EXPECT_EQ(m.counts<pfipls>(PCNTGETIPLHIS)[0].ipl[8], (items & PFM_IPL) != 0 ? 1u : 0u);
    EXPECT_EQ(m.samples()[0], (items & PFM_PROFILING) != 0 ? 1u : 0u);
  }
}

TEST(Pfm, R19_CountsAreInterrupts) {
  Ready m(Family::ev6);
  for (int i = 0; i < 5; ++i) m.device->tick(0, in_user(0, 1));
  EXPECT_EQ(m.counts<pfcntrs_ev6>(PCNT6GETCNT)[0].pf_cntr1, 5u);
}

std::array<unsigned long, 9> levels_of(const std::vector<Tick>& ticks) {
  Ready m(Family::ev4, PFM_IPL);
  for (const Tick& tick : ticks) m.device->tick(0, tick);
  std::array<unsigned long, 9> levels{};
  const auto histogram = m.counts<pfipls>(PCNTGETIPLHIS);
  std::copy(std::begin(histogram[0].ipl), std::end(histogram[0].ipl), levels.begin());
  return levels;
}

TEST(Pfm, R20_OneEntryOfTheLevelsPerTick) {
  std::vector<Tick> ticks;
  for (unsigned ipl = 0; ipl < 6; ++ipl) {
    for (unsigned i = 0; i <= ipl; ++i) ticks.push_back({.ipl = ipl});
  }
  EXPECT_EQ(levels_of(ticks), (std::array<unsigned long, 9>{1, 2, 3, 4, 5, 6, 0, 0, 0}));
}

TEST(Pfm, R21_EntrySixIsUnused) { EXPECT_EQ(levels_of({{.ipl = 6}, {.ipl = 7}})[6], 0u); }

TEST(Pfm, R23_EntryEightIsUserMode) {
  EXPECT_EQ(levels_of({in_user(0), {.user = true, .idle = true}}),
            (std::array<unsigned long, 9>{0, 0, 0, 0, 0, 0, 0, 0, 2}));
}

TEST(Pfm, R24_OnlyTheProfiledModeIsSampled) {
  StandIns m(Family::ev4);
  const int d = m.ready(PCNTOPENALL, PFM_PROFILING);
  ASSERT_EQ(m.call(d, PCNTSETUADDR, addr_range{0x1000, 0x1020}), 0);
  m.device->tick(0, in_kernel(0x1000));
  m.device->tick(0, in_user(0x1000, 0));
  m.device->tick(1, in_user(0x1010, 1));
  m.device->tick(0, in_user(0x1020));  // after the range
  m.device->tick(0, in_user(0x0ffc));
  EXPECT_EQ(m.samples(d), (std::vector<std::uint32_t>{1, 1}));
}

template <class Counts>
void expect_off_and_on(Family family, std::uint32_t get_counts, std::uint64_t counters) {
  StandIns m(family);
  const int d = m.ready(PCNTOPENALL);
  EXPECT_EQ(m.call(d, PCNTDISABLE), 0);
  EXPECT_EQ(m.cpu(1).last(Function::disable), counters);
  m.device->tick(0, in_user(0));
  EXPECT_EQ(m.call(d, PCNTENABLE), 0);
  EXPECT_EQ(m.cpu(1).last(Function::enable), counters);
  m.device->tick(0, in_user(0));
  EXPECT_EQ(m.counts<Counts>(d, get_counts, 1)[0].pf_cntr0, 1u);
}

TEST(Pfm, R25_DisableTurnsTicksOff) {
  expect_off_and_on<pfcntrs>(Family::ev4, PCNTGETCNT, 0);
  expect_off_and_on<pfcntrs_ev5>(Family::ev5, PCNT5GETCNT, 7);
  expect_off_and_on<pfcntrs_ev6>(Family::ev6, PCNT6GETCNT, 3);
}

TEST(Pfm, R26_EnableTurnsTicksOn) {
  Opened m(Family::ev4);
  m.device->tick(0, in_user(0));
  EXPECT_EQ(m.call(PCNTRENABLE), 0);
  EXPECT_EQ(m.cpu(0).last(Function::enable), 0u);
  m.device->tick(0, in_user(0));
  EXPECT_EQ(m.counts<pfcntrs>(PCNTGETCNT)[0].pf_cntr0, 1u);
}

// PCNTENABLE acts on interrupts; the calls of a family select counters.
TEST(Pfm, R26_EnableKeepsTheSelection) {
  pmctrs_ev5 first_ev5{};
  first_ev5.pmctrs_ev5_cpu = PMCTRS_ALL_CPUS;
  first_ev5.pmctrs_ev5_select = PF5_SEL_COUNTER_0;
  pmctrs_ev6 first_ev6{};
  first_ev6.pmctrs_ev6_cpu = PMCTRS_ALL_CPUS;
  first_ev6.pmctrs_ev6_select = PF6_SEL_COUNTER_0;
  const auto enables = [](Family family, std::uint32_t restart, auto first, std::uint64_t all) {
    Opened m(family);
    EXPECT_EQ(m.call(PCNTRENABLE), 0);
    EXPECT_EQ(m.cpu(0).last(Function::enable), all) << "nothing was selected";
    EXPECT_EQ(m.call(PCNTRDISABLE), 0);
    EXPECT_EQ(m.call(restart, first), 0);
    EXPECT_EQ(m.call(PCNTRDISABLE), 0);
    EXPECT_EQ(m.call(PCNTRENABLE), 0);
    EXPECT_EQ(m.cpu(0).last(Function::enable), 1u);
  };
  enables(Family::ev5, PCNT5RESTART, first_ev5, 7);
  enables(Family::ev6, PCNT6RESTART, first_ev6, 3);
}

TEST(Pfm, R35_ItemsAreAnyOfThree) {
  Opened m(Family::ev6);
  for (long items = 1; items < 8; ++items) EXPECT_EQ(m.call(PCNTSETITEMS, items), 0) << items;
  EXPECT_EQ(m.call(PCNTSETITEMS, 9L), -EINVAL);
  EXPECT_EQ(m.call(PCNTSETITEMS, 1L | 1L << 8), -EINVAL) << "statistics are an EV67's";
  EXPECT_EQ(m.call(PCNTSETITEMS), -EFAULT);
}

TEST(Pfm, R36_NoItemIsAnError) {
  Opened m(Family::ev67);
  EXPECT_EQ(m.call(PCNTSETITEMS, 0L), -EINVAL);
  EXPECT_EQ(m.call(PCNTSETITEMS, long{PF67_PM_RETIRE} << PFM_PROFME_MODE_SHIFT), -EINVAL);
}

TEST(Pfm, R41_ClearsCountsAndCycles) {
  Ready m(Family::ev4);
  m.device->tick(0, in_user(0));
  m.cpu(0).clock = 1000;
  m.cpu(1).clock = 500;
  EXPECT_EQ(m.counts<pfcntrs>(PCNTGETCNT)[0].pr_cycle, 1500u);
  EXPECT_EQ(m.call(PCNTCLEARCNT), 0);
  m.cpu(0).clock = 1007;
  const auto counts = m.counts<pfcntrs>(PCNTGETCNT)[0];
  EXPECT_EQ(counts.pf_cntr0, 0u);
  EXPECT_EQ(counts.pr_cycle, 7u);
}

TEST(Pfm, R42_ClearsTheLevels) {
  Ready m(Family::ev4, PFM_COUNTERS | PFM_IPL);
  m.device->tick(0, in_user(0));
  ASSERT_EQ(m.call(PCNTSETITEMS, long{PFM_IPL}), 0);
  EXPECT_EQ(m.call(PCNTCLEARCNT), 0);
  EXPECT_EQ(m.counts<pfipls>(PCNTGETIPLHIS)[0].ipl[8], 0u);
  ASSERT_EQ(m.call(PCNTSETITEMS, long{PFM_COUNTERS}), 0);
  EXPECT_EQ(m.counts<pfcntrs>(PCNTGETCNT)[0].pf_cntr0, 1u) << "not among the items then";
}

TEST(Pfm, R43_NothingToClearIsAnError) {
  Ready m(Family::ev4, PFM_PROFILING);
  ASSERT_EQ(m.call(PCNTSETUADDR, addr_range{0x1000, 0x1010}), 0);
  m.device->tick(0, in_user(0x1000));
  EXPECT_EQ(m.call(PCNTCLEARCNT), -EINVAL);
  EXPECT_EQ(m.samples()[0], 1u);
}

TEST(Pfm, R44_CountsThroughAPointer) {
  Ready m(Family::ev4);
  m.device->tick(0, in_user(0, 1));
  pfcntrs counts{};
  pfcntrs* pointer = &counts;
  EXPECT_EQ(m.device->ioctl(m.user, m.d, PCNTGETCNT, &pointer), 0);
  EXPECT_EQ(counts.pf_cntr1, 1u);
  EXPECT_EQ(m.device->ioctl(m.user, m.d, PCNTGETCNT, nullptr), -EFAULT);
  pointer = nullptr;
  EXPECT_EQ(m.device->ioctl(m.user, m.d, PCNTGETCNT, &pointer), -EFAULT);
}

/// Result of a call that fills an array of `elements`; the program has no memory after the array.
template <class Counts>
int filled(StandIns& m, int descriptor, std::uint32_t request, std::size_t elements) {
  std::vector<Counts> array(elements);
  Counts* pointer = array.data();
  m.user.memory = {};
  m.user.memory.add(array.data(), elements * sizeof(Counts));
  m.user.memory.add(&pointer,
                    sizeof pointer);  // NOLINT(bugprone-sizeof-expression): the pointer itself is the argument
  return m.device->ioctl(m.user, descriptor, request, &pointer);
}

TEST(Pfm, R45_EachCountsNeedRoomForEveryCpu) {
  Ready m(Family::ev4, PFM_COUNTERS, PCNTOPENEACH, 3);
  EXPECT_EQ(filled<pfcntrs>(m, m.d, PCNTGETCNT, 2), -EFAULT);
  EXPECT_EQ(filled<pfcntrs>(m, m.d, PCNTGETCNT, 3), 0);
}

TEST(Pfm, R46_OneElementIsEnoughOtherwise) {
  for (const unsigned mode : {PCNTOPENONE, PCNTOPENALL}) {
    StandIns m(Family::ev4, 3);
    EXPECT_EQ(filled<pfcntrs>(m, m.ready(mode), PCNTGETCNT, 1), 0);
  }
}

TEST(Pfm, R47_CountsNeedTheItem) {
  StandIns m(Family::ev4);
  m.counts<pfcntrs>(m.ready(PCNTOPENALL, PFM_IPL), PCNTGETCNT, 1, -EINVAL);
}

TEST(Pfm, R48_LevelsThroughAPointer) {
  Ready m(Family::ev4, PFM_IPL, PCNTOPENEACH);
  m.device->tick(1, {.ipl = 4});
  const auto levels = m.counts<pfipls>(PCNTGETIPLHIS, 2);
  EXPECT_EQ(levels[0].ipl[4], 0u);
  EXPECT_EQ(levels[1].ipl[4], 1u);
}

TEST(Pfm, R49_EachLevelsNeedRoomForEveryCpu) {
  Ready m(Family::ev4, PFM_IPL, PCNTOPENEACH, 3);
  EXPECT_EQ(filled<pfipls>(m, m.d, PCNTGETIPLHIS, 2), -EFAULT);
  EXPECT_EQ(filled<pfipls>(m, m.d, PCNTGETIPLHIS, 3), 0);
}

TEST(Pfm, R50_OneElementOfLevelsOtherwise) {
  Ready m(Family::ev4, PFM_IPL, PCNTOPENALL, 3);
  for (unsigned cpu = 0; cpu < 3; ++cpu) m.device->tick(cpu, {.ipl = 1});
  EXPECT_EQ(m.counts<pfipls>(PCNTGETIPLHIS)[0].ipl[1], 3u);
  EXPECT_EQ(filled<pfipls>(m, m.d, PCNTGETIPLHIS, 1), 0);
}

TEST(Pfm, R51_LevelsNeedTheItem) {
  StandIns m(Family::ev4);
  m.counts<pfipls>(m.ready(PCNTOPENALL, PFM_COUNTERS), PCNTGETIPLHIS, 1, -EINVAL);
}

}  // namespace
}  // namespace pmusim::testbench::pfm
