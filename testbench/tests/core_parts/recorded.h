// The recorded traces, for suites that run every one of an instruction set.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "pmusim/trace/reader.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench {

/// Those whose names begin so, except programs that are too long for this build, in the order of their names.
inline std::vector<std::filesystem::path> recorded_traces(const std::string& prefix) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(PMUSIM_SOURCE_DIR "/isa-traces/recorded")) {
    if (!entry.path().filename().string().starts_with(prefix) || entry.path().extension() != ".pmt") continue;
    if (trace::open(entry.path())->info().instructions <= longest_program) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace pmusim::testbench

namespace pmusim {
/// The number of allocations by the program.
extern std::size_t allocations;
}  // namespace pmusim
