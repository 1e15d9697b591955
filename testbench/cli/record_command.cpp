// pmusim record: an interrupt every so many events, and what the hardware gives a handler then.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "testbench/cli/captured_output.h"
#include "testbench/cli/command.h"
#include "testbench/cli/no_sample.h"
#include "testbench/cli/progress.h"
#include "testbench/cli/qualifier_options.h"
#include "testbench/cli/session_options.h"
#include "testbench/cli/statistic_command.h"
#include "testbench/cli/symbols.h"
#include "testbench/cli/views.h"
#include "testbench/driver/alpha_sampling.h"
#include "testbench/driver/call_stack.h"
#include "testbench/driver/sampling.h"

namespace pmusim::testbench {
namespace {

constexpr HelpText help{
    "pmusim record -t TARGET --trace FILE -e EVENT ... --period N [FILTER ...]",
    "Presets each counter so that it overflows after N events, takes the overflow interrupt as the processor would,\n"
    "and prints one sample per interrupt: where the program was, and what the hardware latched: SIA on the 750GX; on\n"
    "the Itanium 2 and Montecito the access in an event address register, and the branches in the branch (execution)\n"
    "trace buffer or, with --ipear, the bundles that retired. The handler moves the counter back by the period, so "
    "that\n"
    "no event before the interrupt's freeze is lost. Periods vary, so that profiles of loops do not alias\n"
    "(--no-randomize: constant ones). A target with two hardware threads takes a trace for each and samples both.",
    "  pmusim record -t athlon --trace t.pmt -e DATA_CACHE_MISSES --period 1000\n"
    "  pmusim record -t ppc750gx --trace t.pmt -e INSTRUCTIONS_COMPLETED --period 997 --folded > out.folded\n"
    "  pmusim record -t athlon --trace t.pmt -e RETIRED_INSTRUCTIONS --period 5000 --seed 2 --format json\n"
    "  pmusim record -t itanium2 --trace t.pmt -e DATA_EAR_CACHE_LAT8 --period 100\n"
    "  pmusim record -t itanium2 --trace t.pmt -e BRANCH_EVENT --btb tm=taken --period 500\n"
    "  pmusim record -t montecito --trace a.pmt --trace b.pmt -e L2D_MISSES --ipear delay=0 --period 50\n"
    "  pmusim record -t athlon --trace t.pmt -e DATA_CACHE_MISSES --period 1000 --perfetto profile.json"};

/// Prints samples as they come, in the form asked for.
class Printer {
 public:
  Printer(const SessionSetup& setup, std::vector<std::string> events, CaptureUnits units, std::vector<Symbols> symbols,
          Format format, bool folded, bool path)
      : width_(setup.target->isa == trace::Isa::i386 || setup.target->isa == trace::Isa::ppc ? 32 : 64),
        events_(std::move(events)),
        units_(std::move(units)),
        symbols_(std::move(symbols)),
        format_(format),
        folded_(folded),
        path_(path),
        threads_(setup.traces.size() > 1) {
    if (format_ == Format::csv) std::cout << "index,cycle,requested,ip,thread,event,period,latched\n";
  }

