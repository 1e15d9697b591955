// The command `pmusim validate --mutate`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbench/faults/wrong_bits.h"
#include "testbench/support/output.h"

namespace pmusim::testbench::faults {

/// Targets that have rules of equivalence.
[[nodiscard]] std::vector<std::string> scored_targets();
/// Scores the targets and prints the result. The exit code is 0 if `floor` percent of the wrong bits are noticed, no
/// rule was contradicted and no unchanged answer was called wrong. Throws UsageError for a target without rules, whose
/// score would be meaningless. Without a format it prints the rows of docs/evidence.md.
int run_mutations(const std::vector<std::string>& targets, const WrongBitOptions& options, double floor,
                  std::optional<Format> format);

}  // namespace pmusim::testbench::faults
