// Profiles of the pfm device with drawn periods, as `pmusim record --statistic` makes them by default: does every
// address get the share of a statistic that it has in the activity? The exact shares come from the oracle: its count of
// every single event, and the life of every single instruction.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bench.h"
#include "sys/pfcntr.h"
#include "testbench/driver/activity_source.h"
#include "testbench/driver/sampling.h"
#include "testbench/oracle/oracle.h"
#include "testbench/oracle/profile.h"
#include "testbench/pfm/profiler.h"
#include "testbench/tests/sampling.h"
#include "testbench/validate/alpha_watch.h"

namespace pmusim::testbench {
namespace {

constexpr pfm::Range program_text{0x120000000, 0x120100000};

/// What a statistic comes to, address by address, and how much one sample says of it.
class Truth {
 public:
  /// One more sample that could be drawn, which adds so much at an address.
  void add(std::uint64_t address, double value) {
    Place& place = places_[address];
    place.sum += value;
    place.squares += value * value;
    place.hits += value != 0 ? 1 : 0;
    sum_ += value;
    squares_ += value * value;
  }
  /// One that adds nothing, or nothing to this histogram.
  void add_nothing() { ++nothing_; }

  /// The largest distance of a share from the exact one, in standard errors of the share of `samples` draws. Addresses
  /// of which fewer than thirty samples are due are taken together.
  [[nodiscard]] double worst(const std::vector<pfm::Bucket>& buckets, std::uint64_t samples,
                             bool retired = false) const {
    std::map<std::uint64_t, double> got;
    double got_sum = 0;
    for (const pfm::Bucket& bucket : buckets) {
      const auto value = static_cast<double>(retired ? bucket.retired : bucket.value);
      got[bucket.address] += value;
      got_sum += value;
    }
    if (got_sum == 0 || sum_ == 0) return 0;
    double most = 0;
    Place rare;
    double got_rare = got_sum;
    const auto draws = static_cast<double>(samples);
    for (const auto& [address, place] : places_) {
      if (place.hits / all() * draws >= 30) {
        most = std::max(most, distance(place, got[address] / got_sum, draws));
        got_rare -= got[address];
      } else {
        rare.sum += place.sum;
        rare.squares += place.squares;
        rare.hits += place.hits;
      }
    }
    if (rare.hits / all() * draws >= 30) most = std::max(most, distance(rare, got_rare / got_sum, draws));
    return most;
  }
  /// Addresses that are compared one by one with this many samples.
  [[nodiscard]] std::size_t compared(std::uint64_t samples) const {
    return static_cast<std::size_t>(std::count_if(places_.begin(), places_.end(), [&](const auto& entry) {
      return entry.second.hits / all() * static_cast<double>(samples) >= 30;
    }));
  }

