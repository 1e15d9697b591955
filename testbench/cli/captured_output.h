// What event address registers and branch buffer hold, in the forms of the output.
#pragma once

#include <string>
#include <vector>

#include "testbench/cli/symbols.h"
#include "testbench/driver/captured.h"
#include "testbench/support/arguments.h"
#include "testbench/support/output.h"

namespace pmusim::testbench {

/// Adds --path.
void add_path_option(Arguments::Description& options);
/// What --path says. Throws UsageError if the units do not record the path that it asks for.
[[nodiscard]] bool wants_path(const Arguments& arguments, const CaptureUnits& units);

/// Keys `data_ear`, `instruction_ear`, `branches` and `retired`, each if its unit is on; `path` if it is wanted.
void add_captured(const Captured& captured, bool path, Json& object);
/// The same values as lines for people; the branches oldest first, one a line.
[[nodiscard]] std::vector<std::string> captured_lines(const Json& object, const Symbols& symbols);

}  // namespace pmusim::testbench