  /// Samples of several PMUs are numbered together.
  void sample(Sample sample, const std::vector<std::uint64_t>& stack) {
    sample.index = next_index_++;
    const Symbols& symbols = symbols_[std::min<std::size_t>(sample.thread, symbols_.size() - 1)];
    const std::string event = sample.counter < events_.size() ? events_[sample.counter] : "none";
    if (folded_) {
      std::string line = threads_ ? fmt::format("thread {};", sample.thread) : "";
      const std::string leaf = symbols.function_of(sample.ip);
      for (std::size_t i = 0; i < stack.size(); ++i) {
        const std::string function = symbols.function_of(stack[i]);
        // The innermost entry is the function that the sample is in.
        if (i + 1 < stack.size() || function != leaf) line += function + ';';
      }
      ++folds_[line + leaf];
      return;
    }
    const Json captured = captured_by(sample);
    if (format_ == Format::json) {
      Json object{{"index", sample.index},        {"cycle", sample.cycle},   {"requested", sample.requested},
                  {"ip", hex(sample.ip, width_)}, {"thread", sample.thread}, {"event", event},
                  {"period", sample.period}};
      for (const auto& [name, value] : sample.latched) object[lower(name)] = hex(value, width_);
      object.update(captured);
      std::cout << line_of(object) << '\n';
      return;
    }
    std::string latched;
    for (const auto& [name, value] : sample.latched)
      latched += fmt::format("{}{}={}", latched.empty() ? "" : " ", name, hex(value, width_));
    if (format_ == Format::csv) {
      std::cout << fmt::format("{},{},{},{},{},{},{},{}\n", sample.index, sample.cycle, sample.requested,
                               hex(sample.ip, width_), sample.thread, event, sample.period, latched);
      return;
    }
    if (!units_.empty()) latched.clear();  // it stands in the lines below
    const std::string thread = threads_ ? fmt::format(" thread {}", sample.thread) : "";
    std::cout << fmt::format("{:>12}:{} {:>8} {}: {} {}{}{}\n", sample.cycle, thread, sample.period, event,
                             hex(sample.ip, width_), symbols.of(sample.ip), latched.empty() ? "" : "  ", latched);
    for (const std::string& line : captured_lines(captured, symbols)) std::cout << fmt::format("{:>14}{}\n", "", line);
  }

  /// Folded stacks, if they were asked for; without any sample, why.
  void finish(const SessionSetup& setup, const SessionResult& result, const std::vector<Awaited>& counters) const {
    for (const auto& [stack, count] : folds_) std::cout << stack << ' ' << count << '\n';
    if (next_index_ != 0) return;
    for (std::size_t i = 0; i < result.monitors.size(); ++i) {
      const std::string thread = threads_ ? fmt::format("thread {}: ", i) : "";
      for (const std::string& why : why_no_sample(*setup.target, result.monitors[i], counters))
        std::cerr << "pmusim: " << thread << why << '\n';
    }
  }

 private:
  [[nodiscard]] Json captured_by(const Sample& sample) const {
    Json object = Json::object();
    const auto value_of = [&](std::string_view name) {
      const auto same = [&](const auto& reg) { return reg.first == name; };
      return std::find_if(sample.latched.begin(), sample.latched.end(), same)->second;
    };
    add_captured(units_.decode(value_of), path_, object);
    return object;
  }
  static std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
  }
  unsigned width_;
  std::vector<std::string> events_;
  CaptureUnits units_;
  std::vector<Symbols> symbols_;  ///< of each hardware thread's program
  Format format_;
  bool folded_;
  bool path_;
  bool threads_;
  std::uint64_t next_index_ = 0;
  std::map<std::string, std::uint64_t> folds_;
};

/// What an operating system's driver writes so that an overflow reaches the processor at all: on the Athlon the APIC
/// entry of the counters, as NMI and not masked; on IA-64 the vector, not masked. Written again by every handler,
/// because a delivery may mask it.
std::vector<RegisterWrite> interrupt_delivery(const SessionSetup& setup) {
  struct Entry {
    std::string_view name;
    std::uint64_t value;
  };
  constexpr std::uint64_t deliver_as_nmi = 4 << 8, linux_vector = 0xee;
  constexpr Entry entries[] = {{"LVTPC", deliver_as_nmi}, {"PMV", linux_vector}};
  const auto monitor = setup.target->make_monitor(setup.parameters);
  std::vector<RegisterWrite> writes;
  for (const Entry& entry : entries) {
    if (const auto info = pmu::find_register(*monitor, entry.name)) writes.push_back({info->id, entry.value});
  }
  return writes;
}

/// Periods are drawn unless they were asked to be constant; the hardware of a 21064 has constant ones alone.
Sampler::NextPeriod next_period(const Arguments& arguments, bool fixed_periods) {
  if (fixed_periods && arguments.get<bool>("randomize"))
    std::cerr << "pmusim: --randomize: the counters of a 21064 cannot be written; its periods are constant\n";
  if (fixed_periods || arguments.get<bool>("no-randomize")) return {};
  return RandomPeriod(arguments.get<std::uint64_t>("seed"));
}

/// On an Alpha PALcode says which counter overflowed, and writes its next start value.
void record_alpha(const SessionSetup& setup, pmu::AlphaChip chip, const std::vector<encoder::RegisterValue>& registers,
                  std::vector<Awaited> awaited, const Sampler::NextPeriod& next_period, Printer& printer,
                  Views& views) {
  CallStack stack(0);
  std::vector<SampledCounter> counters;
  for (Awaited& one : awaited) {
    counters.push_back(one.counter);
    if (chip == pmu::AlphaChip::ev4) continue;  // from 0 on, in periods of the hardware
    one.start = find_alpha_counter(chip, one.counter.name)->mask() + 1 - one.counter.period;
  }
  const auto sink = [&](const Sample& sample) {
    views.sample(sample);
    printer.sample(sample, stack.at(sample.cycle));
  };
  AlphaSampler sampler(chip, counters, sink, next_period);
  Programming programming(*setup.target, setup.parameters);
  sampler.preset(programming);
  add_writes(programming, registers);
  Session session(*setup.target, setup.parameters, setup.options);
  MonitorSetup monitor{programming.writes(), std::ref(sampler)};
  views.watch(monitor, 0);
  session.add_monitor(std::move(monitor));
  session.add_observer([&](const activity::Block& block) { stack.consume(block); });
  views.observe(session);
  const SessionResult result = run_session(setup, session);
  views.close();
  if (!result.monitors[0].not_modelled.empty()) throw UsageError(result.monitors[0].not_modelled[0]);
  printer.finish(setup, result, awaited);
}

}  // namespace

