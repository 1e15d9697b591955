#include "testbench/cli/session_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "testbench/cli/activity_files.h"
#include "testbench/cli/command.h"
#include "testbench/cli/examples.h"
#include "testbench/cli/perf_names.h"
#include "testbench/driver/activity_file_source.h"
#include "testbench/store/data_folder.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {
namespace {

constexpr unsigned longest_handler = 1'000'000;  // cores keep it whole

}  // namespace

Region parse_region(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos)
    throw UsageError("--roi '{}' is not of the form BEGIN:END, instructions from 0 (ia64: bundles)", text);
  const std::string begin = text.substr(0, colon);
  const std::string end = text.substr(colon + 1);
  Region region;
  if (!begin.empty()) region.begin = parse_number(begin, "begin of --roi");
  if (!end.empty()) region.end = parse_number(end, "end of --roi");
  if (region.begin >= region.end) throw UsageError("--roi '{}' is empty; BEGIN must be below END", text);
  return region;
}

Options trace_options() {
  return {
      {"target,t", po::text(), "target"},
      {"trace", po::texts(), "trace: .pmt, text, or text compressed with zstd; repeat for the second hardware thread"},
      {"isa", po::text(), "instruction set of a text trace that does not specify it"},
      {"set", po::texts(), "NAME=VALUE: set a parameter of the core or PMU"},
      {"roi", po::text(),
       "BEGIN:END: count these instructions of the trace, numbered from 0 (i386: a rep with all its iterations is one; "
       "ia64: bundles; with two traces those of both): the cycles after the one in which BEGIN-1 retires, up to and "
       "including the one in which END-1 retires. "
       "Cycles are not split; the output lists the counted instructions"},
      {"warmup", po::number<std::uint64_t>(0), "N: run N instructions (as of --roi) before counting begins"}};
}

Options session_options() {
  return trace_options() +
         Options{{"activity", po::text(),
                  "replay this file, written by pmusim activity record or another program, instead of a trace"},
                 {"perturb", po::flag(), "the core executes interrupt entry and handler"},
                 {"handler", po::number<unsigned>(100), "with --perturb: number of instructions in the handler"}};
}

Options counted_options() {
  return {{"event,e", po::texts(),
           "event, or several separated by commas; repeat for more counters. perf's names, as cycles and "
           "branch-misses, stand for events of the target (events --generic)"},
          {"write", po::texts(), "NAME=VALUE: raw register value, in write order"}};
}

ToCount counted(const Arguments& arguments, std::string_view target) {
  ToCount both{named_event_list(arguments, target), arguments.list("write")};
  if (both.events.empty() == both.writes.empty()) throw UsageError("give either -e EVENT or --write NAME=VALUE");
  return both;
}

namespace {

/// The recording determines the core and its parameters.
SessionSetup activity_setup(const Arguments& arguments, const std::string& file) {
  arguments.refuse({"trace", "isa", "roi", "warmup", "handler"}, "does not go with --activity");
  if (arguments.get<bool>("perturb"))
    throw UsageError("--perturb needs a core that takes interrupts: give a --trace in place of --activity");
  const activity_file::Reader reader(file);
  SessionSetup setup;
  setup.activity = file;
  setup.target = &target_of(reader, arguments.maybe<std::string>("target").value_or(""));
  setup.parameters = setup.target->parameters();
  for (const std::string& note : take_parameters(reader, setup.parameters)) std::cerr << "pmusim: " << note << '\n';
  for (const std::string& setting : arguments.list("set")) {
    const auto [parameter, value] = parse_assignment(setting, "--set");
    const models::Parameters recorded = setup.parameters;
    setup.parameters.set(parameter, std::string_view(value));
    if (!parameter.starts_with("pmu.") && recorded.get(parameter) != setup.parameters.get(parameter))
      throw UsageError("--set {}: the core of {} ran with {}={}; record it again", setting, file, parameter,
                       recorded.text(parameter));
  }
  setup.traces = reader.properties().list("trace");
  setup.traces.resize(threads_of(reader, *setup.target), file);
  for (std::string& trace : setup.traces) trace = printable(trace);
  setup.names = setup.traces;
  return setup;
}

}  // namespace

