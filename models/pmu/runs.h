// The event line of one counter as runs: stretches of cycles with a constant number of occurrences. Each operation of a
// PMU on an event (gate, threshold, invert, edge, add) has a closed form per run, so the cost depends on the number of
// changes, not on the number of cycles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "models/activity/activity.h"

namespace pmusim::pmu {

using activity::Block;
using activity::Cycle;
using activity::Occurrence;
using activity::refers_to_request;

/// Registers and parameters that a term's filter may read; each family derives its own type from it.
struct TermContext {};

/// One input of a multiplexer entry: occurrences of a signal, or the level of a state. At most one of `count` and
/// `level` is set; a term with neither is the clock (1 in every cycle of the block).
struct Term {
  /// Returns the amount that an occurrence counts, 0 if it does not count.
  using Count = std::uint32_t (*)(const Block&, const Occurrence&, const TermContext&);
  /// Returns the amount that a value of the state adds in each cycle.
  using Level = std::uint32_t (*)(std::uint64_t value, const TermContext&);
  activity::Signal signal = activity::Signal::count_;  ///< signal whose occurrences are counted, if `count` is set
  Count count = nullptr;                               ///< null: no occurrences
  activity::State state = activity::State::count_;     ///< state whose value is counted, if `level` is set
  Level level = nullptr;                               ///< null: no state
};

/// Term::Count: an occurrence counts its amount.
[[nodiscard]] std::uint32_t count_amount(const Block&, const Occurrence& occurrence, const TermContext&);
/// Term::Count: an occurrence counts 1.
[[nodiscard]] std::uint32_t count_one(const Block&, const Occurrence&, const TermContext&);
/// Term::Level: a level counts its value.
[[nodiscard]] std::uint32_t level_value(std::uint64_t value, const TermContext&);

/// A stretch of cycles with the same number of occurrences in each.
struct Run {
  Cycle begin = 0;      ///< first cycle
  Cycle end = 0;        ///< first cycle after the run
  std::uint32_t n = 0;  ///< occurrences in each of its cycles, summed over the terms
  /// Number of cycles.
  [[nodiscard]] Cycle length() const { return end - begin; }
};

/// Iterates over the runs of a sum of terms over [from, to) of a block, in order and without gaps. Adjacent runs differ
/// in n. Does not allocate memory. The columns are searched once, in the constructor.
class RunCursor {
 public:
  /// Maximum number of terms in a multiplexer entry.
  static constexpr std::size_t max_terms = 16;

  /// `from` <= `to`, both within the block. Block, terms and context must outlive the cursor. Throws
  /// std::length_error for more than max_terms terms.
  RunCursor(const Block& block, std::span<const Term> terms, const TermContext& context, Cycle from, Cycle to);
  /// Sets `run` to the next run; false at `to`.
  bool next(Run& run);

 private:
  /// The remaining occurrences of a column: `at` is the next cycle with a non-zero amount, `n` the amount.
  struct OccurrenceInput {
    const Occurrence* next;
    const Occurrence* end;
    Term::Count count;
    Cycle at;
    std::uint32_t n;
  };
  /// The remaining changes of a state: the level is `n` until cycle `at`.
  struct LevelInput {
    const activity::Change* next;
    const activity::Change* end;
    Term::Level level;
    Cycle at;
    std::uint32_t n;
  };
  void add_occurrences(const Term& term, Cycle from);
  void add_level(const Term& term, Cycle from);
  void fetch(OccurrenceInput& input) const;
  void fetch(LevelInput& input) const;
  bool step(Run& run);

  const Block* block_;
  const TermContext* context_;
  std::array<OccurrenceInput, max_terms> occurrences_;
  std::array<LevelInput, max_terms> levels_;
  std::size_t occurrence_count_ = 0;
  std::size_t level_count_ = 0;
  std::uint32_t constant_ = 0;  ///< number of terms that are the clock
  Cycle now_;
  Cycle to_;
  Run ahead_;  ///< a step read ahead to find the end of a run
  bool has_ahead_;
};

}  // namespace pmusim::pmu
