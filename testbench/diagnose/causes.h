// The cause of a mismatch: the fields that differ and how, without values, and without the numbers of registers unless
// a field differs in two ways.
#pragma once

#include <string>

#include "testbench/diagnose/diagnose.h"

namespace pmusim::testbench::diagnose {

/// "PerfEvtSel INT is not set", "OS and USR exchanged": equal for mismatches with the same cause. Without a register
/// difference, the first words of the problem.
[[nodiscard]] std::string cause_of(const Diagnosis& diagnosis, const std::string& problem);

}  // namespace pmusim::testbench::diagnose
