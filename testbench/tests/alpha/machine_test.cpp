#include <numeric>

#include "bench.h"
#include "sys/pfcntr.h"
#include "testbench/pfm/profiler.h"

namespace pmusim::testbench::pfm {
namespace {

Machine machine(const std::string& name, const std::vector<std::string>& traces, Setup setup = {}) {
  const models::Target& target = *models::find_target(name);
  std::vector<std::unique_ptr<trace::Reader>> readers;
  readers.reserve(traces.size());
  for (const std::string& file : traces) readers.push_back(trace::open(file));
  return {target, target.parameters(), std::move(readers), std::move(setup)};
}

std::uint64_t sum(const std::vector<Bucket>& buckets) {
  return std::accumulate(buckets.begin(), buckets.end(), std::uint64_t{0},
                         [](std::uint64_t n, const Bucket& b) { return n + b.value; });
}

constexpr Range everything{0x120000000, 0x120100000};

// Cycles at a period of 256: the driver's ticks are the whole periods, and each is in a bucket and in the IPL
// histogram.
TEST(PfmMachine, TicksOfCycles) {
  Machine m = machine("alpha-ev5", {recorded_trace("quicksort-O2")});
  ProfileRequest request;
  request.select = 0xC;  // counter 2: cycles
  request.frequency = PF5_C2_INT_EVERY_256;
  request.counters = PF5_SEL_COUNTER_2;
  request.range = everything;
  const Profile p = profile(m, request);
  EXPECT_NEAR(static_cast<double>(p.ticks[2]), static_cast<double>(p.cycles) / 256, 1.0);  // one may be pending
  EXPECT_GT(p.ticks[2], 100u);
  EXPECT_EQ(sum(p.buckets), p.ticks[2]);
  EXPECT_EQ(p.levels[8], p.ticks[2]);  // a user program
  EXPECT_EQ(p.ticks[0] + p.ticks[1], 0u);
}

// Two processors as one collection: ticks, cycles and buckets are sums; the same trace twice gives twice the result.
TEST(PfmMachine, ProcessorsAddUp) {
  const auto run = [](std::size_t cpus) {
    Machine m = machine("alpha-ev4", std::vector<std::string>(cpus, recorded_trace("strhash")));
    ProfileRequest request;
    request.select = 0xA << 8 | 1u << 3;  // counter 0: cycles, every 4096
    request.counters = 1;
    request.range = everything;
    return profile(m, request);
  };
  const Profile one = run(1), two = run(2);
  ASSERT_GT(one.ticks[0], 10u);
  EXPECT_EQ(two.ticks[0], 2 * one.ticks[0]);
  EXPECT_EQ(two.cycles, 2 * one.cycles);
  EXPECT_EQ(sum(two.buckets), 2 * sum(one.buckets));
  EXPECT_EQ(one.ticks[1], 0u);  // R70: the other counter interrupts, too, and leaves no data
}

// Ticks in the kernel belong to the kernel's ranges and levels; ticks of a user program are not in the kernel's
// profile.
TEST(PfmMachine, KernelAndUserModeAreApart) {
  const auto run = [](bool kernel) {
    pfm::Setup setup;
    setup.kernel_text = {0xfffffc0000230000, 0xfffffc0000250000};
    Machine m = machine("alpha-ev5", {micro_trace("kernel")}, setup);
    ProfileRequest request;
    request.select = 0x9u << 4;  // counter 1: integer operates
    request.frequency = PF5_C1_INT_EVERY_256;
    request.counters = PF5_SEL_COUNTER_1;
    request.range = kernel ? setup.kernel_text : everything;
    request.kernel = kernel;
    return profile(m, request);
  };
  const Profile user = run(false), kernel = run(true);
  EXPECT_EQ(user.ticks[1], kernel.ticks[1]);
  EXPECT_EQ(sum(user.buckets) + sum(kernel.buckets), user.ticks[1]);
  EXPECT_EQ(user.levels[8], sum(user.buckets));
}

// One fetched instruction per period is sampled; every sample retires or aborts.
TEST(PfmMachine, ProfileMeSamplesRetireOrAbort) {
  const auto run = [](unsigned statistic) {
    pfm::Setup setup;
    setup.profile_me_period = 500;
    Machine m = machine("alpha-ev67", {recorded_trace("quicksort-O2")}, setup);
    ProfileRequest request;
    request.select = 0x14;
    request.counters = 3;
    request.statistic = statistic;
    request.range = everything;
    return profile(m, request);
  };
  const Profile retired = run(PF67_PM_RETIRE), aborted = run(PF67_PM_ABORT), pairs = run(PF67_PM_ABORT_PER_RET);
  ASSERT_GT(retired.ticks[0], 200u);
  EXPECT_EQ(retired.ticks[0], aborted.ticks[0]);
  // The instructions of PALcode are outside the range.
  EXPECT_LE(sum(retired.buckets) + sum(aborted.buckets), retired.ticks[0]);
  EXPECT_GT(sum(retired.buckets), retired.ticks[0] / 3);
  EXPECT_EQ(sum(pairs.buckets), sum(aborted.buckets));
  std::uint64_t retirements = 0;
  for (const Bucket& bucket : pairs.buckets) retirements += bucket.retired;
  EXPECT_EQ(retirements, sum(retired.buckets));
}

TEST(PfmMachine, RefusedCallsAreNamed) {
  Machine m = machine("alpha-ev5", {micro_trace("pins")});
  ProfileRequest request;
  request.range = everything;
  request.stride = 3;  // R60
  EXPECT_THROW(
      {
        try {
          (void)profile(m, request);
        } catch (const std::runtime_error& error) {
          EXPECT_NE(std::string(error.what()).find("PCNTSETURANGE"), std::string::npos);
          throw;
        }
      },
      std::runtime_error);
}

}  // namespace
}  // namespace pmusim::testbench::pfm
