// The part of an event multiplexer that all PMU families share: input lines as rows of a table, and the lines that one
// counter has selected. Each family has its own table from register codes to lines.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "models/activity/subscription.h"
#include "models/pmu/runs.h"

namespace pmusim::pmu {

/// One input line of an event multiplexer: occurrences of a signal that pass a filter, or a level derived from a state.
/// A line with neither is never asserted.
struct Line {
  using Test = bool (*)(const Block&, const Occurrence&, const TermContext&);

  // An occurrence of `signal` counts its amount if all of these hold:
  activity::Signal signal = activity::Signal::count_;
  std::uint16_t mask = 0;  ///< (detail & mask) == value
  std::uint16_t value = 0;
  std::uint16_t any = 0;    ///< 0, or detail has at least one of these bits
  std::uint32_t has = 0;    ///< 0, or the instruction has at least one of these traits
  std::uint32_t lacks = 0;  ///< the instruction has none of these traits
  Test test = nullptr;      ///< null, or a test of the record with the PMU's registers

  // A level is 1 while (state & level_mask) is not zero; with `when_clear`, while it is zero:
  activity::State state = activity::State::count_;
  std::uint64_t level_mask = ~std::uint64_t{0};
  bool when_clear = false;
  bool counts_bits = false;  ///< the level is the number of set bits in (state & level_mask)

  bool adds_detail = false;  ///< an occurrence counts the sum of its amount and its detail
  std::uint32_t most = 0;    ///< largest amount per cycle, if it exceeds Selection::most_occurrences_per_cycle

  /// The line itself counts nothing: the other lines count only in cycles in which it is asserted. Levels only.
  bool qualifies = false;

  [[nodiscard]] bool is_level() const { return state != activity::State::count_; }
  [[nodiscard]] bool asserted(std::uint64_t state_value) const {
    return ((state_value & level_mask) != 0) != when_clear;
  }
  /// The amount that the level adds to a cycle.
  [[nodiscard]] std::uint32_t increment(std::uint64_t state_value) const {
    if (counts_bits) return static_cast<std::uint32_t>(std::popcount(state_value & level_mask));
    return asserted(state_value) ? 1 : 0;
  }
  /// True if the detail alone determines whether an occurrence counts, and it counts its amount.
  [[nodiscard]] bool looks_at_detail_only() const { return test == nullptr && (has | lacks) == 0 && !adds_detail; }
  [[nodiscard]] bool detail_passes(std::uint16_t detail) const {
    return (detail & mask) == value && (any == 0 || (detail & any) != 0);
  }
  /// The amount of an occurrence of `signal` that the line counts.
  [[nodiscard]] std::uint32_t amount(const Block& block, const Occurrence& occurrence,
                                     const TermContext& context) const;
};

/// The instruction that an occurrence refers to, or null.
[[nodiscard]] inline const activity::InstructionRecord* instruction_of(const Block& block,
                                                                       const Occurrence& occurrence) {
  return occurrence.ref < block.instructions.size() ? &block.instructions[occurrence.ref] : nullptr;
}
/// The request that an occurrence refers to, or null.
[[nodiscard]] inline const activity::RequestRecord* request_of(const Block& block, const Occurrence& occurrence) {
  return occurrence.ref < block.requests.size() ? &block.requests[occurrence.ref] : nullptr;
}

inline std::uint32_t Line::amount(const Block& block, const Occurrence& o, const TermContext& context) const {
  if (!detail_passes(o.detail)) return 0;
  if ((has | lacks) != 0) {
    const activity::InstructionRecord* const instruction = instruction_of(block, o);
    if (instruction == nullptr) return 0;
    if ((has != 0 && (instruction->traits & has) == 0) || (instruction->traits & lacks) != 0) return 0;
  }
  if (test != nullptr && !test(block, o, context)) return 0;
  return adds_detail ? std::uint32_t{o.amount} + o.detail : o.amount;
}

/// The lines that one counter has selected. Lines of one signal are alternatives: an occurrence that passes several of
/// them counts once. Lines of different signals, and levels, are summed.
class Selection {
 public:
  /// Upper bound, for all cores, of the occurrences of one event in a cycle. quiet_cycles() relies on it.
  static constexpr std::uint32_t most_occurrences_per_cycle = 16;

  void clear() { *this = Selection(); }
  /// Adds a line, which must outlive the selection. Throws std::length_error if there are too many lines.
  void add(const Line& line);
  [[nodiscard]] bool empty() const { return slot_count_ == 0; }
  /// The signals, records and states that its lines read.
  [[nodiscard]] activity::Subscription subscription() const;
  /// Upper bound of the amount that it counts in one cycle.
  [[nodiscard]] std::uint32_t most_per_cycle() const;
  /// The amount of an occurrence of `signal` that the selection counts.
  [[nodiscard]] std::uint32_t amount(activity::Signal signal, const Block& block, const Occurrence& occurrence,
                                     const TermContext& context) const;

  [[nodiscard]] std::span<const Term> terms() const { return {terms_.data(), slot_count_}; }
  /// The count for a sum `n` of the terms: n itself; with qualifiers, 1 if all levels are asserted, else 0.
  [[nodiscard]] std::uint32_t combine(std::uint32_t n) const {
    return qualifiers_ == 0 ? n : static_cast<std::uint32_t>(n > qualifiers_);
  }

