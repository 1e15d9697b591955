// The command `pmusim validate --mutate`.
#pragma once

#include <string>
#include <vector>

#include "testbench/mutate/score.h"
#include "testbench/support/output.h"

namespace pmusim::testbench::mutate {

/// Targets that have rules of equivalence.
[[nodiscard]] std::vector<std::string> scored_targets();
/// Scores the targets and prints the result. The exit code is 0 if nothing survived, no rule was contradicted and no
/// unchanged request disagreed. Throws UsageError for a target without rules, whose score would be meaningless.
int run_mutations(const std::vector<std::string>& targets, const ScoreOptions& options, Format format, bool markdown);

}  // namespace pmusim::testbench::mutate
