// The event line of one counter, as runs: stretches of cycles in which the number of occurrences does not
// change. Everything a PMU does to an event (gate, threshold, invert, edge, add) is a closed form per run,
// so cost follows what happens, not how long it lasts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/activity/activity.h"

namespace pmusim::pmu {

using activity::Block;
using activity::Cycle;
using activity::Occurrence;

/// Registers and parameters that a term's filter may look at; each family derives its own from it.
struct TermContext {};

/// One input of a multiplexer entry: occurrences of a signal, or the level of a state. `count` says how much
/// of an occurrence the entry counts (0: not at all). Exactly one of `count` and `level` is set; a term with
/// neither is the clock itself (1 in every cycle of the block).
struct Term {
  using Count = std::uint32_t (*)(const Block&, const Occurrence&, const TermContext&);
  using Level = std::uint32_t (*)(std::uint64_t value, const TermContext&);
  activity::Signal signal = activity::Signal::count_;
  Count count = nullptr;
  activity::State state = activity::State::count_;
  Level level = nullptr;
};

/// A stretch of cycles with the same number of occurrences in each.
struct Run {
  Cycle begin;
  Cycle end;          ///< first cycle after the run
  std::uint32_t n;    ///< occurrences in each of its cycles, summed over the terms
};

/// Walks the runs of a sum of terms over [from, to) of a block, in order and without gaps.
class RunCursor {
 public:
  RunCursor(const Block& block, std::span<const Term> terms, const TermContext& context, Cycle from, Cycle to);
  /// Next run, or false at `to`.
  bool next(Run& run);

 private:
  struct Input {
    const Term* term;
    std::size_t index;     ///< next entry of the column or state
    Cycle at;              ///< its cycle (occurrences: first cycle that counts anything), never at the end
    std::uint32_t n;       ///< occurrences: amount in cycle `at`; level: value now
  };
  void fetch(Input& input);
  const Block* block_;
  const TermContext* context_;
  std::vector<Input> inputs_;
  Cycle now_;
  Cycle to_;
};

}  // namespace pmusim::pmu
