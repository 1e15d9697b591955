#include "testbench/cli/intervals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "testbench/driver/firmware.h"
#include "testbench/support/error.h"

namespace pmusim::testbench {
namespace {

constexpr std::uint64_t most_intervals = 100'000;

/// Sums of as many amounts each that there are at most `most` groups.
struct Groups {
  std::vector<std::uint64_t> sums;
  std::size_t of = 1;  ///< amounts of a group
};
Groups grouped_sums(const std::vector<std::uint64_t>& amounts, std::size_t most) {
  Groups groups{{}, std::max<std::size_t>(1, (amounts.size() + most - 1) / most)};
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    if (i % groups.of == 0) groups.sums.push_back(0);
    groups.sums.back() += amounts[i];
  }
  return groups;
}

/// A bar of one to eight eighths for each amount.
std::string bars(const std::vector<std::uint64_t>& amounts, std::uint64_t highest) {
  constexpr const char* heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string line;
  for (const std::uint64_t amount : amounts) {
    const double share = highest == 0 ? 0 : static_cast<double>(amount) / static_cast<double>(highest);
    line += heights[std::lround(7 * share)];
  }
  return line;
}

}  // namespace

Options interval_option() {
  return {{"interval,I", po::text(), "CYCLES: show the counts of each interval of this length, as perf stat -I does"}};
}

std::optional<std::uint64_t> interval_of(const Arguments& arguments) {
  const auto text = arguments.maybe<std::string>("interval");
  if (!text) return std::nullopt;
  const std::uint64_t cycles = parse_number(*text, "-I");
  if (cycles == 0) throw UsageError("-I 0: expected at least 1 cycle");
  return cycles;
}

/// Divides what the counters of one PMU add.
class IntervalsOfRun::Divider final : public Recorder {
 public:
  Divider(unsigned counters, std::uint64_t cycles) : Recorder(counters), cycles_(cycles), added_(counters) {}
  /// Call before the first report. Later calls change nothing.
  void begin(pmu::Cycle first) {
    if (!first_) first_ = first;
  }
  void named(unsigned, const pmu::Block&, activity::Signal, const pmu::Occurrence&, std::uint32_t) override {}
  void left(unsigned counter, pmu::Step step, const pmu::Run& run) override {
    Recorder::left(counter, step, run);
    if (step != pmu::Step::added || run.n == 0) return;
    std::vector<std::uint64_t>& added = added_[counter];
    for (pmu::Cycle at = run.begin; at < run.end;) {
      const std::uint64_t interval = std::min((at - *first_) / cycles_, most_intervals);
      const pmu::Cycle end =
          interval == most_intervals ? run.end : std::min(run.end, *first_ + (interval + 1) * cycles_);
      if (added.size() <= interval) added.resize(interval + 1);
      added[interval] += run.n * (end - at);
      at = end;
    }
  }
  /// What a counter added, by interval.
  [[nodiscard]] const std::vector<std::uint64_t>& added(unsigned counter) const { return added_.at(counter); }

 private:
  std::uint64_t cycles_;
  std::optional<pmu::Cycle> first_;
  std::vector<std::vector<std::uint64_t>> added_;  ///< by counter
};

IntervalsOfRun::IntervalsOfRun(const models::Target& target, const models::Parameters& parameters,
                               std::optional<std::uint64_t> cycles)
    : target_(target), parameters_(parameters), cycles_(cycles) {}

IntervalsOfRun::~IntervalsOfRun() = default;

std::string IntervalAmounts::note() const {
  if (start == 0 && overwritten == 0) return "";
  return fmt::format("software set it to {}, after {} had been counted: the intervals add up to what it counted", start,
                     overwritten);
}

void IntervalsOfRun::watch(MonitorSetup& monitor) {
  if (!cycles_) return;
  const unsigned counters = target_.make_monitor(parameters_)->counter_count();
  monitor.probe = probes_.emplace_back(std::make_unique<Divider>(counters, *cycles_)).get();
}

void IntervalsOfRun::observe(Session& session) {
  if (!cycles_) return;
  session.add_observer([this](const activity::Block& block) {
    for (const auto& probe : probes_) probe->begin(block.begin);
  });
}

IntervalAmounts IntervalsOfRun::amounts(const SessionResult& result, unsigned thread, const ExplainedCounter& counter,
                                        bool halves) const {
  const MonitorResult& monitor = result.monitors[thread];
  const std::uint64_t per_event = halves ? 1 : read_counter(target_, monitor, counter.name).per_event;
  const std::uint64_t length = result.end_cycle - result.first_cycle;
  const std::uint64_t wanted = (length + *cycles_ - 1) / *cycles_;
  if (wanted > most_intervals)
    throw UsageError("-I {}: {} cycles are more than {} intervals; expected at least -I {}", *cycles_, length,
                     most_intervals, (length + most_intervals - 1) / most_intervals);
  refuse_without_count(target_, monitor);
  Explanation sum;
  sum.counter = counter;
  sum.record = probes_.at(thread)->counter(counter.index);
  add_up(target_, monitor, sum);
  const std::vector<std::uint64_t>& added = probes_[thread]->added(counter.index);
  IntervalAmounts amounts{std::vector<std::uint64_t>(wanted), sum.record.base, sum.record.overwritten};
  std::uint64_t before = 0, all = 0;  // a remainder of an event belongs to the next interval
  for (std::size_t i = 0; i < wanted; ++i) {
    if (i < added.size()) all += added[i];
    if (i + 1 == wanted) all += sum.pending;
    amounts.of[i] = all / per_event - before;
    before = all / per_event;
  }
  return amounts;
}

Table interval_table(const std::vector<IntervalCounts>& counters, std::uint64_t cycles, std::uint64_t all_cycles) {
  const bool threads = std::ranges::any_of(counters, [](const auto& one) { return one.thread != 0; });
  std::vector<Table::Column> columns{{"cycle", "cycles", true},
                                     {"value", "count", true},
                                     {"event", "event", false, Table::Fit::cut, false, 40},
                                     {"counter", "counter"}};
  if (threads) columns.insert(columns.begin() + 1, {"thread", "thread", true});
  Table table(columns);
  for (std::size_t i = 0; i * cycles < all_cycles; ++i) {
    for (const IntervalCounts& counter : counters) {
      std::vector<Json> cells{std::min((i + 1) * cycles, all_cycles), counter.counts.at(i), counter.event,
                              counter.counter};
      if (threads) cells.insert(cells.begin() + 1, counter.thread);
      table.row(std::move(cells));
    }
  }
  return table;
}

void print_bars(const std::vector<IntervalCounts>& counters, std::uint64_t cycles) {
  constexpr std::size_t widest = 60;
  std::cout << '\n';
  for (const IntervalCounts& counter : counters) {
    const Groups groups = grouped_sums(counter.counts, widest);
    const std::uint64_t highest = groups.sums.empty() ? 0 : *std::ranges::max_element(groups.sums);
    std::cout << fmt::format("{:<9} {}\n{:<9} at most {} in {} cycles\n", counter.counter, bars(groups.sums, highest),
                             "", grouped(highest), grouped(groups.of * cycles));
  }
}

}  // namespace pmusim::testbench
