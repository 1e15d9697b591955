#include "testbench/store/data_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "pmusim/trace/collection.h"
#include "testbench/store/this_program.h"
#include "testbench/support/arguments.h"
#include "testbench/support/error.h"

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
  throw UsageError("no folder share/pmusim beside or above {}: set PMUSIM_DATA to the folder that has isa-traces/",
                   folder.empty() ? "the program, whose file is not known" : folder.string());
}

namespace fs = std::filesystem;

namespace {

constexpr const char* recorded = "isa-traces/recorded";

std::string no_trace(const std::string& name) {
  std::vector<std::string> names;
  for (const fs::path& trace : shipped_traces()) names.push_back(trace.stem().string());
  const std::vector<std::string_view> views(names.begin(), names.end());
  return fmt::format("{}: cannot be opened: No such file, and no trace of this name comes with pmusim{}", name,
                     did_you_mean(name, views, "pmusim traces lists them"));
}

}  // namespace

std::string shipped(const std::string& name) {
  std::error_code error;
  const bool is_trace =
      !name.empty() && name.find_first_of("/.") == name.npos && name[0] != '-';  // - is standard input
  const bool is_path = name.starts_with("isa-traces/") || name.starts_with("testbench/");
  if ((!is_trace && !is_path) || fs::exists(name, error) || trace::is_member(name)) return name;
  const fs::path there = is_path ? data_folder() / name : data_folder() / recorded / (name + ".pmt");
  if (fs::is_regular_file(there, error) || trace::is_member(there)) return there.string();
  if (is_trace) throw UsageError(no_trace(name));
  return name;
}

std::vector<fs::path> shipped_traces() {
  std::vector<fs::path> traces;
  for (const auto& entry : fs::directory_iterator(data_folder() / recorded)) {
    if (entry.path().extension() == ".pmt") traces.push_back(entry.path());
  }
  std::ranges::sort(traces);
  return traces;
}

}  // namespace pmusim::testbench
