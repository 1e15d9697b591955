// pmusim explain: explains the value of a count.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "testbench/cli/code_names.h"
#include "testbench/cli/command.h"
#include "testbench/cli/examples.h"
#include "testbench/cli/explain_output.h"
#include "testbench/cli/programmed.h"
#include "testbench/cli/qualifier_options.h"

namespace pmusim::testbench {
namespace {

constexpr HelpText explain_help{
    "pmusim explain -t TARGET --trace FILE (-e EVENT ... [FILTER ...] | --write NAME=VALUE ...) [--elf FILE]",
    "Counts as `pmusim run` does and shows for each counter how its count comes about: the number of occurrences of\n"
    "the core's signals, and how many of them pass each step: event code and unit mask, filters, privilege,\n"
    "threshold and edge detector, up to the amount added to the counter. `lost` is what a step removes. The steps\n"
    "come from the PMU model itself and add up to the counter. Steps that do not apply to the target or the\n"
    "programming are omitted.\n"
    "Then come the instructions and memory addresses that caused the counts; they are exact, not sampled. A cycle\n"
    "that adds less than its occurrences, as under a threshold, is attributed to the first of them.\n"
    "Last come the counts that the counter would have had with one register field changed: fields of up to 4 bits\n"
    "are set to every other value, wider fields of up to 8 bits are changed bit by bit. --no-neighbours omits this.",
    examples::explain};

}  // namespace

int run_explain(const std::vector<std::string>& list) {
  Arguments::Description options("options");
  add_session_options(options);
  add_counted_options(options);
  options.add_options()("top", po::value<unsigned>()->default_value(10), "maximum number of rows of a table")(
      "no-neighbours", po::bool_switch(), "omit the counts with changed register fields");
  add_name_options(options);
  add_qualifier_options(options);
  const Arguments arguments(list, options, explain_help);
  if (arguments.help_shown()) return exit_good;
  if (!arguments.positional().empty())
    throw UsageError(fmt::format("unexpected '{}'; see pmusim explain --help", arguments.positional()[0]));
  if (arguments.format() == Format::csv) throw UsageError("--format csv: an explanation is no table; use text or json");
  SessionSetup setup = session_setup(arguments);
  const auto [events, writes] = counted(arguments, setup.target->name);
  const encoder::EncodeOptions encoding_options = counting_options(arguments, setup);
  if (!writes.empty() && !encoding_options.qualifiers.empty())
    throw UsageError("filters go with -e EVENT; with --write they are part of the values");
  const Programmed programmed =
      writes.empty() ? programmed_events(setup, events, encoding_options) : programmed_writes(setup, writes);
  if (programmed.counters.empty())
    throw UsageError(
        "the values enable no counter; event address registers and branch buffers count nothing, see pmusim record");
  const std::vector<Symbols> symbols = symbols_of(code_names(arguments, setup));
  (void)check_input(setup);  // bad input is reported before anything runs
  (void)bus_writes(setup, programmed.registers);
  ExplainRequest request;
  request.target = setup.target;
  request.parameters = setup.parameters;
  request.options = setup.options;
  request.threads = static_cast<unsigned>(setup.traces.size());
  request.run = [&](Session& session) { return run_session(setup, session); };
  if (setup.activity.empty()) request.open = [&] { return open_traces(setup); };
  request.registers = programmed.registers;
  for (const ProgrammedCounter& counter : programmed.counters)
    request.counters.push_back({counter.counter, counter.event, counter.index});
  // A core that executes the handler runs differently for each of the neighbours.
  request.neighbours = !arguments.get<bool>("no-neighbours") && !setup.options.perturb;
  const ExplainResult result = explain(request);
  if (!result.session.monitors[0].not_modelled.empty()) throw UsageError(result.session.monitors[0].not_modelled[0]);
  const ExplainOutput output{setup, programmed, result, symbols, arguments.get<unsigned>("top")};
  if (arguments.format() == Format::json) {
    print_json(output);
  } else {
    print_text(output);
  }
  return exit_good;
}

}  // namespace pmusim::testbench
