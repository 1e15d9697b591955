// Parts of the Itanium 2's judging facts that have a file of their own.
#pragma once

#include "testbench/targets/ia64/judging.h"
#include "testbench/validate/judging_facts.h"

namespace pmusim::testbench::targets::itanium2 {

/// Relations among the counts of one run that its kin does not have.
[[nodiscard]] std::span<const Identity> identities();

}  // namespace pmusim::testbench::targets::itanium2
