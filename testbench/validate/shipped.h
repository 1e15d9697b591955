// Files that come with pmusim, under the names that help texts and pages use.
#pragma once

#include <string>

namespace pmusim::testbench {

/// Resolves a file name. If it starts with `isa-traces/` or `testbench/`, does not exist relative to the current
/// folder, and exists in the shipped data, the shipped file is returned. Thus the examples in the help texts run in any
/// folder.
[[nodiscard]] std::string shipped(const std::string& name);

}  // namespace pmusim::testbench
