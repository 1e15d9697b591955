// Ratios and the estimate of frequencies: pfm(7), EV67 statistics; single issues: pfm(7), EV4 statistics.
#include "testbench/cli/statistic_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <optional>
#include <set>

#include "testbench/cli/command.h"
#include "testbench/cli/symbols.h"
#include "testbench/driver/alpha.h"
#include "testbench/pfm/profile_me.h"
#include "testbench/pfm/profiler.h"
#include "testbench/pfm/ratios.h"

namespace pmusim::testbench {
namespace {

constexpr std::string_view profile_prefix = "PF67_PM_";
constexpr std::uint64_t default_profile_period = 1009, aggregate_period = 1u << 20;
constexpr std::uint64_t instruction_bytes = 4;

/// What the profiled program consists of, as far as the trace shows it.
struct Code {
  std::map<std::uint64_t, std::uint32_t> words;
  std::set<std::uint64_t> targets;  ///< of taken branches
  [[nodiscard]] pfm::Range range() const { return {words.begin()->first, words.rbegin()->first + instruction_bytes}; }
};

Code read_code(const SessionSetup& setup) {
  Code code;
  const auto readers = open_traces(setup);
  trace::Item item;
  while (readers[0]->next(item)) {
    if (item.directive != nullptr) continue;
    const trace::Code& instruction = *item.instruction.code;
    std::uint32_t word = 0;
    for (unsigned i = 0; i < instruction_bytes; ++i) word |= std::uint32_t{instruction.bytes[i]} << (8 * i);
    code.words[instruction.pc] = word;
    if (item.instruction.taken) code.targets.insert(item.instruction.target);
  }
  if (code.words.empty()) throw UsageError(fmt::format("{}: no instructions to profile", setup.traces[0]));
  return code;
}

/// A count that is collected beside the statistic, on the other counter of a 21064.
struct Beside {
  std::string name;  ///< canonical
  unsigned counter = 0;
  std::uint64_t period = 0;
};

/// A statistic and how it is collected.
struct Statistic {
  std::string name;  ///< canonical
  pfm::ProfileRequest request;
  unsigned counter = 0;
  std::uint64_t period = 0;
  std::optional<Beside> beside = {};
  [[nodiscard]] bool profiles() const { return request.statistic != 0; }
  [[nodiscard]] bool per_retired() const { return pfm::is_per_retired(request.statistic); }
};

/// Number of a profile-me statistic in the header: its place among the encoder's, from 1 on.
unsigned number_of(std::string_view target, std::string_view canonical) {
  const std::size_t begin = canonical.find("::") + 2;
  const std::string_view name = canonical.substr(begin, canonical.find(':', begin) - begin);
  const auto events = encoder::events(target);
  unsigned number = 0;
  for (const encoder::EventInfo& event : *events) {
    if (event.name.starts_with(profile_prefix)) ++number;
    if (event.name == name) return event.name.starts_with(profile_prefix) ? number : 0;
  }
  return 0;
}

/// The period that a canonical name of a 21064 or 21164 has; 0: none.
std::uint64_t period_of(const std::string& name) {
  const std::size_t freq = name.find(":freq=");
  return freq == std::string::npos ? 0 : std::stoull(name.substr(freq + 6));
}

/// `PF_ISSUES,PF_DUAL`: two statistics of a 21064.
std::vector<std::string> names_of(const Arguments& arguments, pmu::AlphaChip chip) {
  const auto text = arguments.get<std::string>("statistic");
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) return {text};
  if (chip != pmu::AlphaChip::ev4)
    throw UsageError(fmt::format("--statistic {}: two at a time are for alpha-ev4, as PF_ISSUES,PF_DUAL", text));
  if (arguments.maybe<std::uint64_t>("period"))
    throw UsageError("--period: two counters have two periods; name them, as PF_ISSUES:freq=4096,PF_DUAL:freq=256");
  return {text.substr(0, comma), text.substr(comma + 1)};
}

Statistic statistic_of(const SessionSetup& setup, const Arguments& arguments) {
  const std::string target(setup.target->name);
  const auto chip = alpha_chip(target);
  if (!chip) throw UsageError(fmt::format("--statistic is for the Alpha targets; {} has -e EVENT", target));
  const auto period = arguments.maybe<std::uint64_t>("period");
  std::vector<std::string> names = names_of(arguments, *chip);
  const bool chosen_period =
      *chip == pmu::AlphaChip::ev4 || *chip == pmu::AlphaChip::ev5 || *chip == pmu::AlphaChip::pca56;
  if (chosen_period && period) names[0] += fmt::format(":freq={}", *period);
  encoder::EncodeOptions options;
  options.sampling = true;
  const auto encoding = encoder::encode(target, names, options);
  if (!encoding) throw UsageError("--statistic: " + encoding.error().message);
  if (encoding->events.size() != names.size())
    throw UsageError(fmt::format("--statistic {} stands for {} events; name one", names[0], encoding->events.size()));

  Statistic statistic;
  statistic.name = encoding->events[0].canonical;
  statistic.counter = encoding->events[0].counter_index;
  for (const encoder::RegisterValue& call : encoding->registers) {
    if (call.name == "WRPERFMON_SELECT") statistic.request.select = call.value;
    if (call.name == "WRPERFMON_FREQUENCY") statistic.request.frequency = call.value;
  }
  statistic.request.statistic = number_of(target, statistic.name);
  statistic.request.counters = statistic.profiles() ? 3 : 1u << statistic.counter;
  if (names.size() > 1) {
    const encoder::EncodedEvent& second = encoding->events[1];
    statistic.beside = Beside{second.canonical, second.counter_index, period_of(second.canonical)};
    statistic.request.counters = 3;
  }
  statistic.period = period_of(statistic.name);
  if (statistic.period == 0) {
    statistic.period = statistic.profiles() ? period.value_or(default_profile_period) : aggregate_period;
    if (!statistic.profiles() && period && *period != aggregate_period)
      throw UsageError(
          fmt::format("--period: the driver has no other period than {} for counts of {}", aggregate_period, target));
    if (statistic.period < 16 || statistic.period > aggregate_period)
      throw UsageError(
          fmt::format("--period: 16 to {} fetched instructions, not {}", aggregate_period, statistic.period));
  }
  return statistic;
}

struct Row {
  std::string where;
  std::uint64_t address = 0;
  std::uint64_t value = 0, retired = 0;
  double frequency = 0;  ///< freq: executions, estimated
};

double ratio_of(const Statistic& statistic, std::uint64_t value, std::uint64_t retired) {
  return statistic.name.find("PF67_PM_CYCLES_PER_RET") != std::string::npos ? pfm::cycles_per_retired(value, retired)
                                                                            : pfm::per_hundred_retired(value, retired);
}

/// Executions of an instruction: samples of its basic block, spread over it. A sample stands for as many instructions
/// as retired for each; that is more than the period, since nothing is chosen while a sample is taken.
std::map<std::uint64_t, double> frequencies(const Code& code, const pfm::Profile& profile, std::uint64_t instructions) {
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
          code.targets.count(next->first) != 0 || pfm::ends_block(last->second))
        break;
    }
    const auto behind = std::next(last);
    const double each = stands_for * static_cast<double>(sum) / static_cast<double>(number);
    for (; first != behind; ++first) result[first->first] = each;
  }
  return result;
}

