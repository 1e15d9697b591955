// pmusim record: takes an interrupt once per period of events, and prints the data that the hardware gives a handler.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "testbench/cli/captured_output.h"
#include "testbench/cli/code_names.h"
#include "testbench/cli/command.h"
#include "testbench/cli/examples.h"
#include "testbench/cli/perf_names.h"
#include "testbench/cli/pfm_statistic.h"
#include "testbench/cli/programmed.h"
#include "testbench/cli/sampling_pmu.h"
#include "testbench/cli/session_options.h"
#include "testbench/cli/views.h"
#include "testbench/profile/exports.h"

namespace pmusim::testbench {
namespace {

constexpr HelpText record_help{
    "pmusim record -t TARGET --trace FILE -e EVENT ... --period N [FILTER ...]",
    "Presets each counter so that it overflows after N events, takes the overflow interrupt as the processor would,\n"
    "and prints one sample per interrupt: the interrupted instruction and the registers that the hardware latched:\n"
    "SIA; the access in an event address register; the branches in the branch (execution) trace buffer or, with\n"
    "--ipear, the retired bundles. The handler subtracts the period from the counter, so that no event before the\n"
    "interrupt's freeze is lost. Periods vary to avoid aliasing with loops (--no-randomize: constant periods). A\n"
    "target with two hardware threads takes a trace for each and samples both.",
    examples::record};

/// Prints samples as they arrive, in the requested form.
struct Printer {
  const SessionSetup& setup;
  std::vector<std::string> events;
  CaptureUnits units;
  std::vector<Symbols> symbols;  ///< for each hardware thread's program
  Format format;
  bool folded;
  bool path;
  unsigned width = setup.target->isa == trace::Isa::i386 || setup.target->isa == trace::Isa::ppc ? 32 : 64;
  bool threads = setup.traces.size() > 1;
  std::uint64_t next_index = 0;
  std::map<std::string, std::uint64_t> folds = {};

  /// Samples of several PMUs are numbered together.
  void sample(Sample sample, const std::vector<std::uint64_t>& stack) {
    sample.index = next_index++;
    const Symbols& names = symbols[std::min<std::size_t>(sample.thread, symbols.size() - 1)];
    const std::string event = sample.counter < events.size() ? events[sample.counter] : "none";
    if (folded) {
      std::string line = threads ? fmt::format("thread {};", sample.thread) : "";
      const std::string leaf = frame_name(names.function_of(sample.ip));
      for (std::size_t i = 0; i < stack.size(); ++i) {
        const std::string function = frame_name(names.function_of(stack[i]));
        // The innermost entry is the function of the sample.
        if (i + 1 < stack.size() || function != leaf) line += function + ';';
      }
      ++folds[line + leaf];
      return;
    }
    const Json captured = captured_by(sample);
    if (format == Format::json) {
      Json object{{"index", sample.index},       {"cycle", sample.cycle},   {"requested", sample.requested},
                  {"ip", hex(sample.ip, width)}, {"thread", sample.thread}, {"event", event},
                  {"period", sample.period}};
      for (const auto& [name, value] : sample.latched) object[lower(name)] = hex(value, width);
      object.update(captured);
      std::cout << line_of(object) << '\n';
      return;
    }
    std::string latched;
    for (const auto& [name, value] : sample.latched)
      latched += fmt::format("{}{}={}", latched.empty() ? "" : " ", name, hex(value, width));
    if (format == Format::csv) {
      std::cout << fmt::format("{},{},{},{},{},{},{},{}\n", sample.index, sample.cycle, sample.requested,
                               hex(sample.ip, width), sample.thread, event, sample.period, latched);
      return;
    }
    if (!units.empty()) latched.clear();  // shown in the lines below
    const std::string thread = threads ? fmt::format(" thread {}", sample.thread) : "";
    print_wrapped(std::cout,
                  fmt::format("{:>12}:{} {:>8} {}: {} {}{}{}", sample.cycle, thread, sample.period, event,
                              hex(sample.ip, width), names.of(sample.ip), latched.empty() ? "" : "  ", latched));
    for (const std::string& line : captured_lines(captured, names))
      print_wrapped(std::cout, fmt::format("{:>14}{}", "", line));
  }

