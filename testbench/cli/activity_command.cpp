// pmusim activity: records, inspects and checks files with the activity that a core delivers to its monitors.
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "models/activity_file/rules.h"
#include "pmusim/trace/numbering.h"
#include "pmusim/trace/reader.h"
#include "testbench/cli/activity_files.h"
#include "testbench/cli/command.h"
#include "testbench/cli/examples.h"
#include "testbench/cli/session_options.h"
#include "testbench/support/arguments.h"
#include "testbench/support/output.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {
namespace {

constexpr const char* usage =
    "usage: pmusim activity record -t TARGET --trace FILE -o FILE.pma\n"
    "       pmusim activity info|dump|check FILE.pma\n"
    "\n"
    "Records the activity of a core in a file (docs/activity.md). With --activity FILE, run, record and "
    "validate\n"
    "then count any event without running the core again. Any program that writes the format can drive the models;\n"
    "check tests whether its files follow the rules.\n"
    "\n";

constexpr HelpText activity_record_help{
    "pmusim activity record -t TARGET --trace FILE -o FILE.pma",
    "Runs the trace on the target's core and writes its activity, with the parameters of the core and checksums of\n"
    "the traces. Commands that read the file may change PMU parameters.",
    examples::activity_record};
constexpr HelpText activity_info_help{
    "pmusim activity info FILE.pma",
    "Prints the origin of the activity, its length, and the number of occurrences of each signal.",
    "  pmusim activity info lz77.pma\n  pmusim activity info lz77.pma --format json"};
constexpr HelpText activity_check_help{
    "pmusim activity check FILE.pma",
    "Checks each block against the rules of models/activity/activity.h: columns are sorted by cycle, cycles are\n"
    "complete, referenced records are in the block, amounts are at least 1, and details have names. Exit code 1 if\n"
    "a rule is broken, 2 if the file is damaged.",
    "  pmusim activity check foreign.pma"};

/// The only positional argument.
std::string file_of(const Arguments& arguments, const char* command) {
  if (arguments.positional().empty()) throw UsageError("activity {}: name a .pma file", command);
  arguments.limit_positional(1, fmt::format("activity {}", command));
  return arguments.positional()[0];
}

Options activity_record_options() {
  return trace_options() + Options{{"output,o", po::text(), "the file to write"},
                                   {"block", po::number<std::uint64_t>(file_block_cycles), "cycles per block"},
                                   {"level", po::number<unsigned>(activity_file::default_level),
                                    "zstd compression level, 1 to 19; 0: not compressed"}};
}

int run_activity_record(const Arguments& arguments) {
  const SessionSetup setup = session_setup(arguments);
  const std::string output = arguments.required("output", "name the file to write, as in -o program.pma");
  const auto block = arguments.get<std::uint64_t>("block");
  const auto level = arguments.get<unsigned>("level");
  constexpr std::uint64_t longest = 1u << 20;
  constexpr unsigned most_level = 19;
  if (block == 0 || block > longest) throw UsageError("--block {}: 1 to {} cycles", block, longest);
  if (level > most_level) throw UsageError("--level {}: 0 to {}", level, most_level);
  (void)open_traces(setup);  // what is no trace is not read into memory
  const std::vector<InputFile> traces(setup.traces.begin(), setup.traces.end());
  auto core = core_of(*setup.target, setup.parameters, open_traces(*setup.target, traces));
  const Recorded recorded = [&] {
    try {
      return record_activity(output, properties_of(*setup.target, setup.parameters, traces), std::move(core),
                             setup.options.counted(), block, static_cast<int>(level));
    } catch (const core::CoreError& error) {
      throw named(setup, error);
    }
  }();
  std::cout << fmt::format("{}: {} cycles, {} {}, {} bytes\n", output, grouped(recorded.cycles),
                           grouped(recorded.instructions), trace::unit_of(setup.target->isa), grouped(recorded.bytes));
  return exit_good;
}

int run_activity_info(const Arguments& arguments) {
  const std::string file = file_of(arguments, "info");
  activity_file::Reader reader(file, reading_options(arguments));
  const auto names = activity::signal_names(reader.properties().get("target").value_or(""));
  std::vector<std::uint64_t> occurrences(names.size());
  std::uint64_t instructions = 0, requests = 0;
  Cycle begin = 0, end = 0;
  Block block;
  while (reader.next(block)) {
    if (reader.blocks() == 1) begin = block.begin;
    end = block.end;
    for (std::size_t s = 0; s < names.size(); ++s) occurrences[s] += block.columns[s].size();
    instructions += block.instructions.size();
    requests += block.requests.size();
  }
  Json object{{"file", file}};
  for (const auto& [key, value] : reader.properties().all()) {
    if (!key.starts_with("parameter.")) object[key] = printable(value);
  }
  object["blocks"] = reader.blocks();
  object["first_cycle"] = begin;
  object["cycles"] = end - begin;
  object["instruction_records"] = instructions;
  object["request_records"] = requests;
  object["bytes"] = std::filesystem::file_size(file);
  object["occurrences"] = Json::object();
  for (std::size_t s = 0; s < names.size(); ++s) {
    if (occurrences[s] != 0) object["occurrences"][names[s].name] = occurrences[s];
  }
  object["parameters"] = Json::object();
  for (const auto& [key, value] : reader.properties().all()) {
    if (key.starts_with("parameter.")) object["parameters"][key.substr(key.find('.') + 1)] = printable(value);
  }
  if (arguments.format() == Format::json) return print_object(object);
  Table table({{"key", "key"}, {"value", "value"}});
  for (const auto& [key, value] : object.items()) {
    if (!value.is_object()) {
      table.row({key, value});
      continue;
    }
    for (const auto& [name, number] : value.items()) table.row({key + '.' + name, number});
  }
  table.print(std::cout, arguments.format());
  return exit_good;
}

Options activity_check_options() {
  return {{"most", po::number<unsigned>(20), "maximum number of violations to list"}};
}

int run_activity_check(const Arguments& arguments) {
  const std::string file = file_of(arguments, "check");
  const auto most = arguments.get<unsigned>("most");
  activity_file::Reader reader(file);
  const models::Target& target = target_of(reader, "");
  models::Parameters parameters = target.parameters();
  for (const std::string& note : take_parameters(reader, parameters)) std::cout << note << '\n';
  (void)threads_of(reader, target);
  (void)first_instruction_of(reader.properties(), file);
  std::uint64_t broken = 0;
  activity_file::Rules rules(target.name, [&](const std::string& problem) {
    if (broken++ < most) std::cout << fmt::format("{}: {}\n", file, problem);
  });
  Block block;
  while (reader.next(block)) rules.consume(block);
  if (broken > most) std::cout << fmt::format("{}: {} more\n", file, broken - most);
  std::cout << fmt::format("{}: {} blocks, {}\n", file, reader.blocks(),
                           broken == 0 ? "all rules kept" : fmt::format("{} violations of rules", broken));
  return broken == 0 ? exit_good : exit_mismatch;
}

}  // namespace

const CommandBody activity_record_body{activity_record_help, activity_record_options, run_activity_record, 0, ""};
const CommandBody activity_info_body{activity_info_help, salvage_option, run_activity_info};
const CommandBody activity_check_body{activity_check_help, activity_check_options, run_activity_check, any_number, ""};

std::span<const Command> activity_parts() {
  static constexpr Command parts[] = {
      {"record", "run a trace on the target's core and record its activity", &activity_record_body},
      {"info", "print origin, parameters and size of a file", &activity_info_body},
      {"dump", "print the activity cycle by cycle", &activity_dump_body},
      {"check", "check its rules: exit code 1 for a broken rule, 2 for a damaged file", &activity_check_body},
  };
  return parts;
}

void print_activity_help() {
  print_paragraphs(std::cout, usage);
  for (const Command& part : activity_parts()) std::cout << fmt::format("  {:<8} {}\n", part.name, part.summary);
  std::cout << "\npmusim activity COMMAND --help describes a command\n\nexamples:\n" << examples::activity;
}

}  // namespace pmusim::testbench
