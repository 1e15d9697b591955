// pmusim trace import, export, convert, cut and merge: write a trace from others.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "elf_names.h"
#include "isa-traces/edit/pieces.h"
#include "isa-traces/import/import.h"
#include "pmusim/trace/numbering.h"
#include "testbench/cli/command.h"
#include "testbench/cli/trace_command.h"
#include "testbench/store/data_folder.h"

namespace pmusim::testbench {

namespace {

using trace::import::Tool;

constexpr HelpText import_help{
    "pmusim trace import TEXT -o FILE.pmt [--from TOOL] [options]",
    "Converts a text to a binary trace: text interchange, or with --from the output of another tool\n"
    "(docs/traces.md):\n"
    "\n"
    "  execlog  qemu-i386 -plugin libexeclog.so -d plugin ...    i386, ppc, alpha\n"
    "  gem5     gem5 --debug-flags=Exec --debug-file=FILE        alpha, ppc, i386\n"
    "  lackey   valgrind --tool=lackey --trace-mem=yes ...       i386, ppc\n"
    "  perf     perf script --insn-trace                         i386\n"
    "\n"
    "Information that a tool does not write comes from the program (--elf), as do the names of its functions and "
    "lines;\n"
    "size and kind of an access come from the instruction. An incomplete last line is ignored. TEXT may be compressed\n"
    "with zstd; with --from, - is standard input.",
    "  pmusim trace import --isa ppc loop.txt -o loop.pmt\n"
    "  pmusim trace import --from lackey --elf a.out a.lackey -o a.pmt\n"
    "  pmusim trace import --from execlog --isa ppc a.execlog -o a.pmt\n"
    "  pmusim trace import --from lackey --elf libc.so.6@4a00000 a.lackey -o a.pmt"};

constexpr HelpText export_help{"pmusim trace export FILE.pmt -o TEXT [options]",
                               "Writes a trace as text interchange (docs/traces.md): the same lines as were imported.",
                               "  pmusim trace export loop.pmt -o loop.txt\n"
                               "  pmusim trace export loop.pmt -o loop.txt.zst"};

constexpr HelpText convert_help{
    "pmusim trace convert FILE -o OUTPUT [options]",
    "Writes a trace in the format given by the output's extension: .pmt is binary, anything else is text (.zst:\n"
    "compressed). Also rewrites a .pmt with another compression level, chunk size or program name.",
    "  pmusim trace convert loop.txt -o loop.pmt\n"
    "  pmusim trace convert foreign.pmt -o small.pmt --level 19\n"
    "  pmusim trace convert loop.pmt -o loop.txt.zst"};

/// `sieve` of `path/sieve.txt`.
std::string program_of(const std::string& file) {
  const std::string name = std::filesystem::path(file).filename().string();
  return name.substr(0, name.find('.', 1));
}

trace::PmtOptions packing(const Arguments& arguments) {
  trace::PmtOptions options;
  if (const auto level = arguments.maybe<unsigned>("level")) options.level = static_cast<int>(std::min(*level, 1000U));
  return options;
}

const Tool& tool_of(const std::string& name) {
  if (const Tool* const tool = trace::import::find_tool(name)) return *tool;
  std::string list;
  for (const Tool& tool : trace::import::tools()) list += fmt::format("{}{}", list.empty() ? "" : ", ", tool.name);
  throw UsageError("--from {}: unknown tool; expected {}", name, list);
}

std::string gap_of(const std::string& name) {
  if (name == "error") return "";
  if (name != "switch" && name != "interrupt") throw UsageError("--gap {}: expected switch, interrupt or error", name);
  return name;
}

trace::ProgramNames names_of(const std::vector<trace::import::Image>& images, trace::Isa isa) {
  std::vector<trace::ProgramNames> files;
  for (const trace::import::Image& image : images) {
    files.push_back(trace::elf_names(image.file, isa, image.base));
    files.back().files.at(0).name = image.file.filename().string();
  }
  return trace::joined(std::move(files));
}

int import_from(const Tool& tool, const Arguments& arguments, const std::string& file, const std::string& output) {
  trace::import::Options options;
  options.isa = isa_of(arguments);
  options.thread = arguments.maybe<std::string>("thread").value_or("");
  if (arguments.has("gap")) options.gap = gap_of(arguments.get<std::string>("gap"));
  for (const std::string& image : arguments.list("elf")) options.images.push_back(trace::import::image_of(image));
  const std::string from_elf =
      options.images.empty() ? program_of(file) : options.images.front().file.filename().string();
  const trace::Isa isa = trace::import::isa_of(tool, options);
  const auto writer =
      trace::create_pmt(output, isa, arguments.maybe<std::string>("program").value_or(from_elf), packing(arguments));
  trace::write_names(names_of(options.images, isa), *writer);
  const trace::import::Result result = trace::import::import_trace(tool, file, options, *writer);
  writer->close();
  std::cout << fmt::format("{}: {} {}\n", output, result.instructions, trace::unit_of(isa));
  const auto note = [](std::uint64_t count, const std::string& what) {
    if (count > 0) std::cerr << fmt::format("pmusim: trace import: {} {}\n", grouped(count), what);
  };
  note(result.gaps, fmt::format("jumps without a branch; '! {}' was inserted", options.gap));
  note(result.without_access, "loads and stores without an address in the tool's output");
  note(result.other_threads, "executed lines of other threads were skipped");
  return exit_good;
}

Options trace_import_options() {
  return Options{{"from", po::text(), "tool that wrote the text: execlog, gem5, lackey, perf"},
                 {"elf", po::texts(),
                  "FILE[@BASE]: an executed program or library, and the hexadecimal load address if it is "
                  "position-independent; "
                  "repeat for more (with --from)"},
                 {"thread", po::text(), "thread to import, if the tool distinguishes several (with --from)"},
                 {"gap", po::text(),
                  "switch (default), interrupt or error: treatment of a jump without a branch, as at a signal (with "
                  "--from)"}} +
         writing("binary trace to write") + reading();
}

int trace_import(const Arguments& arguments) {
  const std::string file = only_file(arguments, "the text");
  const std::string output = arguments.required("output", "name the trace to write, as in -o loop.pmt");
  if (const auto from = arguments.maybe<std::string>("from")) {
    if (arguments.get<bool>("salvage"))
      throw UsageError("--salvage has no effect with --from: a tool's trace is always read up to its truncation");
    return import_from(tool_of(*from), arguments, file, output);
  }
  arguments.refuse({"elf", "thread", "gap"}, "goes with --from, which names the tool that wrote the text");
  const auto reader = trace::open(file, reading_of(arguments));
  if (reader->info().version != 0)
    throw UsageError("{}: is a binary trace already; import takes a text, convert takes both", file);
  trace::PmtOptions writing = packing(arguments);
  writing.isa_line = reader->info().isa_line;
  const auto writer = trace::create_pmt(output, reader->info().isa,
                                        arguments.maybe<std::string>("program").value_or(program_of(file)), writing);
  const std::uint64_t instructions = trace::copy(*reader, *writer);
  return close_trace(arguments, *writer, reader->info().isa, instructions);
}

Options trace_export_options() {
  return Options{{"output,o", po::text(), "text to write; .zst: compressed"}} + reading();
}

int trace_export(const Arguments& arguments) {
  const std::string output = arguments.required("output", "name the text to write, as in -o loop.txt");
  const auto reader = trace::open(only_file(arguments, "the trace file"), reading_of(arguments));
  const auto writer = trace::create_text(output, reader->info().isa, reader->info().isa_line);
  const std::uint64_t instructions = trace::copy(*reader, *writer);
  return close_trace(arguments, *writer, reader->info().isa, instructions);
}

Options trace_convert_options() {
  return Options{
             {"chunk", po::number<unsigned>(), "maximum number of lines per chunk of a .pmt, 1 to 16777216 (262144)"},
             {"format-version", po::number<unsigned>(), "version of the .pmt format; only 1 exists"}} +
         writing() + reading();
}

int trace_convert(const Arguments& arguments) {
  const std::string file = only_file(arguments, "the trace file");
  if (const unsigned version = arguments.maybe<unsigned>("format-version").value_or(1); version != 1)
    throw UsageError("--format-version {}: not known; expected 1", version);
  const auto reader = trace::open(file, reading_of(arguments));
  trace::TraceInfo like = reader->info();
  if (like.version == 0) like.program = program_of(file);
  const auto writer = create_trace(arguments, like);
  const std::uint64_t instructions = trace::copy(*reader, *writer);
  return close_trace(arguments, *writer, like.isa, instructions);
}

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

Options trace_cut_options() { return Options{{"range", po::text(), trace_range_help}} + writing() + reading(); }

int trace_cut(const Arguments& arguments) {
  const TraceRange range = range_of(arguments.required("range", "give the instructions, as in --range 1000:2000"));
  const std::string file = only_file(arguments, "the trace file");
  edit::Source source(trace::open(file, reading_of(arguments)), file);
  const auto writer = create_trace(arguments, source.info());
  const std::uint64_t instructions = edit::cut(source, range.begin, range.end, *writer);
  if (instructions == 0)
    throw UsageError("{}: has no {} in {}", file, trace::unit_of(source.isa()), arguments.get<std::string>("range"));
  return close_trace(arguments, *writer, source.isa(), instructions);
}

Options trace_merge_options() {
  return Options{{"turns", po::number<std::uint64_t>(),
                  "N: take turns of N instructions (i386: a rep with all its iterations is one; ia64: bundles; "
                  "default: each trace "
                  "runs to its end)"},
                 {"as", po::text("processes"), "mark the traces as processes, or as threads (ia64)"}} +
         writing() + reading();
}

int trace_merge(const Arguments& arguments) {
  const std::vector<std::string>& files = arguments.positional();
  if (files.size() < 2)
    throw UsageError("two traces or more are needed; usage: pmusim trace merge FILE FILE ... -o OUTPUT");
  edit::MergeOptions how;
  const auto as = arguments.get<std::string>("as");
  if (as != "processes" && as != "threads") throw UsageError("--as {}: expected processes or threads", as);
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
  return close_trace(arguments, *writer, like.isa, instructions);
}

}  // namespace

const CommandBody trace_import_body{import_help, trace_import_options, trace_import, any_number, ""};
const CommandBody trace_export_body{export_help, trace_export_options, trace_export, any_number, ""};
const CommandBody trace_convert_body{convert_help, trace_convert_options, trace_convert, any_number, ""};
const CommandBody trace_cut_body{cut_help, trace_cut_options, trace_cut, any_number, ""};
const CommandBody trace_merge_body{merge_help, trace_merge_options, trace_merge, any_number, ""};

}  // namespace pmusim::testbench
