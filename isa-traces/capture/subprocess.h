// Running another program to its end.
#pragma once

#include <string>
#include <vector>

namespace pmusim::trace {

/// Runs words[0], found along PATH, with the rest as arguments and this environment; returns its exit status. Throws
/// CaptureError if it cannot be started (`install` says what to install if it is not there) or a signal killed it,
/// which then was `what`.
int run_program(std::vector<std::string> words, const std::string& install, const std::string& what,
                bool empty_environment);

}  // namespace pmusim::trace