  /// True if its lines are not summed: it counts the cycles in which all levels are asserted.
  [[nodiscard]] bool has_qualifiers() const { return qualifiers_ != 0; }

  static constexpr std::size_t max_slots = 4;
  static constexpr std::size_t max_lines = 8;

 private:
  friend Cycle cycles_with(const struct SelectionContext& context, const Block& block, Cycle from, Cycle to,
                           std::uint32_t least);
  friend std::uint64_t total(const struct SelectionContext& context, const Block& block, Cycle from, Cycle to);
  friend class SelectionCursor;
  template <std::size_t slot>
  static std::uint32_t count_slot(const Block& block, const Occurrence& occurrence, const TermContext& context);
  template <std::size_t slot>
  static std::uint32_t level_slot(std::uint64_t value, const TermContext& context);
  struct Slot {
    std::array<const Line*, max_lines> lines{};
    std::uint8_t count = 0;
    [[nodiscard]] std::uint32_t amount(const Block& block, const Occurrence& o, const TermContext& context) const {
      for (std::size_t i = 0; i < count; ++i) {
        if (const std::uint32_t n = lines[i]->amount(block, o, context)) return n;
      }
      return 0;
    }
  };
  std::array<Term, max_slots> terms_{};
  std::array<Slot, max_slots> slots_{};
  /// The only slot with a column that is not empty in [from, to), if there is no level either; else null.
  [[nodiscard]] const Slot* only_column(const Block& block, Cycle from, Cycle to,
                                        std::span<const Occurrence>& column) const;
  std::uint8_t slot_count_ = 0;
  std::uint8_t qualifiers_ = 0;
};

/// The context of a family's filters. They cast it to the family's type.
struct SelectionContext : TermContext {
  explicit SelectionContext(const Selection& s) : selection(&s) {}
  const Selection* selection;
};

/// The runs of a selection's n over [from, to), in order and without gaps. Neighbours may have the same n.
class SelectionCursor {
 public:
  SelectionCursor(const SelectionContext& context, const Block& block, Cycle from, Cycle to);
  bool next(Run& run) {
    if (now_ >= to_) return false;
    switch (source_) {
      case Source::column:
        if (now_ < counted_at_) {
          run = {now_, counted_at_, 0};
        } else {
          run = {now_, now_ + 1, counted_};
          fetch_column();
        }
        break;
      case Source::level:
        run = {now_, change_at_, level_line_->increment(level_)};
        fetch_level();
        break;
      case Source::sum:
        sum_->next(run);
        run.n = context_->selection->combine(run.n);
        break;
    }
    now_ = run.end;
    return true;
  }

 private:
  enum class Source : std::uint8_t { column, level, sum };
  /// Finds the next cycle in which the only non-empty column has an occurrence that counts.
  void fetch_column();
  /// Moves to the next value of the only state.
  void fetch_level();

  const SelectionContext* context_;
  const Block* block_;
  Cycle now_;
  Cycle to_;
  Source source_ = Source::column;
  // Source::column
  const Selection::Slot* slot_ = nullptr;
  std::span<const Occurrence> left_;
  Cycle counted_at_;
  std::uint32_t counted_ = 0;
  // Source::level
  const Line* level_line_ = nullptr;
  std::uint64_t level_ = 0;
  Cycle change_at_ = 0;
  std::span<const activity::Change> changes_;
  // Source::sum
  std::optional<RunCursor> sum_;
};

/// Sum of n over the cycles [from, to), in closed form per run.
[[nodiscard]] std::uint64_t total(const SelectionContext& context, const Block& block, Cycle from, Cycle to);

/// Number of cycles in [from, to) with n >= least. `least` must be at least 1.
[[nodiscard]] Cycle cycles_with(const SelectionContext& context, const Block& block, Cycle from, Cycle to,
                                std::uint32_t least);

/// Value of a state in cycle `at`, and the first later cycle in which it changes (activity::never: none).
struct Held {
  std::uint64_t value;
  Cycle until;
};
[[nodiscard]] Held held(const Block& block, activity::State state, Cycle at);

/// As held() for cycles in ascending order, without a search for each of them.
class StateCursor {
 public:
  StateCursor(const Block& block, activity::State state, Cycle at);
  /// `at` must not be before the cycle of the last call.
  [[nodiscard]] Held at(Cycle at) {
    while (!changes_.empty() && begin_ + changes_.front().at <= at) {
      value_ = changes_.front().value;
      changes_ = changes_.subspan(1);
    }
    return {value_, changes_.empty() ? activity::never : begin_ + changes_.front().at};
  }

 private:
  Cycle begin_;
  std::uint64_t value_;
  std::span<const activity::Change> changes_;  ///< after the cycle of the last call
};

/// The occurrences of a column in the cycles [from, to).
[[nodiscard]] std::span<const Occurrence> occurrences(const Block& block, activity::Signal signal, Cycle from,
                                                      Cycle to);

}  // namespace pmusim::pmu
