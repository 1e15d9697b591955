// Completions of a command line, the same for every shell.
#pragma once

#include <string>
#include <vector>

namespace pmusim::testbench {

/// Completions of the last of `words`, which are the words after `pmusim`: commands, options, targets, events with
/// their unit masks and attributes, parameters with their choices. Empty where a file name is expected.
[[nodiscard]] std::vector<std::string> completions(const std::vector<std::string>& words);

}  // namespace pmusim::testbench
