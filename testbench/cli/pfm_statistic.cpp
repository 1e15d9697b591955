#include "testbench/cli/pfm_statistic.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iostream>

#include "testbench/cli/code_names.h"
#include "testbench/cli/command.h"
#include "testbench/cli/command_facts.h"
#include "testbench/driver/firmware.h"

namespace pmusim::testbench {

namespace {

constexpr std::string_view profile_prefix = "PF67_PM_";
constexpr std::uint64_t default_profile_period = 1009, aggregate_period = 1u << 20;
constexpr std::uint64_t bucket_bytes = 4;

/// Number of a profile-me statistic in the header: its position in the encoder's list, from 1.
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

/// The period in the canonical name of an event of the 21064 or 21164; 0: none.
std::uint64_t period_of(const std::string& name) {
  const std::size_t freq = name.find(":freq=");
  return freq == std::string::npos ? 0 : std::stoull(name.substr(freq + 6));
}

/// Two statistics of a 21064, as in `PF_ISSUES,PF_DUAL`.
std::vector<std::string> names_of(const Arguments& arguments, const StatisticFacts& facts) {
  const auto text = arguments.get<std::string>("statistic");
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) return {text};
  if (facts.at_once < 2)
    throw UsageError("--statistic {}: only alpha-ev4 takes two at a time, as PF_ISSUES,PF_DUAL", text);
  if (arguments.maybe<std::uint64_t>("period"))
    throw UsageError(
        "--period: each of two counters has its own period; give them as PF_ISSUES:freq=4096,PF_DUAL:freq=256");
  return {text.substr(0, comma), text.substr(comma + 1)};
}

/// Periods are randomised unless the user asks for constant ones. The 21064's hardware has only constant periods.
void choose_spread(const Firmware& firmware, const Arguments& arguments, Statistic& statistic) {
  const bool possible = !firmware.fixed_periods;
  if (!possible && arguments.get<bool>("randomize"))
    std::cerr << "pmusim: --randomize: the counters of a 21064 cannot be written; its periods are constant\n";
  statistic.shortest = statistic.longest = statistic.period;
  if (!possible || arguments.get<bool>("no-randomize")) return;
  const FirmwareCounter& counter = firmware.counters[statistic.counter];
  const std::uint64_t spread = statistic.period / 2;
  statistic.seed = arguments.get<std::uint64_t>("seed");
  statistic.shortest = std::max(statistic.period - spread, firmware.least_period(counter));
  statistic.longest = std::min(statistic.period + spread, counter.mask() + 1);
}

Statistic statistic_of(const SessionSetup& setup, const Arguments& arguments) {
  const std::string target(setup.target->name);
  const StatisticFacts* const facts = facts_of(target).statistics;
  if (facts == nullptr) throw UsageError("--statistic is for the Alpha targets; use -e EVENT on {}", target);
  const auto period = arguments.maybe<std::uint64_t>("period");
  std::vector<std::string> names = names_of(arguments, *facts);
  if (facts->asks_for_periods && period) names[0] += fmt::format(":freq={}", *period);
  encoder::EncodeOptions options;
  options.sampling = true;
  const auto encoding = encoder::encode(target, names, options);
  if (!encoding) throw UsageError("--statistic: " + encoding.error().message);
  if (encoding->events.size() != names.size())
    throw UsageError("--statistic {} stands for {} events; name one", names[0], encoding->events.size());

  const Firmware& firmware = *find_firmware(target);
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
    statistic.beside = Statistic::Beside{second.canonical, second.counter_index, period_of(second.canonical)};
    statistic.request.counters = 3;
  }
  statistic.period = period_of(statistic.name);
  if (statistic.period == 0) {
    statistic.period = period.value_or(statistic.profiles() ? default_profile_period : aggregate_period);
    const std::uint64_t least = firmware.least_period(firmware.counters[statistic.counter]);
    if (statistic.period < least || statistic.period > aggregate_period)
      throw UsageError("--period: {} to {} {}, not {}", least, aggregate_period,
                       statistic.profiles() ? "fetched instructions" : "events", statistic.period);
  }
  choose_spread(firmware, arguments, statistic);
  return statistic;
}

