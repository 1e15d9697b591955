// The recording of a program: starts QEMU's user-mode emulator, converts what its plugin writes.
#include "capture.h"

#include <fmt/format.h>
#include <sys/auxv.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <set>
#include <system_error>

#include "elf_names.h"
#include "ia64_capture.h"
#include "isa-traces/import/facts.h"
#include "pmusim/trace/names.h"
#include "pmusim/trace/numbering.h"
#include "pmusim/trace/reader.h"
#include "pmusim/trace/writer.h"
#include "subprocess.h"

namespace pmusim::trace {

namespace {

/// A program with its arguments.
struct Emulated {
  Isa isa = Isa::ppc;
  std::filesystem::path program;
  std::vector<std::string> arguments;
  std::string sysroot;  ///< folder of its dynamic linker and libraries; empty if it needs none
};

/// The processor to emulate. The emulator's default i386 processor has instructions that an Athlon does not have.
std::string_view processor_of(Isa isa) {
  switch (isa) {
    case Isa::ppc:
      return "750gx";
    case Isa::i386:
      return "athlon,-sse,-sse2";
    case Isa::alpha:
      return "ev67";
    case Isa::ia64:
      break;
  }
  throw CaptureError("ia64: no emulator; expected ppc, i386 or alpha");
}

constexpr std::string_view plugin_name = "libpmusim-recorder.so";

/// The file of this program; without /proc, the name under which it was started.
std::filesystem::path this_program(std::error_code& error) {
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) return program;
  return std::filesystem::canonical(reinterpret_cast<const char*>(getauxval(AT_EXECFN)), error);
}

/// The recorder plugin: the file that the environment variable PMUSIM_PLUGIN names, else the first one found in the
/// build tree or installation of the running executable. Throws CaptureError if there is none.
std::filesystem::path recorder_plugin() {
  namespace fs = std::filesystem;
  if (const char* named = std::getenv("PMUSIM_PLUGIN"); named != nullptr) {
    if (fs::is_regular_file(named)) return named;
    throw CaptureError("PMUSIM_PLUGIN={}: no such file; expected the path of {}", named, plugin_name);
  }
  std::error_code ignored;
  fs::path folder = this_program(ignored).parent_path();
  while (!folder.empty()) {
    for (const char* place : {"isa-traces/capture", "lib/pmusim", "lib/" PMUSIM_LIBRARY_ARCHITECTURE "/pmusim"}) {
      if (fs::is_regular_file(folder / place / plugin_name)) return folder / place / plugin_name;
    }
    if (folder == folder.root_path()) break;
    folder = folder.parent_path();
  }
  throw CaptureError("{}: not found beside the program; name its path in PMUSIM_PLUGIN", plugin_name);
}

/// Runs a program with an empty environment and the given switches of the emulator. Returns the exit status. Throws
/// CaptureError if the emulator is missing or the program was killed by a signal.
int run_emulator(const Emulated& emulated, const std::vector<std::string>& switches, Streams streams) {
  const std::string emulator = fmt::format("qemu-{}", name_of(emulated.isa));
  std::vector<std::string> words{emulator, "-cpu", std::string(processor_of(emulated.isa)), "-seed", "1"};
  if (!emulated.sysroot.empty()) words.insert(words.end(), {"-L", emulated.sysroot});
  words.insert(words.end(), switches.begin(), switches.end());
  words.push_back(emulated.program.string());
  words.insert(words.end(), emulated.arguments.begin(), emulated.arguments.end());
  return run_program(words, "QEMU's user-mode emulation (Debian: qemu-user)", emulated.program.string(), true, streams);
}

namespace fs = std::filesystem;

/// True if the recording is complete: the recorder has written its last line.
bool is_whole(const fs::path& text) {
  constexpr std::string_view last = "# end of recording\n";
  std::ifstream file(text, std::ios::binary);
  file.seekg(-static_cast<std::streamoff>(last.size()), std::ios::end);
  std::string end(last.size(), '\0');
  file.read(end.data(), static_cast<std::streamsize>(end.size()));
  return file && end == last;
}

/// Exit statuses of the emulator if the limit is reached, and if the recording cannot be written.
constexpr int limit_status = 124, cannot_write_status = 123;

/// Addresses of the instructions whose operands the emulator does not report.
std::set<std::uint64_t> incomplete_addresses(const fs::path& text) {
  std::set<std::uint64_t> addresses;
  const auto reader = open(text);
  for (Item item; reader->next(item);) {
    if (item.directive == nullptr && ppc::lacks_operand(ppc::classify(*item.instruction.code).kind)) {
      addresses.insert(item.instruction.code->pc);
    }
  }
  return addresses;
}

/// Copies the recording; completes and normalises PowerPC operands.
class Conversion {
 public:
  Conversion(Isa isa, const fs::path& registers) : ppc_(isa == Isa::ppc), log_(registers) {}

