// pmusim run: counts over a trace, like perf stat; by event names or by raw register values of any encoder.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "testbench/cli/captured_output.h"
#include "testbench/cli/command.h"
#include "testbench/cli/perfetto.h"
#include "testbench/cli/progress.h"
#include "testbench/cli/qualifier_options.h"
#include "testbench/cli/session_options.h"
#include "testbench/validate/jobs.h"

namespace pmusim::testbench {
namespace {

constexpr HelpText help{
    "pmusim run -t TARGET --trace FILE (-e EVENT ... [FILTER ...] | --write NAME=VALUE ...)",
    "Runs the trace on the target's core, programs the PMU over its bus and prints what its counters counted. With\n"
    "--write the values may come from any encoder; every counter that they enable is shown with the selection that\n"
    "it decodes to. More events than counters are refused, or with --passes counted in several passes. Event address\n"
    "registers and branch buffers that are on are shown as they are at the end.",
    "  pmusim run -t athlon --trace isa-traces/recorded/i386-lz77.pmt -e RETIRED_INSTRUCTIONS -e DATA_CACHE_MISSES:u\n"
    "  pmusim run -t athlon --trace t.pmt --write PerfEvtSel0=0x4300c0 --format json\n"
    "  pmusim run -t ppc750gx --trace t.pmt -e PROCESSOR_CYCLES --roi 1000:2000 --vcd wave.vcd\n"
    "  pmusim run -t itanium2 --trace isa-traces/recorded/ia64-sieve-O2.pmt -e BRANCH_EVENT --btb tm=taken\n"
    "  pmusim run -t itanium2 --trace t.pmt -e DATA_REFERENCES_SET0 --drange 0x6000000000000000-0x6000000000001000"};

/// What one counter counted.
struct Count {
  std::string event;
  std::string counter;
  std::uint64_t value = 0;
  std::vector<std::string> notes;
};

/// One pass over the trace.
struct Pass {
  std::vector<Count> counts;
  std::vector<Json> accesses;
  Json more = Json::object();  ///< what the encoder notes, and what EARs and branch buffer held at the end
  std::vector<std::string> not_modelled;
  std::uint64_t cycles = 0;
  std::uint64_t first_instruction = 0;
  std::uint64_t instructions = 0;
};

/// Registers of one pass and the counters that they make count.
struct Programmed {
  std::vector<encoder::RegisterValue> registers;
  std::vector<Count> counts;
  Json notes = Json::object();
};

Programmed programmed_events(const SessionSetup& setup, const std::vector<std::string>& events,
                             const encoder::EncodeOptions& options) {
  const auto encoding = encoder::encode(setup.target->name, events, options);
  if (!encoding) {
    const bool too_many = encoding.error().code == encoder::ErrorCode::too_many_events ||
                          encoding.error().code == encoder::ErrorCode::no_assignment;
    throw UsageError(encoding.error().message +
                     (too_many ? "; --passes counts them in several runs of the trace" : ""));
  }
  Programmed programmed{encoding->registers, {}};
  add_notes(*encoding, programmed.notes);
  for (const encoder::EncodedEvent& event : encoding->events)
    programmed.counts.push_back({event.canonical, event.counter, 0, {}});
  return programmed;
}

Programmed programmed_writes(const SessionSetup& setup, const std::vector<std::string>& texts) {
  Programmed programmed{parse_writes(setup, texts), {}};
  // The encoder decodes the registers that it knows; counters and breakpoints do not select anything.
  const auto known = encoder::registers(setup.target->name);
  std::vector<encoder::RegisterValue> selectors;
  for (const encoder::RegisterValue& value : programmed.registers) {
    const bool selects = std::any_of(known->begin(), known->end(),
                                     [&](const encoder::RegisterValue& r) { return r.name == value.name; });
    if (selects) selectors.push_back(value);
  }
  const auto selections = encoder::selections(setup.target->name, selectors);
  if (!selections) throw UsageError(selections.error().message);
  for (const encoder::Selection& selection : *selections)
    programmed.counts.push_back({selection.canonical, selection.counter, 0, selection.notes});
  end_freeze(setup, programmed.registers);
  if (programmed.counts.empty() && CaptureUnits(setup.target->name, bus_writes(setup, programmed.registers)).empty())
    throw UsageError("--write enables no counter; see pmusim decode");
  return programmed;
}

Json to_json(const pmu::Monitor& monitor, const pmu::AccessReport& report) {
  const pmu::RegisterInfo info = pmu::find_register(monitor, report.name).value();
  return Json{{"cycle", report.cycle},
              {"ip", hex(report.ip, 64)},
              {"write", report.write},
              {"space", pmu::name_of(info.id.space)},
              {"number", info.id.number},
              {"name", info.name},
              {"value", hex(report.value, info.width)},
              {"fault", pmu::name_of(report.fault)}};
}

Pass run_pass(const SessionSetup& setup, const Programmed& programmed, const std::string& perfetto) {
  Session session(*setup.target, setup.parameters, setup.options);
  const std::vector<RegisterWrite> writes = bus_writes(setup, programmed.registers);
  const std::size_t monitor = session.add_monitor({writes, {}});
  std::unique_ptr<PerfettoWriter> timeline;
  if (!perfetto.empty()) {
    timeline = std::make_unique<PerfettoWriter>(perfetto);
    session.add_observer([&](const activity::Block& block) { timeline->add(block); });
  }
  auto reader = open_trace(setup);
  const std::uint64_t total = reader->info().instructions;
  Progress progress("run", total);
  const std::uint64_t retired_each = setup.target->isa == trace::Isa::ia64 ? 3 : 1;  // for a line of the trace, about
  std::uint64_t retired = 0;
  session.add_observer([&](const activity::Block& block) {
    retired += block.column(activity::Signal::retire).size();
    progress.at(std::min(retired / retired_each, total), "");
  });
  const SessionResult result = session.run(std::move(reader));
  progress.finish();
  if (timeline) timeline->close();
  Pass pass;
  pass.cycles = result.end_cycle - result.first_cycle;
  pass.first_instruction = result.first_instruction;
  pass.instructions = result.instructions;
  pass.counts = programmed.counts;
  for (Count& count : pass.counts) count.value = result.monitors[monitor].value(count.counter);
  const auto known = setup.target->make_monitor(setup.parameters);
  for (const pmu::AccessReport& report : result.monitors[monitor].accesses)
    pass.accesses.push_back(to_json(*known, report));
  pass.not_modelled = result.monitors[monitor].not_modelled;
  pass.more = programmed.notes;
  const CaptureUnits units(setup.target->name, writes);
  add_captured(units.decode([&](std::string_view name) { return result.monitors[monitor].value(name); }), pass.more);
  return pass;
}

Json to_json(const Pass& pass) {
  Json counts = Json::array();
  for (const Count& count : pass.counts) {
    Json object{{"event", count.event}, {"counter", count.counter}, {"value", count.value}};
    if (!count.notes.empty()) object["notes"] = count.notes;
    counts.push_back(object);
  }
  return Json{{"cycles", pass.cycles},
              {"first_instruction", pass.first_instruction},
              {"instructions", pass.instructions},
              {"counts", counts},
              {"accesses", pass.accesses},
              {"more", pass.more},
              {"not_modelled", pass.not_modelled}};
}

Pass pass_from_json(const Json& object) {
  Pass pass;
  pass.cycles = object.at("cycles");
  pass.first_instruction = object.at("first_instruction");
  pass.instructions = object.at("instructions");
  for (const Json& count : object.at("counts")) {
    pass.counts.push_back(
        {count.at("event"), count.at("counter"), count.at("value"), count.value("notes", std::vector<std::string>{})});
  }
  for (const Json& access : object.at("accesses")) pass.accesses.push_back(access);
  pass.more = object.at("more");
  pass.not_modelled = object.at("not_modelled").get<std::vector<std::string>>();
  return pass;
}

/// One pass after the other, each in a process of its own: SystemC has one simulation per process.
std::vector<Pass> run_passes(const SessionSetup& setup, const std::vector<Programmed>& programs,
                             const std::string& perfetto) {
  if (programs.size() == 1) return {run_pass(setup, programs[0], perfetto)};
  std::vector<Pass> passes(programs.size());
  run_jobs(
      programs.size(), 1,
      [&](std::size_t i) { return to_json(run_pass(setup, programs[i], i == 0 ? perfetto : "")).dump(); },
      [&](std::size_t i, const std::string& line) { passes[i] = pass_from_json(Json::parse(line)); },
      [&](std::size_t i) { return fmt::format("pass {}", i + 1); });
  return passes;
}

/// What a region came to: the instructions counted by their numbers, and that the trace is shorter, if it is.
std::string counted_region(const SessionSetup& setup, const Pass& pass) {
  const Region& asked = setup.options.region;
  const bool open_end = asked.end == Region{}.end;
  if (pass.first_instruction == 0 && open_end) return "";
  const std::uint64_t end = pass.first_instruction + pass.instructions;
  return fmt::format(" ({}:{} of the trace{})", pass.first_instruction, end,
                     !open_end && end < asked.end ? ", which ends before " + std::to_string(asked.end) : "");
}

void print(const SessionSetup& setup, const std::vector<Pass>& passes, Format format) {
  if (format == Format::json) {
    Json object{{"target", std::string(setup.target->name)},
                {"trace", setup.trace},
                {"passes", passes.size()},
                {"cycles", passes[0].cycles},
                {"first_instruction", passes[0].first_instruction},
                {"instructions", passes[0].instructions},
                {"counts", Json::array()},
                {"accesses", Json::array()}};
    for (const Pass& pass : passes) {
      const Json counted = to_json(pass);
      for (const Json& count : counted.at("counts")) object["counts"].push_back(count);
      for (const Json& access : pass.accesses) object["accesses"].push_back(access);
      if (!pass.more.empty() && passes.size() > 1) object["by_pass"].push_back(pass.more);
    }
    if (passes.size() == 1) object.update(passes[0].more);
    std::cout << object.dump() << '\n';
    return;
  }
  Table table({{"value", "count", true}, {"event", "event"}, {"counter", "counter"}});
  for (const Pass& pass : passes) {
    for (const Count& count : pass.counts) table.row({count.value, count.event, count.counter});
  }
  if (format == Format::csv) {
    table.print(std::cout, format);
    return;
  }
  std::cout << fmt::format(
      "{} on {}: {} {}{}, {} cycles{}\n\n", setup.trace, setup.target->name, grouped(passes[0].instructions),
      setup.target->isa == trace::Isa::ia64 ? "bundles" : "instructions", counted_region(setup, passes[0]),
      grouped(passes[0].cycles), passes.size() > 1 ? fmt::format(", {} passes", passes.size()) : "");
  table.print(std::cout, format);
  for (const Pass& pass : passes) {
    for (const Count& count : pass.counts) {
      for (const std::string& note : count.notes) std::cout << fmt::format("{}: {}\n", count.counter, note);
    }
    for (const Json& access : pass.accesses) {
      std::cout << fmt::format("cycle {}: program {} {} {}{}\n", access["cycle"].get<std::uint64_t>(),
                               access["write"].get<bool>() ? "writes" : "reads", access["name"].get<std::string>(),
                               access["value"].get<std::string>(),
                               access["fault"] == "none" ? "" : ": " + access["fault"].get<std::string>());
    }
    for (const std::string& line : note_lines(pass.more)) std::cout << line << '\n';
    for (const std::string& line : captured_lines(pass.more, {})) std::cout << line << '\n';
  }
}

}  // namespace

int run_run(const std::vector<std::string>& list) {
  namespace po = boost::program_options;
  Arguments::Description options("options");
  add_session_options(options);
  options.add_options()("event,e", po::value<std::vector<std::string>>()->composing(),
                        "event; repeat for more counters")("write", po::value<std::vector<std::string>>()->composing(),
                                                           "NAME=VALUE: raw register value, in the order of writing")(
      "passes", po::bool_switch(), "count more events than there are counters, in several passes")(
      "vcd", po::value<std::string>(), "waveform of the PMU for GTKWave; runs clock by clock")(
      "perfetto", po::value<std::string>(), "timeline of the core's activity, trace JSON for ui.perfetto.dev");
  add_qualifier_options(options);
  const Arguments arguments(list, options, help);
  if (arguments.help_shown()) return exit_good;
  if (!arguments.positional().empty())
    throw UsageError(fmt::format("unexpected '{}'; see pmusim run --help", arguments.positional()[0]));
  SessionSetup setup = session_setup(arguments);
  const std::vector<std::string> events = arguments.list("event");
  const std::vector<std::string> writes = arguments.list("write");
  if (events.empty() == writes.empty()) throw UsageError("give either -e EVENT or --write NAME=VALUE");
  encoder::EncodeOptions encoding_options;
  encoding_options.qualifiers = qualifiers_of(arguments, setup.target->name);
  if (!writes.empty() && !encoding_options.qualifiers.empty())
    throw UsageError("filters are for -e EVENT; with --write they are in the values");
  if (const auto vcd = arguments.maybe<std::string>("vcd")) {
    setup.options.engine = Engine::signals;
    setup.options.vcd = *vcd;
    // SystemC writes to NAME.vcd whatever NAME is, and does not survive a file that it cannot open.
    setup.options.vcd.replace_extension(".vcd");
    if (!std::ofstream(setup.options.vcd)) throw UsageError(fmt::format("cannot write {}", setup.options.vcd.string()));
  }

  std::vector<Programmed> programs;
  if (!writes.empty()) {
    programs.push_back(programmed_writes(setup, writes));
  } else if (arguments.get<bool>("passes")) {
    const auto passes = encoder::split_passes(setup.target->name, events, encoding_options);
    if (!passes) throw UsageError(passes.error().message);
    for (const std::vector<std::string>& pass : *passes)
      programs.push_back(programmed_events(setup, pass, encoding_options));
  } else {
    programs.push_back(programmed_events(setup, events, encoding_options));
  }
  if (programs.size() > 1 && setup.options.engine == Engine::signals)
    throw UsageError("--vcd shows one pass; ask for fewer events");
  static_cast<void>(open_trace(setup));  // bad input is told before anything runs

  const std::vector<Pass> passes = run_passes(setup, programs, arguments.maybe<std::string>("perfetto").value_or(""));
  for (const Pass& pass : passes) {
    if (!pass.not_modelled.empty()) throw UsageError(pass.not_modelled[0]);
  }
  print(setup, passes, arguments.format());
  return exit_good;
}

}  // namespace pmusim::testbench
