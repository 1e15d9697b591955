// A fault, what tries it, and what became of it. Encoders, answers, tables of encoder, model and oracle, and lines of
// the sources have faults; one runner tries them, and the same words say of each who notices it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testbench/faults/wrong_bits.h"
#include "testbench/support/output.h"

namespace pmusim::testbench::faults {

struct Fault {
  std::string name;        ///< the changed place and the change: `cuts-PMC4.es`, `event 40h mask 01h: removed`
  std::string about = {};  ///< the change in words, if its name does not say it
};

enum class Verdict : std::uint8_t {
  quick,    ///< noticed by the quick questions
  all,      ///< noticed by all questions, or by the plan of a trace
  unfit,    ///< nothing differs from what is right
  excused,  ///< by a named rule, no difference can show
  missed
};
/// As `pmusim validate --defects` prints it.
[[nodiscard]] std::string_view name_of(Verdict verdict);

/// A fault that is tried.
struct Trial {
  std::string where;  ///< the broken part: a target's encoder, a table of a model
  Fault fault;
  std::string excuse = {};  ///< the rule by which no difference can show; empty: none is known
  Verdict verdict = Verdict::missed;
  std::string by = {};  ///< what noticed it, the rule, or the differences that were not noticed
  [[nodiscard]] bool noticed() const { return verdict == Verdict::quick || verdict == Verdict::all; }
  /// It was noticed, though its rule says that no difference can show.
  [[nodiscard]] bool contradicts() const { return noticed() && !excuse.empty(); }
};

/// Faults by number.
using Numbers = std::vector<std::size_t>;
/// Tells what became of a fault, and by what.
using Tell = std::function<void(std::size_t fault, Verdict verdict, std::string by)>;
/// Tries faults of which nothing is known yet, with one kind of checks.
using Stage = std::function<void(const Numbers& open, const Tell& tell)>;

/// Gives the faults that are still open to one stage after the other. What a rule excuses is tried as well, as far as a
/// stage does; a fault that no stage tells is excused by its rule, or missed.
void try_faults(std::vector<Trial>& trials, const std::vector<Stage>& stages);

/// Numbers of faults by verdict.
using Tally = std::map<Verdict, std::size_t>;
[[nodiscard]] Tally tally_of(const std::vector<Trial>& trials);

// Scores as text, JSON lines or CSV.

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
