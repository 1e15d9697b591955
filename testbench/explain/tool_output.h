// What another program prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pmusim::testbench {

/// Runs words[0], found along PATH, in the C locale; no shell is asked. Its standard output; empty if it is not there,
/// or ends with another status than 0. What it complains of is dropped.
[[nodiscard]] std::optional<std::string> tool_output(std::vector<std::string> words);

}  // namespace pmusim::testbench
