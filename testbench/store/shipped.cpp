#include "testbench/store/shipped.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "models/common/parameters.h"
#include "pmusim/trace/collection.h"
#include "testbench/store/data_folder.h"
#include "testbench/support/error.h"

namespace pmusim::testbench {

namespace fs = std::filesystem;

namespace {

constexpr const char* recorded = "isa-traces/recorded";

std::string no_trace(const std::string& name) {
  std::vector<std::string> names;
  for (const fs::path& trace : shipped_traces()) names.push_back(trace.stem().string());
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string near = models::nearest(name, views);
  return fmt::format("{}: cannot be opened: No such file, and no trace of this name comes with pmusim; {}", name,
                     near.empty() ? "pmusim traces lists them" : fmt::format("did you mean '{}'?", near));
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
  std::sort(traces.begin(), traces.end());
  return traces;
}

}  // namespace pmusim::testbench
