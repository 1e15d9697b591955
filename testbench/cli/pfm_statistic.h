// pmusim record --statistic: prints the output of Tru64 UNIX's uprofile and kprofile, using the pfm device.
#pragma once

#include "testbench/cli/session_options.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {

/// Adds --statistic, --by, --stride, --range and --kernel.
void add_statistic_options(Arguments::Description& options);
/// Throws UsageError if one of them is given that requires --statistic.
void refuse_statistic_options(const Arguments& arguments);
/// Returns an exit code. Throws UsageError for a target that is not an Alpha, and for contradicting options.
int record_statistic(const SessionSetup& setup, const Arguments& arguments);

}  // namespace pmusim::testbench