 private:
  struct Place {
    double sum = 0, squares = 0, hits = 0;
  };
  [[nodiscard]] double all() const {
    double number = nothing_;
    for (const auto& [address, place] : places_) number += place.hits;
    return number;
  }
  /// The variance of a ratio of sums: that of value * (here - share), in one draw.
  [[nodiscard]] double distance(const Place& place, double got, double draws) const {
    const double share = place.sum / sum_;
    const double squares = place.squares * (1 - share) * (1 - share) + (squares_ - place.squares) * share * share;
    const double error = std::sqrt(squares / all() / draws) / (sum_ / all());
    return error == 0 ? 0 : std::abs(got - share) / error;
  }
  std::map<std::uint64_t, Place> places_;
  double sum_ = 0, squares_ = 0, nothing_ = 0;
};

struct Asked {
  std::string name;        ///< with its period, if it is in the name
  std::string event;       ///< of the oracle
  unsigned statistic = 0;  ///< profile-me, by its number
};

/// Every count of a chip at its shortest period, and every statistic of a 21264A.
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

/// A timeline without skid, of pipelines that take interrupts in order or at retirement.
template <class Timeline>
Timeline every_boundary([[maybe_unused]] bool in_order) {
  if constexpr (std::is_constructible_v<Timeline, Cycle>) {
    return Timeline(0);
  } else {
    return Timeline(0, in_order, typename Timeline::Period{});
  }
}

/// All that happens in a run of a program on a chip, from one run of the core.
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
    // An overflow in every cycle meets every boundary at which there can be an interrupt.
    auto every = every_boundary<InterruptTimeline>(chip != "alpha-ev6" && chip != "alpha-ev67");
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
  /// A sample of each event: where the processor takes the interrupt that it makes.
  [[nodiscard]] Truth of_event(const std::string& event) const {
    Truth truth;
    for (const Cycle at : counters_.at(event)->crossings(0)) {
      const auto taken = std::lower_bound(boundaries_.begin(), boundaries_.end(), at + skid_ + 1,
                                          [](const auto& boundary, Cycle cycle) { return boundary.cycle < cycle; });
      if (taken != boundaries_.end()) truth.add(taken->pc, 1);
    }
    return truth;
  }
  /// A sample of each fetched instruction. Flows of PALcode are no part of the program's histogram.
  [[nodiscard]] Truth of_statistic(std::string_view name) const {
    Truth truth;
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

pfm::ProfileRequest request_of(const std::string& chip, const Asked& asked) {
  const auto encoding = encoder::encode(chip, std::vector{asked.name}, {.sampling = true});
  if (!encoding) throw std::invalid_argument(encoding.error().message);
  pfm::ProfileRequest request;
  for (const encoder::RegisterValue& call : encoding->registers) {
    if (call.name == "WRPERFMON_SELECT") request.select = call.value;
    if (call.name == "WRPERFMON_FREQUENCY") request.frequency = call.value;
  }
  request.counters = asked.statistic != 0 ? 3 : 1u << encoding->events[0].counter_index;
  request.statistic = asked.statistic;
  request.range = program_text;
  return request;
}

/// A profile as the command makes it; without a seed periods are constant.
pfm::Profile profile_of(const std::string& chip, std::unique_ptr<trace::Reader> trace,
                        const pfm::ProfileRequest& request, std::uint64_t period, std::optional<std::uint64_t> seed) {
  const models::Target& target = *models::find_target(chip);
  pfm::Setup setup;
  setup.profile_me_period = setup.count_period = period;
  if (seed) {
    setup.spacing = pfm::Spacing::drawn;
    setup.seed = *seed;
  }
  std::vector<std::unique_ptr<trace::Reader>> traces;
  traces.push_back(std::move(trace));
  pfm::Machine machine(target, target.parameters(), std::move(traces), setup);
  return pfm::profile(machine, request);
}

class Shares : public testing::TestWithParam<std::string> {};

/// Compares all profiles of a program with the exact ones; gives the number of shares that had samples enough.
std::size_t compare(const std::string& chip, const std::string& trace) {
  const Execution run(chip, trace);
  const std::vector<Asked> all = all_of(chip);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < all.size(); i += sampling) {
    const Asked& asked = all[i];
    const std::string plain = asked.event.substr(0, asked.event.find("_PER_RET"));
    const bool pairs = plain.size() != asked.event.size();
    const Truth truth = asked.statistic != 0 ? run.of_statistic(plain) : run.of_event(asked.event);
    const pfm::ProfileRequest request = request_of(chip, asked);
    const auto counter = static_cast<std::size_t>(asked.statistic != 0 ? 0 : std::countr_zero(request.counters));
    const std::uint64_t period = asked.statistic != 0 ? 1009 : 256;
    const pfm::Profile profile = profile_of(chip, trace::open(trace), request, period, 1);
    const std::uint64_t samples = profile.ticks.at(counter);
    EXPECT_LE(truth.worst(profile.buckets, samples), 4) << asked.name;
    compared += truth.compared(samples);
    if (pairs) {
      EXPECT_LE(run.of_statistic("PF67_PM_RETIRE").worst(profile.buckets, samples, true), 4) << asked.name;
    }
  }
  return compared;
}

// A program whose time is in one loop, so that each of its instructions has many samples, and one that is spread out.
TEST_P(Shares, AreWithinFourStandardErrors) {
  if (sanitized) {
    (void)compare(GetParam(), recorded_trace("recursion-O2"));
    return;
  }
  const std::size_t compared =
      compare(GetParam(), recorded_trace("matmul-int")) + compare(GetParam(), recorded_trace("quicksort-O2"));
  EXPECT_GE(compared, GetParam() == "alpha-ev4" ? 5u : 20u) << "too few samples to say anything";
  RecordProperty("compared", static_cast<int>(compared));
}

INSTANTIATE_TEST_SUITE_P(Alphas, Shares, testing::ValuesIn(alphas),
                         [](const auto& info) { return info.param.substr(std::string_view("alpha-").size()); });

/// A loop of fifteen additions and a branch, so often; the last round ends before the branch.
std::string loop(unsigned rounds) {
  std::string text = "! isa alpha\n";
  for (unsigned round = 0; round < rounds; ++round) {
    for (unsigned i = 0; i < 15; ++i) text += fmt::format("{:x} 0114e043 itlb=hit\n", 0x120000000 + 4 * i);
    if (round + 1 < rounds) text += "12000003c f0ffffc3 T 120000000 itlb=hit\n";
  }
  return text;
}

// Sixteen instructions a round and a period that is a multiple of them: a constant period puts all samples on a few
// places; drawn ones show the sixteen alike.
TEST(Aliasing, OfALoopIsGoneWithDrawnPeriods) {
  constexpr unsigned rounds = 12000;
  Truth alike;
  for (unsigned round = 0; round < rounds; ++round) {
    for (std::uint64_t i = 0; i < 16; ++i) alike.add(0x120000000 + 4 * i, 1);
  }
  const Asked retired{"PF67_PM_RETIRE", "PF67_PM_RETIRE", PF67_PM_RETIRE};
  const pfm::ProfileRequest request = request_of("alpha-ev67", retired);
  const auto profile = [&](std::uint64_t period, std::optional<std::uint64_t> seed) {
    return profile_of("alpha-ev67", trace::open_text(loop(rounds), "loop"), request, period, seed);
  };
  const pfm::Profile constant = profile(160, std::nullopt);
  EXPECT_GT(alike.worst(constant.buckets, constant.ticks[0]), 10) << "the plain period tells of few places only";
  for (const std::uint64_t seed : {1, 2, 3}) {
    const pfm::Profile drawn = profile(160, seed);
    ASSERT_GE(alike.compared(drawn.ticks[0]), 16u);
    EXPECT_LE(alike.worst(drawn.buckets, drawn.ticks[0]), 4) << "seed " << seed;
  }
}

// The driver's count of events is that of the hardware, wherever it moves the counters.
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