SessionSetup session_setup(const Arguments& arguments) { return session_setup(arguments, arguments.list("trace")); }

SessionSetup session_setup(const Arguments& arguments, const std::vector<std::string>& traces) {
  if (const auto file = arguments.maybe<std::string>("activity")) return activity_setup(arguments, *file);
  const std::string name = arguments.required("target", examples::name_a_target);
  check_target(name);
  SessionSetup setup;
  setup.target = models::find_target(name);
  setup.parameters = setup.target->parameters();
  for (const std::string& setting : arguments.list("set")) {
    const auto [parameter, value] = parse_assignment(setting, "--set");
    setup.parameters.set(parameter, std::string_view(value));
  }
  setup.names = setup.traces = traces;
  check_traces(*setup.target, setup.traces);
  for (std::string& trace : setup.traces) trace = shipped(trace);
  if (const auto region = arguments.maybe<std::string>("roi")) setup.options.region = parse_region(*region);
  setup.options.warmup = arguments.get<std::uint64_t>("warmup");
  if (!arguments.maybe<bool>("perturb")) return setup;  // for a command that only needs traces
  setup.options.perturb = arguments.get<bool>("perturb");
  setup.options.handler_instructions = arguments.get<unsigned>("handler");
  if (arguments.has("handler") && !setup.options.perturb)
    throw UsageError("--handler sets the length of the handler of --perturb; give --perturb, too");
  if (setup.options.handler_instructions > longest_handler)
    throw UsageError("--handler {}: a handler has at most {} instructions", setup.options.handler_instructions,
                     longest_handler);
  return setup;
}

void check_traces(const models::Target& target, const std::vector<std::string>& traces) {
  if (traces.empty())
    throw UsageError("--trace is missing: name a .pmt or text trace, or one that pmusim traces lists");
  if (traces.size() > target.threads()) {
    throw UsageError("target {} runs {}; {} are given", target.name,
                     target.threads() == 1 ? "one trace" : "one trace or two", traces.size());
  }
}

namespace {

using Opening = std::function<std::unique_ptr<trace::Reader>(const trace::ReadOptions& options)>;

std::unique_ptr<trace::Reader> open_trace(const models::Target& target, const std::string& file, const Opening& open) {
  trace::ReadOptions options;
  options.isa = target.isa;
  auto reader = open(options);
  const trace::Isa isa = reader->info().isa;
  if (isa == target.isa) return reader;
  throw UsageError("{}: a trace of {}; target {} runs {}", file, trace::name_of(isa), target.name,
                   trace::name_of(target.isa));
}

}  // namespace

std::vector<std::unique_ptr<trace::Reader>> open_traces(const SessionSetup& setup) {
  std::vector<std::unique_ptr<trace::Reader>> readers;
  for (const std::string& file : setup.traces)
    readers.push_back(open_trace(*setup.target, file, [&](const auto& options) { return trace::open(file, options); }));
  return readers;
}

std::vector<std::unique_ptr<trace::Reader>> open_traces(const models::Target& target,
                                                        const std::vector<InputFile>& files) {
  std::vector<std::unique_ptr<trace::Reader>> readers;
  for (const InputFile& file : files)
    readers.push_back(
        open_trace(target, file.path().string(), [&](const auto& options) { return file.trace(options); }));
  return readers;
}

std::uint64_t check_input(const SessionSetup& setup) {
  if (!setup.activity.empty()) {
    (void)activity_file::Reader(setup.activity);
    return 0;
  }
  std::uint64_t lines = 0;
  for (const auto& reader : open_traces(setup)) lines += reader->info().instructions;
  return lines;
}

UsageError named(const SessionSetup& setup, const core::CoreError& error) {
  return UsageError("{}: {}", fmt::join(setup.traces, ", "), error.what());
}

namespace {

SessionResult run_activity(const SessionSetup& setup, Session& session) {
  ActivityFileSource source(std::make_unique<activity_file::Reader>(setup.activity));
  SessionResult result = session.run(source);
  result.first_instruction = first_instruction_of(source.properties(), setup.activity);
  for (unsigned thread = 0; thread < result.instructions_of.size(); ++thread)
    result.instructions_of[thread] = source.instructions_of(thread);
  return result;
}

}  // namespace

