// Profiles with varied periods: does every address get the share of samples that its events have?
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "recording.h"

namespace pmusim::testbench {
namespace {

using Profile = std::map<std::uint64_t, std::uint64_t>;  ///< samples, or events, by address

/// The address that a sample of each event would have: what infinitely many samples would show.
Profile exact(const Subject& subject) {
  Subject every = subject;
  every.period = 1;
  const Recording all = record(every);
  Profile profile;
  for (const Cycle event : all.crossings) {
    const Cycle boundary = all.boundary(event + all.delay);
    if (boundary < all.end && std::prev(all.retired.upper_bound(boundary))->second.id + 1 < all.program.size())
      ++profile[all.next_address(boundary)];
  }
  return profile;
}

/// The subject where only its samples are looked at.
Subject without_oracle(Subject subject) {
  subject.oracle = false;
  return subject;
}

Profile sampled(const Recording& recording) {
  Profile profile;
  const Cycle last = recording.retired.rbegin()->first;  // behind it there is no instruction
  for (const Sample& sample : recording.samples) {
    if (sample.cycle <= last) ++profile[sample.ip];
  }
  return profile;
}

double total(const Profile& profile) {
  double sum = 0;
  for (const auto& [ip, count] : profile) sum += static_cast<double>(count);
  return sum;
}

/// The largest distance of a share from the exact one, in standard errors of a share drawn that often. Addresses of
/// which fewer than thirty samples are due are taken together: four standard errors mean little for fewer.
double worst(const Profile& exact, const Profile& sampled) {
  const double events = total(exact), samples = total(sampled);
  double most = 0, rare = 0, rare_sampled = 0;
  const auto compare = [&](double share, double got) {
    if (share > 0 && share < 1)
      most = std::max(most, std::abs(got / samples - share) / std::sqrt(share * (1 - share) / samples));
  };
  for (const auto& [ip, count] : exact) {
    const double share = static_cast<double>(count) / events;
    const auto found = sampled.find(ip);
    const double got = found == sampled.end() ? 0 : static_cast<double>(found->second);
    if (share * samples >= 30) {
      compare(share, got);
    } else {
      rare += share;
      rare_sampled += got;
    }
  }
  if (rare * samples >= 30) compare(rare, rare_sampled);
  for (const auto& [ip, count] : sampled) EXPECT_TRUE(exact.contains(ip)) << std::hex << ip << " has no event";
  return most;
}

class Profiles : public testing::TestWithParam<Subject> {};

TEST_P(Profiles, SharesAreWithinFourStandardErrors) {
  const Profile truth = exact(GetParam());
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Profile profile = sampled(record(without_oracle(GetParam()), RandomPeriod(seed)));
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

Subject itanium2(const char* trace, const char* event, std::uint64_t period) {
  return {"itanium2", trace, event, period, linux_vector, 0};
}
INSTANTIATE_TEST_SUITE_P(Targets, Profiles,
                         testing::Values(Subject{"athlon", "i386-quicksort-O2", "RETIRED_INSTRUCTIONS", 151, nmi, 0},
                                         Subject{"athlon", "i386-quicksort-O2", "CPU_CLK_UNHALTED", 151, nmi, 0},
                                         Subject{"athlon", "i386-quicksort-O2", "DATA_CACHE_ACCESSES", 97, nmi, 0},
                                         Subject{"ppc750gx", "ppc-quicksort-O2", "INSTRUCTIONS_COMPLETED", 151, 0, 0},
                                         Subject{"ppc750gx", "ppc-quicksort-O2", "PROCESSOR_CYCLES", 151, 0, 0},
                                         itanium2("ia64-recursion-O2", "IA64_INST_RETIRED", 151),
                                         itanium2("ia64-recursion-O2", "CPU_CYCLES", 97),
                                         itanium2("ia64-quicksort-O2", "LOADS_RETIRED", 97)));

// A loop of nine NOPs and a jump, which retires three a cycle and so repeats every thirty instructions. With a period
// that is a multiple of thirty every sample falls on the same place; varied periods show the others, too, with the
// shares that they have.
TEST(Aliasing, OfALoopIsGoneWithVariedPeriods) {
  std::string text = "! isa i386\n";
  constexpr unsigned rounds = 20000;
  for (unsigned round = 0; round < rounds; ++round) {
    for (unsigned i = 0; i < 9; ++i) text += fmt::format("{:x} 90\n", 0x10000 + i);
    text += round + 1 < rounds ? "10009 ebf5 T 10000\n" : "10009 ebf5\n";
  }
  const Subject subject{"athlon", text, "RETIRED_INSTRUCTIONS", 600, nmi, 0};
  const Profile truth = exact(subject);
  EXPECT_GT(truth.size(), 1u);
  const Profile steady = sampled(record(without_oracle(subject)));
  const Profile varied = sampled(record(without_oracle(subject), RandomPeriod(1)));
  // The first samples may fall where the loop is not yet in its stride.
  std::uint64_t most = 0;
  for (const auto& [ip, count] : steady) most = std::max(most, count);
  EXPECT_GE(static_cast<double>(most) + 2, total(steady));
  EXPECT_GT(worst(truth, steady), 10) << "the plain period tells of one place only";
  EXPECT_LE(worst(truth, varied), 4);
}

}  // namespace
}  // namespace pmusim::testbench
