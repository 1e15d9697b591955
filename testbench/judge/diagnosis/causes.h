// The cause of a mismatch: the fields that differ and how, without values, and without the numbers of registers unless
// a field differs in two ways.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "testbench/judge/diagnosis/diagnose.h"

namespace pmusim::testbench::diagnose {

/// "PerfEvtSel INT is not set", "OS and USR exchanged": equal for mismatches with the same cause. Without a register
/// difference, the first words of the problem.
[[nodiscard]] std::string cause_of(const Diagnosis& diagnosis, const std::string& problem);

/// Simplifies causes that consist of several differences: removes from each the differences that are causes on their
/// own. An encoder with three mistakes then has three causes, not all their combinations.
[[nodiscard]] std::map<std::string, std::string> simplest_causes(const std::map<std::string, std::uint64_t>& causes);

}  // namespace pmusim::testbench::diagnose
