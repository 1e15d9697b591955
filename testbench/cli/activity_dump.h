// pmusim activity dump, and the options for reading a damaged file.
#pragma once

#include <string>
#include <vector>

#include "models/activity_file/reader.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {

void add_salvage_option(Arguments::Description& options);
/// With --salvage, the lost part is reported on standard error.
[[nodiscard]] activity_file::ReadOptions reading_options(const Arguments& arguments);

int run_activity_dump(const std::vector<std::string>& list);

}  // namespace pmusim::testbench
