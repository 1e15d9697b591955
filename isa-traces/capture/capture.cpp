// The recording of a program: starts QEMU's user-mode emulator, converts what its plugin writes.
#include "capture.h"

#include <fmt/format.h>
#include <sys/auxv.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <system_error>

#include "elf_names.h"
#include "ia64_capture.h"
#include "isa-traces/import/elf_file.h"
#include "isa-traces/import/facts.h"
#include "pmusim/trace/names.h"
#include "pmusim/trace/numbering.h"
#include "pmusim/trace/reader.h"
#include "pmusim/trace/writer.h"
#include "subprocess.h"

namespace pmusim::trace {

namespace fs = std::filesystem;

namespace ppc {
namespace {

// Memory operands of PowerPC instructions that the emulator does not report: load and store multiple, string
// instructions, and instructions for a cache block. Their addresses are computed from a second run that logs the
// registers before each.

/// True if the emulator does not report the operand of this instruction.
bool lacks_operand(Kind kind) {
  using enum Kind;
  constexpr std::array kinds{load_multiple, store_multiple, load_string, store_string, dcbz, dcbt, dcbtst};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// The emulator's switches for a run that logs the registers before the instructions at these addresses.
std::vector<std::string> log_switches(const std::set<std::uint64_t>& addresses, const fs::path& log) {
  std::string filter;
  for (const std::uint64_t address : addresses) {
    filter += fmt::format("{}0x{:x}..0x{:x}", filter.empty() ? "" : ",", address, address);
  }
  // -singlestep: one instruction for each translated block, so that the logged state belongs to the instruction.
  return {"-singlestep", "-d", "exec,cpu,nochain", "-dfilter", filter, "-D", log.string()};
}

/// Reads the log of such a run in order.
class RegisterLog {
 public:
  explicit RegisterLog(const fs::path& log) : file_(log) {}

  /// The accesses of the next logged instruction, which must be `code`. Throws CaptureError if it is not.
  [[nodiscard]] std::vector<Access> next_operand(const Code& code, const Operation& operation) {
    const auto state = next_state();
    if (!state || state->pc != code.pc) {
      throw CaptureError(
          "{:x}: {}: the second run took another way than the first; expected a program that always "
          "does the same",
          code.pc, operation.mnemonic);
    }
    const std::uint32_t word = word_of(code);
    const unsigned a = word >> 16U & 31U, b = word >> 11U & 31U;
    const std::uint32_t base = a == 0 ? 0 : state->general[a];
    const auto displacement = static_cast<std::uint32_t>(static_cast<std::int16_t>(word & 0xFFFFU));
    const std::uint32_t indexed = base + state->general[b];
    const bool immediate_string = operation.mnemonic.ends_with("i");
    switch (operation.kind) {
      case Kind::load_multiple:
      case Kind::store_multiple:
        return words(base + displacement, 4 * words_moved(code), operation.kind == Kind::store_multiple);
      case Kind::load_string:
      case Kind::store_string: {
        const bool store = operation.kind == Kind::store_string;
        return immediate_string ? words(base, b == 0 ? 32 : b, store) : words(indexed, state->xer & 0x7FU, store);
      }
      default:
        return {normal_form(operation.kind, indexed).value()};
    }
  }

 private:
  struct State {
    std::uint64_t pc = 0;
    std::uint32_t xer = 0;
    std::array<std::uint32_t, 32> general{};
  };

  [[nodiscard]] std::optional<State> next_state() {
    State state;
    bool started = false;
    for (std::string line; std::getline(file_, line);) {
      std::istringstream in(line);
      std::string word;
      in >> word;
      if (word == "NIP") {
        std::string link, link_value, count, count_value, xer;
        in >> std::hex >> state.pc >> link >> link_value >> count >> count_value >> xer >> state.xer;
        started = true;
      } else if (started && word.starts_with("GPR")) {
        const unsigned first = static_cast<unsigned>(std::stoul(word.substr(3)));
        for (unsigned i = first; i < first + 4 && i < state.general.size(); ++i) {
          std::uint64_t value = 0;
          in >> std::hex >> value;
          state.general[i] = static_cast<std::uint32_t>(value);
        }
        if (first == 28) return state;
      }
    }
    return std::nullopt;
  }

  std::ifstream file_;
};

}  // namespace
}  // namespace ppc

namespace {

/// An emulated processor, and Debian's tools to build programs for it. They are named after their triplet: the folder
/// of the C library is /usr/TRIPLET, the package of the compiler gcc-TRIPLET.
struct Emulator {
  Isa isa;
  std::string_view what;
  std::string_view processor;
  std::string_view triplet;
  std::string_view package;  ///< Debian package of the C library
  std::string_view headers;  ///< Debian package of the library's headers
  std::string_view link;     ///< option with which programs run in QEMU; a static one for the Alpha does not
};
constexpr Emulator emulators[] = {
    {Isa::ppc, "32-bit PowerPC", "750gx", "powerpc-linux-gnu", "libc6-powerpc-cross", "libc6-dev-powerpc-cross",
     " -static"},
    // The emulator's default i386 processor has instructions that an Athlon does not have.
    {Isa::i386, "i386", "athlon,-sse,-sse2", "i686-linux-gnu", "libc6-i386-cross", "libc6-dev-i386-cross", " -static"},
    {Isa::alpha, "Alpha", "ev67", "alpha-linux-gnu", "libc6.1-alpha-cross", "libc6.1-dev-alpha-cross", ""}};

ElfFile read(const fs::path& program) {
  try {
    return ElfFile(program);
  } catch (const TraceError& error) {
    throw CaptureError(error.what());
  }
}

std::string folder_with(const std::string& interpreter, const Emulator& emulator, const fs::path& sysroot,
                        const std::string& program) {
  std::vector<std::string> folders{fmt::format("/usr/{}", emulator.triplet), "/"};
  if (!sysroot.empty()) folders = {sysroot.string()};
  std::error_code ignored;
  for (const std::string& folder : folders) {
    if (fs::exists(fs::path(folder) / fs::path(interpreter).relative_path(), ignored)) return folder;
  }
  throw CaptureError(
      "{}: is dynamically linked, and its dynamic linker {} is not in {}; install {}, name another folder "
      "with --sysroot, or link with -static",
      program, interpreter, fmt::join(folders, " or "), emulator.package);
}

/// A program with its arguments.
struct Emulated {
  const Emulator& emulator;
  fs::path program;
  std::vector<std::string> arguments;
  std::string sysroot;  ///< folder of its dynamic linker and libraries; empty if it needs none
};

/// Throws CaptureError unless the file is a Linux executable for the ISA. Returns the folder of its dynamic linker and
/// libraries: `sysroot` if given, else the folder of Debian's cross-compiling C library, else `/`; empty for a
/// statically linked program. If there is no such folder, throws CaptureError with the name of the package.
std::string check_program(const Emulator& emulator, const fs::path& program, const fs::path& sysroot) {
  const ElfFile file = read(program);
  if (file.isa() != emulator.isa) {
    throw CaptureError(
        "{0}: is not an ELF program for {1}; expected one built by {2}-gcc -g -O2{3} program.c -o program (Debian: "
        "gcc-{2}, {4})",
        program.string(), emulator.what, emulator.triplet, emulator.link, emulator.headers);
  }
  // A static position-independent program has the type of a shared object, too, but a shared object has no entry.
  if (!file.is_executable() && (!file.is_movable() || file.entry() == 0))
    throw CaptureError("{}: is no executable; expected a program, linked without -shared", program.string());
  return file.interpreter().empty() ? "" : folder_with(file.interpreter(), emulator, sysroot, program.string());
}

constexpr std::string_view plugin_name = "libpmusim-recorder.so";

/// The file of this program; without /proc, the name under which it was started.
fs::path this_program(std::error_code& error) {
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) return program;
  return fs::canonical(reinterpret_cast<const char*>(getauxval(AT_EXECFN)), error);
}

/// The recorder plugin: the file that the environment variable PMUSIM_PLUGIN names, else the first one found in the
/// build tree or installation of the running executable. Throws CaptureError if there is none.
fs::path recorder_plugin() {
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
  const std::string emulator = fmt::format("qemu-{}", name_of(emulated.emulator.isa));
  std::vector<std::string> words{emulator, "-cpu", std::string(emulated.emulator.processor), "-seed", "1"};
  if (!emulated.sysroot.empty()) words.insert(words.end(), {"-L", emulated.sysroot});
  words.insert(words.end(), switches.begin(), switches.end());
  words.push_back(emulated.program.string());
  words.insert(words.end(), emulated.arguments.begin(), emulated.arguments.end());
  return run_program(words, "QEMU's user-mode emulation (Debian: qemu-user)", emulated.program.string(), true, streams);
}

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
  const Emulator& emulator = *std::ranges::find(emulators, isa, &Emulator::isa);
  const Emulated emulated{emulator, program, arguments, check_program(emulator, program, sysroot)};
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
