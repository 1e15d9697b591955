// Profiles of the pfm device with random periods, as `pmusim record --statistic` makes them by default: every address
// gets the share of a statistic that it has in the activity. The exact shares come from the oracle: its count of each
// event, and the life of each instruction.
#include "testbench/tests/shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench.h"
#include "models/alpha/wrperfmon.h"
#include "sys/pfcntr.h"
#include "testbench/driver/activity_source.h"
#include "testbench/driver/programming.h"
#include "testbench/driver/sampling.h"
#include "testbench/oracle/oracle.h"
#include "testbench/oracle/profile.h"
#include "testbench/pfm/profiler.h"
#include "testbench/targets/alpha/judging_interrupts.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench {
namespace {

constexpr pfm::Range program_text{0x120000000, 0x120100000};

/// The values of a profile by address.
ExactShares::ByAddress found(const pfm::Profile& profile, bool retired = false) {
  ExactShares::ByAddress values;
  for (const pfm::Bucket& bucket : profile.buckets)
    values[bucket.address] += static_cast<double>(retired ? bucket.retired : bucket.value);
  return values;
}

struct Asked {
  std::string name;        ///< with its period, if the name includes it
  std::string event;       ///< name of the oracle's event
  unsigned statistic = 0;  ///< number of the profile-me statistic
};

/// Every count of a chip at its shortest period, and every statistic of the 21264A.
std::vector<Asked> all_of(const std::string& chip) {
  std::vector<Asked> list;
  const bool has_periods = chip == "alpha-ev4" || chip == "alpha-ev5" || chip == "alpha-pca56";
  for (const oracle::EventName& event : oracle::events(chip)) {
    if (event.name.starts_with("PF67_PM_")) continue;
    const std::vector<std::string> short_period{fmt::format("{}:freq=256", event.name)};
    const auto shortest = encoder::encode(chip, short_period, {.sampling = true});
    list.push_back({fmt::format("{}{}", event.name,
                                !has_periods ? ""
                                : shortest   ? ":freq=256"
                                             : ":freq=4096"),
                    std::string(event.name), 0});
  }
  if (chip != "alpha-ev67") return list;
  unsigned number = 0;
  for (const std::string_view name : oracle::profile_statistics())
    list.push_back({std::string(name), std::string(name), ++number});
  return list;
}

/// The counts and lives of a program on a chip, from one run of the core.
class Execution {
 public:
  Execution(const std::string& chip, const std::string& trace)
      : target_(*models::find_target(chip)), lives_(lives_of(target_)) {
    const models::Parameters parameters = target_.parameters();
    const auto lookup = [&](std::string_view name) { return parameters.get(name); };
    for (const oracle::EventName& event : oracle::events(chip)) {
      if (event.name.starts_with("PF67_PM_")) continue;
      const std::string name(event.name);
      counters_[name] = oracle::make_counter(chip, {oracle::Request{.event = name, .umasks = {}}}, lookup);
      counters_[name]->watch(0, 1, 1);
    }
    // An overflow in every cycle finds every boundary at which an interrupt is possible.
    InterruptTimeline every(0, chip != "alpha-ev6" && chip != "alpha-ev67", InterruptTimeline::Period{});
    std::vector<Cycle> cycles;
    CoreSource source(target_.make_core(trace::open(trace), parameters), Region{}, false);
    while (const Block* const block = source.next(1024)) {
      for (Cycle at = block->begin; at < block->end; ++at) cycles.push_back(at);
      every.consume(*block, cycles);
      for (const auto& [name, counter] : counters_) counter->consume(*block);
      if (chip == "alpha-ev67") lives_.consume(*block);
    }
    for (std::uint64_t number = 1; const auto life = lives_.sample(0, number); ++number) all_.push_back(*life);
    boundaries_ = every.taken();
    skid_ = static_cast<Cycle>(parameters.get("pmu.interrupt_skid"));
  }
  /// The addresses at which the processor takes the interrupt that each event would cause.
  [[nodiscard]] std::vector<std::uint64_t> places_of(const std::string& event) const {
    std::vector<std::uint64_t> places;
    for (const Cycle at : counters_.at(event)->crossings(0)) {
      const auto taken = std::lower_bound(boundaries_.begin(), boundaries_.end(), at + skid_ + 1,
                                          [](const auto& boundary, Cycle cycle) { return boundary.cycle < cycle; });
      if (taken != boundaries_.end()) places.push_back(taken->pc);
    }
    return places;
  }
  [[nodiscard]] ExactShares of_event(const std::string& event) const {
    ExactShares truth;
    for (const std::uint64_t place : places_of(event)) truth.add(place, 1);
    return truth;
  }
  /// A sample of each fetched instruction. PALcode flows are not part of the program's histogram.
  [[nodiscard]] ExactShares of_statistic(std::string_view name) const {
    ExactShares truth;
    for (const oracle::Sample& life : all_) {
      const bool elsewhere = life.pal || life.redirected();
      const auto value = elsewhere ? 0 : static_cast<double>(oracle::statistic(name, {&life, 1}));
      if (value == 0) {
        truth.add_nothing();
      } else {
        truth.add(life.pc, value);
      }
    }
    return truth;
  }