SessionResult run_session(const SessionSetup& setup, Session& session, const WrapReaders& wrap) {
  try {
    if (!setup.activity.empty()) return run_activity(setup, session);
    return session.run(wrap ? wrap(open_traces(setup)) : open_traces(setup));
  } catch (const core::CoreError& error) {
    throw named(setup, error);
  }
}

void require_traces(const SessionSetup& setup, std::string_view why) {
  if (!setup.activity.empty()) throw UsageError("--activity: {}; give a --trace", why);
}

std::vector<RegisterWrite> bus_writes(const SessionSetup& setup, const std::vector<encoder::RegisterValue>& registers) {
  Programming programming(*setup.target, setup.parameters);
  add_writes(programming, registers);
  return programming.writes();
}

void add_writes(Programming& programming, const std::vector<encoder::RegisterValue>& registers) {
  try {
    for (const encoder::RegisterValue& reg : registers) programming.write(reg.name, reg.value);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

void end_freeze(const SessionSetup& setup, std::vector<encoder::RegisterValue>& values) {
  const auto monitor = setup.target->make_monitor(setup.parameters);
  const auto info = pmu::find_register(*monitor, "PMC0");
  if (!info || std::ranges::any_of(values, [](const auto& value) { return value.name == "PMC0"; })) return;
  values.push_back(
      {std::string(pmu::name_of(info->id.space)), info->id.number, std::string(info->name), info->width, 0});
}

namespace {

/// The names that can be written: the model's registers, and names that only the encoder has: PALcode calls, and
/// counters that are register fields.
std::vector<encoder::RegisterValue> writable(const SessionSetup& setup) {
  std::vector<encoder::RegisterValue> all;
  const auto monitor = setup.target->make_monitor(setup.parameters);
  for (const pmu::RegisterInfo& info : monitor->registers())
    all.push_back({std::string(pmu::name_of(info.id.space)), info.id.number, std::string(info.name), info.width, 0});
  const Programming programming(*setup.target, setup.parameters);
  const auto named = encoder::registers(setup.target->name);
  if (!named) return all;
  for (const encoder::RegisterValue& reg : *named) {
    if (!pmu::find_register(*monitor, reg.name) && programming.knows(reg.name)) all.push_back(reg);
  }
  return all;
}

/// Parses the value of a register.
std::uint64_t register_value(const encoder::RegisterValue& reg, const std::string& text,
                             std::vector<std::string>& warnings) {
  const RegisterNumber number = register_number(reg.name, reg.width, carried_bits(reg.space), text, "--write");
  if (number.left_out)
    warnings.push_back(fmt::format("{}={}: the register has {} bits; the others are reserved and left out", reg.name,
                                   text, reg.width));
  return number.value;
}

/// CR4.PCE, which is not a register of the PMU: the bit that lets less privileged code read counters.
bool set_counter_reads(SessionSetup& setup, std::string_view name, const std::string& value) {
  if (setup.target->isa != trace::Isa::i386 || !same_word(name, "CR4.PCE")) return false;
  if (value != "0" && value != "1") throw UsageError("--write: CR4.PCE is 0 or 1, not '{}'", value);
  setup.options.counter_reads_allowed = value == "1";
  return true;
}

}  // namespace

RawWrites parse_writes(SessionSetup& setup, const std::vector<std::string>& texts) {
  const std::vector<encoder::RegisterValue> all = writable(setup);
  RawWrites raw;
  for (const std::string& text : texts) {
    const auto [name, value] = parse_assignment(text, "--write");
    if (set_counter_reads(setup, name, value)) continue;
    const auto info =
        std::ranges::find_if(all, [&, &wanted = name](const auto& reg) { return same_word(reg.name, wanted); });
    if (info == all.end())
      throw UsageError("--write: target {} has no register '{}'{}", setup.target->name, name,
                       did_you_mean(name, all, &encoder::RegisterValue::name));
    raw.registers.push_back(*info);
    raw.registers.back().value = register_value(*info, value, raw.warnings);
  }
  return raw;
}

}  // namespace pmusim::testbench
