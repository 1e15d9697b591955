// A mutation score as text, JSON lines, CSV, or the Markdown of docs/generated/mutation.md.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "testbench/mutate/score.h"

namespace pmusim::testbench::mutate {

/// Targets and scores, in the order of printing.
using Scores = std::vector<std::pair<std::string, Score>>;

/// The word for a mutant that differs from the original: "noticed" by a user's run, or "distinguishable" by the score's
/// own stimuli.
using Told = std::string;

/// Registers of one layout share their rows: `PerfEvtSel0-3`.
void print_scores(std::ostream& out, const Scores& scores, const Told& told, Format format);
/// Prints only the tables, to be inserted between two marks of a page.
void print_markdown(std::ostream& out, const Scores& scores, const Told& told);

}  // namespace pmusim::testbench::mutate
