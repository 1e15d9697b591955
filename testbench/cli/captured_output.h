// What event address registers and branch buffer hold, in the forms of the output.
#pragma once

#include <string>
#include <vector>

#include "testbench/cli/output.h"
#include "testbench/cli/symbols.h"
#include "testbench/driver/captured.h"

namespace pmusim::testbench {

/// Keys `data_ear`, `instruction_ear` and `branches`, each if its unit is on.
void add_captured(const Captured& captured, Json& object);
/// The same values as lines for people; the branches oldest first, one a line.
[[nodiscard]] std::vector<std::string> captured_lines(const Json& object, const Symbols& symbols);

}  // namespace pmusim::testbench
