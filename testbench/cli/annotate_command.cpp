// pmusim annotate: lists the instructions of functions with their events, and with source lines where available.
#include <iostream>
#include <nlohmann/json.hpp>

#include "testbench/cli/command.h"
#include "testbench/cli/examples.h"
#include "testbench/cli/listing.h"

namespace pmusim::testbench {
namespace {

constexpr HelpText annotate_help{
    "pmusim annotate -t TARGET --trace FILE [-e EVENT ...] [--period N] [--elf FILE] [FUNCTION ...]",
    "Lists the instructions of functions with the values of pmusim report: exact counts, samples and cycles.\n"
    "Without FUNCTION, lists the --top functions (3) with the highest counts of the first event, in text each around\n"
    "its hottest instruction. Only instructions that the trace executes are listed; `...` stands for those in "
    "between.\n"
    "Where lines are known (--elf of a program built with -g, or a trace of one), each source line precedes its\n"
    "instructions if the source file is found; --source names its folder. Of a source file 16 MiB are read, of a line\n"
    "500 bytes shown.\n"
    "--tui shows one listing in the terminal, with the keys of report --tui; q or Esc goes back to all functions.",
    examples::annotate};

void print_text(const ListingText& text) {
  std::cout << '\n';
  print_wrapped(std::cout, text.title);
  text.table.print(std::cout, Format::text);
}

Options annotate_options() {
  return profile_options() +
         Options{{"source", po::text(""), "folder of the source files (default: their paths at compile time)"}} +
         tui_option();
}

int run_annotate(const Arguments& arguments) {
  if (arguments.format() == Format::csv)
    throw UsageError("--format csv: a listing is no table; use text, json, or report --by instruction");
  const bool tui = wants_tui(arguments);
  ProfiledProgram program = profiled_program(arguments, true);
  if (!program.named())
    throw UsageError("no names of functions: give --elf FILE or --symbols FILE, or use report --by instruction");
  if (tui) {
    show_listing(std::move(program), arguments);
    return exit_good;
  }
  constexpr std::size_t few_functions = 3;
  if (!arguments.has("top")) program.top = few_functions;
  add_instructions(program);
  Sources sources(arguments.get<std::string>("source"));
  Json object = head_json(program);
  object["functions"] = Json::array();
  const bool json = arguments.format() == Format::json;
  if (!json) {
    for (const std::string& line : head_lines(program)) print_wrapped(std::cout, line);
  }
  for (const FunctionListing& listing : listings(program, arguments.positional())) {
    Json function = listing_json(program, listing, sources);
    if (!shown(program, function)) continue;
    if (!json) print_text(listing_text(program, listing, function, !arguments.positional().empty()));
    object["functions"].push_back(std::move(function));
  }
  if (json) std::cout << line_of(object) << '\n';
  return exit_good;
}

}  // namespace

const CommandBody annotate_body{annotate_help, annotate_options, run_annotate};

}  // namespace pmusim::testbench
