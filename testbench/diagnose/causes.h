// The cause of a mismatch: the fields that differ and how, without register numbers and values.
#pragma once

#include <string>

#include "testbench/diagnose/diagnose.h"

namespace pmusim::testbench::diagnose {

/// "INT not set", "USR and OS exchanged": equal for mismatches with the same cause. Without a register difference, the
/// first words of the problem.
[[nodiscard]] std::string cause_of(const Diagnosis& diagnosis, const std::string& problem);

}  // namespace pmusim::testbench::diagnose
