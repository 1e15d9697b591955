// pmusim traces: the recorded traces that come with pmusim, or those of a collection.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "models/targets.h"
#include "pmusim/trace/collection.h"
#include "pmusim/trace/numbering.h"
#include "pmusim/trace/reader.h"
#include "testbench/cli/command.h"
#include "testbench/store/shipped.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {
namespace {

constexpr HelpText traces_help{
    "pmusim traces [-t TARGET] [COLLECTION.pmt]",
    "Lists the recorded traces that come with pmusim: name, instruction set, the targets that run it, and the number\n"
    "of lines (i386: an iteration of a rep is a line; ia64: bundles). --trace and the commands of pmusim trace take "
    "the\n"
    "name alone. The programs are described in isa-traces/programs. With a collection, a file of several traces, "
    "lists\n"
    "these; --trace takes COLLECTION.pmt/NAME.",
    "  pmusim traces -t athlon\n"
    "  pmusim run -t athlon --trace i386-lz77 -e cycles,instructions,branch-misses"};

std::vector<std::string_view> targets_with(trace::Isa isa) {
  std::vector<std::string_view> names;
  for (const models::Target& target : models::targets()) {
    if (target.isa == isa) names.push_back(target.name);
  }
  return names;
}

}  // namespace

int run_traces(const std::vector<std::string>& list) {
  Arguments::Description options("options");
  options.add_options()("target,t", po::value<std::string>()->default_value("all"), "those that this target runs");
  const Arguments arguments(list, options, traces_help);
  if (arguments.help_shown()) return exit_good;
  if (arguments.positional().size() > 1)
    throw UsageError(fmt::format("unexpected '{}'; see pmusim traces --help", arguments.positional()[1]));
  const auto named = arguments.get<std::string>("target");
  if (named != "all") check_target(named);
  Table table(
      {{"name", "trace"}, {"isa", "isa"}, {"lines", "lines", true}, {"targets", "targets", false, Table::Fit::below}});
  const bool shipped = arguments.positional().empty();
  for (const std::filesystem::path& file : shipped ? shipped_traces() : trace::members(arguments.positional()[0])) {
    const auto reader = trace::open(file);
    const trace::TraceInfo& info = reader->info();
    if (named != "all" && models::find_target(named)->isa != info.isa) continue;
    table.row({file.stem().string(), std::string(trace::name_of(info.isa)), info.instructions,
               fmt::format("{}", fmt::join(targets_with(info.isa), " "))});
  }
  table.print(std::cout, arguments.format());
  return exit_good;
}

}  // namespace pmusim::testbench
