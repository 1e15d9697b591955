// The program that runs, as verdicts and cache entries name it.
#pragma once

#include <string>

namespace pmusim::testbench {

/// Version and a hash of the running program. Throws UsageError if its file is not known.
[[nodiscard]] std::string this_program();

}  // namespace pmusim::testbench
