// Answers that count the same by a rule of equivalence (equivalence.h).
#pragma once

#include <string>

#include "testbench/validate/candidate.h"

namespace pmusim::testbench::mutate {

/// The rule's name; empty: there is none, or the answers use different counters or registers.
[[nodiscard]] std::string same_by_rule(const std::string& target, const Answer& right, const Answer& changed);

}  // namespace pmusim::testbench::mutate