 private:
  static oracle::ProfileList lives_of(const models::Target& target) {
    const models::Parameters parameters = target.parameters();
    if (!parameters.has("pmu.overcount_cycles")) return oracle::ProfileList();
    return oracle::ProfileList(static_cast<Cycle>(parameters.get("pmu.overcount_cycles")),
                               parameters.get("pmu.retiring_traps") != 0);
  }
  const models::Target& target_;
  std::map<std::string, std::unique_ptr<oracle::Counter>> counters_;
  oracle::ProfileList lives_;
  std::vector<oracle::Sample> all_;  ///< executions of instructions, in the order of their fetch
  std::vector<InterruptTimeline::Taken> boundaries_;
  Cycle skid_ = 0;
};

pfm::ProfileRequest request_of(const std::string& chip, const Asked& asked, std::uint64_t* period = nullptr) {
  const encoder::Encoding encoding = sampling_encoding(chip, {asked.name});
  pfm::ProfileRequest request;
  for (const encoder::RegisterValue& call : encoding.registers) {
    if (call.name == "WRPERFMON_SELECT") request.select = call.value;
    if (call.name == "WRPERFMON_FREQUENCY") request.frequency = call.value;
  }
  request.counters = asked.statistic != 0 ? 3 : 1u << encoding.events[0].counter_index;
  request.statistic = asked.statistic;
  request.range = program_text;
  const std::string& canonical = encoding.events[0].canonical;
  if (const auto freq = canonical.find(":freq="); period != nullptr && freq != std::string::npos)
    *period = std::stoull(canonical.substr(freq + 6));
  return request;
}

/// A profile as the command makes it; without a seed, periods are constant.
pfm::Profile profile_of(const std::string& chip, std::unique_ptr<trace::Reader> trace,
                        const pfm::ProfileRequest& request, std::uint64_t period, std::optional<std::uint64_t> seed) {
  const models::Target& target = *models::find_target(chip);
  pfm::Setup setup;
  setup.profile_me_period = setup.count_period = period;
  if (seed) {
    setup.spacing = pfm::Spacing::drawn;
    setup.seed = *seed;
  } else if (request.statistic != 0) {
    setup.spacing = pfm::Spacing::constant;
  }
  std::vector<std::unique_ptr<trace::Reader>> traces;
  traces.push_back(std::move(trace));
  pfm::Machine machine(target, target.parameters(), std::move(traces), setup);
  return pfm::profile(machine, request);
}

class Shares : public ::testing::TestWithParam<std::string> {};

/// Compares all profiles of a program with the exact shares; returns the number of shares with enough samples.
std::size_t compare_shares(const std::string& chip, const std::string& trace) {
  const Execution run(chip, trace);
  const std::vector<Asked> all = all_of(chip);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < all.size(); i += sampling) {
    const Asked& asked = all[i];
    const std::string plain = asked.event.substr(0, asked.event.find("_PER_RET"));
    const bool pairs = plain.size() != asked.event.size();
    const ExactShares truth = asked.statistic != 0 ? run.of_statistic(plain) : run.of_event(asked.event);
    const pfm::ProfileRequest request = request_of(chip, asked);
    const auto counter = static_cast<std::size_t>(asked.statistic != 0 ? 0 : std::countr_zero(request.counters));
    const std::uint64_t period = asked.statistic != 0 ? 1009 : 256;
    const pfm::Profile profile = profile_of(chip, trace::open(trace), request, period, 1);
    const std::uint64_t samples = profile.ticks.at(counter);
    EXPECT_LE(truth.worst(found(profile), samples), 4) << asked.name;
    compared += truth.compared(samples);
    if (pairs) {
      EXPECT_LE(run.of_statistic("PF67_PM_RETIRE").worst(found(profile, true), samples), 4) << asked.name;
    }
  }
  return compared;
}

// A program with most of its time in one loop, so that each instruction has many samples, and one with its time spread
// out.
TEST_P(Shares, AreWithinFourStandardErrors) {
  if (sanitized) {
    (void)compare_shares(GetParam(), recorded_trace("recursion-O2"));
    return;
  }
  const std::size_t compared = compare_shares(GetParam(), recorded_trace("matmul-int")) +
                               compare_shares(GetParam(), recorded_trace("quicksort-O2"));
  EXPECT_GE(compared, GetParam() == "alpha-ev4" ? 5u : 20u) << "too few samples to say anything";
  RecordProperty("compared", static_cast<int>(compared));
}

