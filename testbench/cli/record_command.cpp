// pmusim record: an interrupt every so many events, and what the hardware gives a handler then.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "testbench/cli/call_stack.h"
#include "testbench/cli/captured_output.h"
#include "testbench/cli/command.h"
#include "testbench/cli/progress.h"
#include "testbench/cli/qualifier_options.h"
#include "testbench/cli/session_options.h"
#include "testbench/cli/symbols.h"
#include "testbench/driver/sampling.h"

namespace pmusim::testbench {
namespace {

constexpr HelpText help{
    "pmusim record -t TARGET --trace FILE -e EVENT ... --period N [FILTER ...]",
    "Presets each counter so that it overflows after N events, takes the overflow interrupt as the processor would,\n"
    "and prints one sample per interrupt: where the program was, and what the hardware latched: SIA on the 750GX; on\n"
    "the Itanium 2 the access in an event address register, and the branches in the branch trace buffer. The handler\n"
    "moves the counter back by the period, so that no event before the interrupt's freeze is lost. --randomize varies\n"
    "the period, so that profiles of loops do not alias.",
    "  pmusim record -t athlon --trace t.pmt -e DATA_CACHE_MISSES --period 1000\n"
    "  pmusim record -t ppc750gx --trace t.pmt -e INSTRUCTIONS_COMPLETED --period 997 --folded > out.folded\n"
    "  pmusim record -t athlon --trace t.pmt -e RETIRED_INSTRUCTIONS --period 5000 --randomize --format json\n"
    "  pmusim record -t itanium2 --trace t.pmt -e DATA_EAR_CACHE_LAT8 --period 100\n"
    "  pmusim record -t itanium2 --trace t.pmt -e BRANCH_EVENT --btb tm=taken --period 500"};

/// Prints samples as they come, in the form asked for.
class Printer {
 public:
  Printer(const SessionSetup& setup, std::vector<std::string> events, CaptureUnits units, Symbols symbols,
          Format format, bool folded)
      : width_(setup.target->isa == trace::Isa::i386 || setup.target->isa == trace::Isa::ppc ? 32 : 64),
        events_(std::move(events)),
        units_(std::move(units)),
        symbols_(std::move(symbols)),
        format_(format),
        folded_(folded) {
    if (format_ == Format::csv) std::cout << "index,cycle,requested,ip,thread,event,period,latched\n";
  }

  void sample(const Sample& sample, const std::vector<std::uint64_t>& stack) {
    const std::string event = sample.counter < events_.size() ? events_[sample.counter] : "none";
    if (folded_) {
      std::string line;
      const std::string leaf = symbols_.function_of(sample.ip);
      for (std::size_t i = 0; i < stack.size(); ++i) {
        const std::string function = symbols_.function_of(stack[i]);
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
      std::cout << object.dump() << '\n';
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
    std::cout << fmt::format("{:>12}: {:>8} {}: {} {}{}{}\n", sample.cycle, sample.period, event,
                             hex(sample.ip, width_), symbols_.of(sample.ip), latched.empty() ? "" : "  ", latched);
    for (const std::string& line : captured_lines(captured, symbols_)) std::cout << fmt::format("{:>14}{}\n", "", line);
  }

  void finish() const {
    for (const auto& [stack, count] : folds_) std::cout << stack << ' ' << count << '\n';
  }

 private:
  [[nodiscard]] Json captured_by(const Sample& sample) const {
    Json object = Json::object();
    const auto value_of = [&](std::string_view name) {
      const auto same = [&](const auto& reg) { return reg.first == name; };
      return std::find_if(sample.latched.begin(), sample.latched.end(), same)->second;
    };
    add_captured(units_.decode(value_of), object);
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
  Symbols symbols_;
  Format format_;
  bool folded_;
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

}  // namespace

int run_record(const std::vector<std::string>& list) {
  namespace po = boost::program_options;
  Arguments::Description options("options");
  add_session_options(options);
  options.add_options()("event,e", po::value<std::vector<std::string>>()->composing(),
                        "event to sample; repeat for more counters")("period", po::value<std::uint64_t>(),
                                                                     "N: events between two samples")(
      "randomize", po::bool_switch(), "vary each period but the first by up to half")(
      "seed", po::value<std::uint64_t>()->default_value(1), "of --randomize; the same seed gives the same samples")(
      "folded", po::bool_switch(), "folded stacks with counts, for flame graphs")(
      "symbols", po::value<std::string>(), "names for addresses: a file with the output of nm");
  add_qualifier_options(options);
  const Arguments arguments(list, options, help);
  if (arguments.help_shown()) return exit_good;
  if (!arguments.positional().empty())
    throw UsageError(fmt::format("unexpected '{}'; see pmusim record --help", arguments.positional()[0]));
  const SessionSetup setup = session_setup(arguments);
  const std::vector<std::string> events = arguments.list("event");
  if (events.empty()) throw UsageError("--event is missing: name at least one, as in -e DATA_CACHE_MISSES");
  if (!arguments.has("period"))
    throw UsageError("--period is missing: events between two samples, as in --period 1000");
  const std::uint64_t period = arguments.get<std::uint64_t>("period");

  encoder::EncodeOptions encoding_options;
  encoding_options.sampling = true;
  encoding_options.qualifiers = qualifiers_of(arguments, setup.target->name);
  const auto encoding = encoder::encode(setup.target->name, events, encoding_options);
  if (!encoding) throw UsageError(encoding.error().message);
  std::vector<SampledCounter> counters;
  std::vector<std::string> names;
  for (const encoder::EncodedEvent& event : encoding->events) {
    const auto preset = encoder::preset(setup.target->name, event.counter_index, period);
    if (!preset) throw UsageError(fmt::format("--period: {}", preset.error().message));
    counters.push_back({event.counter, period});
    names.push_back(event.canonical);
  }
  Symbols symbols;
  if (const auto file = arguments.maybe<std::string>("symbols")) symbols = Symbols(*file);
  const std::vector<RegisterWrite> programming = bus_writes(setup, encoding->registers);
  const CaptureUnits units(setup.target->name, programming);
  Printer printer(setup, names, units, symbols, arguments.format(), arguments.get<bool>("folded"));
  CallStack stack;
  Sampler::NextPeriod next_period;
  if (arguments.get<bool>("randomize")) next_period = RandomPeriod(arguments.get<std::uint64_t>("seed"));
  Sampler sampler(*setup.target, setup.parameters, counters,
                  [&](const Sample& sample) { printer.sample(sample, stack.at(sample.cycle)); }, next_period,
                  {units.registers(), units.cleared()});

  MonitorSetup monitor;
  // The system's part, then presets, then the encoder's writes in its order: it enables last.
  const std::vector<RegisterWrite> delivery = interrupt_delivery(setup);
  monitor.writes = delivery;
  for (const RegisterWrite& write : sampler.presets()) monitor.writes.push_back(write);
  monitor.writes.insert(monitor.writes.end(), programming.begin(), programming.end());
  monitor.handler = [&](RegisterBus& bus, const pmu::EntryState& entry) {
    sampler(bus, entry);
    for (const RegisterWrite& write : delivery) bus.write(write.id, write.value);
  };
  Session session(*setup.target, setup.parameters, setup.options);
  session.add_monitor(std::move(monitor));
  session.add_observer([&](const activity::Block& block) { stack.consume(block); });
  const SessionResult result = session.run(open_trace(setup));
  if (!result.monitors[0].not_modelled.empty()) throw UsageError(result.monitors[0].not_modelled[0]);
  printer.finish();
  return exit_good;
}

}  // namespace pmusim::testbench
