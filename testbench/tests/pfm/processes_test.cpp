// Which processes count: R37 to R40.
#include "bench.h"

namespace pmusim::testbench::pfm {
namespace {

constexpr std::array families{Family::ev4, Family::ev5, Family::ev6, Family::ev67};

TEST(Pfm, R37_LogAllCountsAllProcesses) {
  for (const Family family : families) {
    Machine m(family);
    const int d = m.open(PCNTOPENALL);
    ASSERT_EQ(m.call(d, PCNTLOGSELECT), 0);
    EXPECT_EQ(m.call(d, PCNTLOGALL), 0);
    EXPECT_EQ(m.cpu(1).last(Function::options), family == Family::ev4 ? 1u : 0u);
  }
}

TEST(Pfm, R38_LogSelectCountsMarkedProcessesAndMarksTheCaller) {
  for (const Family family : families) {
    Machine m(family);
    const int d = m.open(PCNTOPENALL);
    EXPECT_EQ(m.call(d, PCNTLOGSELECT), 0);
    EXPECT_EQ(m.cpu(1).last(Function::options), family == Family::ev4 ? 2u : 1u);
    EXPECT_TRUE(m.user.marked);
    EXPECT_FALSE(m.root.marked);
  }
}

TEST(Pfm, R39_ChildrenInheritTheMark) {
  Machine m(Family::ev5);
  const int d = m.open(PCNTOPENALL);
  EXPECT_FALSE(m.user.fork(7).marked);
  ASSERT_EQ(m.call(d, PCNTLOGSELECT), 0);
  const Process child = m.user.fork(7);
  EXPECT_EQ(child.id, 7);
  EXPECT_TRUE(child.marked);
  EXPECT_TRUE(child.fork(8).marked);
}

TEST(Pfm, R40_UnmarkIsForTheCallerAlone) {
  Machine m(Family::ev5);
  const int d = m.open(PCNTOPENALL);
  ASSERT_EQ(m.call(d, PCNTLOGSELECT), 0);
  Process child = m.user.fork(7);
  EXPECT_EQ(m.device->ioctl(child, d, PCNTCLEARPCBPME, nullptr), 0);
  EXPECT_FALSE(child.marked);
  EXPECT_TRUE(m.user.marked);
}

}  // namespace
}  // namespace pmusim::testbench::pfm
