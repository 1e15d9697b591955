// Conditions that delay a request: disabled interrupts and a stopped clock. And periods at the counter's limit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "recording.h"

namespace pmusim::testbench {
namespace {

std::string straight(unsigned from, unsigned count, unsigned bytes, const char* code) {
  std::string lines;
  for (unsigned i = from; i < from + count; ++i) lines += fmt::format("{:x} {}\n", 0x10000 + i * bytes, code);
  return lines;
}
std::string nops(unsigned from, unsigned count) { return straight(from, count, 1, "90"); }
std::string ppc_nops(unsigned from, unsigned count) { return straight(from, count, 4, "60000000"); }

void expect_taken_by_the_rule(const Subject& subject, std::size_t least) {
  const Recording got = record(subject);
  EXPECT_GE(got.samples.size(), least);
  for (const Sample& sample : got.samples) {
    const Cycle boundary = got.boundary(sample.requested);
    EXPECT_EQ(sample.cycle, boundary + 1) << "sample " << sample.index;
    EXPECT_EQ(sample.ip, got.next_address(boundary)) << "sample " << sample.index;
  }
}

// 100 instructions with interrupts disabled: a request made there waits for their end.
TEST(Waiting, ForTheInterruptFlag) {
  const std::string text =
      "! isa i386\n! if 1\n" + nops(0, 100) + "! if 0\n" + nops(100, 100) + "! if 1\n" + nops(200, 100);
  const Subject subject{"athlon", text, "RETIRED_INSTRUCTIONS", 25, fixed_vector, 0};
  expect_taken_by_the_rule(subject, 4);
  const Recording got = record(subject);
  const auto held_back = [&](const Sample& s) { return !got.accepts(s.requested + got.skid); };
  EXPECT_EQ(std::count_if(got.samples.begin(), got.samples.end(), held_back), 1);
  Subject unmasked = subject;
  unmasked.delivery = nmi;
  expect_taken_by_the_rule(unmasked, got.samples.size() + 2);
}

TEST(Waiting, ForExternalInterruptsOfThe750) {
  const std::string text = "! isa ppc\n! msr ee=1\n" + ppc_nops(0, 100) + "! msr ee=0\n" + ppc_nops(100, 100) +
                           "! msr ee=1\n" + ppc_nops(200, 100);
  const Subject subject{"ppc750gx", text, "INSTRUCTIONS_COMPLETED", 25, 0, 0};
  expect_taken_by_the_rule(subject, 4);
  const Recording got = record(subject);
  const auto held_back = [&](const Sample& s) { return !got.accepts(s.requested + got.skid); };
  EXPECT_EQ(std::count_if(got.samples.begin(), got.samples.end(), held_back), 1);
}

// The last instructions before HLT overflow; the skid ends during the halt, and the interrupt wakes the processor.
TEST(Waiting, EndsInAStandingClock) {
  const std::string text = "! isa i386\n" + nops(0, 100) + "! halt cycles=1000\n" + nops(100, 50);
  const Subject subject{"athlon", text, "RETIRED_INSTRUCTIONS", 100, nmi, 0};
  const Recording got = record(subject);
  ASSERT_EQ(got.samples.size(), 1u);
  EXPECT_FALSE(got.retired.contains(got.samples[0].cycle - 1));
  EXPECT_LT(got.samples[0].cycle, got.samples[0].requested + 100);
  expect_taken_by_the_rule(subject, 1);
}

// 2^31 clocks and one more after the last instruction: exactly one sample at the longest period.
TEST(Waiting, LongestPeriodOfThe750) {
  const std::string text = "! isa ppc\n" + ppc_nops(0, 8) + "! idle cycles=2147483648\n" + ppc_nops(8, 8);
  const Subject subject{"ppc750gx", text, "PROCESSOR_CYCLES", 0x80000000, 0, 0, false, {}, {}, 0xffff0000};
  const Recording got = record(subject);
  ASSERT_EQ(got.samples.size(), 1u);
  EXPECT_EQ(got.samples[0].requested, 0x80000000u - 1) << "the 2^31st cycle, counted from 0";
}

// 2^47 clocks: the longest period of the Athlon, in blocks of the maximum length, as above.
TEST(Waiting, LongestPeriodOfTheAthlon) {
  const std::string text = "! isa i386\n" + nops(0, 8) + "! idle cycles=140737488355328\n" + nops(8, 8);
  const Subject subject{"athlon", text, "CPU_CLK_UNHALTED", std::uint64_t{1} << 47, nmi, 0, false, {}, {}, 0xffff0000};
  const Recording got = record(subject);
  ASSERT_EQ(got.samples.size(), 1u);
  EXPECT_EQ(got.samples[0].requested, (std::uint64_t{1} << 47) - 1 + got.delay) << "the 2^47th clock, counted from 0";
}

}  // namespace
}  // namespace pmusim::testbench
