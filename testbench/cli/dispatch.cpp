// The table of subcommands, and the dispatch of a command line to one of them.
#include <fmt/format.h>

#include <iostream>

#include "testbench/cli/command.h"
#include "testbench/cli/examples.h"
#include "testbench/cli/perf_names.h"
#include "testbench/cli/profiled_program.h"
#include "testbench/support/arguments.h"
#include "testbench/support/version.h"

namespace pmusim::testbench {
namespace {

constexpr Command all_commands[] = {
    {"targets", "list the modelled targets and their parameters", run_targets},
    {"events", "list events with names, codes, unit masks and constraints", run_events},
    {"encode", "translate event names to register values", run_encode},
    {"decode", "decode register values field by field", run_decode},
    {"run", "count events over a trace, like perf stat", run_run},
    {"explain", "show each step from the core's signals to a count", run_explain},
    {"record", "sample at counter overflow, like perf record and perf script", run_record},
    {"report", "profile by function, line or instruction; export profiles", run_report},
    {"annotate", "list the instructions of functions with source and counts", run_annotate},
    {"validate", "check that the registers count what the event names specify", run_validate},
    {"diff", "compare two validations, snapshots or runs", run_diff},
    {"traces", "list the recorded traces that come with pmusim", run_traces},
    {"trace", "inspect, convert, cut, merge and import traces; record programs", run_trace},
    {"activity", "record, inspect and check the activity of a core", run_activity},
    {"lab", "open the laboratory in the browser: see a PMU count cycle by cycle", run_lab},
    {"completion", "print a shell completion script", run_completion},
};

void print_help() {
  std::cout << "pmusim: models of performance monitoring units, driven by instruction traces\n"
               "\n"
               "usage: pmusim COMMAND [options]      pmusim help COMMAND describes a command\n"
               "\n";
  for (const Command& command : all_commands) std::cout << fmt::format("  {:<11} {}\n", command.name, command.summary);
  std::cout << "\n"
               "perf's names work as well: stat is run, list is events.\n"
               "\n"
               "exit code: 0 success; 1 a comparison failed or an event was not exercised;\n"
               "2 wrong usage or input\n"
               "\n"
               "examples:\n"
            << examples::all
            << "\n"
               "The traces come with pmusim (pmusim traces); their names work in any folder.\n";
}

/// An option of perf is answered with the nearest one.
int run(const Command& command, const std::vector<std::string>& arguments) {
  try {
    return command.run(arguments);
  } catch (const UnknownOption& error) {
    if (const std::string nearest = nearest_option(error.option()); !nearest.empty()) throw UsageError(nearest);
    throw;
  }
}

}  // namespace

int dispatch(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    print_help();
    return exit_good;
  }
  if (arguments[0] == "help" && arguments.size() > 1) {  // pmusim help run, pmusim help trace capture
    std::vector<std::string> asked(arguments.begin() + 1, arguments.end());
    asked.emplace_back("--help");
    return dispatch(asked);
  }
  if (arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    print_help();
    return exit_good;
  }
  if (arguments[0] == "--version") {
    std::cout << "pmusim " << version << '\n';
    return exit_good;
  }
  const std::string_view name = command_named(arguments[0]);
  for (const Command& command : all_commands) {
    if (command.name == name) return run(command, {arguments.begin() + 1, arguments.end()});
  }
  throw UsageError(fmt::format("unknown command '{}'{}", arguments[0],
                               did_you_mean(arguments[0], all_commands, &Command::name, "see pmusim --help")));
}

std::span<const Command> commands() { return all_commands; }

}  // namespace pmusim::testbench
