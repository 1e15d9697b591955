// pmusim trace cut and merge.
#include <fmt/format.h>

#include <filesystem>

#include "isa-traces/edit/pieces.h"
#include "pmusim/trace/numbering.h"
#include "testbench/cli/command.h"
#include "testbench/cli/trace_command.h"
#include "testbench/store/data_folder.h"

namespace pmusim::testbench {
namespace {

namespace edit = trace::edit;

constexpr HelpText cut_help{
    "pmusim trace cut FILE --range BEGIN:END -o OUTPUT [options]",
    "Writes the instructions (ia64: bundles) from BEGIN (0: the first) up to, but not including, END; either may be\n"
    "omitted. They are numbered as by run --roi. The output begins with the state that earlier directives have "
    "established: privilege, modes, maps and active\n"
    "handlers; on IA-64 also the frame of the register stack. A trace contains no state of caches and predictors.",
    "  pmusim trace cut ppc-lz77 --range 1000:5000 -o middle.pmt\n"
    "  pmusim trace cut loop.pmt --range :100 -o head.txt"};

constexpr HelpText merge_help{
    "pmusim trace merge FILE FILE ... -o OUTPUT [--turns N] [options]",
    "Combines several traces of one instruction set: one after the other, or with --turns N in turns of N\n"
    "instructions, like a system's scheduler (a handler is not interrupted). Each change to another trace is marked\n"
    "with '! switch' and '! process N', N from 1, or with --as threads '! thread N', N from 0 (ia64). Each trace\n"
    "resumes with its own privilege and modes; if one trace specifies such a state, all must specify it.",
    "  pmusim trace merge ppc-lz77 ppc-strhash -o both.pmt\n"
    "  pmusim trace merge a.pmt b.pmt --turns 10000 -o turns.pmt"};

}  // namespace

int trace_cut(const std::vector<std::string>& list) {
  Arguments::Description options("options");
  options.add_options()("range", po::value<std::string>(), trace_range_help);
  add_writing(options);
  add_reading(options);
  const Arguments arguments(list, options, cut_help, false);
  if (arguments.help_shown()) return exit_good;
  const TraceRange range = range_of(arguments.required("range", "give the instructions, as in --range 1000:2000"));
  const std::string file = only_file(arguments, "the trace file", cut_help);
  edit::Source source(trace::open(file, reading_of(arguments)), file);
  const auto writer = create_trace(arguments, source.info());
  const std::uint64_t instructions = edit::cut(source, range.begin, range.end, *writer);
  if (instructions == 0)
    throw UsageError(
        fmt::format("{}: has no {} in {}", file, trace::unit_of(source.isa()), arguments.get<std::string>("range")));
  writer->close();
  report_written(arguments, source.isa(), instructions);
  return exit_good;
}

int trace_merge(const std::vector<std::string>& list) {
  Arguments::Description options("options");
  options.add_options()(
      "turns", po::value<std::uint64_t>(),
      "N: take turns of N instructions (i386: a rep with all its iterations is one; ia64: bundles; default: each trace "
      "runs to its end)")("as", po::value<std::string>()->default_value("processes"),
                          "mark the traces as processes, or as threads (ia64)");
  add_writing(options);
  add_reading(options);
  const Arguments arguments(list, options, merge_help, false);
  if (arguments.help_shown()) return exit_good;
  const std::vector<std::string>& files = arguments.positional();
  if (files.size() < 2)
    throw UsageError("two traces or more are needed; usage: pmusim trace merge FILE FILE ... -o OUTPUT");
  edit::MergeOptions how;
  const auto as = arguments.get<std::string>("as");
  if (as != "processes" && as != "threads") throw UsageError(fmt::format("--as {}: expected processes or threads", as));
  if (as == "threads") how.as = edit::MergeAs::threads;
  how.quantum = arguments.maybe<std::uint64_t>("turns").value_or(0);
  if (arguments.has("turns") && how.quantum == 0) throw UsageError("--turns 0: expected a number from 1");
  std::vector<std::unique_ptr<edit::Source>> sources;
  std::string programs;
  for (const std::string& name : files) {
    const std::string file = shipped(name);
    sources.push_back(std::make_unique<edit::Source>(trace::open(file, reading_of(arguments)), file));
    const std::string& program = sources.back()->info().program;
    programs +=
        (programs.empty() ? "" : "+") + (program.empty() ? std::filesystem::path(file).stem().string() : program);
  }
  trace::TraceInfo like = sources.front()->info();
  like.isa_line = true;
  like.program = programs;
  const auto writer = create_trace(arguments, like);
  const std::uint64_t instructions = edit::merge(sources, how, *writer);
  writer->close();
  report_written(arguments, like.isa, instructions);
  return exit_good;
}

}  // namespace pmusim::testbench