/// Runs the whole machine once for each range, because the device has one range at a time. The periods are the same in
/// each run.
Collected collect(const SessionSetup& setup, Statistic statistic, std::vector<pfm::Range> ranges) {
  pfm::Setup system;
  system.kernel_text = {ranges[0].start, ranges[0].end};
  for (const pfm::Range& range : ranges) {
    system.kernel_text.start = std::min(system.kernel_text.start, range.start);
    system.kernel_text.end = std::max(system.kernel_text.end, range.end);
  }
  (statistic.profiles() ? system.profile_me_period : system.count_period) = statistic.period;
  if (statistic.seed) {
    system.spacing = pfm::Spacing::drawn;
    system.seed = *statistic.seed;
  } else if (statistic.profiles() || (statistic.period != aggregate_period && period_of(statistic.name) == 0)) {
    system.spacing = pfm::Spacing::constant;  // of profile-me, or a period that the hardware does not have
  }
  Collected collected{std::move(statistic), std::move(ranges), {}, 0};
  for (const pfm::Range& range : collected.ranges) {
    pfm::Machine machine(*setup.target, setup.parameters, open_traces(setup), system);
    collected.statistic.request.range = range;
    try {
      pfm::Profile profile = pfm::profile(machine, collected.statistic.request);
      profile.buckets.insert(profile.buckets.begin(), collected.profile.buckets.begin(),
                             collected.profile.buckets.end());
      collected.profile = std::move(profile);
    } catch (const std::runtime_error& error) {
      throw UsageError(error.what());
    }
    collected.instructions = machine.processor(0).instructions();
  }
  return collected;
}

}  // namespace

Options statistic_options() {
  return {
      {"statistic", po::text(),
       "Alpha: profile through Tru64's pfm device, as uprofile and kprofile do: an event (on an EV4 "
       "two, as PF_ISSUES,PF_DUAL), or a statistic of profiled instructions (alpha-ev67: retired, "
       "cycles, dtb_miss_per_ret ...)"},
      {"by", po::text(), "with --statistic: group by address or function (default if there are names)"},
      {"stride", po::number<std::uint64_t>(1), "with --statistic: instructions per bucket, a power of two"},
      {"range", po::texts(),
       "with --statistic: BEGIN:END, address range of a histogram; repeat for more (default: each image of code that "
       "the trace executes in the mode)"},
      {"kernel", po::flag(), "with --statistic: sample kernel mode, as kprofile does"}};
}

void refuse_statistic_options(const Arguments& arguments) {
  arguments.refuse({"by", "stride", "range", "kernel"}, "goes with --statistic, of the Alpha targets");
}

int record_statistic(const SessionSetup& setup, const Arguments& arguments) {
  if (!arguments.list("event").empty()) throw UsageError("give either -e EVENT or --statistic NAME");
  arguments.refuse({"roi", "warmup", "folded"}, "does not go with --statistic");
  require_traces(setup, "--statistic runs the core itself");
  if (setup.options.perturb) throw UsageError("--perturb does not go with --statistic");
  const Symbols symbols = symbols_of(code_names(arguments, setup))[0];
  const std::string by = arguments.maybe<std::string>("by").value_or(symbols.empty() ? "address" : "function");
  if (by != "address" && by != "function") throw UsageError("--by '{}': address or function", by);
  if (by == "function" && symbols.empty()) throw UsageError("--by function needs names: --elf FILE or --symbols FILE");
  const auto stride = arguments.get<std::uint64_t>("stride");
  if (!std::has_single_bit(stride)) throw UsageError("--stride {}: a power of two from 1 on", stride);

  Statistic statistic = statistic_of(setup, arguments);
  const ProfiledCode code = read_code(setup);
  statistic.request.kernel = arguments.get<bool>("kernel");
  statistic.request.stride = stride;
  const std::uint64_t buckets = pfm::Setup{}.most_sample_bytes / bucket_bytes / (statistic.per_retired() ? 2 : 1);
  const bool any_length = stride > ~std::uint64_t{0} / instruction_bytes / buckets;
  const std::uint64_t most_bytes = any_length ? ~std::uint64_t{0} : buckets * instruction_bytes * stride;
  std::vector<pfm::Range> ranges = parse_ranges(arguments.list("range"), most_bytes);
  if (ranges.empty()) ranges = images(code, statistic.request.kernel, most_bytes);
  if (ranges.empty())
    throw UsageError("{} executes no code in {} mode{}", setup.traces[0], statistic.request.kernel ? "kernel" : "user",
                     statistic.request.kernel ? "" : "; --kernel profiles the rest");
  const Collected collected = collect(setup, std::move(statistic), std::move(ranges));
  print_statistic(setup, collected, code, symbols, by == "function", arguments.format());
  return exit_good;
}

