#include "testbench/cli/perf_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <utility>

#include "testbench/cli/command_facts.h"
#include "testbench/support/error.h"

namespace pmusim::testbench {

namespace {

struct OtherName {
  std::string_view name;
  std::string_view nearest;   ///< a command of pmusim, with options
  std::string_view why = {};  ///< why it is another one; empty: it is the same command
};

// clang-format off
constexpr OtherName perf_commands[] = {
    {"stat", "run"},
    {"list", "events"},
    {"top", "report", "a trace is profiled as a whole"},
    {"script", "record", "it prints the samples"},
    {"mem", "record -e DATA_EAR_CACHE_LAT4", "on the Itaniums, samples have address and latency"},
    {"c2c", "report -e EVENT", "a trace is of one program, so that no line is shared"},
    {"kvm", "run -e EVENT:k", "a trace has no guest; :k counts its privileged code"},
    {"timechart", "run --perfetto FILE", "it writes a timeline for ui.perfetto.dev"},
    {"sched", "run --perfetto FILE", "nothing is scheduled; a timeline has functions and interrupts"},
    {"lock", "annotate", "a trace has no locks of an operating system"},
    {"bench", "traces", "the shipped traces are the benchmarks"},
    {"test", "validate", "it checks encoders and models"},
    {"probe", "run --roi BEGIN:END", "a trace cannot be changed; a part of it can be counted"},
    {"ftrace", "trace dump", "it lists the instructions"},
    {"kmem", "report", "a trace has no allocator of an operating system"},
    {"evlist", "events", "it lists the events"},
    {"archive", "trace info", "a trace contains the names that it needs"},
    {"buildid-list", "trace info", "a trace contains the names that it needs"},
    {"data", "report --export pprof", "there is no perf.data; it writes formats of other tools"},
    {"inject", "trace cut", "traces are edited by pmusim trace"},
    {"kallsyms", "report --symbols FILE", "names come from nm or an ELF file"},
    {"config", "targets --parameters", "--set NAME=VALUE changes a parameter"},
    {"version", "--version", "it has this name here"},
};

constexpr OtherName perf_options[] = {
    {"--all-cpus", "--trace", "a run has the programs of its traces"},
    {"-a", "--trace", "a run has the programs of its traces"},
    {"--cpu", "--trace", "a run has one processor"},
    {"-C", "--trace", "a run has one processor"},
    {"--pid", "-- PROGRAM", "a program is recorded from its start"},
    {"-p", "-- PROGRAM", "a program is recorded from its start"},
    {"--tid", "-- PROGRAM", "a program is recorded from its start"},
    {"--repeat", "--set", "a run always gives the same counts; vary a parameter instead"},
    {"-r", "--set", "a run always gives the same counts; vary a parameter instead"},
    {"--call-graph", "record --folded", "stacks come from the calls and returns of the trace"},
    {"-g", "record --folded", "stacks come from the calls and returns of the trace"},
    {"--freq", "--period", "a period is a number of events"},
    {"-F", "--period", "a period is a number of events"},
    {"--count", "--period", "it has this name here"},
    {"-c", "--period", "it has this name here"},
    {"--field-separator", "--format csv", "columns are separated by commas"},
    {"-x", "--format csv", "columns are separated by commas"},
    {"--json-output", "--format json", "it has this name here"},
    {"-j", "--format json", "it has this name here; branch stacks are filters, as --btb tm=taken"},
    {"--branch-any", "--btb tm=all", "on the Itaniums, which have a branch trace buffer"},
    {"-b", "--btb tm=all", "on the Itaniums, which have a branch trace buffer"},
    {"--detailed", "-e L1-dcache-loads,L1-dcache-load-misses", "events are named one by one"},
    {"-d", "-e L1-dcache-loads,L1-dcache-load-misses", "events are named one by one"},
    {"--metrics", "events --ratios", "ratios of counted events are always printed"},
    {"-M", "events --ratios", "ratios of counted events are always printed"},
    {"--topdown", "report", "stall events have columns of their own"},
    {"--delay", "--warmup", "instructions before the first that counts"},
    {"-D", "--warmup", "instructions before the first that counts"},
    {"--input", "--trace", "report and annotate run a trace; there is no perf.data"},
    {"-i", "--trace", "report and annotate run a trace; there is no perf.data"},
    {"--stdio", "--format text", "text is the default"},
    {"--tui", "report --tui", "report and annotate have it"},
    {"--sort", "--by", "rows are by function, line or instruction"},
    {"-s", "--by", "rows are by function, line or instruction"},
    {"--dsos", "--elf", "functions of a library are shown with its name"},
    {"--per-thread", "run", "with two traces the counts are by hardware thread"},
    {"--no-children", "report", "shares are of the function itself; callgrind exports have inclusive costs"},
    {"--children", "report --export callgrind", "callgrind exports have inclusive costs"},
};

constexpr std::string_view of_system = "the operating system counts this, and a trace has none";
constexpr std::string_view of_threads = "it counts switches of hardware threads, where a processor has two; a trace has no others";
constexpr std::string_view of_perf = "pmusim events --generic lists perf's names that a target has";
constexpr OtherName perf_events[] = {
    {"page-faults", "dTLB-load-misses", of_system},
    {"faults", "dTLB-load-misses", of_system},
    {"minor-faults", "dTLB-load-misses", of_system},
    {"major-faults", "dTLB-load-misses", of_system},
    {"context-switches", "THREAD_SWITCH_EVENTS_ALL", of_threads},
    {"cs", "THREAD_SWITCH_EVENTS_ALL", of_threads},
    {"cpu-migrations", "THREAD_SWITCH_EVENTS_ALL", of_threads},
    {"task-clock", "cycles", "a trace has no clock but that of the core"},
    {"cpu-clock", "cycles", "a trace has no clock but that of the core"},
    {"duration_time", "cycles", "a trace has no clock but that of the core"},
    {"ref-cycles", "cycles", "the core's clock has one frequency"},
    {"bus-cycles", "cycles", "the core's clock has one frequency"},
    {"stalled-cycles-frontend", "pmusim report", "stall events have columns of their own"},
    {"stalled-cycles-backend", "pmusim report", "stall events have columns of their own"},
    {"L1-dcache-stores", "L1-dcache-loads", of_perf},
    {"L1-dcache-prefetches", "L1-dcache-loads", of_perf},
    {"LLC-stores", "cache-references", of_perf},
    {"LLC-store-misses", "cache-misses", of_perf},
    {"LLC-prefetches", "cache-references", of_perf},
    {"dTLB-loads", "L1-dcache-loads", of_perf},
    {"dTLB-stores", "L1-dcache-loads", of_perf},
    {"dTLB-store-misses", "dTLB-load-misses", of_perf},
    {"iTLB-loads", "L1-icache-loads", of_perf},
    {"mem-loads", "DATA_EAR_CACHE_LAT4", "on the Itaniums, samples have address and latency"},
};
// clang-format on

}  // namespace

std::string_view command_named(std::string_view name) {
  for (const OtherName& one : perf_commands) {
    if (one.name != name) continue;
    if (one.why.empty()) return one.nearest;
    throw UsageError("unknown command '{}'; the nearest is pmusim {}: {}", name, one.nearest, one.why);
  }
  return name;
}

std::string nearest_option(std::string_view option) {
  option = option.substr(0, option.find('='));
  const bool is_short = !option.starts_with("--");
  const auto found = std::ranges::find_if(
      perf_options, [&](const OtherName& one) { return one.name == (is_short ? option.substr(0, 2) : option); });
  if (found == std::end(perf_options)) return "";
  return fmt::format("unknown option '{}'; the nearest is {}: {}", option, found->nearest, found->why);
}

std::string nearest_event(std::string_view event) {
  for (const OtherName& one : perf_events) {
    if (one.name == event) return fmt::format("the nearest is {}: {}", one.nearest, one.why);
  }
  return "";
}

namespace {

/// Other spellings, with the name in the targets' tables.
constexpr std::pair<std::string_view, std::string_view> spellings[] = {
    {"cpu-cycles", "cycles"},          {"branch-instructions", "branches"},
    {"branch-loads", "branches"},      {"branch-load-misses", "branch-misses"},
    {"LLC-loads", "cache-references"}, {"LLC-load-misses", "cache-misses"},
};

std::string_view in_tables(std::string_view name) {
  for (const auto& [other, usual] : spellings) {
    if (other == name) return usual;
  }
  return name;
}

/// Null for a name that is not generic.
const GenericEvent* find_generic(std::string_view target, std::string_view name) {
  const std::span<const GenericEvent> all = generic_events_of(target);
  const auto found = std::ranges::find(all, in_tables(name), &GenericEvent::name);
  return found == all.end() ? nullptr : &*found;
}

/// perf's modifiers, which it takes in one group: `:uk` is `:u:k`. Throws UsageError for those that a trace cannot
/// have.
std::string levels_of(const std::string& given, const std::string& modifiers) {
  constexpr std::string_view of_perf = "ukhHGpPSDIeW", levels = "uk";
  if (modifiers.size() < 2 || modifiers.find_first_not_of(of_perf, 1) != modifiers.npos) return modifiers;
  if (modifiers.find('p') != modifiers.npos)
    throw UsageError(given + ": the nearest is pmusim report: its column `exact` has no skid");
  std::string apart;
  for (const char one : modifiers.substr(1)) {
    if (levels.find(one) == levels.npos) return modifiers;
    apart += {':', one};
  }
  return apart;
}

}  // namespace

std::vector<std::string_view> generic_names() {
  std::vector<std::string_view> names;
  for (const GenericEvent& one : generic_events_of("athlon")) names.push_back(one.name);
  for (const auto& [other, usual] : spellings) names.push_back(other);
  return names;
}

NamedEvent named_event(std::string_view target, const std::string& given) {
  const std::string name = given.substr(0, given.find(':'));
  const GenericEvent* const generic = find_generic(target, name);
  if (generic == nullptr) {
    if (const std::string nearest = nearest_event(name); !nearest.empty())
      throw UsageError("{} has no event '{}'; {}", target, name, nearest);
    return {given, ""};
  }
  if (generic->event.empty()) throw UsageError("{}: no event of {} counts this: {}", name, target, generic->why);
  const std::string event = std::string(generic->event) + levels_of(given, given.substr(name.size()));
  return {event, fmt::format("{} is {}{}{}", given, event, generic->why.empty() ? "" : ": ", generic->why)};
}

std::vector<std::string> named_event_list(const Arguments& arguments, std::string_view target) {
  std::vector<std::string> events;
  for (const std::string& given : event_list(arguments)) {
    NamedEvent named = named_event(target, given);
    if (!named.note.empty()) std::cerr << fmt::format("pmusim: {}\n", named.note);
    events.push_back(std::move(named.event));
  }
  return events;
}

}  // namespace pmusim::testbench
