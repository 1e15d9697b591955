// The output of an external program.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pmusim::testbench {

/// Runs words[0], found along PATH, in the C locale and without a shell. Returns its standard output; empty if the
/// program does not exist or fails. Its error output is discarded.
[[nodiscard]] std::optional<std::string> tool_output(std::vector<std::string> words);

}  // namespace pmusim::testbench
