#include <fmt/format.h>

#include <array>
#include <vector>

#include "capture.h"
#include "ia64_capture.h"
#include "isa-traces/import/elf_file.h"
#include "pmusim/trace/reader.h"

namespace pmusim::trace {
namespace {

namespace fs = std::filesystem;

struct CrossTools {
  Isa isa;
  std::string_view what;
  const char* folder;    ///< folder of Debian's C library for cross compilers
  const char* package;   ///< Debian package of this library
  const char* compiler;  ///< Debian package of the compiler: gcc- and the triplet
  const char* headers;   ///< Debian package of the library's headers
  const char* link;      ///< option with which programs run in QEMU; a static one for the Alpha does not
};
constexpr std::array cross_tools{CrossTools{Isa::ppc, "32-bit PowerPC", "/usr/powerpc-linux-gnu", "libc6-powerpc-cross",
                                            "gcc-powerpc-linux-gnu", "libc6-dev-powerpc-cross", " -static"},
                                 CrossTools{Isa::i386, "i386", "/usr/i686-linux-gnu", "libc6-i386-cross",
                                            "gcc-i686-linux-gnu", "libc6-dev-i386-cross", " -static"},
                                 CrossTools{Isa::alpha, "Alpha", "/usr/alpha-linux-gnu", "libc6.1-alpha-cross",
                                            "gcc-alpha-linux-gnu", "libc6.1-dev-alpha-cross", ""}};

ElfFile read(const fs::path& program) {
  try {
    return ElfFile(program);
  } catch (const TraceError& error) {
    throw CaptureError(error.what());
  }
}

/// The command line that builds a program.
std::string build_line(const CrossTools& tools) {
  const std::string package = tools.compiler;
  constexpr std::size_t gcc = 4;  // "gcc-"
  return fmt::format("{}-gcc -g -O2{} program.c -o program (Debian: {}, {})", package.substr(gcc), tools.link, package,
                     tools.headers);
}

std::string folder_with(const std::string& interpreter, const CrossTools& tools, const fs::path& sysroot,
                        const std::string& program) {
  std::vector<std::string> folders{tools.folder, "/"};
  if (!sysroot.empty()) folders = {sysroot.string()};
  std::error_code ignored;
  for (const std::string& folder : folders) {
    if (fs::exists(fs::path(folder) / fs::path(interpreter).relative_path(), ignored)) return folder;
  }
  throw CaptureError(
      "{}: is dynamically linked, and its dynamic linker {} is not in {}; install {}, name another folder "
      "with --sysroot, or link with -static",
      program, interpreter, fmt::join(folders, " or "), tools.package);
}

}  // namespace

std::string check_program(Isa isa, const fs::path& program, const fs::path& sysroot) {
  const ElfFile file = read(program);
  for (const CrossTools& tools : cross_tools) {
    if (tools.isa != isa) continue;
    if (file.isa() != isa) {
      throw CaptureError("{}: is not an ELF program for {}; expected one built by {}", program.string(), tools.what,
                         build_line(tools));
    }
    // A static position-independent program has the type of a shared object, too, but a shared object has no entry.
    if (!file.is_executable() && (!file.is_movable() || file.entry() == 0))
      throw CaptureError("{}: is no executable; expected a program, linked without -shared", program.string());
    return file.interpreter().empty() ? "" : folder_with(file.interpreter(), tools, sysroot, program.string());
  }
  throw CaptureError("{}: programs of this instruction set cannot be recorded; expected ppc, i386 or alpha",
                     name_of(isa));
}

}  // namespace pmusim::trace
