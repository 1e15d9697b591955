// Starts a foreign command: without a shell if it needs none, and with reduced rights on request.
#pragma once

#include <string>
#include <vector>

#include "testbench/sweep/process_group.h"

namespace pmusim::testbench {

/// The words of a command line; none if it contains shell syntax.
[[nodiscard]] std::vector<std::string> words_of_command(const std::string& command);

/// The same under bubblewrap: no network, no other processes, no home folder. All files are read-only, and folders for
/// temporary files are empty, except the current folder and the program's own folder. Throws UsageError without
/// bubblewrap.
[[nodiscard]] Launch sandboxed(const Launch& launch);

}  // namespace pmusim::testbench
