#include "testbench/cli/perf_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

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
    {"--tui", "--format text", "text is the default"},
    {"--sort", "--by", "rows are by function, line or instruction"},
    {"-s", "--by", "rows are by function, line or instruction"},
    {"--dsos", "--elf", "functions of a library are shown with its name"},
    {"--per-thread", "run", "with two traces the counts are by hardware thread"},
    {"--no-children", "report", "shares are of the function itself; callgrind exports have inclusive costs"},
    {"--children", "report --export callgrind", "callgrind exports have inclusive costs"},
};
// clang-format on

}  // namespace

std::string_view command_named(std::string_view name) {
  for (const OtherName& one : perf_commands) {
    if (one.name != name) continue;
    if (one.why.empty()) return one.nearest;
    throw UsageError(fmt::format("unknown command '{}'; the nearest is pmusim {}: {}", name, one.nearest, one.why));
  }
  return name;
}

std::string nearest_option(std::string_view option) {
  option = option.substr(0, option.find('='));
  const bool is_short = !option.starts_with("--");
  const auto found = std::find_if(std::begin(perf_options), std::end(perf_options), [&](const OtherName& one) {
    return one.name == (is_short ? option.substr(0, 2) : option);
  });
  if (found == std::end(perf_options)) return "";
  return fmt::format("unknown option '{}'; the nearest is {}: {}", option, found->nearest, found->why);
}

}  // namespace pmusim::testbench
