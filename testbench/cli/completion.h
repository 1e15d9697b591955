// What can stand where a command line ends: the same for every shell.
#pragma once

#include <string>
#include <vector>

namespace pmusim::testbench {

/// Words that the last of `words` can become, `words` being what comes after `pmusim`: commands, options, targets,
/// events with their unit masks and attributes, parameters with their choices. Empty where a file can stand.
[[nodiscard]] std::vector<std::string> completions(const std::vector<std::string>& words);

}  // namespace pmusim::testbench
