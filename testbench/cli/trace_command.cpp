#include "testbench/cli/trace_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "models/common/parameters.h"
#include "pmusim/trace/collection.h"
#include "pmusim/trace/numbering.h"
#include "pmusim/trace/text.h"
#include "testbench/store/data_folder.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {

void print_trace_help() {
  print_paragraphs(
      std::cout,
      "usage: pmusim trace COMMAND FILE [options]      pmusim help trace COMMAND describes a command\n"
      "\n"
      "Inspects traces, converts them between the binary format and the text interchange, imports traces of other\n"
      "tools and records programs. FILE may be .pmt, text, or text compressed with zstd. --salvage reads the "
      "undamaged\n"
      "part of a damaged file.\n"
      "\n"
      "commands:\n");
  for (const Command& part : trace_parts()) std::cout << fmt::format("  {:<8} {}\n", part.name, part.summary);
  std::cout << "\nexamples:\n"
               "  pmusim trace info ppc-lz77\n"
               "  pmusim trace dump i386-units --range 0:20\n"
               "  pmusim trace import --isa ppc loop.txt -o loop.pmt\n"
               "  pmusim trace import --from lackey --elf a.out a.lackey -o a.pmt\n"
               "  pmusim trace capture --isa i386 ./a.out -o a.pmt\n";
}

std::span<const Command> trace_parts() {
  static constexpr Command parts[] = {
      {"info", "print instruction set, counts and size", &trace_info_body},
      {"dump", "print a trace as text interchange", &trace_dump_body},
      {"stats", "print instruction mix, branches, footprint and privilege", &trace_stats_body},
      {"import", "convert text, or another tool's trace, to binary", &trace_import_body},
      {"export", "convert binary to text (.zst: compressed)", &trace_export_body},
      {"convert", "convert between text and binary, or change the compression", &trace_convert_body},
      {"cut", "extract part of a trace, with the state established before it", &trace_cut_body},
      {"merge", "combine traces, one after the other or in turns", &trace_merge_body},
      {"capture", "run a program and record its trace", &trace_capture_body},
  };
  return parts;
}

Options reading() {
  return {{"isa", po::text(), "instruction set of a text that does not specify it: alpha, ppc, i386 or ia64"},
          {"salvage", po::flag(), "read the undamaged part before the first defect"}};
}

std::optional<trace::Isa> isa_of(const Arguments& arguments) {
  const auto name = arguments.maybe<std::string>("isa");
  if (!name) return std::nullopt;
  const auto isa = trace::isa_by_name(*name);
  if (!isa) throw UsageError("--isa {}: unknown instruction set; expected alpha, ppc, i386 or ia64", *name);
  return isa;
}

trace::ReadOptions reading_of(const Arguments& arguments) {
  trace::ReadOptions reading;
  reading.isa = isa_of(arguments);
  reading.salvage = arguments.get<bool>("salvage");
  reading.on_damage = [](const std::string& what) { std::cerr << "pmusim: trace: salvaged: " << what << '\n'; };
  return reading;
}

std::string only_file(const Arguments& arguments, std::string_view what) {
  if (arguments.positional().empty()) throw UsageError("{} is missing; usage: {}", what, arguments.usage());
  if (arguments.positional().size() > 1)
    throw UsageError("unexpected '{}' after {}; usage: {}", arguments.positional()[1], what, arguments.usage());
  return shipped(arguments.positional()[0]);
}

Options writing(const char* output) {
  return {{"output,o", po::text(), output},
          {"level", po::number<unsigned>(), "zstd compression level of a .pmt, 1 to 22 (9)"},
          {"program", po::text(), "program name to store in a .pmt"}};
}

std::unique_ptr<trace::Writer> create_trace(const Arguments& arguments, const trace::TraceInfo& like) {
  const std::string output = arguments.required("output", "name the trace to write, as in -o loop.pmt");
  if (std::filesystem::path(output).extension() == ".pmt") {
    trace::PmtOptions options;
    options.isa_line = like.isa_line;
    options.level = static_cast<int>(std::min(arguments.maybe<unsigned>("level").value_or(9), 1000U));
    if (arguments.has("chunk")) options.chunk_instructions = arguments.get<unsigned>("chunk");
    return trace::create_pmt(output, like.isa, arguments.maybe<std::string>("program").value_or(like.program), options);
  }
  arguments.refuse({"level", "program", "chunk", "format-version"},
                   "has no effect on a text; name the output *.pmt, or omit the option");
  return trace::create_text(output, like.isa, like.isa_line);
}

int close_trace(const Arguments& arguments, trace::Writer& writer, trace::Isa isa, std::uint64_t instructions) {
  writer.close();
  std::cout << fmt::format("{}: {} {}\n", arguments.get<std::string>("output"), instructions, trace::unit_of(isa));
  return exit_good;
}

TraceRange range_of(const std::string& text) {
  const auto number = [&](std::string_view part, std::uint64_t missing) {
    if (part.empty()) return missing;
    const auto value = whole_number(part);
    if (!value)
      throw UsageError("--range {}: expected BEGIN:END, instructions from 0 (ia64: bundles), END not included", text);
    return *value;
  };
  const std::size_t colon = text.find(':');
  if (colon == text.npos) throw UsageError("--range {}: expected BEGIN:END, END not included", text);
  const TraceRange range{number(std::string_view(text).substr(0, colon), 0),
                         number(std::string_view(text).substr(colon + 1), ~std::uint64_t{0})};
  if (range.begin > range.end) throw UsageError("--range {}: BEGIN is after END", text);
  return range;
}

// pmusim traces: the recorded traces that come with pmusim, or those of a collection.

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

Options traces_options() { return {{"target,t", po::text("all"), "those that this target runs"}}; }

int run_traces(const Arguments& arguments) {
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

}  // namespace

const CommandBody traces_body{traces_help, traces_options, run_traces, 1};

}  // namespace pmusim::testbench