  std::uint64_t run(Reader& from, Writer& to) {
    Numbering numbering(from.info().isa);
    for (Item item; from.next(item);) {
      if (item.directive == nullptr) {
        numbering.take(item.instruction);
        if (ppc_) complete(item.instruction);
      }
      to.write(item);
    }
    return numbering.instructions();
  }

 private:
  void complete(Instruction& instruction) {
    const Code& code = *instruction.code;
    if (code.id >= operations_.size()) operations_.resize(code.id + 1U);
    auto& operation = operations_[code.id];
    if (operation.mnemonic.empty()) operation = ppc::classify(code);
    if (ppc::lacks_operand(operation.kind)) {
      operand_ = log_.next_operand(code, operation);
    } else if (!instruction.accesses.empty() && ppc::normal_form(operation.kind, 0)) {
      operand_ = {ppc::normal_form(operation.kind, instruction.accesses.front().address).value()};
    } else {
      return;
    }
    instruction.accesses = operand_;
  }

  bool ppc_;
  ppc::RegisterLog log_;
  std::vector<ppc::Operation> operations_;
  std::vector<Access> operand_;
};

}  // namespace

CaptureResult capture(Isa isa, const fs::path& program, const std::vector<std::string>& arguments,
                      const fs::path& output, std::uint64_t most, const fs::path& sysroot, bool names) {
  if (most == 0) throw CaptureError("{}: a limit of 0; expected at least one line", program.string());
  if (isa == Isa::ia64) return ia64::capture(program, arguments, output, most, names);
  const Emulated emulated{isa, program, arguments, check_program(isa, program, sysroot)};
  const fs::path plugin = recorder_plugin();
  const UnnamedFile recording(output), log(output), map(output);
  const fs::path text = recording.path(), registers = log.path();
  CaptureResult result;
  std::optional<RepeatedInput> input;  // PowerPC may need a second run
  if (isa == Isa::ppc) input.emplace(output);
  result.exit_status = run_emulator(emulated,
                                    {"-plugin", fmt::format("file={},out={},map={},limit={}", plugin.string(),
                                                            text.string(), map.path().string(), most)},
                                    {input ? input->first() : 0, false});
  if (!is_whole(text)) {
    if (result.exit_status == limit_status)
      throw CaptureError(
          "{}: cut off after {} lines of the trace; expected a program that ends, or a larger limit "
          "(--limit)",
          program.string(), most);
    if (result.exit_status == cannot_write_status)
      throw CaptureError(
          "{}: the recording cannot be written; expected room beside it for some 30 bytes an instruction, "
          "until it is packed",
          output.string());
    throw CaptureError(
        "{}: the recording was cut off (exit status {}); expected a program of one thread that "
        "runs to its end",
        program.string(), result.exit_status);
  }
  if (isa == Isa::ppc) {
    if (const auto addresses = incomplete_addresses(text); !addresses.empty()) {
      if (run_emulator(emulated, ppc::log_switches(addresses, registers), {input->second(), true}) !=
          result.exit_status) {
        throw CaptureError("{}: two runs gave two exit statuses; expected a program that always does the same",
                           program.string());
      }
    }
  }
  const auto reader = open(text);
  const bool binary = output.extension() == ".pmt";
  const auto writer = binary ? create_pmt(output, isa, program.filename().string()) : create_text(output, isa);
  if (names) write_names(names_of_run(program, isa, map.path(), result.notes), *writer);
  result.instructions = Conversion(isa, registers).run(*reader, *writer);
  writer->close();
  return result;
}

}  // namespace pmusim::trace