std::vector<Row> rows_of(const Statistic& statistic, const pfm::Profile& profile, const Code& code,
                         const Symbols& symbols, bool by_function, std::uint64_t instructions) {
  std::vector<Row> rows;
  std::map<std::string, std::size_t> of_function;
  const bool wants_frequency = statistic.name.find("PF67_PM_FREQ") != std::string::npos;
  const auto executed = wants_frequency ? frequencies(code, profile, instructions) : std::map<std::uint64_t, double>{};
  for (const pfm::Bucket& bucket : profile.buckets) {
    const std::string where = by_function ? symbols.function_of(bucket.address) : symbols.of(bucket.address);
    const auto [place, added] =
        of_function.try_emplace(by_function ? where : std::to_string(bucket.address), rows.size());
    if (added) rows.push_back({where, bucket.address, 0, 0, 0});
    Row& row = rows[place->second];
    row.value += bucket.value;
    row.retired += bucket.retired;
    if (const auto found = executed.find(bucket.address); found != executed.end()) row.frequency += found->second;
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.value > b.value; });
  return rows;
}

/// Whole periods, and what the hardware counted of the next; an EV4's counters cannot be read.
std::uint64_t events_counted(const SessionSetup& setup, const Statistic& statistic, const pfm::Profile& profile) {
  const std::uint64_t whole = pfm::events_of(profile.ticks.at(statistic.counter), statistic.period);
  if (profile.counts.empty()) return whole;
  const std::uint64_t mask = alpha_counters(*alpha_chip(setup.target->name))[statistic.counter].mask();
  return whole + (profile.counts.at(statistic.counter) & mask) % statistic.period;
}

