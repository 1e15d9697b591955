#include "testbench/store/data_folder.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "testbench/support/error.h"
#include "testbench/support/program_file.h"

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

}  // namespace

fs::path data_folder() {
  if (const char* named = std::getenv("PMUSIM_DATA"); named != nullptr && *named != '\0') return named;
  // The library has priority: a Python module in a build folder has its data there, not beside the installed
  // interpreter.
  for (const fs::path& file : {code_file(), program_file()}) {
    if (fs::path data = shared_data_of(file); !data.empty()) return data;
  }
  const fs::path folder = program_file().parent_path();
  throw UsageError(
      fmt::format("no folder share/pmusim beside or above {}: set PMUSIM_DATA to the folder that has isa-traces/",
                  folder.empty() ? "the program, whose file is not known" : folder.string()));
}

}  // namespace pmusim::testbench
