// Sample k belongs to event k x period: every request against the cycles in which the oracle counts those events.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "pmusim/encoder/encoder.h"
#include "pmusim/trace/reader.h"
#include "testbench/driver/sampling.h"
#include "testbench/driver/session.h"
#include "testbench/oracle/oracle.h"

namespace pmusim::testbench {
namespace {

struct Subject {
  const char* target;
  const char* trace;
  const char* event;
  std::uint64_t period;
  Cycle delay;  ///< from the overflow to the request: the Athlon's APIC sees it one clock later
  bool nmi;     ///< the Athlon's APIC entry must let the request through
};

void PrintTo(const Subject& s, std::ostream* out) { *out << s.target << ' ' << s.event << " every " << s.period; }

struct Outcome {
  std::vector<Sample> samples;
  std::vector<Cycle> crossings;
  std::uint64_t expected = 0;  ///< events by the oracle
};

Outcome run(const Subject& subject, const Sampler::NextPeriod& next = {}) {
  const models::Target& target = *models::find_target(subject.target);
  const models::Parameters parameters = target.parameters();
  const std::vector<std::string> events{subject.event};
  const auto encoding = encoder::encode(subject.target, events, {.sampling = true, .unavailable_counters = {}});
  EXPECT_TRUE(encoding);
  Outcome outcome;
  Sampler sampler(
      target, parameters, {{encoding->events[0].counter, subject.period}},
      [&](const Sample& s) { outcome.samples.push_back(s); }, next);
  const auto monitor = target.make_monitor(parameters);
  MonitorSetup setup{sampler.presets(), std::ref(sampler)};
  if (subject.nmi) setup.writes.push_back({find_register(*monitor, "LVTPC")->id, 0x400});
  for (const auto& reg : encoding->registers)
    setup.writes.push_back({find_register(*monitor, reg.name)->id, reg.value});

  oracle::Request request;
  request.event = subject.event;
  const auto counter =
      oracle::make_counter(subject.target, {request}, [&](std::string_view name) { return parameters.get(name); });
  counter->watch(0, subject.period, subject.period);
  SessionOptions options;
  options.engine = Engine::direct;
  Session session(target, parameters, options);
  session.add_monitor(std::move(setup));
  session.add_observer([&](const Block& block) { counter->consume(block); });
  session.run(trace::open(std::string(PMUSIM_SOURCE_DIR "/isa-traces/recorded/") + subject.trace + ".pmt"));
  outcome.crossings = counter->crossings(0);
  outcome.expected = counter->tally(0).expected;
  return outcome;
}

class Record : public testing::TestWithParam<Subject> {};

TEST_P(Record, SampleKIsEventKTimesPeriod) {
  const Outcome got = run(GetParam());
  ASSERT_GT(got.samples.size(), 5u);
  // The last request may find no instruction to be taken at.
  ASSERT_LE(got.samples.size(), got.crossings.size());
  ASSERT_GE(got.samples.size() + 1, got.crossings.size());
  EXPECT_EQ(got.crossings.size(), got.expected / GetParam().period);
  for (std::size_t i = 0; i < got.samples.size(); ++i) {
    EXPECT_EQ(got.samples[i].requested, got.crossings[i] + GetParam().delay) << "sample " << i;
    EXPECT_GE(got.samples[i].cycle, got.samples[i].requested) << "sample " << i;
  }
}

// Overflows while a request waits share its sample: each sample is of some crossing, none of two.
TEST_P(Record, PeriodOneSamplesOnlyEvents) {
  Subject subject = GetParam();
  subject.period = 1;
  const Outcome got = run(subject);
  ASSERT_FALSE(got.samples.empty());
  const std::set<Cycle> cycles(got.crossings.begin(), got.crossings.end());
  for (const Sample& sample : got.samples)
    EXPECT_EQ(cycles.count(sample.requested - subject.delay), 1u) << sample.requested;
}

// Different periods one after the other: event number sum(periods) requests, so none is lost between two samples.
TEST_P(Record, VaryingPeriodsLoseNoEvent) {
  const Subject subject = GetParam();
  Subject every = subject;
  every.period = 1;
  const std::vector<Cycle> events = run(every).crossings;
  std::uint64_t step = 0;
  const Outcome got =
      run(subject, [&](std::size_t, std::uint64_t period) { return period - period / 8 + 7 * ++step % (period / 4); });
  ASSERT_GT(got.samples.size(), 5u);
  std::uint64_t sum = 0;
  for (const Sample& sample : got.samples) {
    sum += sample.period;
    ASSERT_LE(sum, events.size());
    EXPECT_EQ(sample.requested, events[sum - 1] + subject.delay) << "sample " << sample.index;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Record,
                         testing::Values(Subject{"athlon", "i386-quicksort-O2", "RETIRED_INSTRUCTIONS", 499, 1, true},
                                         Subject{"athlon", "i386-quicksort-O2", "DATA_CACHE_ACCESSES", 211, 1, true},
                                         Subject{"athlon", "i386-quicksort-O2", "CPU_CLK_UNHALTED", 1009, 1, true},
                                         Subject{"ppc750gx", "ppc-quicksort-O2", "INSTRUCTIONS_COMPLETED", 499, 0,
                                                 false},
                                         Subject{"ppc750gx", "ppc-quicksort-O2", "PROCESSOR_CYCLES", 1009, 0, false}));

}  // namespace
}  // namespace pmusim::testbench
