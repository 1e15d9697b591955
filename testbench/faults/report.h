// Scores as text, JSON lines or CSV.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testbench/faults/wrong_bits.h"
#include "testbench/support/output.h"

namespace pmusim::testbench::faults {

/// Targets and scores, in the order of printing.
using Scores = std::vector<std::pair<std::string, Score>>;

/// Registers of one layout share their rows: `PerfEvtSel0-3`.
void print_scores(std::ostream& out, const Scores& scores, Format format);
/// The rows of the table in docs/evidence.md.
void print_markdown(std::ostream& out, const Scores& scores);

// The command `pmusim validate --mutate`.

/// Targets that have rules of equivalence.
[[nodiscard]] std::vector<std::string> scored_targets();
/// Scores the targets and prints the result. The exit code is 0 if `floor` percent of the wrong bits are noticed, no
/// rule was contradicted and no unchanged answer was called wrong. Throws UsageError for a target without rules, whose
/// score would be meaningless. Without a format it prints the rows of docs/evidence.md.
int run_mutations(const std::vector<std::string>& targets, const WrongBitOptions& options, double floor,
                  std::optional<Format> format);

}  // namespace pmusim::testbench::faults
