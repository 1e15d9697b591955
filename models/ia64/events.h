// The event multiplexer of IA-64 PMUs: what a row of a family's table says, and how the line of one counter is
// counted. Which code is which row is the family's own table; filters.h has the filters that rows name.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "models/ia64/counter.h"
#include "models/ia64/tags.h"
#include "models/pmu/multiplexer.h"

namespace pmusim::pmu::ia64 {

/// Behaviours of events that the documents leave open.
struct EventChoices {
  bool overcount = false;              ///< SYLL_OVERCOUNT counts syllables held for both kinds of stop
  bool unknown_prediction = false;     ///< branches without a prediction exist for BR_MISPRED_DETAIL2, BR_PATH_PRED2
  bool prefetch_reference = false;     ///< lfetch counts as a data reference
  bool replayed_misses = false;        ///< L1D_READ_MISSES counts cancelled passes
  bool prefetch_hits = false;          ///< L1I_FETCH_RAB_HIT and L1I_FETCH_ISB_HIT count prefetches
  bool ia32_retirement = true;         ///< IA-32 instructions count for channels 0 and 1 of event 0x08
  bool walker_loads = true;            ///< page table reads are retired loads
  bool cancels_of_all_groups = false;  ///< L2_OZQ_CANCELS0, unit mask 0, counts the reasons of all three events
  bool limited = true;                 ///< no line delivers more in a cycle than the table's most
};

/// What a filter looks at.
struct EventInput {
  const Block& block;
  activity::Signal signal;
  const activity::Occurrence& occurrence;
  const Origin& origin;
  unsigned umask;
  const Mode& mode;
  const Tagger& tagger;
  const EventChoices& choices;

  /// IA-64 traits of the instruction; false without one.
  [[nodiscard]] bool is(activity::ia64::Kind kind) const {
    return origin.syllable != nullptr && origin.syllable->has(kind);
  }
  [[nodiscard]] bool detail(std::uint16_t bits) const { return (occurrence.detail & bits) != 0; }
};

/// Which part of the qualification an event honours.
enum class Qualifier : std::uint8_t {
  none,
  address,       ///< instruction range of channel 0
  prefetch,      ///< instruction range of channel 1
  fetch,         ///< channel 1 for prefetches, channel 0 for demand fetches
  tag,           ///< range and opcode of channel 0
  tag_by_umask,  ///< range and opcode of the channel that the unit mask names
  data           ///< the data channels
};

/// Events that observe the same wires: all of a group in use must be of one set.
enum class Group : std::uint8_t { none, l1d, l2 };

/// Where an event line comes from.
enum class Source : std::uint8_t {
  activity,      ///< one or two columns, or one or two states
  clock,         ///< every cycle
  level_change,  ///< cycles in which the privilege level has a new value
  isa_change,    ///< cycles in which PSR.is has a new value
  data_ear,
  fetch_ear,
  branch_ring,  ///< captures of the monitor's own registers
  unmodelled    ///< nothing produces it
};

/// A row of the event table. It is selected by `code` with one of `umasks`.
struct Event {
  /// How much an occurrence counts. Negative: it is none of this event's.
  using Amount = int (*)(const EventInput&);
  using Level = std::uint32_t (*)(std::uint64_t first, std::uint64_t second, unsigned umask);

  std::uint8_t code = 0;
  std::uint16_t umasks = 1;  ///< bit n: unit mask n is listed
  std::uint8_t most = 1;     ///< most that it counts in a cycle
  Qualifier qualifier = Qualifier::none;
  Group group = Group::none;
  std::uint8_t set = 0;
  bool first_counter_only = false;  ///< can be programmed in the first counter only
  Source source = Source::activity;
  // columns: an occurrence counts when (detail & mask) == value and `amount`, if any, says so
  activity::Signal signal = activity::Signal::count_;
  activity::Signal second_signal = activity::Signal::count_;
  std::uint16_t mask = 0;
  std::uint16_t value = 0;
  Amount amount = nullptr;      ///< null: the occurrence's own amount
  bool first_of_cycle = false;  ///< only the first that counts in a cycle
  // or states, when `level` is set
  activity::State state = activity::State::count_;
  activity::State second_state = activity::State::count_;
  Level level = nullptr;
};

/// Cycles in which the monitor's own registers captured something, and whether a stretch begins with a change.
struct Happened {
  std::span<const Cycle> data_ear, fetch_ear, branch_ring;
  bool level_changed = false;
  bool isa_changed = false;
};

/// A counter's selected event.
struct EventLine {
  const Event* event = nullptr;  ///< null: nothing
  unsigned umask = 0;
  unsigned threshold = 0;
};

struct EventContext {
  const Block& block;
  const Mode& mode;
  const Tagger& tagger;
  const EventChoices& choices;
  const Happened& happened;
};

/// What a line does in a stretch of cycles.
struct EventScan {
  std::uint64_t added = 0;
  Cycle wrap = activity::never;  ///< cycle whose addition reaches `distance`
  std::uint32_t last = 0;        ///< occurrences in the last cycle, before the threshold
};

/// Counts a line over [from, to), in which the mode does not change. `happened` is of the same stretch.
[[nodiscard]] EventScan scan(const EventLine& line, const EventContext& context, Cycle from, Cycle to,
                             std::uint64_t distance);

/// The row of a code and unit mask, or null. `table` is sorted by code.
[[nodiscard]] const Event* find_event(std::span<const Event> table, unsigned code, unsigned umask);

}  // namespace pmusim::pmu::ia64
