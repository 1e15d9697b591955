#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "capture.h"
#include "pmusim/trace/numbering.h"
#include "subprocess.h"
#include "testbench/cli/command.h"
#include "testbench/cli/trace_command.h"
#include "testbench/support/descriptor.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {

namespace {

/// Sends standard output to standard error while it exists.
class OutputToError {
 public:
  OutputToError() : kept_(::dup(STDOUT_FILENO)) {
    std::cout.flush();
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  ~OutputToError() { ::dup2(kept_.get(), STDOUT_FILENO); }
  OutputToError(const OutputToError&) = delete;
  OutputToError& operator=(const OutputToError&) = delete;

 private:
  Descriptor kept_;
};

}  // namespace

RecordedProgram::RecordedProgram(const models::Target& target, const std::vector<std::string>& words, Format format) {
  namespace fs = std::filesystem;
  const fs::path name = fs::path(words.at(0)).filename();
  folder_ = std::make_unique<trace::Workspace>(fs::temp_directory_path() / name);
  trace_ = folder_->file(name.string() + ".pmt").string();
  std::unique_ptr<OutputToError> redirected;
  if (format != Format::text) redirected = std::make_unique<OutputToError>();
  constexpr std::uint64_t most = 1'000'000'000;
  const trace::CaptureResult result =
      trace::capture(target.isa, words[0], {words.begin() + 1, words.end()}, trace_, most, {}, true);
  for (const std::string& note : result.notes) std::cerr << fmt::format("pmusim: {}\n", printable(note));
  if (result.exit_status != 0)
    std::cerr << fmt::format("pmusim: {} ends with exit status {}\n", printable(words[0]), result.exit_status);
}

RecordedProgram::~RecordedProgram() = default;

namespace {

constexpr HelpText capture_help{
    "pmusim trace capture --isa ISA PROGRAM [ARGUMENT ...] -o FILE.pmt",
    "Runs a program and records every executed instruction with its memory accesses and branch targets, under\n"
    "QEMU's user-mode emulation or, for ia64, in this project's simulator. The environment is empty, so that\n"
    "recordings are reproducible byte by byte. Requires qemu-user (not for ia64); a dynamically linked program also\n"
    "requires the C library from Debian's cross compilers (libc6-powerpc-cross, libc6-i386-cross,\n"
    "libc6.1-alpha-cross) or another --sysroot. IA-64 programs are statically linked; IA-64 assembly (PROGRAM.s,\n"
    "optionally followed by more .s files) is assembled first, which requires binutils-ia64-linux-gnu.\n"
    "PROGRAM runs with your rights; QEMU is no sandbox. Only QEMU, the assembler and the linker are started,\n"
    "without a shell. A PowerPC program with instructions whose operands QEMU does not report is run a second time,\n"
    "with the same standard input and without output. Words after -- are arguments of PROGRAM even if they begin\n"
    "with a dash.",
    "  pmusim trace capture --isa i386 ./a.out -o a.pmt\n  pmusim trace capture --isa ppc ./sort 3000 -o sort.pmt\n"
    "  pmusim trace capture --isa alpha -o ls.pmt -- ./ls -l\n"
    "  pmusim trace capture --isa ia64 isa-traces/programs/ia64/sieve-O2.s -o s.pmt"};

Options trace_capture_options() {
  return {{"isa", po::text(), "instruction set: ppc, i386, alpha or ia64"},
          {"output,o", po::text(), "trace to write"},
          {"sysroot", po::text(), "folder of the libraries of a dynamically linked program"},
          {"limit", po::number<std::uint64_t>(1'000'000'000),
           "N: stop the program after N lines of the trace (i386: an iteration of a rep is a line; ia64: N slots)"},
          {"no-names", po::flag(), "omit function names and source lines"}};
}

int trace_capture(const Arguments& arguments) {
  const std::string name = arguments.required("isa", "name the program's instruction set, as in --isa ppc");
  const std::optional<trace::Isa> isa = trace::isa_by_name(name);
  if (!isa) throw UsageError("--isa cannot be '{}'; legal: ppc, i386, alpha, ia64", name);
  const std::string output = arguments.required("output", "name the trace to write, as in -o program.pmt");
  const auto sysroot = arguments.maybe<std::string>("sysroot");
  if (sysroot && *isa == trace::Isa::ia64)
    throw UsageError("--sysroot has no meaning for ia64, whose programs are statically linked");
  if (arguments.positional().empty()) throw UsageError("no PROGRAM given; name an executable");
  const std::vector<std::string>& program = arguments.positional();
  const trace::CaptureResult result =
      trace::capture(*isa, program[0], {program.begin() + 1, program.end()}, output,
                     arguments.get<std::uint64_t>("limit"), sysroot.value_or(""), !arguments.get<bool>("no-names"));
  for (const std::string& note : result.notes) std::cerr << fmt::format("pmusim: trace capture: {}\n", printable(note));
  std::cout << fmt::format("{}: {} {}, exit status {}\n", output, grouped(result.instructions), trace::unit_of(*isa),
                           result.exit_status);
  return exit_good;
}

}  // namespace

const CommandBody trace_capture_body{capture_help, trace_capture_options, trace_capture, any_number, ""};

}  // namespace pmusim::testbench
