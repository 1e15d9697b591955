// Files that come with pmusim, by the names that its help and its pages give them.
#pragma once

#include <string>

namespace pmusim::testbench {

/// The file that a user means: a name below `isa-traces/` or `testbench/` that is no file here, and is one of the
/// shipped data, is that. So the examples of the help run anywhere.
[[nodiscard]] std::string shipped(const std::string& name);

}  // namespace pmusim::testbench
