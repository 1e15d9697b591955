// Profiles with varied periods of a loop, and conditions that delay a request. That every address gets the share of
// samples of its events, and that a seed decides the samples, is in defaults_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "recording.h"
#include "testbench/tests/shares.h"

namespace pmusim::testbench::record_tests {

namespace {

/// The exact shares: a sample of every single event, as if infinitely many samples were taken.
ExactShares exact(const Subject& subject) {
  Subject every = subject;
  every.period = 1;
  const Recording all = record(every);
  const SamplePlaces places(all);
  ExactShares shares;
  for (const Cycle event : all.crossings) {
    if (const auto place = places.of_event(event)) shares.add(place->address, 1);
  }
  return shares;
}

/// The subject without the oracle, for tests that use only the samples.
Subject without_oracle(Subject subject) {
  subject.oracle = false;
  return subject;
}

ExactShares::ByAddress sampled(const Recording& recording) {
  ExactShares::ByAddress profile;
  const Cycle last = recording.retired.rbegin()->first;  // no instruction retires later
  for (const Sample& sample : recording.samples) {
    if (sample.cycle <= last) ++profile[sample.ip];
  }
  return profile;
}

std::uint64_t total(const ExactShares::ByAddress& profile) {
  double sum = 0;
  for (const auto& [ip, count] : profile) sum += count;
  return static_cast<std::uint64_t>(sum);
}

double worst(const ExactShares& exact, const ExactShares::ByAddress& sampled) {
  for (const auto& [ip, count] : sampled) EXPECT_TRUE(exact.knows(ip)) << std::hex << ip << " has no event";
  return exact.worst(sampled, total(sampled));
}

// A loop of nine NOPs and a jump, which retires three instructions per cycle and so repeats after thirty. With a period
// that is a multiple of thirty every sample has the same address; varied periods also sample the other addresses, with
// their shares.
TEST(Aliasing, OfALoopIsGoneWithVariedPeriods) {
  std::string text = "! isa i386\n";
  constexpr unsigned rounds = 20000;
  for (unsigned round = 0; round < rounds; ++round) {
    for (unsigned i = 0; i < 9; ++i) text += fmt::format("{:x} 90\n", 0x10000 + i);
    text += round + 1 < rounds ? "10009 ebf5 T 10000\n" : "10009 ebf5\n";
  }
  const Subject subject{"athlon", text, "RETIRED_INSTRUCTIONS", 600, nmi, 0};
  const ExactShares truth = exact(subject);
  EXPECT_GT(truth.addresses(), 1u);
  const ExactShares::ByAddress steady = sampled(record(without_oracle(subject)));
  const ExactShares::ByAddress varied = sampled(record(without_oracle(subject), RandomPeriod(1)));
  // The first samples may come before the loop has reached its steady state.
  double most = 0;
  for (const auto& [ip, count] : steady) most = std::max(most, count);
  EXPECT_GE(static_cast<std::uint64_t>(most) + 2, total(steady));
  EXPECT_GT(worst(truth, steady), 10) << "the plain period tells of one place only";
  EXPECT_LE(worst(truth, varied), 4);
}

// Conditions that delay a request: disabled interrupts and a stopped clock. And periods at the counter's limit.

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

}  // namespace pmusim::testbench::record_tests
