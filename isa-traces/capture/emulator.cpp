#include "emulator.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "capture.h"

namespace pmusim::trace {
namespace {

/// The processor to emulate. Left to itself, the emulator offers programs instructions that an Athlon does not have.
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
  throw CaptureError("ia64: no emulator; right: ppc, i386 or alpha");
}

constexpr std::string_view plugin_name = "libpmusim-recorder.so";

}  // namespace

std::filesystem::path recorder_plugin() {
  namespace fs = std::filesystem;
  if (const char* named = std::getenv("PMUSIM_PLUGIN"); named != nullptr) {
    if (fs::is_regular_file(named)) return named;
    throw CaptureError(fmt::format("PMUSIM_PLUGIN={}: no such file; right: the path of {}", named, plugin_name));
  }
  std::error_code ignored;
  fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  while (!folder.empty()) {
    for (const char* place : {"isa-traces/capture", "lib/pmusim", "lib/" PMUSIM_LIBRARY_ARCHITECTURE "/pmusim"}) {
      if (fs::is_regular_file(folder / place / plugin_name)) return folder / place / plugin_name;
    }
    if (folder == folder.root_path()) break;
    folder = folder.parent_path();
  }
  throw CaptureError(
      fmt::format("{}: not found beside the program; right: name its path in PMUSIM_PLUGIN", plugin_name));
}

int run_emulator(Isa isa, const std::vector<std::string>& switches, const std::filesystem::path& program,
                 const std::vector<std::string>& arguments) {
  const std::string emulator = fmt::format("qemu-{}", name_of(isa));
  std::vector<std::string> words{emulator, "-cpu", std::string(processor_of(isa)), "-seed", "1"};
  words.insert(words.end(), switches.begin(), switches.end());
  words.push_back(program.string());
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  char* no_environment[] = {nullptr};
  pid_t child = 0;
  if (const int error = posix_spawnp(&child, emulator.c_str(), nullptr, nullptr, argv.data(), no_environment);
      error != 0) {
    throw CaptureError(
        error == ENOENT
            ? fmt::format("{}: not found; right: install QEMU's user-mode emulation (Debian: qemu-user)", emulator)
            : fmt::format("{}: cannot be started: {}", emulator, std::strerror(error)));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    throw CaptureError(fmt::format("{}: killed by signal {} ({}); right: a program that runs to its end",
                                   program.string(), WTERMSIG(status), strsignal(WTERMSIG(status))));
  }
  return WEXITSTATUS(status);
}

}  // namespace pmusim::trace
