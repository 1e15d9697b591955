// The cause of a mismatch: the fields that differ and how, without values, and without the numbers of registers unless
// a field differs in two ways.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "testbench/judge/diagnosis/diagnose.h"

namespace pmusim::testbench::diagnose {

/// Registers of one kind share a name: PerfEvtSel0 and PerfEvtSel3 become PerfEvtSel.
[[nodiscard]] std::string kind_of(const std::string& reg);

/// "PerfEvtSel INT is not set", "OS and USR exchanged": equal for mismatches with the same cause. Without a register
/// difference, the first words of the problem.
[[nodiscard]] std::string cause_of(const Diagnosis& diagnosis, const std::string& problem);

/// Simplifies causes, given how many mismatches have each. One mistake is to be one cause: a field of several bits that
/// is wrong in several ways is wrong; a start value that is zero by chance is wrong like the others; a cause of several
/// differences loses those that are causes on their own, so that an encoder with three mistakes has three causes, not
/// all their combinations.
[[nodiscard]] std::map<std::string, std::string> simplest_causes(const std::map<std::string, std::uint64_t>& causes);

}  // namespace pmusim::testbench::diagnose
