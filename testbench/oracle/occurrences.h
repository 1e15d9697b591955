// The number of occurrences of an event in a cycle, for each requested selection of unit masks and qualifiers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "testbench/oracle/captures.h"
#include "testbench/oracle/event.h"
#include "testbench/oracle/state_cursor.h"
#include "testbench/oracle/time_base.h"

namespace pmusim::oracle {

// The cycles in which a unit of an Itanium captures something, block by block. The unit's event counts them.

/// The request without restrictions, as far as restrictions change what is captured.
[[nodiscard]] Request without_filters(const Request& request);

class CaptureCycles {
 public:
  CaptureCycles(CaptureUnit unit, const Request& request, const ParameterLookup& parameters, std::string_view target);

  /// Starts reading a block at cycle `at`. The same block may be entered again later.
  void enter(const activity::Block& block, activity::Cycle at);
  /// Captures in a cycle, 0 or 1. Cycles must not decrease; a cycle may be repeated.
  std::uint32_t at(activity::Cycle cycle);
  /// Cycle of the next capture in this block, or activity::never.
  [[nodiscard]] activity::Cycle next() const { return index_ < cycles_.size() ? cycles_[index_] : activity::never; }

 private:
  void read(const activity::Block& block);

  std::unique_ptr<CaptureList> list_;     ///< of an event address register, or
  std::unique_ptr<BranchList> branches_;  ///< of the branch trace buffer
  activity::Cycle read_until_ = 0;
  std::vector<activity::Cycle> cycles_;  ///< of the block
  std::size_t index_ = 0;
  activity::Cycle asked_ = activity::never;  ///< the cycle of the last call of at()
  std::uint32_t answer_ = 0;                 ///< ... and its result
};

/// The stream of occurrences of one selection.
struct Line {
  Classes selected;        ///< unit masks
  std::size_t view;        ///< qualifiers
  std::uint32_t n = 0;     ///< occurrences in the cycle
  std::uint32_t raw = 0;   ///< the same before qualifiers and filters
  std::uint32_t left = 0;  ///< occurrences beyond the maximum of a cycle, for the next cycles
};

class Occurrences {
 public:
  Occurrences(const Event& event, const Choices& choices, const ParameterLookup& parameters, std::string_view target)
      : event_(event),
        choices_(choices),
        parameters_(parameters),
        target_(target),
        filters_(std::any_of(event.rules.begin(), event.rules.end(),
                             [](const OccurrenceRule& rule) { return rule.passing != nullptr; })) {}

  /// The line for a request; created for the first request of its kind. Throws std::invalid_argument for an unknown
  /// unit mask or an impossible qualifier.
  std::size_t line_for(const Request& request);

  /// Forgets everything read. Returns false for events of captures, which cannot forget; create another object then.
  [[nodiscard]] bool restart();
  /// Starts reading a block at cycle `at`.
  void enter(const activity::Block& block, activity::Cycle at);
  /// Counts the occurrences of cycle `at`. Visit cycles in order; a cycle before quiet_until() may be skipped only if
  /// count_quiet() replaces it. Not `clocked`: the counters stand still, so that a carry-over waits.
  void count(activity::Cycle at, bool clocked = true);
  /// First cycle after the counted one that may differ from a cycle without entries.
  [[nodiscard]] activity::Cycle quiet_until() const { return quiet_until_; }
  /// Whether anything can be counted in a cycle before quiet_until().
  [[nodiscard]] bool counts_quiet() const {
    return event_.level != nullptr || event_.increment != nullptr || event_.of_cycle != nullptr;
  }
  /// Counts a cycle before quiet_until(), in which only levels hold.
  void count_quiet();
  /// First cycle after the counted one in which something other than ticks of the time base or bus clock happens.
  [[nodiscard]] activity::Cycle steady_until() const { return steady_until_; }
  /// For an event that counts ticks: counts a cycle with a tick. Returns for each line how many of the cycles after
  /// `at` and before `to` have a tick. `to` must not be after steady_until().
  [[nodiscard]] std::vector<std::uint64_t> count_ticks(activity::Cycle at, activity::Cycle to);

  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }

 private:
  /// Requests with the same qualifiers.
  struct View {
    Request asked;
    TimeBase time_base;
    std::uint32_t bit;                                    ///< of the lower word, the examined bit
    std::uint64_t value_before = 0;                       ///< of the time base, in the previous cycle
    std::unique_ptr<CaptureCycles> captured = nullptr;    ///< by the event's unit
    std::shared_ptr<CaptureCycles> capturable = nullptr;  ///< captures without filters
    Request unfiltered = {};                              ///< the request for the latter
    std::vector<std::size_t> lines = {};                  ///< of these qualifiers, as indices
    Classes selected = 0;                                 ///< unit masks of all these lines
  };
  struct Column {
    const OccurrenceRule* rule;
    const std::vector<activity::Occurrence>* entries = nullptr;
    std::size_t index = 0;
  };

  [[nodiscard]] Classes selection(const Request& request) const;
  [[nodiscard]] bool same_view(const Request& a, const Request& b) const;
  [[nodiscard]] LevelIncrement increment() const;
  [[nodiscard]] Classes passing(const OccurrenceRule& rule, const EventSite& site) const;
  [[nodiscard]] bool counts_for(const Request& asked, std::optional<unsigned> owner) const;
  void count_level();
  void count_column(Column& column, activity::Cycle at);
  void count_transition();
  void count_captures(activity::Cycle at);
  void count_time_base(activity::Cycle at);
  void count_bus_clock(activity::Cycle at);
  void count_long_level(activity::Cycle at);
  void look_at_clock(activity::Cycle at);
  void await_until(activity::Cycle at);
  void count_awaited(activity::Cycle at, bool retires);
  void convert();
  void cap();
  void carry_over(activity::Cycle at, bool clocked);

  const Event& event_;
  const Choices& choices_;
  ParameterLookup parameters_;
  std::string_view target_;
  bool filters_;  ///< a rule has a filter of its own
  std::vector<View> views_;
  std::vector<Line> lines_;

  const activity::Block* block_ = nullptr;
  std::vector<Column> columns_;
  std::vector<StateCursor> states_;
  StateValues values_{};
  std::optional<std::uint64_t> bits_before_;  ///< of the transition's state, in the previous cycle
  std::uint64_t thread_before_ = 0,
                background_before_ = 0;  ///< the active thread, and the same state of the other thread
  std::size_t access_ = 0;               ///< next entry of Block::accesses
  bool started_ = false;
  activity::Cycle quiet_until_ = 0, steady_until_ = 0;
  std::optional<activity::Cycle> last_clock_;   ///< of Event::clock, the last one with an occurrence
  std::optional<activity::Cycle> holds_since_;  ///< the level that counts after it has held long enough
  activity::Cycle awaited_ = 0;                 ///< clocked cycles since the last group retired
  std::optional<activity::Cycle> awaited_to_;   ///< first cycle not yet in awaited_
  std::optional<std::uint64_t> bus_ratio_;      ///< core cycles of a bus clock
  activity::Cycle bus_ratio_since_ = 0;
};

}  // namespace pmusim::oracle
