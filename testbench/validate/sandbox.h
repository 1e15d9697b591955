// How a foreign command is started: without a shell where it needs none, and with fewer rights if asked for.
#pragma once

#include <string>
#include <vector>

#include "testbench/validate/process_group.h"

namespace pmusim::testbench {

/// The words of a command line, or none if it has anything that a shell would have to read.
[[nodiscard]] std::vector<std::string> words_of_command(const std::string& command);

/// The same under bubblewrap: no network, no other processes, no home; all files can be read only, and folders for
/// temporary files are empty, but for the current folder and the program's own. Throws UsageError without bubblewrap.
[[nodiscard]] Launch sandboxed(const Launch& launch);

}  // namespace pmusim::testbench
