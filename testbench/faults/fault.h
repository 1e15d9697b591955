// A fault, what tries it, and what became of it. Encoders, answers, tables of encoder, model and oracle, and lines of
// the sources have faults; one runner tries them, and the same words say of each who notices it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace pmusim::testbench::faults