/// EV4: what the driver's counts make of issues (R73); the fraction of a period is not known.
struct Issues {
  double non_issues = 0;                ///< a cycle
  std::optional<double> single_issues;  ///< if dual issues were counted beside
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

Json to_json(const Statistic& statistic, const std::vector<Row>& rows, std::uint64_t all) {
  Json list = Json::array();
  for (const Row& row : rows) {
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

}  // namespace

void add_statistic_options(Arguments::Description& options) {
  namespace po = boost::program_options;
  options.add_options()("statistic", po::value<std::string>(),
                        "Alpha: profile as uprofile and kprofile do, over Tru64's pfm device: an event (two of an EV4, "
                        "as PF_ISSUES,PF_DUAL), or a statistic "
                        "of profiled instructions (alpha-ev67: retired, cycles, dtb_miss_per_ret ...)")(
      "by", po::value<std::string>(), "with --statistic: address or function (default with --symbols)")(
      "stride", po::value<std::uint64_t>()->default_value(1),
      "with --statistic: instructions in a bucket, a power of two")(
      "kernel", po::bool_switch(), "with --statistic: samples of kernel mode, as kprofile");
}

int record_statistic(const SessionSetup& setup, const Arguments& arguments) {
  if (!arguments.list("event").empty()) throw UsageError("give either -e EVENT or --statistic NAME");
  for (const char* option : {"roi", "warmup", "randomize", "folded"}) {
    if (arguments.has(option)) throw UsageError(fmt::format("--{} does not go with --statistic", option));
  }
  if (setup.options.perturb) throw UsageError("--perturb does not go with --statistic");
  Symbols symbols;
  if (const auto files = arguments.list("symbols"); !files.empty()) symbols = Symbols(files[0]);
  const std::string by = arguments.maybe<std::string>("by").value_or(symbols.empty() ? "address" : "function");
  if (by != "address" && by != "function") throw UsageError(fmt::format("--by '{}': address or function", by));
  if (by == "function" && symbols.empty()) throw UsageError("--by function needs names: --symbols FILE");

  Statistic statistic = statistic_of(setup, arguments);
  const Code code = read_code(setup);
  statistic.request.range = code.range();
  statistic.request.kernel = arguments.get<bool>("kernel");
  statistic.request.stride = arguments.get<std::uint64_t>("stride");
  pfm::Setup system;
  system.kernel_text = code.range();
  system.profile_me_period = statistic.period;
  pfm::Machine machine(*setup.target, setup.parameters, open_traces(setup), system);
  pfm::Profile profile;
  try {
    profile = pfm::profile(machine, statistic.request);
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }

  const std::vector<Row> rows =
      rows_of(statistic, profile, code, symbols, by == "function", machine.processor(0).instructions());
  std::uint64_t all = 0, retired = 0;
  for (const Row& row : rows) {
    all += row.value;
    retired += row.retired;
  }
  const std::uint64_t ticks = profile.ticks.at(statistic.counter);
  const std::optional<Issues> issues = issues_of(statistic, profile);
  if (arguments.format() == Format::json) {
    Json object{{"target", std::string(setup.target->name)},
                {"trace", setup.traces[0]},
                {"statistic", statistic.name},
                {"period", statistic.period},
                {"instructions", machine.processor(0).instructions()},
                {"cycles", profile.cycles},
                {"samples", ticks},
                {"value", all}};
    if (!statistic.profiles()) {
      object["events"] = events_counted(setup, statistic, profile);
    }
    if (statistic.per_retired()) {
      object["retired"] = retired;
      object["ratio"] = ratio_of(statistic, all, retired);
    }
    if (statistic.beside) {
      object["beside"] = {{"statistic", statistic.beside->name},
                          {"period", statistic.beside->period},
                          {"samples", profile.ticks.at(statistic.beside->counter)}};
    }
    if (issues) {
      object["non_issues"] = issues->non_issues;
      if (issues->single_issues) object["single_issues"] = *issues->single_issues;
    }
    object["ipl"] = profile.levels;
    object["rows"] = to_json(statistic, rows, all);
    std::cout << object.dump() << '\n';
    return exit_good;
  }
  std::vector<Table::Column> columns{{"value", "value", true}, {"percent", "percent", true}};
  if (statistic.per_retired()) {
    columns.push_back({"retired", "retired", true});
    columns.push_back({"ratio", "ratio", true});
  }
  const bool has_frequencies = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.frequency != 0; });
  if (has_frequencies) columns.push_back({"executions", "executions", true});
  columns.push_back({"where", by});
  Table table(columns);
  for (const Row& row : rows) {
    std::vector<Json> cells{
        row.value,
        fmt::format("{:.2f}", all == 0 ? 0.0 : 100.0 * static_cast<double>(row.value) / static_cast<double>(all))};
    if (statistic.per_retired()) {
      cells.push_back(row.retired);
      cells.push_back(fmt::format("{:.2f}", ratio_of(statistic, row.value, row.retired)));
    }
    if (has_frequencies) cells.push_back(fmt::format("{:.0f}", row.frequency));
    cells.push_back(row.where);
    table.row(std::move(cells));
  }
  if (arguments.format() == Format::text) {
    std::cout << fmt::format("{} on {}: {} instructions, {} cycles\n", setup.traces[0], setup.target->name,
                             grouped(machine.processor(0).instructions()), grouped(profile.cycles));
    std::cout << fmt::format("{}: {} samples, one in {}{}\n", statistic.name, grouped(ticks), grouped(statistic.period),
                             statistic.profiles() ? " fetched instructions" : " events");
    if (statistic.beside)
      std::cout << fmt::format("{}: {} samples, one in {} events\n", statistic.beside->name,
                               grouped(profile.ticks.at(statistic.beside->counter)), grouped(statistic.beside->period));
    if (issues) std::cout << fmt::format("non-issues in a cycle: {:.2f}\n", issues->non_issues);
    if (issues && issues->single_issues) std::cout << fmt::format("single issues: {:.0f}\n", *issues->single_issues);
    if (!statistic.profiles() && !profile.counts.empty())
      std::cout << fmt::format("events counted: {}\n", grouped(events_counted(setup, statistic, profile)));
    if (statistic.per_retired())
      std::cout << fmt::format("ratio of the whole: {:.2f}\n", ratio_of(statistic, all, retired));
    if (!statistic.profiles() && ticks == 0)
      std::cout << fmt::format("no histogram: fewer than {} events, so that no interrupt came\n",
                               grouped(statistic.period));
    std::cout << '\n';
  }
  table.print(std::cout, arguments.format());
  return exit_good;
}

}  // namespace pmusim::testbench