  /// Prints folded stacks on request; without any sample, the reason.
  void finish(const SessionResult& result, const std::vector<Awaited>& counters) const {
    for (const auto& [stack, count] : folds) std::cout << stack << ' ' << count << '\n';
    if (next_index != 0) return;
    for (std::size_t i = 0; i < result.monitors.size(); ++i) {
      const std::string thread = threads ? fmt::format("thread {}: ", i) : "";
      for (const std::string& why : why_no_sample(*setup.target, result.monitors[i], counters))
        std::cerr << "pmusim: " << thread << why << '\n';
    }
  }

  [[nodiscard]] Json captured_by(const Sample& sample) const {
    Json object = Json::object();
    const auto value_of = [&](std::string_view name) {
      const auto same = [&](const auto& reg) { return reg.first == name; };
      return std::ranges::find_if(sample.latched, same)->second;
    };
    add_captured(units.decode(value_of), path, object);
    return object;
  }
  static std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
  }
};

Options record_options() {
  return session_options() +
         Options{
             {"event,e", po::texts(), "event to sample, or several separated by commas; repeat for more counters"}} +
         period_options() + Options{{"folded", po::flag(), "print folded stacks with counts, for flame graphs"}} +
         name_options() + view_options() + statistic_options() + path_option() + qualifier_options();
}

int run_record(const Arguments& arguments) {
  SessionSetup setup = session_setup(arguments);
  check_period_options(arguments);
  if (arguments.has("statistic")) return record_statistic(setup, arguments);
  refuse_statistic_options(arguments);
  const std::vector<std::string> events = named_event_list(arguments, setup.target->name);
  if (events.empty()) throw UsageError("--event is missing: name at least one, as in -e DATA_CACHE_MISSES");
  SamplingPlan plan = sampling_plan(setup, arguments, events);
  // The output is a stream of samples, so notes on the encoding go to standard error.
  Json notes = Json::object();
  add_notes(plan.encoding, notes);
  for (const std::string& line : note_lines(notes)) std::cerr << "pmusim: " << line << '\n';
  const CaptureUnits units(setup.target->name, bus_writes(setup, plan.registers));
  ViewFiles files = view_files(arguments);
  files.symbols = symbols_of(code_names(arguments, setup));
  Printer printer{setup,
                  plan.events,
                  units,
                  files.symbols,
                  arguments.format(),
                  arguments.get<bool>("folded"),
                  wants_path(arguments, units)};
  if (printer.format == Format::csv) std::cout << "index,cycle,requested,ip,thread,event,period,latched\n";
  std::vector<ProgrammedCounter> programmed;
  for (const encoder::EncodedEvent& event : plan.encoding.events)
    programmed.push_back({event.canonical, event.counter, event.counter_index, {}});
  Views views(std::move(files), setup, programmed, units.registers());
  Session session(*setup.target, setup.parameters, setup.options);
  std::vector<std::unique_ptr<SamplingPmu>> pmus;  // one for each hardware thread
  for (unsigned thread = 0; thread < setup.traces.size(); ++thread) {
    const auto sink = [&printer, &views](const Sample& sample, const std::vector<std::uint64_t>& stack) {
      views.sample(sample);
      printer.sample(sample, stack);
    };
    pmus.push_back(std::make_unique<SamplingPmu>(session, setup, arguments, plan, thread, sink,
                                                 LatchedRegisters{units.registers(), units.cleared()},
                                                 [&](MonitorSetup& monitor) { views.watch(monitor, thread); }));
  }
  views.observe(session);
  const SessionResult result = run_session(setup, session);
  views.close(result);
  if (!result.monitors[0].not_modelled.empty()) throw UsageError(result.monitors[0].not_modelled[0]);
  printer.finish(result, plan.awaited);
  return exit_good;
}

}  // namespace

const CommandBody record_body{record_help, record_options, run_record, 0};

}  // namespace pmusim::testbench
