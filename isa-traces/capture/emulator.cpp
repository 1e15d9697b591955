#include "emulator.h"

#include <fmt/format.h>
#include <sys/auxv.h>

#include <cstdlib>
#include <system_error>

#include "capture.h"

namespace pmusim::trace {
namespace {

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

}  // namespace

std::filesystem::path recorder_plugin() {
  namespace fs = std::filesystem;
  if (const char* named = std::getenv("PMUSIM_PLUGIN"); named != nullptr) {
    if (fs::is_regular_file(named)) return named;
    throw CaptureError(fmt::format("PMUSIM_PLUGIN={}: no such file; expected the path of {}", named, plugin_name));
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
  throw CaptureError(fmt::format("{}: not found beside the program; name its path in PMUSIM_PLUGIN", plugin_name));
}

int run_emulator(const Emulated& emulated, const std::vector<std::string>& switches, Streams streams) {
  const std::string emulator = fmt::format("qemu-{}", name_of(emulated.isa));
  std::vector<std::string> words{emulator, "-cpu", std::string(processor_of(emulated.isa)), "-seed", "1"};
  if (!emulated.sysroot.empty()) words.insert(words.end(), {"-L", emulated.sysroot});
  words.insert(words.end(), switches.begin(), switches.end());
  words.push_back(emulated.program.string());
  words.insert(words.end(), emulated.arguments.begin(), emulated.arguments.end());
  return run_program(words, "QEMU's user-mode emulation (Debian: qemu-user)", emulated.program.string(), true, streams);
}

}  // namespace pmusim::trace
