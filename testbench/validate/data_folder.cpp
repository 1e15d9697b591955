#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "testbench/support/error.h"
#include "testbench/validate/stimuli.h"

namespace pmusim::testbench {

namespace fs = std::filesystem;

namespace {

/// The nearest share/pmusim beside or above a file; empty if there is none.
fs::path shared_data_of(fs::path file) {
  std::error_code error;
  while (file.has_relative_path()) {
    file = file.parent_path();
    const fs::path data = fs::canonical(file / "share" / "pmusim", error);
    if (!error && fs::is_directory(data, error)) return data;
  }
  return {};
}

/// The file that contains this code: a program, or the library of the Python module.
fs::path file_of_this_code() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&data_folder), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const fs::path file = fs::canonical(info.dli_fname, error);
  return error ? fs::path{} : file;
}

fs::path this_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path{} : program;
}

}  // namespace

fs::path data_folder() {
  if (const char* named = std::getenv("PMUSIM_DATA"); named != nullptr && *named != '\0') return named;
  // The library has priority: a Python module in a build folder has its data there, not beside the installed
  // interpreter.
  for (const fs::path& file : {file_of_this_code(), this_program()}) {
    if (fs::path data = shared_data_of(file); !data.empty()) return data;
  }
  throw UsageError(
      fmt::format("no folder share/pmusim beside or above {}: set PMUSIM_DATA to the folder that has isa-traces/",
                  this_program().parent_path().string()));
}

}  // namespace pmusim::testbench
