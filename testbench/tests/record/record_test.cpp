// Sample k belongs to event k x period: every request is compared with the cycles in which the oracle counts those
// events, and every sample with the boundary, the address and the SIA given by the activity.
#include <gtest/gtest.h>

#include <algorithm>

#include "recording.h"

namespace pmusim::testbench::record_tests {
namespace {

class Record : public testing::TestWithParam<Subject> {};

// Request k is that of event k x period. The handler runs after the first cycle in which an instruction retires, from
// `skid` cycles after the request on. SIA has the address of the last instruction that completed in the cycle of the
// signal, unchanged if none did; for a threshold event, the load whose data returned.
TEST_P(Record, SampleKIsEventKTimesPeriod) {
  const Subject& subject = GetParam();
  const Recording got = record(subject);
  ASSERT_GT(got.samples.size(), 5u);
  // At the end of the trace the last request may not be taken.
  ASSERT_LE(got.samples.size(), got.crossings.size());
  ASSERT_GE(got.samples.size() + 1, got.crossings.size());
  EXPECT_EQ(got.crossings.size(), got.events / subject.period);
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < got.samples.size(); ++i) {
    SCOPED_TRACE(i);
    const Sample& sample = got.samples[i];
    EXPECT_EQ(sample.index, i);
    EXPECT_EQ(sample.period, subject.period);
    EXPECT_EQ(sample.requested, got.crossings[i] + got.delay);
    const Cycle boundary = got.boundary(sample.requested);
    ASSERT_LT(boundary, got.end);
    EXPECT_EQ(sample.cycle, boundary + 1);
    EXPECT_EQ(sample.ip, got.next_address(boundary));
    if (subject.target == "athlon") continue;  // latches no address
    ASSERT_EQ(sample.latched.size(), 1u);
    EXPECT_EQ(sample.latched[0].first, "SIA");
    const std::uint64_t sia = sample.latched[0].second;
    if (subject.event == "L1_LOAD_MISSES") {
      const auto& loads = got.slow_loads.at(sample.requested);
      EXPECT_TRUE(std::count(loads.begin(), loads.end(), sia) != 0);
    } else {
      const auto completed = got.retired.find(sample.requested);
      EXPECT_EQ(sia, completed == got.retired.end() ? before : completed->second.ip);
    }
    before = sia;
  }
}

// With a period of one, overflows while a request is pending share its sample; the next request is that of the first
// event after it. With different periods in succession, event number sum(periods) makes the request: none is lost.
TEST_P(Record, PeriodsOfOneAndVaryingPeriodsLoseNoEvent) {
  Subject every = GetParam();
  every.period = 1;
  const Recording all = record(every);
  ASSERT_GT(all.samples.size(), 5u);
  auto event = all.crossings.begin();
  for (const Sample& sample : all.samples) {
    ASSERT_NE(event, all.crossings.end());
    ASSERT_EQ(sample.requested, *event + all.delay) << "sample " << sample.index;
    ASSERT_EQ(sample.cycle, all.boundary(sample.requested) + 1) << "sample " << sample.index;
    event = std::lower_bound(event, all.crossings.end(), sample.cycle);
  }
  std::uint64_t step = 0, sum = 0;
  const Recording got = record(
      GetParam(), [&](std::size_t, std::uint64_t period) { return period - period / 8 + 7 * ++step % (period / 4); });
  ASSERT_GT(got.samples.size(), 5u);
  for (const Sample& sample : got.samples) {
    sum += sample.period;
    ASSERT_LE(sum, all.crossings.size());
    EXPECT_EQ(sample.requested, all.crossings[sum - 1] + got.delay) << "sample " << sample.index;
  }
}

Subject athlon(const char* trace, const char* event, std::uint64_t period) {
  return {"athlon", trace, event, period, nmi, 0};
}
Subject ppc(const char* trace, const char* event, std::uint64_t period, std::uint32_t threshold = 0) {
  return {"ppc750gx", trace, event, period, 0, threshold};
}
INSTANTIATE_TEST_SUITE_P(Athlon, Record,
                         testing::Values(athlon("i386-quicksort-O2", "RETIRED_INSTRUCTIONS", 499),
                                         athlon("i386-recursion-O2", "DATA_CACHE_ACCESSES", 211),
                                         athlon("i386-recursion-O2", "CPU_CLK_UNHALTED", 1013),
                                         athlon("i386-recursion-O2", "RETIRED_UOPS", 997),
                                         athlon("i386-wide-data", "DATA_CACHE_MISSES", 13)));
INSTANTIATE_TEST_SUITE_P(Ppc750gx, Record,
                         testing::Values(ppc("ppc-quicksort-O2", "INSTRUCTIONS_COMPLETED", 499),
                                         ppc("ppc-recursion-O2", "PROCESSOR_CYCLES", 1009),
                                         ppc("ppc-recursion-O2", "LOADS_AND_STORES", 97),
                                         ppc("ppc-wide-data", "L1_LOAD_MISSES", 11, 5),
                                         ppc("ppc-wide-data", "L1_LOAD_MISSES", 7)));

}  // namespace
}  // namespace pmusim::testbench::record_tests