INSTANTIATE_TEST_SUITE_P(Alphas, Shares, ::testing::ValuesIn(alphas),
                         [](const auto& info) { return info.param.substr(std::string_view("alpha-").size()); });

/// A processor that repeats a program for ever. The events of one round and the addresses of their samples are known,
/// so the next overflow is found by division, at any period. Counters and PALcode are those of the model.
class Repeated final : public pfm::Processor {
 public:
  Repeated(const std::string& chip, std::vector<std::uint64_t> round)
      : monitor_(models::find_target(chip)->make_monitor(models::find_target(chip)->parameters())),
        chip_(*pmu::alpha_chip(*monitor_)),
        round_(std::move(round)),
        palcode_(chip_, *monitor_) {}
  [[nodiscard]] pfm::Family family() const override { return static_cast<pfm::Family>(chip_); }
  std::uint64_t wrperfmon(pfm::Function function, std::uint64_t argument) override {
    return palcode_(static_cast<std::uint64_t>(function), argument);
  }
  [[nodiscard]] std::uint64_t cycles() const override { return events_; }

  /// Runs to a number of overflows of a counter; `period`: that of a counter that cannot be written.
  void run(pfm::Device& device, unsigned number, std::uint64_t samples, std::uint64_t period) {
    const pmu::AlphaCounter& counter = pmu::alpha_counters(chip_)[number];
    for (; samples != 0; --samples) {
      events_ += counter.reg.empty() ? period : overflow(counter);
      device.tick(0, {.counter = number, .pc = round_[(events_ - 1) % round_.size()], .user = true});
    }
  }

 private:
  /// The events left until the counter overflows; the counter then restarts.
  std::uint64_t overflow(const pmu::AlphaCounter& counter) {
    const std::uint64_t image = wrperfmon(pfm::Function::read, 0);
    wrperfmon(pfm::Function::write, write_argument(chip_, counter, image, 0));
    return counter.mask() + 1 - (image >> counter.shift & counter.mask());
  }
  std::unique_ptr<pmu::Monitor> monitor_;
  pmu::AlphaChip chip_;
  std::vector<std::uint64_t> round_;
  pmu::Wrperfmon palcode_;
  std::uint64_t events_ = 0;
};

// `record --statistic` with default settings: the period of the hardware, 65536 or 16384 events of an EV5 and 2^20 of
// an EV6, random for each sample. The statistics of profile-me are tested above: their default is 1009.
TEST_P(Shares, OfALongRunWithDefaultSettingsAreTheExactOnes) {
  const std::string chip = GetParam();
  if (chip == "alpha-ev4") GTEST_SKIP() << "its counters cannot be written: periods are constant";
  const std::uint64_t samples = sanitized ? 300 : 3000;
  std::size_t compared = 0;
  for (const char* program : {"recursion-O2", "matmul-int"}) {
    if (sanitized && compared != 0) break;
    const Execution execution(chip, recorded_trace(program));
    for (const Asked& asked : all_of(chip)) {
      const std::vector<std::uint64_t> round =
          asked.statistic != 0 ? std::vector<std::uint64_t>() : execution.places_of(asked.event);
      if (round.empty()) continue;
      std::uint64_t period = 1u << 20;
      const pfm::ProfileRequest request = request_of(chip, {asked.event, asked.event, 0}, &period);
      Repeated processor(chip, round);
      pfm::Setup setup;
      setup.spacing = pfm::Spacing::drawn;
      setup.count_period = period;
      pfm::Device device({&processor}, setup);
      const auto number = static_cast<unsigned>(std::countr_zero(request.counters));
      const pfm::Profile profile = pfm::profile(
          device, processor.family(), 0, [&] { processor.run(device, number, samples, period); }, request);
      const ExactShares truth = execution.of_event(asked.event);
      ASSERT_EQ(profile.ticks.at(number), samples) << asked.event;
      EXPECT_LE(truth.worst(found(profile), samples), 4) << asked.event << " of " << program;
      compared += truth.compared(samples);
    }
  }
  EXPECT_GE(compared, sanitized ? 1u : 100u);
}

