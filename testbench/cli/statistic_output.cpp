// Sources of ratios and of the estimate of frequencies: pfm(7), EV67 statistics; of single issues: pfm(7), EV4
// statistics.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "testbench/cli/pfm_statistic.h"
#include "testbench/pfm/profile_me.h"

namespace pmusim::testbench {
namespace {

struct StatisticRow {
  std::string where;
  std::uint64_t address = 0;
  std::uint64_t value = 0, retired = 0;
  double frequency = 0;  ///< freq: executions, estimated
};

double ratio_of(const Statistic& statistic, std::uint64_t value, std::uint64_t retired) {
  return statistic.name.find("PF67_PM_CYCLES_PER_RET") != std::string::npos ? pfm::cycles_per_retired(value, retired)
                                                                            : pfm::per_hundred_retired(value, retired);
}

/// Estimates the executions of an instruction: the samples of its basic block, distributed over the block. Each sample
/// represents the average number of instructions retired per sample. This is more than the period, since no instruction
/// is selected during a sample.
std::map<std::uint64_t, double> frequencies(const ProfiledCode& code, const pfm::Profile& profile,
                                            std::uint64_t instructions) {
  std::map<std::uint64_t, std::uint64_t> samples;
  std::uint64_t all = 0;
  for (const pfm::Bucket& bucket : profile.buckets) all += samples[bucket.address] = bucket.value;
  if (all == 0) return {};
  const double stands_for = static_cast<double>(instructions) / static_cast<double>(all);
  std::map<std::uint64_t, double> result;
  for (auto first = code.words.begin(); first != code.words.end();) {
    auto last = first;
    std::uint64_t sum = 0, number = 0;
    for (;; ++last) {
      const auto found = samples.find(last->first);
      sum += found == samples.end() ? 0 : found->second;
      ++number;
      const auto next = std::next(last);
      if (next == code.words.end() || next->first != last->first + instruction_bytes ||
          code.targets.count(next->first) != 0 || pfm::ends_block(last->second.encoding))
        break;
    }
    const auto behind = std::next(last);
    const double each = stands_for * static_cast<double>(sum) / static_cast<double>(number);
    for (; first != behind; ++first) result[first->first] = each;
  }
  return result;
}

std::vector<StatisticRow> rows_of(const Statistic& statistic, const pfm::Profile& profile, const ProfiledCode& code,
                                  const Symbols& symbols, bool by_function, std::uint64_t instructions) {
  std::vector<StatisticRow> rows;
  std::map<std::string, std::size_t> of_function;
  const bool wants_frequency = statistic.name.find("PF67_PM_FREQ") != std::string::npos;
  const auto executed = wants_frequency ? frequencies(code, profile, instructions) : std::map<std::uint64_t, double>{};
  for (const pfm::Bucket& bucket : profile.buckets) {
    const std::string where = by_function ? symbols.function_of(bucket.address) : symbols.of(bucket.address);
    const auto [place, added] =
        of_function.try_emplace(by_function ? where : std::to_string(bucket.address), rows.size());
    if (added) rows.push_back({where, bucket.address, 0, 0, 0});
    StatisticRow& row = rows[place->second];
    row.value += bucket.value;
    row.retired += bucket.retired;
    if (const auto found = executed.find(bucket.address); found != executed.end()) row.frequency += found->second;
  }
  std::ranges::stable_sort(rows, std::ranges::greater(), &StatisticRow::value);
  return rows;
}

/// The driver's counts; an EV4's counters cannot be read.
std::uint64_t events_counted(const Statistic& statistic, const pfm::Profile& profile) {
  if (!profile.counts.empty()) return profile.counts.at(statistic.counter);
  return pfm::events_of(profile.ticks.at(statistic.counter), statistic.period);
}

/// EV4: the driver's issue counts (R73). The last incomplete period is unknown.
struct Issues {
  double non_issues = 0;                ///< per cycle
  std::optional<double> single_issues;  ///< if dual issues were counted as well
};
std::optional<Issues> issues_of(const Statistic& statistic, const pfm::Profile& profile) {
  std::optional<double> issues, dual;
  const auto note = [&](const std::string& name, unsigned counter, std::uint64_t period) {
    const auto events = static_cast<double>(pfm::events_of(profile.ticks.at(counter), period));
    if (name.find("::PF_ISSUES") != std::string::npos) issues = events;
    if (name.find("::PF_DUAL") != std::string::npos) dual = events;
  };
  note(statistic.name, statistic.counter, statistic.period);
  if (statistic.beside) note(statistic.beside->name, statistic.beside->counter, statistic.beside->period);
  if (!issues || profile.cycles == 0) return std::nullopt;
  const auto cycles = static_cast<double>(profile.cycles);
  Issues result{pfm::non_issues(cycles, *issues) / cycles, std::nullopt};
  if (dual) result.single_issues = pfm::single_issues(*issues, *dual);
  return result;
}

Json to_json(const Statistic& statistic, const std::vector<StatisticRow>& rows, std::uint64_t all) {
  Json list = Json::array();
  for (const StatisticRow& row : rows) {
    Json object{{"address", hex(row.address, 64)},
                {"where", row.where},
                {"value", row.value},
                {"share", all == 0 ? 0.0 : static_cast<double>(row.value) / static_cast<double>(all)}};
    if (statistic.per_retired()) {
      object["retired"] = row.retired;
      object["ratio"] = ratio_of(statistic, row.value, row.retired);
    }
    if (row.frequency != 0) object["executions"] = row.frequency;
    list.push_back(object);
  }
  return list;
}

/// The values of a table besides its rows.
struct Whole {
  std::uint64_t value = 0, retired = 0;
  std::uint64_t samples = 0;  ///< inside or outside the ranges
  std::optional<Issues> issues;
};

Whole whole_of(const Collected& collected, const std::vector<StatisticRow>& rows) {
  const Statistic& statistic = collected.statistic;
  Whole whole;
  for (const StatisticRow& row : rows) {
    whole.value += row.value;
    whole.retired += row.retired;
  }
  whole.samples = collected.profile.ticks.at(statistic.counter);
  whole.issues = issues_of(statistic, collected.profile);
  return whole;
}

void print_json(const SessionSetup& setup, const Collected& collected, const Whole& whole,
                const std::vector<StatisticRow>& rows) {
  const Statistic& statistic = collected.statistic;
  const pfm::Profile& profile = collected.profile;
  Json object{{"target", std::string(setup.target->name)},
              {"trace", setup.names[0]},
              {"statistic", statistic.name},
              {"period", statistic.period},
              {"shortest", statistic.shortest},
              {"longest", statistic.longest},
              {"instructions", collected.instructions},
              {"cycles", profile.cycles},
              {"samples", whole.samples},
              {"value", whole.value}};
  if (statistic.seed) object["seed"] = *statistic.seed;
  if (!statistic.profiles()) object["events"] = events_counted(statistic, profile);
  if (statistic.per_retired()) {
    object["retired"] = whole.retired;
    object["ratio"] = ratio_of(statistic, whole.value, whole.retired);
  }
  if (statistic.beside) {
    object["beside"] = {{"statistic", statistic.beside->name},
                        {"period", statistic.beside->period},
                        {"samples", profile.ticks.at(statistic.beside->counter)}};
  }
  if (whole.issues) {
    object["non_issues"] = whole.issues->non_issues;
    if (whole.issues->single_issues) object["single_issues"] = *whole.issues->single_issues;
  }
  object["ipl"] = profile.levels;
  object["ranges"] = Json::array();
  for (const pfm::Range& range : collected.ranges)
    object["ranges"].push_back({{"begin", hex(range.start, 64)}, {"end", hex(range.end, 64)}});
  object["rows"] = to_json(statistic, rows, whole.value);
  std::cout << line_of(object) << '\n';
}

/// "one in 101 events", "one in 51 to 151 events (seed 1)".
std::string spacing_of(const Statistic& statistic) {
  const std::string_view what = statistic.profiles() ? "fetched instructions" : "events";
  if (!statistic.seed) return fmt::format("one in {} {}", grouped(statistic.period), what);
  return fmt::format("one in {} to {} {} (seed {})", grouped(statistic.shortest), grouped(statistic.longest), what,
                     *statistic.seed);
}

void print_head(const SessionSetup& setup, const Collected& collected, const Whole& whole) {
  const Statistic& statistic = collected.statistic;
  const pfm::Profile& profile = collected.profile;
  const auto line = [](const std::string& text) { print_wrapped(std::cout, text); };
  line(fmt::format("{} on {}: {} instructions, {} cycles", setup.names[0], setup.target->name,
                   grouped(collected.instructions), grouped(profile.cycles)));
  line(fmt::format("{}: {} samples, {}", statistic.name, grouped(whole.samples), spacing_of(statistic)));
  if (statistic.beside)
    line(fmt::format("{}: {} samples, one in {} events", statistic.beside->name,
                     grouped(profile.ticks.at(statistic.beside->counter)), grouped(statistic.beside->period)));
  if (collected.ranges.size() > 1) {
    for (const pfm::Range& range : collected.ranges) {
      std::uint64_t value = 0;
      for (const pfm::Bucket& bucket : profile.buckets) value += range.holds(bucket.address) ? bucket.value : 0;
      line(fmt::format("range {:#x} to {:#x}: {}", range.start, range.end, grouped(value)));
    }
  }
  if (whole.issues) {
    line(fmt::format("non-issues in a cycle: {:.2f}", whole.issues->non_issues));
    if (whole.issues->single_issues) line(fmt::format("single issues: {:.0f}", *whole.issues->single_issues));
  }
  if (!statistic.profiles() && !profile.counts.empty())
    line(fmt::format("events counted: {}", grouped(events_counted(statistic, profile))));
  if (statistic.per_retired())
    line(fmt::format("ratio of the whole: {:.2f}", ratio_of(statistic, whole.value, whole.retired)));
  std::cout << '\n';
}

void print_rows(const Collected& collected, const Whole& whole, const std::vector<StatisticRow>& rows, bool by_function,
                Format format) {
  const Statistic& statistic = collected.statistic;
  std::vector<Table::Column> columns{{"value", "value", true}, {"percent", "percent", true}};
  if (statistic.per_retired()) {
    columns.push_back({"retired", "retired", true});
    columns.push_back({"ratio", "ratio", true});
  }
  const bool has_frequencies = std::ranges::any_of(rows, [](const StatisticRow& row) { return row.frequency != 0; });
  if (has_frequencies) columns.push_back({"executions", "executions", true});
  columns.push_back({"where", by_function ? "function" : "address", false, Table::Fit::cut});
  Table table(columns);
  for (const StatisticRow& row : rows) {
    const double share =
        whole.value == 0 ? 0.0 : 100.0 * static_cast<double>(row.value) / static_cast<double>(whole.value);
    table.row_of({{"value", row.value},
                  {"percent", fmt::format("{:.2f}", share)},
                  {"retired", row.retired},
                  {"ratio", fmt::format("{:.2f}", ratio_of(statistic, row.value, row.retired))},
                  {"executions", fmt::format("{:.0f}", row.frequency)},
                  {"where", row.where}});
  }
  table.print(std::cout, format);
}

/// The reason why there are no samples; empty if there are some.
std::string missing(const Collected& collected, const Whole& whole, bool any_rows) {
  const Statistic& statistic = collected.statistic;
  const std::string_view mode = statistic.request.kernel ? "kernel" : "user";
  if (whole.samples == 0 && statistic.profiles())
    return fmt::format("no sample: {} instructions retired, and the first sample is due after {} to {} fetched ones",
                       grouped(collected.instructions), grouped(statistic.shortest), grouped(statistic.longest));
  if (whole.samples == 0) {
    const std::uint64_t events = events_counted(statistic, collected.profile);
    if (collected.profile.counts.empty())
      return fmt::format("no sample: fewer than {} events, or interrupts were masked to the end",
                         grouped(statistic.period));
    if (events >= statistic.longest)
      return fmt::format("no sample: {} events, but interrupts were masked to the end", grouped(events));
    return fmt::format("no sample: {} events, and the first interrupt is due after {} to {}", grouped(events),
                       grouped(statistic.shortest), grouped(statistic.longest));
  }
  if (any_rows) return "";
  return fmt::format(
      "no sample in the histogram: of {} none was in {} mode, in the ranges, and counted for the statistic",
      grouped(whole.samples), mode);
}

}  // namespace

void print_statistic(const SessionSetup& setup, const Collected& collected, const ProfiledCode& code,
                     const Symbols& symbols, bool by_function, Format format) {
  const std::vector<StatisticRow> rows =
      rows_of(collected.statistic, collected.profile, code, symbols, by_function, collected.instructions);
  const Whole whole = whole_of(collected, rows);
  if (const std::string why = missing(collected, whole, !rows.empty()); !why.empty())
    std::cerr << "pmusim: " << why << '\n';
  if (format == Format::json) return print_json(setup, collected, whole, rows);
  if (format == Format::text) print_head(setup, collected, whole);
  print_rows(collected, whole, rows, by_function, format);
}

}  // namespace pmusim::testbench
