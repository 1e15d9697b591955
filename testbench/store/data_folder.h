// The data that come with pmusim: their folder, and the files under the names that help texts and pages use.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pmusim::testbench {

/// The folder of the shipped data: $PMUSIM_DATA, or the nearest share/pmusim beside or above this program or library,
/// which an installation and a build folder have. Throws UsageError if there is none.
[[nodiscard]] std::filesystem::path data_folder();

/// Resolves a file name. If it starts with `isa-traces/` or `testbench/`, does not exist relative to the current
/// folder, and exists in the shipped data, the shipped file is returned. Thus the examples in the help texts run in any
/// folder. So is the recorded trace of this name, as `i386-lz77`. Throws UsageError, with the nearest name, for a word
/// that names neither a file nor a trace.
[[nodiscard]] std::string shipped(const std::string& name);
/// The recorded traces that come with pmusim, by name.
[[nodiscard]] std::vector<std::filesystem::path> shipped_traces();

}  // namespace pmusim::testbench
