// Profiles as `pmusim record -e` makes them when only the period is given: every address must get its share of the
// event's occurrences in the activity, for every event of the target. The exact shares come from the oracle, which has
// the cycle of every event, and from the activity, which shows where the processor takes an interrupt.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "recording.h"
#include "testbench/driver/session.h"
#include "testbench/tests/cli/command.h"
#include "testbench/tests/sampling.h"
#include "testbench/tests/shares.h"

namespace pmusim::testbench::record_tests {
namespace {

/// An event with all its unit masks.
struct Event {
  std::string text;  ///< in the syntax of the command
  oracle::Request request;
};
std::vector<Event> events_of(const std::string& target) {
  std::vector<Event> events;
  for (const oracle::EventName& name : oracle::events(target)) {
    Event event{std::string(name.name), {}};
    event.request.event = event.text;
    for (const std::string_view umask : name.umasks) {
      event.request.umasks.emplace_back(umask);
      event.text += ':' + std::string(umask);
    }
    if (encoder::encode(target, std::vector{event.text}, {.sampling = true})) events.push_back(std::move(event));
  }
  return events;
}

/// A monitor that samples one event in the same way as the command.
struct Profiled {
  std::string event;
  std::uint64_t period;
  ExactShares exact;
  ExactShares::ByAddress got = {};
  std::uint64_t samples = 0;
  std::vector<RegisterWrite> delivery = {};
  std::unique_ptr<Sampler> sampler = {};
};

constexpr std::uint64_t default_seed = 1;

class Defaults : public testing::TestWithParam<Subject> {
 protected:
  const Subject& subject() const { return GetParam(); }
  const models::Target& target() const { return *models::find_target(subject().target); }

  /// The events that are frequent enough, with their exact shares: their number between two samples must be much larger
  /// than that while an interrupt is pending, because a frozen monitor does not count the latter.
  [[nodiscard]] std::vector<Profiled> often() const {
    constexpr std::uint64_t most_samples = 600, fewest_samples = 200, shortest = 25, spaced = 20;
    Recording activity;
    {
      Subject plain = subject();
      plain.oracle = false;
      activity = record(plain);
    }
    const SamplePlaces places(activity);
    const models::Parameters parameters = target().parameters();
    const std::vector<Event> events = events_of(subject().target);
    std::vector<std::unique_ptr<oracle::Counter>> counters;
    for (std::size_t i = 0; i < events.size(); i += sampling) {
      counters.push_back(oracle::make_counter(subject().target, {events[i].request},
                                              [&](std::string_view name) { return parameters.get(name); }));
      counters.back()->watch(0, 1, 1);
    }
    SessionOptions options;
    options.engine = Engine::direct;
    Session session(target(), parameters, options);
    session.add_observer([&](const Block& block) {
      for (const auto& counter : counters) counter->consume(block);
    });
    session.run(open_subject(subject()));
    std::vector<Profiled> result;
    for (std::size_t i = 0; i < counters.size(); ++i) {
      const std::vector<Cycle>& cycles = counters[i]->crossings(0);
      ExactShares exact;
      std::uint64_t waiting = 0;  // events from each possible overflow to its interrupt
      for (auto at = cycles.begin(), behind = at; at != cycles.end(); ++at) {
        const auto place = places.of_event(*at);
        if (!place) break;
        exact.add(place->address, 1);
        while (behind != cycles.end() && *behind <= place->boundary) ++behind;
        waiting += static_cast<std::uint64_t>(behind - at);
      }
      if (cycles.empty()) continue;
      const std::uint64_t period = std::max({shortest, spaced * waiting / cycles.size(), cycles.size() / most_samples});
      if (cycles.size() / period >= fewest_samples)
        result.push_back({.event = events[i * sampling].text, .period = period, .exact = std::move(exact)});
    }
    return result;
  }

  /// Samples all events in one run.
  void sample(std::vector<Profiled>& all) const {
    const models::Parameters parameters = target().parameters();
    const auto monitor = target().make_monitor(parameters);
    SessionOptions options;
    options.engine = Engine::direct;
    Session session(target(), parameters, options);
    for (Profiled& one : all) {
      const auto encoding = encoder::encode(subject().target, std::vector{one.event}, {.sampling = true});
      const auto sink = [&one](const Sample& s) {
        if (!one.exact.knows(s.ip)) return;  // after the program's end
        ++one.samples;
        one.got[s.ip] += 1;
      };
      one.sampler = std::make_unique<Sampler>(target(), parameters,
                                              std::vector<SampledCounter>{{encoding->events[0].counter, one.period}},
                                              sink, RandomPeriod(default_seed));
      one.delivery = delivery_of(subject(), *monitor);
      MonitorSetup setup{one.delivery, [&one](RegisterBus& bus, const pmu::EntryState& entry) {
                           (*one.sampler)(bus, entry);
                           for (const RegisterWrite& write : one.delivery) bus.write(write.id, write.value);
                         }};
      const std::vector<RegisterWrite> presets = one.sampler->presets();
      setup.writes.insert(setup.writes.end(), presets.begin(), presets.end());
      for (const encoder::RegisterValue& reg : encoding->registers)
        setup.writes.push_back({find_register(*monitor, reg.name).value().id, reg.value});
      session.add_monitor(std::move(setup));
    }
    session.run(open_subject(subject()));
  }
};

TEST_P(Defaults, GiveEveryEventItsShares) {
  std::vector<Profiled> all = often();
  sample(all);
  std::size_t shares = 0;
  for (const Profiled& one : all) {
    EXPECT_LE(one.exact.worst(one.got, one.samples), 4) << one.event << " every " << one.period;
    shares += one.exact.compared(one.samples);
  }
  if (sanitized) return;
  EXPECT_GE(all.size(), 10u) << "too few events to say anything";
  EXPECT_GE(shares, 40u);
}

// The command must behave as tested above: its samples must equal those with these periods, one by one.
TEST_P(Defaults, AreThoseOfTheCommand) {
  const Recording drawn = record(subject(), RandomPeriod(default_seed));
  const std::string line = "record -t " + subject().target + " --trace '" + cli_test::recorded(subject().trace) +
                           "' -e " + subject().event + " --period " + std::to_string(subject().period) +
                           " --format json";
  const auto samples = cli_test::lines_of(cli_test::shell("\"$PMUSIM\" " + line).out);
  ASSERT_EQ(samples.size(), drawn.samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto sample = nlohmann::json::parse(samples[i]);
    ASSERT_EQ(sample.at("requested"), drawn.samples[i].requested) << i;
    ASSERT_EQ(sample.at("cycle"), drawn.samples[i].cycle) << i;
    ASSERT_EQ(sample.at("period"), drawn.samples[i].period) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Defaults,
                         testing::Values(Subject{"athlon", "i386-lz77", "CPU_CLK_UNHALTED", 1000, nmi, 0},
                                         Subject{"ppc750gx", "ppc-quicksort-O2", "PROCESSOR_CYCLES", 1000, 0, 0},
                                         Subject{"ppc750gl", "ppc-lz77", "PROCESSOR_CYCLES", 1000, 0, 0},
                                         Subject{"itanium2", "ia64-quicksort-O2", "CPU_CYCLES", 1000, linux_vector, 0},
                                         Subject{"montecito", "ia64-matmul-O2", "CPU_OP_CYCLES_ALL", 1000, linux_vector,
                                                 0}),
                         [](const auto& info) { return info.param.target; });

}  // namespace
}  // namespace pmusim::testbench::record_tests
