// Mismatches with one reason: the fields that differ and how, without register numbers and values.
#pragma once

#include <string>

#include "testbench/diagnose/diagnose.h"

namespace pmusim::testbench::diagnose {

/// "INT not set", "USR and OS exchanged": the same for mismatches that have the same reason. Without a difference of
/// registers the first words of the problem.
[[nodiscard]] std::string cause_of(const Diagnosis& diagnosis, const std::string& problem);

}  // namespace pmusim::testbench::diagnose
