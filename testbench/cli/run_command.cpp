// pmusim run: counts events over a trace, like perf stat, from event names or from raw register values of any encoder.
#include <fmt/format.h>
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
#include "testbench/cli/programmed.h"
#include "testbench/cli/run_notes.h"
#include "testbench/cli/session_options.h"
#include "testbench/cli/trace_command.h"
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
struct Count : ProgrammedCounter {
  std::uint64_t value = 0;
  unsigned thread = 0;
  /// The number of wraps of the register; the unit, for half events; a driver's view: see DriversCount; and the counts
  /// by interval.
  Json more = Json::object();
};

/// The parts of the output besides counts.
struct Wanted {
  ViewFiles views;
  bool path = false;                           ///< of the branch buffer
  bool registers = false;                      ///< all registers, at the end
  std::optional<std::uint64_t> interval = {};  ///< cycles
};

/// The counters of a raw programming after the run: those that it enables and those that the program's own writes have
/// enabled. If none is enabled, all of them.
std::vector<ProgrammedCounter> raw_counters(const SessionSetup& setup, const Programmed& programmed,
                                            const MonitorResult& monitor) {
  std::vector<ProgrammedCounter> counts = programmed.counters;
  for (const encoder::Selection& selection :
       program_selections(setup.target->name, programmed.registers, monitor.accesses)) {
    const bool listed = std::ranges::any_of(counts, [&](const ProgrammedCounter& count) {
      return count.counter == selection.counter && count.event == selection.canonical;
    });
    if (listed) continue;
    counts.push_back({selection.canonical, selection.counter, selection.counter_index, selection.notes});
    counts.back().notes.push_back("enabled by the program itself");
  }
  if (!counts.empty() || !CaptureUnits(setup.target->name, bus_writes(setup, programmed.registers)).empty())
    return counts;
  for (const std::string& counter : counter_names(*setup.target, *monitor.monitor)) {
    const auto index = static_cast<unsigned>(counts.size());
    counts.push_back({"", counter, index, {"nothing enables it; see pmusim decode"}});
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
void read_register(const models::Target& target, const MonitorResult& monitor, Count& count) {
  const RegisterReading& reading = monitor.reading(count.counter);
  const std::uint64_t left = counter_value(target, reading.info, reading.value);
  count.value = left;
  for (const std::string& note : interrupt_notes(monitor, count.counter)) count.notes.push_back(note);
  const auto wraps = monitor.wraps.find(count.counter);
  if (wraps == monitor.wraps.end()) return;
  const unsigned bits = counter_bits(target, reading.info);
  count.value += wraps->second << bits;
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

Json to_json(const Count& count) {
  Json object{{"event", count.event}, {"counter", count.counter}, {"value", count.value}, {"thread", count.thread}};
  object.update(count.more);
  if (!count.notes.empty()) object["notes"] = count.notes;
  return object;
}

void add_intervals(const IntervalAmounts& amounts, Count& count) {
  count.more["intervals"] = amounts.of;
  if (std::string note = amounts.note(); !note.empty()) count.notes.push_back(std::move(note));
}

/// One pass over the trace: `cycles`, `first_instruction`, `instructions`, `counts`, `accesses`, `not_modelled`; `more`
/// are notes of the encoder, and final contents of registers, see final_contents().
Json run_pass(const SessionSetup& setup, const Programmed& programmed, const Wanted& wanted) {
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
  Json pass{{"cycles", result.end_cycle - result.first_cycle},
            {"first_instruction", result.first_instruction},
            {"instructions", result.instructions},
            {"counts", Json::array()},
            {"accesses", Json::array()},
            {"not_modelled", result.monitors[0].not_modelled}};
  Json more = programmed.notes;
  unknown.add_to(more);
  const auto known = setup.target->make_monitor(setup.parameters);
  for (unsigned thread = 0; thread < threads; ++thread) {
    const MonitorResult& monitor = result.monitors[thread];
    for (const ProgrammedCounter& counter :
         programmed.raw ? raw_counters(setup, programmed, monitor) : programmed.counters) {
      Count count{counter};
      if (firmware != nullptr) {
        read_count(*setup.target, monitor, ticks, count);
      } else {
        read_register(*setup.target, monitor, count);
      }
      if (wanted.interval)
        add_intervals(intervals.amounts(result, thread, explained(count), count.more.contains("unit")), count);
      count.thread = thread;
      pass["counts"].push_back(to_json(count));
    }
    for (const pmu::AccessReport& report : monitor.accesses) {
      pass["accesses"].push_back(to_json(*known, report));
      if (threads > 1) pass["accesses"].back()["thread"] = thread;
    }
    const Json contents = final_contents(monitor, units, wanted);
    if (threads == 1) {
      more.update(contents);
      continue;
    }
    Json object{{"thread", thread}, {"trace", setup.names[thread]}, {"instructions", result.instructions_of[thread]}};
    object.update(contents);
    more["threads"].push_back(object);
  }
  pass["more"] = std::move(more);
  return pass;
}

/// Runs one pass after the other, each in its own process, because SystemC allows one simulation per process.
std::vector<Json> run_passes(const SessionSetup& setup, const std::vector<Programmed>& programs, const Wanted& wanted) {
  if (programs.size() == 1) return {run_pass(setup, programs[0], wanted)};
  std::vector<Json> passes(programs.size());
  const auto work = [&](std::size_t i) {
    Wanted of_pass = wanted;
    if (i != 0) of_pass.views = {};
    return line_of(run_pass(setup, programs[i], of_pass));
  };
  run_jobs({programs.size(), work, [&](std::size_t i) { return fmt::format("pass {}", i + 1); }}, 1,
           [&](std::size_t i, const std::string& line) { passes[i] = Json::parse(line); });
  return passes;
}

/// The counts of all passes.
Json all_counts(const std::vector<Json>& passes) {
  Json counts = Json::array();
  for (const Json& pass : passes) {
    for (const Json& count : pass.at("counts")) counts.push_back(count);
  }
  return counts;
}

/// The result of a region: the numbers of the counted instructions, and a note if the trace is shorter.
std::string counted_region(const SessionSetup& setup, const Json& pass) {
  const Region& asked = setup.options.region;
  const bool open_end = asked.end == Region{}.end;
  const auto first = pass.at("first_instruction").get<std::uint64_t>();
  if (first == 0 && open_end) return "";
  const std::uint64_t end = first + pass.at("instructions").get<std::uint64_t>();
  return fmt::format(" ({}:{} of the trace{})", first, end,
                     !open_end && end < asked.end ? ", which ends before " + std::to_string(asked.end) : "");
}

/// Prints the final contents of registers, besides the counts.
void print_contents(const Json& contents) {
  for (const std::string& line : captured_lines(contents, {})) std::cout << line << '\n';
  if (!contents.contains("registers")) return;
  Table table({{"name", "register"}, {"value", "value", true}});
  for (const Json& reg : contents.at("registers")) table.row_of(reg);
  std::cout << '\n';
  table.print(std::cout, Format::text);
}

/// What the counters counted, by interval.
std::vector<IntervalCounts> interval_counts(const Json& counts) {
  std::vector<IntervalCounts> all;
  for (const Json& count : counts)
    all.push_back({count.at("thread"), count.at("event"), count.at("counter"),
                   count.at("intervals").get<std::vector<std::uint64_t>>()});
  return all;
}

Json metrics_of(const SessionSetup& setup, const Json& counts) {
  std::vector<Counted> counted;
  for (const Json& count : counts)  // a unit is that of half events
    counted.push_back(
        {count.at("event"), count.at("thread"), count.at("value").get<double>() * (count.contains("unit") ? 0.5 : 1)});
  return metrics_of(*setup.target, counted);
}

void print_json(const SessionSetup& setup, const std::vector<Json>& passes, std::optional<std::uint64_t> interval) {
  Json object = head_of(setup);
  object["passes"] = passes.size();
  for (const char* key : {"cycles", "first_instruction", "instructions"}) object[key] = passes[0].at(key);
  object["counts"] = all_counts(passes);
  const Json metrics = metrics_of(setup, object.at("counts"));
  if (setup.traces.size() == 1) {
    for (Json& count : object["counts"]) count.erase("thread");
  }
  object["accesses"] = Json::array();
  if (interval) object["interval_cycles"] = *interval;
  for (const Json& pass : passes) {
    for (const Json& access : pass.at("accesses")) object["accesses"].push_back(access);
    if (!pass.at("more").empty() && passes.size() > 1) object["by_pass"].push_back(pass.at("more"));
  }
  if (passes.size() == 1) object.update(passes[0].at("more"));
  if (!metrics.empty()) object["metrics"] = metrics;
  std::cout << line_of(object) << '\n';
}

Table count_table(const Json& counts, bool threads) {
  std::vector<Table::Column> columns{{"value", "count", true}, {"event", "event"}, {"counter", "counter"}};
  if (threads) columns.insert(columns.begin(), {"thread", "thread", true});
  const bool driven = std::ranges::any_of(counts, [](const Json& count) { return count.contains("driver"); });
  if (driven) columns.push_back({"driver", "driver count", true});
  Table table(columns);
  for (const Json& count : counts) table.row_of(count);
  return table;
}

/// What a pass has besides its counts: notes, accesses of the program, final contents of registers.
void print_rest(const SessionSetup& setup, const Json& pass) {
  for (const Json& count : pass.at("counts")) {
    for (const std::string& note : count.value("notes", std::vector<std::string>{}))
      print_wrapped(std::cout, fmt::format("{}: {}", count.at("counter").get<std::string>(), note));
  }
  for (const Json& access : pass.at("accesses")) {
    const std::string thread =
        access.contains("thread") ? fmt::format("thread {}, ", access["thread"].get<unsigned>()) : "";
    std::cout << fmt::format("{}cycle {}: program {} {} {}{}\n", thread, access["cycle"].get<std::uint64_t>(),
                             access["write"].get<bool>() ? "writes" : "reads", access["name"].get<std::string>(),
                             access["value"].get<std::string>(),
                             access["fault"] == "none" ? "" : ": " + access["fault"].get<std::string>());
  }
  const Json& more = pass.at("more");
  for (const std::string& line : note_lines(more)) print_wrapped(std::cout, line);
  if (const std::string line = unknown_line(more); !line.empty()) print_wrapped(std::cout, line);
  print_contents(more);
  if (setup.traces.size() == 1) return;
  for (const Json& thread : more.at("threads")) {
    std::cout << fmt::format("\nthread {}: {}, {} {}\n", thread.at("thread").get<unsigned>(),
                             thread.at("trace").get<std::string>(),
                             grouped(thread.at("instructions").get<std::uint64_t>()), instruction_word(setup));
    print_contents(thread);
  }
}

void print(const SessionSetup& setup, const std::vector<Json>& passes, std::optional<std::uint64_t> interval,
           Format format) {
  if (format == Format::json) return print_json(setup, passes, interval);
  const Json counts = all_counts(passes);
  const auto cycles = passes[0].at("cycles").get<std::uint64_t>();
  const Table table = count_table(counts, setup.traces.size() > 1);
  std::vector<IntervalCounts> intervals;
  if (interval) intervals = interval_counts(counts);
  if (format == Format::csv) {
    (interval ? interval_table(intervals, *interval, cycles) : table).print(std::cout, format);
    return;
  }
  print_wrapped(std::cout, head_line(setup, passes[0].at("instructions"), cycles, counted_region(setup, passes[0])) +
                               (passes.size() > 1 ? fmt::format(", {} passes", passes.size()) : ""));
  std::cout << '\n';
  if (interval) {
    interval_table(intervals, *interval, cycles).print(std::cout, format);
    std::cout << "\nin all:\n";
  }
  table.print(std::cout, format);
  if (interval && isatty(STDOUT_FILENO) != 0) print_bars(intervals, *interval);
  for (const Json& metric : metrics_of(setup, counts)) print_wrapped(std::cout, metric_in_words(*setup.target, metric));
  for (const Json& pass : passes) print_rest(setup, pass);
}

/// The program given in place of a trace; null if there is none.
std::unique_ptr<RecordedProgram> program_of(const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.positional();
  if (words.empty()) return nullptr;
  if (arguments.has("trace") || arguments.has("activity"))
    throw UsageError("unexpected '{}'; see pmusim run --help", words[0]);
  if (words[0].ends_with(".pmt")) throw UsageError("{}: is a trace; expected --trace {}", words[0], words[0]);
  const std::string name = arguments.required("target", examples::name_a_target);
  check_target(name);
  return std::make_unique<RecordedProgram>(*models::find_target(name), words, arguments.format());
}

Options run_options() {
  return session_options() + counted_options() +
         Options{{"passes", po::flag(), "count more events than there are counters, in several passes over the trace"},
                 {"registers", po::flag(), "show the final values of all PMU registers"}} +
         interval_option() + view_options() + name_options() + path_option() + qualifier_options();
}

int run_run(const Arguments& arguments) {
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

  const std::vector<Json> passes = run_passes(setup, programs, wanted);
  for (const Json& pass : passes) {
    if (const Json& gaps = pass.at("not_modelled"); !gaps.empty()) throw UsageError(gaps[0].get<std::string>());
  }
  print(setup, passes, interval, arguments.format());
  return exit_good;
}

}  // namespace

const CommandBody run_body{run_help, run_options, run_run};

}  // namespace pmusim::testbench
