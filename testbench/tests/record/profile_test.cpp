// Profiles with varied periods: every address must get the share of samples of its events, for every seed.
// defaults_test.cpp tests this for every event.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "recording.h"
#include "testbench/tests/shares.h"

namespace pmusim::testbench {
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

class Profiles : public testing::TestWithParam<Subject> {};

TEST_P(Profiles, SharesAreWithinFourStandardErrors) {
  const ExactShares truth = exact(GetParam());
  for (const std::uint64_t seed : {1, 2, 3}) {
    const ExactShares::ByAddress profile = sampled(record(without_oracle(GetParam()), RandomPeriod(seed)));
    ASSERT_GT(total(profile), 200);
    EXPECT_LE(worst(truth, profile), 4) << "seed " << seed;
  }
}

TEST_P(Profiles, SeedDecidesEverything) {
  const auto cycles = [&](std::uint64_t seed) {
    std::vector<Cycle> list;
    for (const Sample& sample : record(without_oracle(GetParam()), RandomPeriod(seed)).samples)
      list.push_back(sample.cycle);
    return list;
  };
  EXPECT_EQ(cycles(7), cycles(7));
  EXPECT_NE(cycles(7), cycles(8));
}

INSTANTIATE_TEST_SUITE_P(Targets, Profiles,
                         testing::Values(Subject{"athlon", "i386-quicksort-O2", "RETIRED_INSTRUCTIONS", 151, nmi, 0},
                                         Subject{"ppc750gx", "ppc-quicksort-O2", "PROCESSOR_CYCLES", 151, 0, 0},
                                         Subject{"itanium2", "ia64-recursion-O2", "CPU_CYCLES", 97, linux_vector, 0}));

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

}  // namespace
}  // namespace pmusim::testbench
