// pmusim run: counts events over a trace, like perf stat, from event names or from raw register values of any encoder.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "testbench/cli/captured_output.h"
#include "testbench/cli/code_names.h"
#include "testbench/cli/command.h"
#include "testbench/cli/examples.h"
#include "testbench/cli/intervals.h"
#include "testbench/cli/metrics.h"
#include "testbench/cli/programmed.h"
#include "testbench/cli/qualifier_options.h"
#include "testbench/cli/recorded_program.h"
#include "testbench/cli/session_options.h"
#include "testbench/cli/unknown_code.h"
#include "testbench/cli/views.h"
#include "testbench/driver/firmware.h"
#include "testbench/driver/wraps.h"
#include "testbench/explain/raw_counters.h"
#include "testbench/support/progress.h"
#include "testbench/sweep/jobs.h"

namespace pmusim::testbench {
namespace {

constexpr HelpText run_help{
    "pmusim run -t TARGET --trace FILE (-e EVENT ... [FILTER ...] | --write NAME=VALUE ...)\n"
    "       pmusim run -t TARGET -e EVENT ... -- PROGRAM [ARGUMENT ...]",
    "Runs the trace on the target's core, programs the PMU over its bus and prints the final counts. A PROGRAM is\n"
    "recorded first (pmusim trace capture), and its trace is removed afterwards. FILE may be the name of a trace\n"
    "that comes with pmusim (pmusim traces). Ratios of the counted events (events --ratios) follow the counts. -I\n"
    "shows the counts of each interval first, in a terminal also as bars; csv has the intervals alone. With\n"
    "--write, the values may come from any encoder and may be negative or sign-extended; each counter that they\n"
    "or the program's own writes enable is shown with its decoded selection. If no counter is enabled, all are\n"
    "shown. A counter that exceeds its width wraps, and a note reports it. More events than counters are refused,\n"
    "or counted in several passes with --passes. The final contents of enabled event address registers and branch\n"
    "buffers are shown. A target with two hardware threads takes a trace for each; both are programmed alike, and\n"
    "the counts are shown per thread.",
    examples::run};

/// The count of one counter.
struct Count {
  std::string event;
  std::string counter;
  std::uint64_t value = 0;
  std::vector<std::string> notes;
  unsigned thread = 0;
  Json more = Json::object();  ///< more_keys
  unsigned index = 0;          ///< of the counter
};

/// Further values: the number of wraps of the register; the unit, for half events; a driver's view: see
/// DriversCount; and the counts by interval.
constexpr const char* more_keys[] = {"wraps", "unit", "interrupts", "period", "driver", "pending", "lost", "intervals"};

/// The parts of the output besides counts.
struct Wanted {
  ViewFiles views;
  bool path = false;                           ///< of the branch buffer
  bool registers = false;                      ///< all registers, at the end
  std::optional<std::uint64_t> interval = {};  ///< cycles
};

/// One pass over the trace.
struct Pass {
  std::vector<Count> counts;
  std::vector<Json> accesses;
  Json more = Json::object();  ///< notes of the encoder, and final contents of registers: see final_contents()
  std::vector<std::string> not_modelled;
  std::uint64_t cycles = 0;
  std::uint64_t first_instruction = 0;
  std::uint64_t instructions = 0;
};

std::vector<Count> counts_of(const Programmed& programmed) {
  std::vector<Count> counts;
  for (const ProgrammedCounter& counter : programmed.counters)
    counts.push_back({counter.event, counter.counter, 0, counter.notes, 0, Json::object(), counter.index});
  return counts;
}

/// The counters of a raw programming after the run: those that it enables and those that the program's own writes have
/// enabled. If none is enabled, all of them.
std::vector<Count> raw_counts(const SessionSetup& setup, const Programmed& programmed, const MonitorResult& monitor) {
  std::vector<Count> counts = counts_of(programmed);
  for (const encoder::Selection& selection :
       program_selections(setup.target->name, programmed.registers, monitor.accesses)) {
    const bool listed = std::any_of(counts.begin(), counts.end(), [&](const Count& count) {
      return count.counter == selection.counter && count.event == selection.canonical;
    });
    if (listed) continue;
    counts.push_back(
        {selection.canonical, selection.counter, 0, selection.notes, 0, Json::object(), selection.counter_index});
    counts.back().notes.push_back("enabled by the program itself");
  }
  if (!counts.empty() || !CaptureUnits(setup.target->name, bus_writes(setup, programmed.registers)).empty())
    return counts;
  for (const std::string& counter : counter_names(*setup.target, *monitor.monitor)) {
    const auto index = static_cast<unsigned>(counts.size());
    counts.push_back({"", counter, 0, {"nothing enables it; see pmusim decode"}, 0, Json::object(), index});
  }
  return counts;
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

/// The final contents of EARs, branch buffer and, on request, all registers of a PMU.
Json final_contents(const MonitorResult& result, const CaptureUnits& units, const Wanted& wanted) {
  Json object = Json::object();
  add_captured(units.decode([&](std::string_view name) { return result.value(name); }), wanted.path, object);
  if (!wanted.registers) return object;
  object["registers"] = Json::array();
  for (const RegisterReading& reading : result.registers) {
    object["registers"].push_back({{"space", pmu::name_of(reading.info.id.space)},
                                   {"number", reading.info.id.number},
                                   {"name", reading.info.name},
                                   {"value", hex(reading.value, reading.info.width)}});
  }
  return object;
}

/// For a narrow counter, the number of its wraps is part of the value.
void read_register(const models::Target& target, const models::Parameters& parameters, const MonitorResult& monitor,
                   Count& count) {
  const RegisterReading& reading = monitor.reading(count.counter);
  const std::uint64_t left = counter_value(target, reading.info, reading.value);
  count.value = left;
  for (const std::string& note : interrupt_notes(monitor, count.counter)) count.notes.push_back(note);
  const auto wraps = monitor.wraps.find(count.counter);
  if (wraps == monitor.wraps.end()) return;
  const unsigned bits = counter_bits(target, reading.info);
  const bool keeps_top = target.isa == trace::Isa::ppc && parameters.get("pmu.counter_wrap") != 0;
  count.value += wraps->second << (keeps_top ? bits - 1 : bits);
  count.more["wraps"] = wraps->second;
  count.notes.push_back(fmt::format("it has wrapped past its {} bits {}; the register holds {}", bits,
                                    wraps->second == 1 ? "once" : fmt::format("{} times", wraps->second),
                                    grouped(left)));
}

/// An Alpha's counters are narrow or cannot be read, so the value includes their carries. A driver only receives
/// interrupts; the output states the events that it misses.
void read_count(const models::Target& target, const MonitorResult& monitor, const TickCounter& ticks, Count& count) {
  const ExtendedCount extended = extended_count(target, monitor, count.counter, ticks);
  const bool in_halves = extended.halves && (count.event.find("::PF_ISSUES") != std::string::npos ||
                                             count.event.find("::PF_NONISSUES") != std::string::npos);
  const std::uint64_t per_event = extended.halves && !in_halves ? 2 : 1;
  count.value = extended.value / per_event;
  if (in_halves) {
    count.more["unit"] = "1/2";
    count.notes.push_back(fmt::format("half events: {} is {:.1f}", count.value, static_cast<double>(count.value) / 2));
  }
  if (!extended.driver) return;
  const DriversCount& driver = *extended.driver;
  count.more["interrupts"] = driver.interrupts;
  count.more["period"] = driver.period;
  count.more["driver"] = driver.value / per_event;
  count.more["pending"] = driver.pending;
  count.more["lost"] = driver.lost;
  if (driver.lost == 0) return;
  count.notes.push_back(
      fmt::format("{} of {} periods of {} events have no separate interrupt: they completed while an interrupt was "
                  "waiting (masked, or its handler not reached); a driver counts {}",
                  driver.lost, driver.lost + driver.interrupts + (driver.pending ? 1 : 0), driver.period,
                  driver.value / per_event));
}

ExplainedCounter explained(const Count& count) { return {count.counter, count.event, count.index}; }
bool in_halves(const Count& count) { return count.more.contains("unit"); }

void add_intervals(const Intervals::Amounts& amounts, Count& count) {
  count.more["intervals"] = amounts.of;
  if (std::string note = amounts.note(); !note.empty()) count.notes.push_back(std::move(note));
}

Pass run_pass(const SessionSetup& setup, const Programmed& programmed, const Wanted& wanted) {
  const std::vector<RegisterWrite> writes = bus_writes(setup, programmed.registers);
  const CaptureUnits units(setup.target->name, writes);
  SessionSetup of_pass = setup;
  of_pass.options.watch_wraps = true;
  Views views(wanted.views, of_pass, programmed.counters, units.registers());
  IntervalsOfRun intervals(*setup.target, setup.parameters, wanted.interval);
  if (wanted.interval && of_pass.options.engine == Engine::blocks) of_pass.options.engine = Engine::direct;
  Session session(*setup.target, setup.parameters, of_pass.options);
  const std::size_t threads = setup.traces.size();
  const Firmware* const firmware = find_firmware(setup.target->name);
  TickCounter ticks(firmware);
  for (unsigned thread = 0; thread < threads; ++thread) {
    MonitorSetup monitor{writes, {}, setup.thread_of(thread)};
    if (firmware != nullptr) monitor = ticks.setup(writes, setup.thread_of(thread));
    views.watch(monitor, thread);
    intervals.watch(monitor);
    session.add_monitor(std::move(monitor));
  }
  views.observe(session);
  intervals.observe(session);
  const std::uint64_t total = check_input(setup);
  Progress progress("run", total);
  session.on_progress([&](std::uint64_t instructions) { progress.at(std::min(instructions, total), ""); });
  UnknownCode unknown(setup);
  const SessionResult result =
      run_session(setup, session, [&](auto readers) { return unknown.watch(std::move(readers)); });
  progress.finish();
  views.close(result);
  Pass pass;
  pass.cycles = result.end_cycle - result.first_cycle;
  pass.first_instruction = result.first_instruction;
  pass.instructions = result.instructions;
  pass.not_modelled = result.monitors[0].not_modelled;
  pass.more = programmed.notes;
  unknown.add_to(pass.more);
  const auto known = setup.target->make_monitor(setup.parameters);
  for (unsigned thread = 0; thread < threads; ++thread) {
    const MonitorResult& monitor = result.monitors[thread];
    for (Count count : programmed.raw ? raw_counts(setup, programmed, monitor) : counts_of(programmed)) {
      if (firmware != nullptr) {
        read_count(*setup.target, monitor, ticks, count);
      } else {
        read_register(*setup.target, setup.parameters, monitor, count);
      }
      if (wanted.interval) add_intervals(intervals.amounts(result, thread, explained(count), in_halves(count)), count);
      count.thread = thread;
      pass.counts.push_back(count);
    }
    for (const pmu::AccessReport& report : monitor.accesses) {
      pass.accesses.push_back(to_json(*known, report));
      if (threads > 1) pass.accesses.back()["thread"] = thread;
    }
    const Json contents = final_contents(monitor, units, wanted);
    if (threads == 1) {
      pass.more.update(contents);
      continue;
    }
    Json object{{"thread", thread}, {"trace", setup.names[thread]}, {"instructions", result.instructions_of[thread]}};
    object.update(contents);
    pass.more["threads"].push_back(object);
  }
  return pass;
}

Json to_json(const Pass& pass) {
  Json counts = Json::array();
  for (const Count& count : pass.counts) {
    Json object{{"event", count.event}, {"counter", count.counter}, {"value", count.value}, {"thread", count.thread}};
    object.update(count.more);
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
    pass.counts.push_back({count.at("event"), count.at("counter"), count.at("value"),
                           count.value("notes", std::vector<std::string>{}), count.at("thread")});
    for (const char* key : more_keys) {
      if (count.contains(key)) pass.counts.back().more[key] = count.at(key);
    }
  }
  for (const Json& access : object.at("accesses")) pass.accesses.push_back(access);
  pass.more = object.at("more");
  pass.not_modelled = object.at("not_modelled").get<std::vector<std::string>>();
  return pass;
}

/// Runs one pass after the other, each in its own process, because SystemC allows one simulation per process.
std::vector<Pass> run_passes(const SessionSetup& setup, const std::vector<Programmed>& programs, const Wanted& wanted) {
  if (programs.size() == 1) return {run_pass(setup, programs[0], wanted)};
  std::vector<Pass> passes(programs.size());
  const auto work = [&](std::size_t i) {
    Wanted of_pass = wanted;
    if (i != 0) of_pass.views = {};
    return line_of(to_json(run_pass(setup, programs[i], of_pass)));
  };
  run_jobs({programs.size(), work, [&](std::size_t i) { return fmt::format("pass {}", i + 1); }}, 1,
           [&](std::size_t i, const std::string& line) { passes[i] = pass_from_json(Json::parse(line)); });
  return passes;
}

/// The result of a region: the numbers of the counted instructions, and a note if the trace is shorter.
std::string counted_region(const SessionSetup& setup, const Pass& pass) {
  const Region& asked = setup.options.region;
  const bool open_end = asked.end == Region{}.end;
  if (pass.first_instruction == 0 && open_end) return "";
  const std::uint64_t end = pass.first_instruction + pass.instructions;
  return fmt::format(" ({}:{} of the trace{})", pass.first_instruction, end,
                     !open_end && end < asked.end ? ", which ends before " + std::to_string(asked.end) : "");
}

/// Prints the final contents of registers, besides the counts.
void print_contents(const Json& contents) {
  for (const std::string& line : captured_lines(contents, {})) std::cout << line << '\n';
  if (!contents.contains("registers")) return;
  Table table({{"name", "register"}, {"value", "value", true}});
  for (const Json& reg : contents.at("registers")) table.row({reg.at("name"), reg.at("value")});
  std::cout << '\n';
  table.print(std::cout, Format::text);
}

/// What a counter counted, by interval.
std::vector<IntervalCounts> interval_counts(const std::vector<Pass>& passes) {
  std::vector<IntervalCounts> all;
  for (const Pass& pass : passes) {
    for (const Count& count : pass.counts)
      all.push_back(
          {count.thread, count.event, count.counter, count.more.at("intervals").get<std::vector<std::uint64_t>>()});
  }
  return all;
}

Json metrics_of(const SessionSetup& setup, const std::vector<Pass>& passes) {
  std::vector<Counted> counts;
  for (const Pass& pass : passes) {
    for (const Count& count : pass.counts) {
      const double unit = in_halves(count) ? 0.5 : 1;
      counts.push_back({count.event, count.thread, static_cast<double>(count.value) * unit});
    }
  }
  return metrics_of(*setup.target, counts);
}

void print(const SessionSetup& setup, const std::vector<Pass>& passes, std::optional<std::uint64_t> interval,
           Format format) {
  const bool threads = setup.traces.size() > 1;
  const Json metrics = metrics_of(setup, passes);
  if (format == Format::json) {
    Json object{{"target", std::string(setup.target->name)},
                {threads ? "traces" : "trace", threads ? Json(setup.names) : Json(setup.names[0])},
                {"passes", passes.size()},
                {"cycles", passes[0].cycles},
                {"first_instruction", passes[0].first_instruction},
                {"instructions", passes[0].instructions},
                {"counts", Json::array()},
                {"accesses", Json::array()}};
    if (interval) object["interval_cycles"] = *interval;
    for (const Pass& pass : passes) {
      const Json counted = to_json(pass);
      for (Json count : counted.at("counts")) {
        if (!threads) count.erase("thread");
        object["counts"].push_back(count);
      }
      for (const Json& access : pass.accesses) object["accesses"].push_back(access);
      if (!pass.more.empty() && passes.size() > 1) object["by_pass"].push_back(pass.more);
    }
    if (passes.size() == 1) object.update(passes[0].more);
    if (!metrics.empty()) object["metrics"] = metrics;
    std::cout << line_of(object) << '\n';
    return;
  }
  std::vector<Table::Column> columns{{"value", "count", true}, {"event", "event"}, {"counter", "counter"}};
  if (threads) columns.insert(columns.begin(), {"thread", "thread", true});
  const bool driven = std::any_of(passes.begin(), passes.end(), [](const Pass& pass) {
    return std::any_of(pass.counts.begin(), pass.counts.end(),
                       [](const Count& c) { return c.more.contains("driver"); });
  });
  if (driven) columns.push_back({"driver", "driver count", true});
  Table table(columns);
  for (const Pass& pass : passes) {
    for (const Count& count : pass.counts) {
      std::vector<Json> cells{count.value, count.event, count.counter};
      if (threads) cells.insert(cells.begin(), count.thread);
      if (driven) cells.push_back(count.more.value("driver", Json("")));
      table.row(cells);
    }
  }
  if (format == Format::csv) {
    (interval ? interval_table(interval_counts(passes), *interval, passes[0].cycles) : table).print(std::cout, format);
    return;
  }
  print_wrapped(std::cout, fmt::format("{} on {}: {} {}{}, {} cycles{}", fmt::join(setup.names, " and "),
                                       setup.target->name, grouped(passes[0].instructions), instruction_word(setup),
                                       counted_region(setup, passes[0]), grouped(passes[0].cycles),
                                       passes.size() > 1 ? fmt::format(", {} passes", passes.size()) : ""));
  std::cout << '\n';
  if (interval) {
    interval_table(interval_counts(passes), *interval, passes[0].cycles).print(std::cout, format);
    std::cout << "\nin all:\n";
  }
  table.print(std::cout, format);
  if (interval && isatty(STDOUT_FILENO) != 0) print_bars(interval_counts(passes), *interval);
  for (const Json& metric : metrics) print_wrapped(std::cout, metric_in_words(*setup.target, metric));
  for (const Pass& pass : passes) {
    for (const Count& count : pass.counts) {
      for (const std::string& note : count.notes) print_wrapped(std::cout, fmt::format("{}: {}", count.counter, note));
    }
    for (const Json& access : pass.accesses) {
      const std::string thread =
          access.contains("thread") ? fmt::format("thread {}, ", access["thread"].get<unsigned>()) : "";
      std::cout << fmt::format("{}cycle {}: program {} {} {}{}\n", thread, access["cycle"].get<std::uint64_t>(),
                               access["write"].get<bool>() ? "writes" : "reads", access["name"].get<std::string>(),
                               access["value"].get<std::string>(),
                               access["fault"] == "none" ? "" : ": " + access["fault"].get<std::string>());
    }
    for (const std::string& line : note_lines(pass.more)) print_wrapped(std::cout, line);
    if (const std::string line = unknown_line(pass.more); !line.empty()) print_wrapped(std::cout, line);
    print_contents(pass.more);
    if (!threads) continue;
    for (const Json& thread : pass.more.at("threads")) {
      std::cout << fmt::format("\nthread {}: {}, {} {}\n", thread.at("thread").get<unsigned>(),
                               thread.at("trace").get<std::string>(),
                               grouped(thread.at("instructions").get<std::uint64_t>()), instruction_word(setup));
      print_contents(thread);
    }
  }
}

/// The program given in place of a trace; null if there is none.
std::unique_ptr<RecordedProgram> program_of(const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.positional();
  if (words.empty()) return nullptr;
  if (arguments.has("trace") || arguments.has("activity"))
    throw UsageError(fmt::format("unexpected '{}'; see pmusim run --help", words[0]));
  if (words[0].ends_with(".pmt"))
    throw UsageError(fmt::format("{}: is a trace; expected --trace {}", words[0], words[0]));
  const std::string name = arguments.required("target", examples::name_a_target);
  check_target(name);
  return std::make_unique<RecordedProgram>(*models::find_target(name), words, arguments.format());
}

}  // namespace

int run_run(const std::vector<std::string>& list) {
  Arguments::Description options("options");
  add_session_options(options);
  add_counted_options(options);
  options.add_options()("passes", po::bool_switch(),
                        "count more events than there are counters, in several passes over the trace")(
      "registers", po::bool_switch(), "show the final values of all PMU registers");
  add_interval_option(options);
  add_view_options(options);
  add_name_options(options);
  add_path_option(options);
  add_qualifier_options(options);
  const Arguments arguments(list, options, run_help);
  if (arguments.help_shown()) return exit_good;
  const std::unique_ptr<RecordedProgram> program = program_of(arguments);
  SessionSetup setup = program ? session_setup(arguments, {program->trace()}) : session_setup(arguments);
  if (program) setup.names = {arguments.positional()[0]};
  const auto [events, writes] = counted(arguments, setup.target->name);
  const encoder::EncodeOptions encoding_options = counting_options(arguments, setup);
  if (!writes.empty() && !encoding_options.qualifiers.empty())
    throw UsageError("filters go with -e EVENT; with --write they are part of the values");
  ViewFiles views = view_files(arguments);
  const std::optional<std::uint64_t> interval = interval_of(arguments);
  if (interval && !views.perfetto.empty())
    throw UsageError("-I does not go with --perfetto, which shows each counter over time; leave one out");
  if (!views.perfetto.empty() || arguments.has("elf") || arguments.has("symbols"))
    views.symbols = symbols_of(code_names(arguments, setup));

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
  if (programs.size() > 1 && !views.vcd.empty()) throw UsageError("--vcd shows one pass; give fewer events");
  (void)check_input(setup);  // bad input is reported before anything runs
  Wanted wanted{std::move(views), false, arguments.get<bool>("registers"), interval};
  for (const Programmed& program : programs)
    wanted.path = wants_path(arguments, CaptureUnits(setup.target->name, bus_writes(setup, program.registers)));

  const std::vector<Pass> passes = run_passes(setup, programs, wanted);
  for (const Pass& pass : passes) {
    if (!pass.not_modelled.empty()) throw UsageError(pass.not_modelled[0]);
  }
  print(setup, passes, interval, arguments.format());
  return exit_good;
}

}  // namespace pmusim::testbench
