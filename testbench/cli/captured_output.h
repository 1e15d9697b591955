// Output of the contents of event address registers and branch buffer.
#pragma once

#include <string>
#include <vector>

#include "testbench/cli/symbols.h"
#include "testbench/driver/captured.h"
#include "testbench/support/arguments.h"
#include "testbench/support/output.h"

namespace pmusim::testbench {

/// Adds --path.
[[nodiscard]] Options path_option();
/// The output of --path. Throws UsageError if the units do not record the data that it needs.
[[nodiscard]] bool wants_path(const Arguments& arguments, const CaptureUnits& units);

/// Keys `data_ear`, `instruction_ear`, `branches` and `retired`, each if its unit is on; `path` on request.
void add_captured(const Captured& captured, bool path, Json& object);
/// The same values as text lines; branches oldest first, one per line.
[[nodiscard]] std::vector<std::string> captured_lines(const Json& object, const Symbols& symbols);

}  // namespace pmusim::testbench