// `record -e` with only a period given: every event at once, each with its own monitor.
TEST_P(Shares, OfSampledEventsAreTheExactOnes) {
  const std::string chip = GetParam();
  if (chip == "alpha-ev4") GTEST_SKIP() << "its counters cannot be written: periods are constant";
  struct Sampled {
    std::string event;
    std::unique_ptr<FirmwareSampler> sampler;
    ExactShares::ByAddress got;
    std::uint64_t samples = 0;
  };
  const std::string program = recorded_trace(sanitized ? "recursion-O2" : "matmul-int");
  const Execution execution(chip, program);
  const models::Target& target = *models::find_target(chip);
  const models::Parameters parameters = target.parameters();
  SessionOptions options;
  options.engine = Engine::direct;
  Session session(target, parameters, options);
  constexpr std::uint64_t period = 150;
  std::vector<std::unique_ptr<Sampled>> all;
  for (const Asked& asked : all_of(chip)) {
    if (asked.statistic != 0) continue;
    const encoder::Encoding encoding = sampling_encoding(chip, {asked.event});
    Sampled& one = *all.emplace_back(std::make_unique<Sampled>(Sampled{asked.event, {}, {}}));
    const auto sink = [&one](const Sample& sample) {
      ++one.got[sample.ip];
      ++one.samples;
    };
    one.sampler = find_firmware(chip)->sampler({{encoding.events[0].counter, period}}, sink, RandomPeriod(1));
    Programming programming(target, parameters);
    one.sampler->preset(programming);
    write(programming, encoding);
    session.add_monitor({programming.writes(), std::ref(*one.sampler)});
  }
  session.run(trace::open(program));
  std::size_t compared = 0;
  for (const auto& one : all) {
    const ExactShares truth = execution.of_event(one->event);
    EXPECT_LE(truth.worst(one->got, one->samples), 4) << one->event;
    compared += truth.compared(one->samples);
  }
  if (!sanitized) {
    EXPECT_GE(compared, 5u);
  }
}

/// `rounds` iterations of fifteen additions and a branch; the last ends before the branch.
std::string loop(unsigned rounds) {
  std::string text = "! isa alpha\n";
  for (unsigned round = 0; round < rounds; ++round) {
    for (unsigned i = 0; i < 15; ++i) text += fmt::format("{:x} 0114e043 itlb=hit\n", 0x120000000 + 4 * i);
    if (round + 1 < rounds) text += "12000003c f0ffffc3 T 120000000 itlb=hit\n";
  }
  return text;
}

// Sixteen instructions a round and a period that is a multiple of 16: a constant period puts all samples on a few
// addresses; random periods sample the sixteen equally.
TEST(Aliasing, OfALoopIsGoneWithDrawnPeriods) {
  constexpr unsigned rounds = 12000;
  ExactShares alike;
  for (unsigned round = 0; round < rounds; ++round) {
    for (std::uint64_t i = 0; i < 16; ++i) alike.add(0x120000000 + 4 * i, 1);
  }
  const Asked retired{"PF67_PM_RETIRE", "PF67_PM_RETIRE", PF67_PM_RETIRE};
  const pfm::ProfileRequest request = request_of("alpha-ev67", retired);
  const auto profile = [&](std::uint64_t period, std::optional<std::uint64_t> seed) {
    return profile_of("alpha-ev67", trace::open_text(loop(rounds), "loop"), request, period, seed);
  };
  const pfm::Profile constant = profile(160, std::nullopt);
  EXPECT_GT(alike.worst(found(constant), constant.ticks[0]), 10) << "the plain period tells of few places only";
  for (const std::uint64_t seed : {1, 2, 3}) {
    const pfm::Profile drawn = profile(160, seed);
    ASSERT_GE(alike.compared(drawn.ticks[0]), 16u);
    EXPECT_LE(alike.worst(found(drawn), drawn.ticks[0]), 4) << "seed " << seed;
  }
}

// The driver's count of events equals that of the hardware, wherever the driver sets the counters.
TEST(Drawn, PeriodsLoseNoEvent) {
  constexpr unsigned rounds = 5000;
  for (const auto& [chip, event] :
       {std::pair{"alpha-ev5", "PF5_MUX0_ISSUES:freq=256"}, std::pair{"alpha-ev5", "PF5_MUX0_ISSUES:freq=65536"},
        std::pair{"alpha-pca56", "PF5_MUX1_INTEGER_OPERATE:freq=256"},
        std::pair{"alpha-ev6", "PF6_MUX0_RET_INSTRUCTIONS"}, std::pair{"alpha-ev67", "RETINST"}}) {
    const pfm::ProfileRequest request = request_of(chip, {event, event, 0});
    const auto counter = static_cast<std::size_t>(std::countr_zero(request.counters));
    const pfm::Profile profile = profile_of(chip, trace::open_text(loop(rounds), "loop"), request, 256, 7);
    const bool operates = std::string_view(event).find("OPERATE") != std::string_view::npos;
    EXPECT_EQ(profile.counts.at(counter), operates ? rounds * 15 : rounds * 16 - 1) << event;
  }
}

}  // namespace
}  // namespace pmusim::testbench