int run_record(const std::vector<std::string>& list) {
  namespace po = boost::program_options;
  Arguments::Description options("options");
  add_session_options(options);
  options.add_options()("event,e", po::value<std::vector<std::string>>()->composing(),
                        "event to sample, or several with commas between; repeat for more counters")(
      "period", po::value<std::uint64_t>(), "N: events between two samples")(
      "randomize", po::bool_switch(),
      "vary each period by up to half (with -e each but the first): the default, where the counters can be written")(
      "no-randomize", po::bool_switch(), "constant periods")("seed", po::value<std::uint64_t>()->default_value(1),
                                                             "of varied periods; the same seed gives the same samples")(
      "folded", po::bool_switch(), "folded stacks with counts, for flame graphs")(
      "symbols", po::value<std::vector<std::string>>()->composing(),
      "names for addresses: a file with the output of nm, or of nm -S, which knows where a function ends; repeat for "
      "the "
      "program of the second thread");
  add_view_options(options);
  add_statistic_options(options);
  add_path_option(options);
  add_qualifier_options(options);
  const Arguments arguments(list, options, help);
  if (arguments.help_shown()) return exit_good;
  if (!arguments.positional().empty())
    throw UsageError(fmt::format("unexpected '{}'; see pmusim record --help", arguments.positional()[0]));
  SessionSetup setup = session_setup(arguments);
  if (arguments.get<bool>("randomize") && arguments.get<bool>("no-randomize"))
    throw UsageError("give either --randomize or --no-randomize");
  if (arguments.has("statistic")) return record_statistic(setup, arguments);
  refuse_statistic_options(arguments);
  std::vector<std::string> events = event_list(arguments);
  if (events.empty()) throw UsageError("--event is missing: name at least one, as in -e DATA_CACHE_MISSES");
  if (!arguments.has("period"))
    throw UsageError("--period is missing: events between two samples, as in --period 1000");
  const std::uint64_t period = arguments.get<std::uint64_t>("period");

  encoder::EncodeOptions encoding_options;
  const auto chip = alpha_chip(setup.target->name);
  const bool fixed_periods = chip == pmu::AlphaChip::ev4;  // the event asks for one of them
  if (fixed_periods) {
    for (std::string& event : events) event += fmt::format(":freq={}", period);
  }
  encoding_options.sampling = true;
  encoding_options.qualifiers = qualifiers_of(arguments, setup.target->name);
  const auto encoding = encoder::encode(setup.target->name, events, encoding_options);
  if (!encoding) throw UsageError(encoding.error().message);
  // The output is a stream of samples: what there is to say of the encoding goes beside it.
  Json notes = Json::object();
  add_notes(*encoding, notes);
  for (const std::string& line : note_lines(notes)) std::cerr << "pmusim: " << line << '\n';
  std::vector<Awaited> awaited;
  std::vector<SampledCounter> counters;
  std::vector<std::string> names;
  std::vector<ProgrammedCounter> programmed;
  for (const encoder::EncodedEvent& event : encoding->events) {
    const auto preset = encoder::preset(setup.target->name, event.counter_index, period);
    if (!preset && !fixed_periods) throw UsageError(fmt::format("--period: {}", preset.error().message));
    counters.push_back({event.counter, period});
    awaited.push_back({event.canonical, counters.back()});
    names.push_back(event.canonical);
    programmed.push_back({event.canonical, event.counter, event.counter_index, {}});
  }
  ViewFiles files = view_files(arguments);
  std::vector<Symbols> symbols = symbols_of(arguments.list("symbols"), setup.traces.size());
  symbols.resize(setup.traces.size());
  files.symbols = symbols;
  const std::vector<RegisterWrite> programming = bus_writes(setup, encoding->registers);
  const CaptureUnits units(setup.target->name, programming);
  Printer printer(setup, names, units, symbols, arguments.format(), arguments.get<bool>("folded"),
                  wants_path(arguments, units));
  Views views(std::move(files), setup, programmed, units.registers());
  if (chip) {
    record_alpha(setup, *chip, encoding->registers, awaited, next_period(arguments, fixed_periods), printer, views);
    return exit_good;
  }
  const std::vector<RegisterWrite> delivery = interrupt_delivery(setup);
  Session session(*setup.target, setup.parameters, setup.options);
  // A sampler and the call stack of its program for each hardware thread.
  struct Profiled {
    CallStack stack;
    Sampler sampler;
  };
  std::vector<std::unique_ptr<Profiled>> threads;
  for (unsigned thread = 0; thread < setup.traces.size(); ++thread) {
    const auto sink = [&printer, &threads, &views, thread](const Sample& sample) {
      views.sample(sample);
      printer.sample(sample, threads[thread]->stack.at(sample.cycle));
    };
    threads.push_back(std::make_unique<Profiled>(
        Profiled{CallStack(thread), Sampler(*setup.target, setup.parameters, counters, sink,
                                            next_period(arguments, false), {units.registers(), units.cleared()})}));
    Profiled& profiled = *threads.back();
    // The system's part, then presets, then the encoder's writes in its order: it enables last.
    MonitorSetup monitor{delivery, {}, setup.thread_of(thread)};
    const std::vector<RegisterWrite> presets = profiled.sampler.presets();
    for (std::size_t i = 0; i < presets.size(); ++i) {
      monitor.writes.push_back(presets[i]);
      awaited[i].start = presets[i].value;
    }
    monitor.writes.insert(monitor.writes.end(), programming.begin(), programming.end());
    monitor.handler = [&profiled, &delivery](RegisterBus& bus, const pmu::EntryState& entry) {
      profiled.sampler(bus, entry);
      for (const RegisterWrite& write : delivery) bus.write(write.id, write.value);
    };
    views.watch(monitor, thread);
    session.add_monitor(std::move(monitor));
    session.add_observer([&profiled](const activity::Block& block) { profiled.stack.consume(block); });
  }
  views.observe(session);
  const SessionResult result = run_session(setup, session);
  views.close();
  if (!result.monitors[0].not_modelled.empty()) throw UsageError(result.monitors[0].not_modelled[0]);
  printer.finish(setup, result, awaited);
  return exit_good;
}

}  // namespace pmusim::testbench
