// What the suites about recorded traces share.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "testbench/tests/scratch.h"

namespace pmusim::testbench {

/// The traces of the repository, by name; under a sanitizer the short ones.
[[nodiscard]] std::vector<std::filesystem::path> recorded_traces();

struct Output {
  int status = -1;
  std::string text;  ///< standard output and error
};
/// Runs a shell command.
[[nodiscard]] Output run(const std::string& command);

}  // namespace pmusim::testbench
