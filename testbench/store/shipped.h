// Files that come with pmusim, under the names that help texts and pages use.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pmusim::testbench {

/// Resolves a file name. If it starts with `isa-traces/` or `testbench/`, does not exist relative to the current
/// folder, and exists in the shipped data, the shipped file is returned. Thus the examples in the help texts run in any
/// folder. So is the recorded trace of this name, as `i386-lz77`. Throws UsageError, with the nearest name, for a word
/// that names neither a file nor a trace.
[[nodiscard]] std::string shipped(const std::string& name);
/// The recorded traces that come with pmusim, by name.
[[nodiscard]] std::vector<std::filesystem::path> shipped_traces();

}  // namespace pmusim::testbench
