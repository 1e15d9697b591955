// PC profiling: R52 to R69.
#include "bench.h"

namespace pmusim::testbench::pfm {
namespace {

using Samples = std::vector<std::uint32_t>;

TEST(Pfm, R52_ReadSizeInBytes) {
  Ready m(Family::ev4, PFM_PROFILING);
  ASSERT_EQ(m.call(PCNTSETUADDR, addr_range{0x1000, 0x1040}), 0);
  EXPECT_EQ(m.read_size(), 16);
  m.device->tick(0, in_user(0x1034));
  Samples some(2, 99);
  EXPECT_EQ(m.device->read(m.user, m.d, some.data(), 8), 8) << "from the first bucket on, each time";
  EXPECT_EQ(some, (Samples{0, 0}));
  EXPECT_EQ(m.samples(), (Samples{0, 0, 0, 1})) << "nothing is cleared";
  EXPECT_EQ(m.device->ioctl(m.user, m.d, PCNTGETRSIZE, nullptr), -EFAULT);
  EXPECT_EQ(m.device->read(m.user, m.d, nullptr, 8), -EFAULT);
  EXPECT_EQ(m.device->read(m.user, m.d + 1, some.data(), 8), -EBADF);
}

TEST(Pfm, R53_AFourthOfTheRangeByDefault) {
  Ready m(Family::ev4, PFM_PROFILING);
  for (const unsigned long length : {16ul, 4096ul, 100ul}) {
    ASSERT_EQ(m.call(PCNTSETUADDR, addr_range{0x1000, 0x1000 + length}), 0);
    EXPECT_EQ(m.read_size(), static_cast<long>((length + 15) / 16 * 4));
  }
}

TEST(Pfm, R54_TimesTheCpusAfterOpenEach) {
  Ready m(Family::ev4, PFM_PROFILING, PCNTOPENEACH, 3);
  ASSERT_EQ(m.call(PCNTSETUADDR, addr_range{0x1000, 0x1020}), 0);
  EXPECT_EQ(m.read_size(), 3 * 8);
  m.device->tick(1, in_user(0x1010));
  m.device->tick(2, in_user(0x1000));
  EXPECT_EQ(m.samples(), (Samples{0, 0, 0, 1, 1, 0}));
}

TEST(Pfm, R55_NothingWithoutRangeOrItem) {
  Ready m(Family::ev4, PFM_PROFILING | PFM_IPL);
  EXPECT_EQ(m.read_size(), 0) << "no range";
  ASSERT_EQ(m.call(PCNTSETUADDR, addr_range{0x1000, 0x1020}), 0);
  ASSERT_EQ(m.call(PCNTSETITEMS, long{PFM_IPL}), 0);
  EXPECT_EQ(m.read_size(), 0) << "no profiling";
  Samples one(1);
  EXPECT_EQ(m.device->read(m.user, m.d, one.data(), 4), 0);
}

TEST(Pfm, R56_UserRangeKeepsTheStride) {
  Ready m(Family::ev4, PFM_PROFILING);
  ASSERT_EQ(m.call(PCNTSETURANGE, addr_range_t{0x1000, 0x1020, 1, 0}), 0);
  EXPECT_EQ(m.read_size(), 4 * 8);
  ASSERT_EQ(m.call(PCNTSETUADDR, addr_range{0x2000, 0x2010}), 0);
  EXPECT_EQ(m.read_size(), 4 * 4);
  m.device->tick(0, in_user(0x2008));
  m.device->tick(0, in_kernel(0x2008));
  EXPECT_EQ(m.samples(), (Samples{0, 0, 1, 0}));
}

TEST(Pfm, R57_UserRangeWithStride) {
  Ready m(Family::ev4, PFM_PROFILING);
  ASSERT_EQ(m.call(PCNTSETURANGE, addr_range_t{0x1000, 0x1040, 2, 0}), 0);
  for (const std::uint64_t pc : {0x1000u, 0x1004u, 0x1008u, 0x103cu}) m.device->tick(0, in_user(pc));
  EXPECT_EQ(m.samples(), (Samples{2, 1, 0, 0, 0, 0, 0, 1}));
}

TEST(Pfm, R58_KernelRangeKeepsTheStride) {
  Ready m(Family::ev4, PFM_PROFILING);
  ASSERT_EQ(m.call(PCNTSETKADDR, addr_range{text, text + 32}), 0);
  m.device->tick(0, in_kernel(text + 16));
  m.device->tick(0, in_user(text + 16));
  EXPECT_EQ(m.samples(), (Samples{0, 1}));
}

TEST(Pfm, R59_KernelRangeWithStride) {
  Ready m(Family::ev4, PFM_PROFILING);
  ASSERT_EQ(m.call(PCNTSETURANGE, addr_range_t{0x1000, 0x1040, 1, 0}), 0);
  ASSERT_EQ(m.call(PCNTSETKRANGE, addr_range_t{text, text + 64, 8, 0}), 0);
  m.device->tick(0, in_user(0x1000));
  m.device->tick(0, in_kernel(text + 32));
  EXPECT_EQ(m.samples(), (Samples{0, 1})) << "the latest call decides what is profiled";
}

TEST(Pfm, R60_StrideIsAPowerOfTwo) {
  Ready m(Family::ev4, PFM_PROFILING);
  for (const unsigned long stride : {0ul, 1ul, 2ul, 4ul, 8ul, 64ul}) {
    EXPECT_EQ(m.call(PCNTSETURANGE, addr_range_t{0x1000, 0x2000, stride, 0}), 0) << stride;
    EXPECT_EQ(m.call(PCNTSETKRANGE, addr_range_t{text, text + 64, stride, 0}), 0) << stride;
  }
  for (const unsigned long stride : {3ul, 6ul, 100ul}) {
    EXPECT_EQ(m.call(PCNTSETURANGE, addr_range_t{0x1000, 0x2000, stride, 0}), -EINVAL) << stride;
  }
}

TEST(Pfm, R61_StrideZeroIsOneCounter) {
  Ready m(Family::ev4, PFM_PROFILING);
  ASSERT_EQ(m.call(PCNTSETURANGE, addr_range_t{0x1000, 0x2000, 0, 0}), 0);
  EXPECT_EQ(m.read_size(), 4);
  for (const std::uint64_t pc : {0x1000u, 0x1ffcu, 0x2000u}) m.device->tick(0, in_user(pc));
  EXPECT_EQ(m.samples(), Samples{2});
}

TEST(Pfm, R62_RangesNeedTheItem) {
  Ready m(Family::ev4, PFM_COUNTERS | PFM_IPL);
  EXPECT_EQ(m.call(PCNTSETUADDR, addr_range{0x1000, 0x1010}), -EINVAL);
  EXPECT_EQ(m.call(PCNTSETURANGE, addr_range_t{0x1000, 0x1010, 4, 0}), -EINVAL);
  EXPECT_EQ(m.call(PCNTSETKADDR, addr_range{text, text + 16}), -EINVAL);
  EXPECT_EQ(m.call(PCNTSETKRANGE, addr_range_t{text, text + 16, 4, 0}), -EINVAL);
}

TEST(Pfm, R63_NoMemoryForTheSamples) {
  pfm::Setup setup;
  setup.most_sample_bytes = 64;
  Ready m(Family::ev4, PFM_PROFILING, PCNTOPENALL, 1, setup);
  EXPECT_EQ(m.call(PCNTSETUADDR, addr_range{0, 16 * 16}), 0);
  EXPECT_EQ(m.call(PCNTSETUADDR, addr_range{0, 17 * 16}), -ENOMEM);
  EXPECT_EQ(m.call(PCNTSETURANGE, addr_range_t{0, 17 * 4, 1, 0}), -ENOMEM);
  EXPECT_EQ(m.call(PCNTSETKADDR, addr_range{text, text + 17 * 16}), -ENOMEM);
  EXPECT_EQ(m.call(PCNTSETKRANGE, addr_range_t{text, text + 17 * 4, 1, 0}), -ENOMEM);
  EXPECT_EQ(m.read_size(), 64) << "what was there stays";
}

TEST(Pfm, R64_CallerNeedsKernelProfiling) {
  Ready m(Family::ev4, PFM_PROFILING);
  EXPECT_EQ(m.call(PCNTCALLER), -EINVAL);
  ASSERT_EQ(m.call(PCNTSETUADDR, addr_range{0x1000, 0x1010}), 0);
  EXPECT_EQ(m.call(PCNTCALLER), -EINVAL);
  ASSERT_EQ(m.call(PCNTSETKADDR, addr_range{text, text + 64}), 0);
  EXPECT_EQ(m.call(PCNTCALLER), 0);
  // A user range ends this mode and the kernel profiling: the next kernel range is the profiled one again.
  ASSERT_EQ(m.call(PCNTSETUADDR, addr_range{0x1000, 0x1010}), 0);
  ASSERT_EQ(m.call(PCNTSETKADDR, addr_range{text, text + 128}), 0);
  EXPECT_EQ(m.read_size(), 32);
}

TEST(Pfm, R65_UtilityRoutinesGoToTheirCallers) {
  pfm::Setup setup;
  setup.utility_routines = {{text + 32, text + 48}};
  Ready m(Family::ev4, PFM_PROFILING, PCNTOPENALL, 1, setup);
  ASSERT_EQ(m.call(PCNTSETKADDR, addr_range{text, text + 64}), 0);
  m.device->tick(0, in_kernel(text + 32, 0, text + 4));
  EXPECT_EQ(m.samples(), (Samples{0, 0, 1, 0}));
  ASSERT_EQ(m.call(PCNTCALLER), 0);
  m.device->tick(0, in_kernel(text + 44, 0, text + 4));
  m.device->tick(0, in_kernel(text + 48, 0, text + 4));
  EXPECT_EQ(m.samples(), (Samples{1, 0, 1, 1}));
}

TEST(Pfm, R66_FurtherRangesGoToTheirCallers) {
  Ready m(Family::ev4, PFM_PROFILING);
  ASSERT_EQ(m.call(PCNTSETKADDR, addr_range{text, text + 64}), 0);
  ASSERT_EQ(m.call(PCNTCALLER), 0);
  ASSERT_EQ(m.call(PCNTSETKADDR, addr_range{text + 16, text + 32}), 0);
  EXPECT_EQ(m.read_size(), 16) << "the profiled range stays";
  m.device->tick(0, in_kernel(text + 20, 0, text + 52));
  m.device->tick(0, in_kernel(text + 36, 0, text + 52));
  EXPECT_EQ(m.samples(), (Samples{0, 0, 1, 1}));
}

TEST(Pfm, R67_CallerRangesHaveNoStride) {
  Ready m(Family::ev4, PFM_PROFILING);
  ASSERT_EQ(m.call(PCNTSETKADDR, addr_range{text, text + 64}), 0);
  ASSERT_EQ(m.call(PCNTCALLER), 0);
  EXPECT_EQ(m.call(PCNTSETKRANGE, addr_range_t{text + 16, text + 32, 3, 0}), 0);
  EXPECT_EQ(m.read_size(), 16);
}

TEST(Pfm, R68_FourCallerRanges) {
  Ready m(Family::ev4, PFM_PROFILING);
  ASSERT_EQ(m.call(PCNTSETKADDR, addr_range{text, text + 64}), 0);
  ASSERT_EQ(m.call(PCNTCALLER), 0);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(m.call(PCNTSETKADDR, addr_range{text + 4 * i, text + 4 * i + 4}), 0);
  EXPECT_EQ(m.call(PCNTSETKADDR, addr_range{text + 32, text + 36}), -ENOSPC);
  EXPECT_EQ(m.call(PCNTSETKADDR, addr_range{text + 33, text + 36}), -EFAULT) << "a bad address is told first";
}

TEST(Pfm, R69_BadKernelAddresses) {
  const std::uint64_t end = pfm::Setup{}.kernel_text.end;
  Ready m(Family::ev4, PFM_PROFILING);
  for (const addr_range range :
       {addr_range{text - 4, text + 16}, addr_range{text, end + 4}, addr_range{text + 2, text + 16},
        addr_range{text, text + 18}, addr_range{text + 16, text + 16}, addr_range{0, 16}}) {
    EXPECT_EQ(m.call(PCNTSETKADDR, range), -EFAULT);
    EXPECT_EQ(m.call(PCNTSETKRANGE, addr_range_t{range.start, range.end, 4, 0}), -EFAULT);
  }
  EXPECT_EQ(m.call(PCNTSETKADDR, addr_range{text, end}), 0);
}

}  // namespace
}  // namespace pmusim::testbench::pfm
