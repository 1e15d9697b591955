// Scores as text, JSON lines or CSV.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "testbench/faults/score.h"
#include "testbench/support/output.h"

namespace pmusim::testbench::faults {

/// Targets and scores, in the order of printing.
using Scores = std::vector<std::pair<std::string, Score>>;

/// Registers of one layout share their rows: `PerfEvtSel0-3`.
void print_scores(std::ostream& out, const Scores& scores, Format format);
/// The rows of the table in docs/evidence.md.
void print_markdown(std::ostream& out, const Scores& scores);

}  // namespace pmusim::testbench::faults
