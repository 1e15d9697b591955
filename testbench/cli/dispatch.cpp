// The table of subcommands, and the dispatch of a command line to one of them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "models/common/parameters.h"
#include "testbench/cli/command.h"
#include "testbench/cli/examples.h"
#include "testbench/cli/perf_names.h"
#include "testbench/support/error.h"
#include "testbench/support/output.h"
#include "testbench/support/version.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {
namespace {

constexpr Command all_commands[] = {
    {"targets", "list the modelled targets and their parameters", &targets_body},
    {"events", "list events with names, codes, unit masks and constraints", &events_body},
    {"encode", "translate event names to register values", &encode_body},
    {"decode", "decode register values field by field", &decode_body},
    {"run", "count events over a trace, like perf stat", &run_body},
    {"explain", "show each step from the core's signals to a count", &explain_body},
    {"record", "sample at counter overflow, like perf record and perf script", &record_body},
    {"report", "profile by function, line or instruction; export profiles", &report_body},
    {"annotate", "list the instructions of functions with source and counts", &annotate_body},
    {"validate", "check that the registers count what the event names specify", &validate_body},
    {"diff", "compare two validations, snapshots or runs", &diff_body},
    {"traces", "list the recorded traces that come with pmusim", &traces_body},
    {"trace",
     "inspect, convert, cut, merge and import traces; record programs",
     {},
     trace_parts,
     print_trace_help,
     true},
    {"activity", "record, inspect and check the activity of a core", {}, activity_parts, print_activity_help},
    {"lab", "open the laboratory in the browser: see a PMU count cycle by cycle", &lab_body},
    {"completion", "print a shell completion script", &completion_body},
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

/// `name`: as the user writes it, `trace cut`.
int run(const CommandBody& body, const std::vector<std::string>& list, std::string_view name) {
  const Arguments arguments(list, body.options(), body.help, body.formats);
  if (arguments.help_shown()) return exit_good;
  arguments.limit_positional(body.most, name);
  return body.run(arguments);
}

/// Runs the part of a command that the first word names.
int run_part(const Command& command, const std::vector<std::string>& list) {
  std::vector<std::string_view> names;
  for (const Command& part : command.parts()) names.push_back(part.name);
  const std::string legal = fmt::format("{}", fmt::join(names, ", "));
  if (list.empty()) throw UsageError("{}: a command is missing; legal: {}", command.name, legal);
  if (list[0] == "--help" || list[0] == "-h") {
    command.print_help();
    return exit_good;
  }
  for (const Command& part : command.parts()) {
    if (part.name != list[0]) continue;
    const std::string name = fmt::format("{} {}", command.name, part.name);
    try {
      return run(*part.body, {list.begin() + 1, list.end()}, name);
    } catch (const std::exception& error) {
      if (!command.names_errors) throw;
      throw UsageError("{}: {}", name, error.what());
    }
  }
  const std::string near = models::nearest(list[0], names);
  throw UsageError("{}: unknown command '{}'; {}egal: {}", command.name, list[0],
                   near.empty() ? "l" : fmt::format("did you mean '{}'? L", near), legal);
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
  // Words after `--` belong to another command line; they are not options of this one.
  if (arguments.size() >= 3 && arguments[0] == "completion" && arguments[1] == "--words" && arguments[2] == "--")
    return print_completions({arguments.begin() + 3, arguments.end()});
  const std::string_view name = command_named(arguments[0]);
  for (const Command& command : all_commands) {
    if (command.name != name) continue;
    const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
    try {
      return command.body != nullptr ? run(*command.body, rest, name) : run_part(command, rest);
    } catch (const UnknownOption& error) {  // an option of perf is answered with the nearest one
      if (const std::string nearest = nearest_option(error.option()); !nearest.empty()) throw UsageError(nearest);
      throw;
    }
  }
  throw UsageError("unknown command '{}'{}", arguments[0],
                   did_you_mean(arguments[0], all_commands, &Command::name, "see pmusim --help"));
}

int run_program(const std::vector<std::string>& arguments) {
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);  // otherwise SystemC prints a banner into every output
  std::signal(SIGXFSZ, SIG_IGN);                 // exceeding the file size limit becomes a write error
  try {
    const int code = dispatch(arguments);
    std::cout.flush();
    if (!std::cout) throw std::runtime_error("cannot write to standard output");
    return code;
  } catch (const std::exception& error) {
    const bool colour = shows_colour(STDERR_FILENO);
    std::cerr << (colour ? tinted("pmusim:", Tint::bad) : "pmusim:") << ' ' << printable(message_of(error)) << '\n';
    return exit_usage;
  }
}

std::span<const Command> commands() { return all_commands; }

}  // namespace pmusim::testbench
