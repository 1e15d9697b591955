// Shared parts of the suites about recorded traces.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "testbench/tests/scratch.h"

namespace pmusim::testbench {

/// Paths of the repository's traces, sorted by name; under a sanitizer only the short ones.
[[nodiscard]] std::vector<std::filesystem::path> recorded_traces();

struct Output {
  int status = -1;
  std::string text;  ///< standard output and error
};
/// Runs a shell command.
[[nodiscard]] Output run(const std::string& command);

}  // namespace pmusim::testbench
