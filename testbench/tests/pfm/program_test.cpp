// A C program compiled with sys/pfcntr.h runs on the device: this file implements its system calls.
#include "program.h"

#include "bench.h"

namespace {

using namespace pmusim::testbench::pfm;

constexpr std::uint64_t start = 0x120000000;

/// The kernel under which the program runs.
struct Kernel {
  StandIns machine{Family::ev5, 1};
} * kernel;

template <class Result>
Result or_minus_one(Result result) {
  return result < 0 ? -1 : result;
}

}  // namespace

extern "C" int pfm_open(const char* path, int flags) {
  EXPECT_STREQ(path, "/dev/pfcntr");
  return or_minus_one(kernel->machine.device->open(kernel->machine.user, static_cast<unsigned>(flags)));
}
extern "C" int pfm_close(int descriptor) { return or_minus_one(kernel->machine.device->close(descriptor)); }
extern "C" int pfm_ioctl(int descriptor, unsigned int request, void* argument) {
  return or_minus_one(kernel->machine.device->ioctl(kernel->machine.user, descriptor, request, argument));
}
extern "C" long pfm_read(int descriptor, void* buffer, unsigned long size) {
  return or_minus_one(kernel->machine.device->read(kernel->machine.user, descriptor, buffer, size));
}
// Three ticks of the issues and one of the mispredictions in the program, one in the kernel.
extern "C" void pfm_work(void) {
  Device& device = *kernel->machine.device;
  for (const std::uint64_t instruction : {0, 15, 16}) device.tick(0, in_user(start + 4 * instruction, 0));
  device.tick(0, in_user(start + 4 * 63, 2));
  device.tick(0, in_kernel(text, 0));
}

namespace {

TEST(Header, AProgramInCCountsAndProfiles) {
  Kernel here;
  kernel = &here;
  program_result result{};
  ASSERT_EQ(program_run(start, &result), 0);
  EXPECT_EQ(std::vector<unsigned long>(result.ticks, result.ticks + 3), (std::vector<unsigned long>{4, 0, 1}));
  EXPECT_EQ(result.user_ticks, 4u);
  EXPECT_EQ(result.sample_bytes, 16);
  EXPECT_EQ(std::vector<unsigned>(result.samples, result.samples + 4), (std::vector<unsigned>{2, 1, 0, 1}));
  EXPECT_TRUE(here.machine.user.marked);
  EXPECT_EQ(here.machine.cpu(0).last(Function::select), 0x800000B3u);  // SEL0 = 1, SEL1 = B, SEL2 = 3
  EXPECT_EQ(here.machine.cpu(0).last(Function::enable_write), 7u);
}

}  // namespace
