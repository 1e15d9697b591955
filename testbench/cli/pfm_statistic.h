// pmusim record --statistic: what uprofile and kprofile of Tru64 UNIX print, over the pfm device.
#pragma once

#include "testbench/cli/session_options.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {

/// Adds --statistic, --by, --stride, --range and --kernel.
void add_statistic_options(Arguments::Description& options);
/// Throws UsageError for those of them that have no meaning without --statistic.
void refuse_statistic_options(const Arguments& arguments);
/// An exit code. Throws UsageError for a target that is no Alpha, and for options that do not fit.
int record_statistic(const SessionSetup& setup, const Arguments& arguments);

}  // namespace pmusim::testbench
