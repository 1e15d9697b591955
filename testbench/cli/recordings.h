// Activity files as stimuli of a validation.
#pragma once

#include <string>
#include <vector>

#include "testbench/judge/stimulus/trace_inputs.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {

/// The files of --activity, which replace traces: their core has already run. Throws UsageError for options that cannot
/// be combined with them.
[[nodiscard]] std::vector<TraceInput> recordings_of(const Arguments& arguments);
/// Their targets, without duplicates.
[[nodiscard]] std::vector<std::string> recorded_targets(const std::vector<TraceInput>& recordings);

}  // namespace pmusim::testbench
