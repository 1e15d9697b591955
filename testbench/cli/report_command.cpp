// pmusim report: the locations of events, exact and estimated from samples.
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "pmusim/trace/output_file.h"
#include "testbench/cli/command.h"
#include "testbench/cli/examples.h"
#include "testbench/cli/listing.h"
#include "testbench/cli/profiled_program.h"
#include "testbench/profile/exports.h"

namespace pmusim::testbench {
namespace {

constexpr HelpText report_help{
    "pmusim report -t TARGET --trace FILE [-e EVENT ...] [--period N] [--by function|line|instruction] [--elf FILE]",
    "Shows where the events of a program occur. `exact` is the count of a PMU; each occurrence is attributed to the\n"
    "instruction that caused it, or, in a cycle without one (a stall), to the instruction that retires next. The rows\n"
    "therefore add up to the counter. `sum` is the cumulative share of the rows down to this one. With --period the\n"
    "same event is also sampled in the same run: `sampled` is the share of the samples, `differs` the difference in\n"
    "percentage points, caused by skid, shadow and aliasing.\n"
    "`time`, `cycles` and CPI attribute each cycle of the run to the instruction that retires in it or next. If the\n"
    "target has stall events, columns of stall cycles follow, attributed in the same way.\n"
    "Names come from --elf, --symbols or the trace itself (written by pmusim trace capture); lines need a program\n"
    "that was built with -g. Each event has its own PMU, so one run can count any number of events.\n"
    "--export writes the profile for other tools: callgrind, pprof, speedscope, folded, perf-script. callgrind\n"
    "contains the exact counts; the others need --period and contain the samples with their stacks.\n"
    "--tui shows the table in the terminal: the arrows and Page keys move, Enter opens the instructions of a function "
    "at\n"
    "the hottest one, q or Esc goes back, / searches and n repeats it.",
    examples::report};

Grouping grouping_of(const Arguments& arguments, const ProfiledProgram& program) {
  const std::string by = arguments.maybe<std::string>("by").value_or(program.named() ? "function" : "instruction");
  if (by == "function") return Grouping::function;
  if (by == "instruction") return Grouping::instruction;
  if (!program.has_lines())
    throw UsageError("--by line needs lines of source: --elf FILE of a program that was built with -g");
  return Grouping::line;
}

void print(const ProfiledProgram& program, Grouping grouping, Format format) {
  ReportTable report = report_table(program, grouping, format);
  const std::size_t listed = report.rows.size(), left_out = report.rows_in_all - listed;
  if (format == Format::json) {
    Json object = head_json(program);
    object["by"] = grouping == Grouping::function ? "function" : grouping == Grouping::line ? "line" : "instruction";
    object["rows"] = std::move(report.rows);
    object["rows_in_all"] = report.rows_in_all;
    std::cout << line_of(object) << '\n';
    return;
  }
  if (format == Format::text) {
    for (const std::string& line : head_lines(program)) print_wrapped(std::cout, line);
    std::cout << '\n';
  }
  report.table.print(std::cout, format);
  if (format == Format::text && left_out != 0)
    std::cout << fmt::format(
        "... and {} more; {}\n", grouped(left_out),
        listed == program.top ? "--top shows more rows" : fmt::format("each below {} %", program.percent_limit));
}

const ExportFormat& export_format(const std::string& name) {
  std::string names;
  for (const ExportFormat& format : export_formats()) {
    if (format.name == name) return format;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", format.name);
  }
  throw UsageError("--export '{}': legal: {}", name, names);
}

void write_file(const std::string& file, const ExportFormat& format, const ExportSubject& subject) {
  std::ostringstream text;
  format.write(subject, text);
  trace::OutputFile out(file);
  out.write(text.str());
  out.close();
}

void run_export(const Arguments& arguments, const ExportFormat& format, const ProfiledProgram& program) {
  const ExportSubject subject{program.profile, std::string(program.setup.target->name), program.setup.traces};
  const auto file = arguments.maybe<std::string>("output");
  if (file) {
    write_file(*file, format, subject);
  } else {
    format.write(subject, std::cout);
  }
}

Options report_options() {
  return profile_options() +
         Options{{"by", po::text(), "group by function, line or instruction (default: function, if there are names)"},
                 {"export", po::text(), "write callgrind, pprof, speedscope, folded or perf-script instead of a table"},
                 {"output,o", po::text(), "FILE: output file of --export (default: standard output)"}} +
         tui_option();
}

int run_report(const Arguments& arguments) {
  const auto wanted = arguments.maybe<std::string>("export");
  const ExportFormat* const format = wanted ? &export_format(*wanted) : nullptr;
  if (arguments.has("output") && format == nullptr) throw UsageError("--output goes with --export");
  if (format != nullptr && format->needs_samples && !arguments.has("period"))
    throw UsageError("--export {} needs samples; give --period", format->name);
  if (format != nullptr && format->name != "callgrind" && event_list(arguments).empty())
    throw UsageError("--export {} needs an event; name one with -e", format->name);
  const auto by = arguments.maybe<std::string>("by");
  if (by && *by != "function" && *by != "line" && *by != "instruction")
    throw UsageError("--by '{}': function, line or instruction", *by);
  if (format != nullptr && arguments.get<bool>("tui"))
    throw UsageError("--tui goes with tables, and not with --export");
  if (by && format != nullptr) throw UsageError("--by goes with tables; --export is always by instruction");
  const bool tui = wants_tui(arguments);
  ProfiledProgram program = profiled_program(arguments, format == nullptr);
  if (format != nullptr) {
    run_export(arguments, *format, program);
    return exit_good;
  }
  const Grouping grouping = grouping_of(arguments, program);
  if (tui) {
    show_report(std::move(program), arguments, grouping);
    return exit_good;
  }
  if (grouping == Grouping::instruction) add_instructions(program);
  print(program, grouping, arguments.format());
  return exit_good;
}

}  // namespace

const CommandBody report_body{report_help, report_options, run_report, 0};

}  // namespace pmusim::testbench
