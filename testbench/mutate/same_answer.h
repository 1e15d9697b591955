// Answers that count the same by a rule that is written down (equivalence.h), however much they differ.
#pragma once

#include <string>

#include "testbench/validate/candidate.h"

namespace pmusim::testbench::mutate {

/// The rule's name; empty: there is none, or the answers are not for the same counters and registers.
[[nodiscard]] std::string same_by_rule(const std::string& target, const Answer& right, const Answer& changed);

}  // namespace pmusim::testbench::mutate