namespace {

constexpr unsigned user_mode = 3;

/// The mode of the program, as its directives set it.
class Mode {
 public:
  void directive(const trace::Directive& directive) {
    const std::string& name = directive.name;
    if (name == "cpl" && !directive.operands.empty()) {
      cpl_ = static_cast<unsigned>(parse_number(directive.operands[0].second, "cpl"));
    } else if (name == "interrupt" || name == "mcheck") {
      left_.push_back(cpl_);
      cpl_ = 0;
    } else if (name == "reset") {
      cpl_ = 0;
    } else if (name == "return" && !left_.empty()) {
      cpl_ = left_.back();
      left_.pop_back();
    }
  }
  [[nodiscard]] bool user() const { return cpl_ == user_mode; }

 private:
  unsigned cpl_ = user_mode;
  std::vector<unsigned> left_;
};

}  // namespace

ProfiledCode read_code(const SessionSetup& setup) {
  ProfiledCode code;
  const auto readers = open_traces(setup);
  trace::Item item;
  Mode mode;
  while (readers[0]->next(item)) {
    if (item.directive != nullptr) {
      mode.directive(*item.directive);
      continue;
    }
    const trace::Code& instruction = *item.instruction.code;
    std::uint32_t encoding = 0;
    for (unsigned i = 0; i < instruction_bytes; ++i) encoding |= std::uint32_t{instruction.bytes[i]} << (8 * i);
    ProfiledCode::Word& word = code.words[instruction.pc];
    word.encoding = encoding;
    (mode.user() ? word.user : word.kernel) = true;
    if (item.instruction.taken) code.targets.insert(item.instruction.target);
  }
  if (code.words.empty()) throw UsageError("{}: no instructions to profile", setup.traces[0]);
  return code;
}

std::vector<pfm::Range> images(const ProfiledCode& code, bool kernel, std::uint64_t most_bytes) {
  std::vector<pfm::Range> ranges;
  for (const auto& [address, word] : code.words) {
    if (!(kernel ? word.kernel : word.user)) continue;
    const std::uint64_t end = address + instruction_bytes;
    if (ranges.empty() || address - ranges.back().end > between_images || end - ranges.back().start > most_bytes) {
      ranges.push_back({address, end});
    } else {
      ranges.back().end = end;
    }
  }
  return ranges;
}

std::vector<pfm::Range> parse_ranges(const std::vector<std::string>& texts, std::uint64_t most_bytes) {
  std::vector<pfm::Range> ranges;
  for (const std::string& text : texts) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) throw UsageError("--range '{}' is not of the form BEGIN:END, addresses", text);
    const pfm::Range range{parse_number(text.substr(0, colon), "begin of --range"),
                           parse_number(text.substr(colon + 1), "end of --range")};
    if (range.start >= range.end) throw UsageError("--range '{}' is empty; BEGIN must be below END", text);
    if (range.start % instruction_bytes != 0 || range.end % instruction_bytes != 0)
      throw UsageError("--range '{}': addresses of instructions are multiples of {}", text, instruction_bytes);
    if (range.end - range.start > most_bytes)
      throw UsageError(
          "--range '{}' is longer than the {} bytes that the device has memory for; use a larger --stride "
          "or several ranges",
          text, most_bytes);
    ranges.push_back(range);
  }
  return ranges;
}

}  // namespace pmusim::testbench
