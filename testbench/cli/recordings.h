// Activity files as stimuli of a validation.
#pragma once

#include <string>
#include <vector>

#include "testbench/support/arguments.h"
#include "testbench/validate/stimuli.h"

namespace pmusim::testbench {

/// The files of --activity, which replace traces: their core has already run. Throws UsageError for options that cannot
/// be combined with them.
[[nodiscard]] std::vector<Stimulus> recordings_of(const Arguments& arguments);
/// Their targets, without duplicates.
[[nodiscard]] std::vector<std::string> recorded_targets(const std::vector<Stimulus>& recordings);

}  // namespace pmusim::testbench
