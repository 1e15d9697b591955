// pmusim trace: passes info, dump, import and export on, and records programs.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "capture.h"
#include "testbench/cli/arguments.h"
#include "testbench/cli/command.h"
#include "testbench/cli/trace_command.h"

namespace pmusim::testbench {
namespace {

constexpr HelpText capture_help{
    "pmusim trace capture --isa ISA PROGRAM [ARGUMENT ...] -o FILE.pmt",
    "Runs a statically linked program and writes every instruction that it executes, with its memory accesses and\n"
    "branch targets: under QEMU's user-mode emulation, or for ia64 in the simulator of this project. The environment "
    "is\n"
    "empty, so that a second recording gives the same bytes. Needs qemu-user, for ia64 nothing; IA-64 assembly\n"
    "(PROGRAM.s, more .s files after it) is assembled first, which needs binutils-ia64-linux-gnu. PROGRAM runs with "
    "your\n"
    "rights, for QEMU is no sandbox; nothing else is run but QEMU, assembler and linker, and no shell is asked.",
    "  pmusim trace capture --isa i386 ./a.out -o a.pmt\n  pmusim trace capture --isa ppc ./sort 3000 -o sort.pmt\n"
    "  pmusim trace capture --isa ia64 isa-traces/programs/ia64/sieve-O2.s -o sieve.pmt"};

constexpr const char* usage =
    "usage: pmusim trace info|dump FILE\n"
    "       pmusim trace import --isa ISA TEXT -o FILE.pmt\n"
    "       pmusim trace export FILE.pmt -o TEXT\n"
    "       pmusim trace capture --isa ISA PROGRAM [ARGUMENT ...] -o FILE.pmt\n\n"
    "Looks into traces, converts them between the binary format and the text interchange, records programs. FILE may "
    "be\n"
    ".pmt, text, or text packed with zstd. --salvage reads the undamaged part of a damaged file.\n\n"
    "  info     instruction set, counts, size            [--isa ISA] [--salvage] [--format text|json|csv]\n"
    "  dump     lines of the text interchange            [--isa ISA] [--salvage] [--range BEGIN:END] [--format "
    "text|json]\n"
    "  import   text to binary                           [--isa ISA] [--program NAME] [--level 1..22] [--salvage]\n"
    "  export   binary to text (.zst: packed)            [--salvage]\n"
    "  capture  run a program for real                   see pmusim trace capture --help\n\n"
    "examples:\n"
    "  pmusim trace info isa-traces/recorded/ppc-lz77.pmt\n"
    "  pmusim trace dump isa-traces/recorded/i386-units.pmt --range 0:20\n"
    "  pmusim trace import --isa ppc loop.txt -o loop.pmt\n";

int run_capture(const std::vector<std::string>& list) {
  namespace po = boost::program_options;
  Arguments::Description options("options");
  options.add_options()("isa", po::value<std::string>(), "ppc, i386, alpha or ia64")(
      "output,o", po::value<std::string>(), "the trace to write")(
      "limit", po::value<std::uint64_t>()->default_value(1'000'000'000),
      "N: cut a program off after N instructions (ia64: slots)");
  const Arguments arguments(list, options, capture_help, false);
  if (arguments.help_shown()) return exit_good;
  const std::string name = arguments.required("isa", "name the program's instruction set, as in --isa ppc");
  const std::optional<trace::Isa> isa = trace::isa_by_name(name);
  if (!isa) throw UsageError(fmt::format("--isa cannot be '{}'; legal: ppc, i386, alpha, ia64", name));
  const std::string output = arguments.required("output", "name the trace to write, as in -o program.pmt");
  if (arguments.positional().empty()) throw UsageError("no PROGRAM given; name a statically linked executable");
  const std::vector<std::string> program(arguments.positional());
  const trace::CaptureResult result = trace::capture(*isa, program[0], {program.begin() + 1, program.end()}, output,
                                                     arguments.get<std::uint64_t>("limit"));
  const bool bundles = *isa == trace::Isa::ia64;
  std::cout << fmt::format("{}: {} {}, exit status {}\n", output, grouped(result.instructions),
                           bundles ? "bundles" : "instructions", result.exit_status);
  return exit_good;
}

bool asks_for_help(const std::vector<std::string>& list) {
  return std::any_of(list.begin(), list.end(),
                     [](const std::string& word) { return word == "--help" || word == "-h"; });
}

}  // namespace

int run_trace(const std::vector<std::string>& list) {
  if (list.empty()) throw UsageError("trace: a command is missing; legal: info, dump, import, export, capture");
  if (list[0] == "--help" || list[0] == "-h" || (is_trace_command(list[0]) && asks_for_help(list))) {
    std::cout << usage;
    return exit_good;
  }
  if (list[0] == "capture") return run_capture({list.begin() + 1, list.end()});
  if (!is_trace_command(list[0])) {
    throw UsageError(fmt::format("trace: unknown command '{}'; legal: info, dump, import, export, capture", list[0]));
  }
  std::ostringstream complaints;
  const int code = trace_command(list, std::cout, complaints);
  // "pmusim trace info: ..." reads "pmusim: trace info: ..." like the errors of every other command.
  std::istringstream lines(complaints.str());
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("pmusim trace")) line.insert(std::string_view("pmusim").size(), ":");
    std::cerr << line << '\n';
  }
  return code;
}

}  // namespace pmusim::testbench
