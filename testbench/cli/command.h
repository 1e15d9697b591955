// The pmusim command: one file per subcommand.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/support/arguments.h"

namespace pmusim::testbench {

class EncoderUnderTest;

inline constexpr std::size_t any_number = ~std::size_t{0};

/// The help and the options of a command, and what it does with them.
struct CommandBody {
  HelpText help;
  Options (*options)();
  int (*run)(const Arguments& arguments);      ///< returns the exit code
  std::size_t most = any_number;               ///< number of positional arguments
  std::string_view formats = "text|json|csv";  ///< of --format; empty: no --format
};
[[nodiscard]] inline Options no_options() { return {}; }

/// A subcommand, or a part of one: `pmusim trace cut`. It has either a body or parts.
struct Command {
  std::string_view name;
  std::string_view summary;  ///< one line for the help of what it is a part of
  const CommandBody* body = nullptr;
  std::span<const Command> (*parts)() = nullptr;
  void (*print_help)() = nullptr;  ///< that of a command with parts
  bool names_errors = false;       ///< errors of a part begin with its name
};
extern const CommandBody targets_body, events_body, encode_body, decode_body, run_body, explain_body, record_body,
    report_body, annotate_body, validate_body, diff_body, traces_body, lab_body, completion_body;
[[nodiscard]] std::span<const Command> trace_parts();
[[nodiscard]] std::span<const Command> activity_parts();
void print_trace_help();
void print_activity_help();

/// Judges this encoder, an object in the process. It is called in the calling thread, before any other work is started.
int run_validate(const std::vector<std::string>& arguments, EncoderUnderTest& encoder);

/// Prints the completions of the last of `words`, which are the words after `pmusim`: commands, options, targets,
/// events with their unit masks and attributes, parameters with their choices; nothing where a file name is expected.
int print_completions(const std::vector<std::string>& words);

[[nodiscard]] std::span<const Command> commands();
/// Runs `COMMAND [options]` and returns the exit code. Throws errors whose text is one line for the user.
int dispatch(const std::vector<std::string>& arguments);
/// As the program does: sets up the process, and prints an error as one line. Returns the exit code.
int run_program(const std::vector<std::string>& arguments);

}  // namespace pmusim::testbench
