// The registers that the calls of PALcode leave, and the pfm device over modelled processors.
#include <numeric>
#include <stdexcept>

#include "bench.h"
#include "sys/pfcntr.h"
#include "testbench/pfm/profiler.h"

namespace pmusim::testbench {
namespace {

/// Returns the value of a register of a monitor after these writes.
std::uint64_t value_behind(const models::Target& target, const Programming& programming, std::string_view name) {
  const auto monitor = target.make_monitor(target.parameters());
  for (const RegisterWrite& write : programming.writes()) monitor->write(write.id, write.value, {});
  const auto info = pmu::find_register(*monitor, name);
  return info ? monitor->read(info->id, {}).value : ~std::uint64_t{0};
}

/// True for a register that software cannot read back, or that follows the running process.
bool reads_otherwise(std::string_view name) { return name == "BC_CTL" || name == "CBU_CONFIG" || name == "PCTX"; }

TEST(AlphaProgramming, CallsLeaveTheImagesThatTheEncoderSays) {
  std::size_t compared = 0;
  for (const std::string& name : alphas) {
    const models::Target& target = *models::find_target(name);
    const auto events = encoder::events(name);
    ASSERT_TRUE(events);
    for (const encoder::EventInfo& event : *events) {
      const encoder::Encoding encoding = sampling_encoding(name, {event.name});
      Programming programming(target, target.parameters());
      write(programming, encoding);
      for (const encoder::RegisterValue& image : encoding.images) {
        if (reads_otherwise(image.name)) continue;
        EXPECT_EQ(value_behind(target, programming, image.name), image.value) << event.name << " " << image.name;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 300u);
}

// The second selects cannot be read back: the writes themselves are checked.
TEST(AlphaProgramming, SecondSelectsAreWritten) {
  for (const auto& [name, reg] : {std::pair{"alpha-ev5", "BC_CTL"}, std::pair{"alpha-pca56", "CBU_CONFIG"}}) {
    const models::Target& target = *models::find_target(name);
    Programming programming(target, target.parameters());
    write(programming, sampling_encoding(name, {"CTR1=0x7F", "CTR2=0x5F"}));
    const auto id = pmu::find_register(*target.make_monitor(target.parameters()), reg)->id;
    std::uint64_t last = 0;
    for (const RegisterWrite& write : programming.writes()) last = write.id == id ? write.value : last;
    EXPECT_EQ(last, reg == std::string("BC_CTL") ? 7u << 19 | 5u << 22 : 7u << 8 | 5u << 11);
  }
}

TEST(AlphaProgramming, CountersAreFieldsAndKeepTheOthers) {
  const models::Target& target = *models::find_target("alpha-ev5");
  Programming programming(target, target.parameters());
  programming.write("CTR0", 0x1234);
  programming.write("ctr2", 0x3fff);
  programming.write("CTR1", 0xfffe);
  programming.write("WRPERFMON_FREQUENCY", 0x2a0);
  programming.write("WRPERFMON_ENABLE", 7);
  const std::uint64_t counters = 0x1234ull << 48 | 0xfffeull << 32 | 0x3fffull << 16;
  EXPECT_EQ(value_behind(target, programming, "PMCTR"), counters | 0xa800);
}

TEST(AlphaProgramming, RefusesWhatPalcodeRefuses) {
  const models::Target& ev5 = *models::find_target("alpha-ev5");
  Programming programming(ev5, ev5.parameters());
  EXPECT_NO_THROW(programming.write("WRPERFMON_OPTIONS", 2));             // not one of the options: no effect
  EXPECT_THROW(programming.write("PCTR_CTL", 0), std::invalid_argument);  // of another chip
  const models::Target& ev4 = *models::find_target("alpha-ev4");
  Programming of_ev4(ev4, ev4.parameters());
  EXPECT_THROW(of_ev4.write("CTR0", 0), std::invalid_argument);  // not accessible to software
}

}  // namespace
}  // namespace pmusim::testbench

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
