// The event multiplexer of IA-64 PMUs: the rows of the event tables, and the counting of a counter's event line. The
// table of a family maps codes to rows; filters.h has the filters that rows refer to.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "models/activity/subscription.h"
#include "models/ia64/tags.h"
#include "models/pmu/clock_divider.h"
#include "models/pmu/multiplexer.h"
#include "models/pmu/probe.h"

namespace pmusim::pmu::ia64 {

// The 47-bit counters of Itanium 2 and its successors.

class Counter {
 public:
  static constexpr unsigned width = 47;
  static constexpr std::uint64_t modulus = std::uint64_t{1} << width;

  /// Bits 63:47 of a read are copies of bit 46.
  [[nodiscard]] constexpr std::uint64_t read() const {
    return (value_ & modulus >> 1) != 0 ? value_ | ~(modulus - 1) : value_;
  }
  /// Bits 63:47 of a written value are ignored.
  constexpr void write(std::uint64_t value) { value_ = value & (modulus - 1); }
  /// Returns true on a carry out of bit 46.
  constexpr bool add(std::uint64_t n) {
    const bool wraps = n >= distance();
    value_ = (value_ + n) & (modulus - 1);
    return wraps;
  }
  /// The smallest amount whose addition wraps.
  [[nodiscard]] constexpr std::uint64_t distance() const { return modulus - value_; }

 private:
  std::uint64_t value_ = 0;
};

/// The amount that a cycle with `n` occurrences adds: n itself with threshold 0, else 1 if n exceeds the threshold.
[[nodiscard]] constexpr std::uint32_t above_threshold(std::uint32_t n, unsigned threshold) {
  return threshold == 0 ? n : static_cast<std::uint32_t>(n > threshold);
}

/// Behaviours of events that the documents do not specify.
struct EventChoices {
  bool overcount = false;              ///< SYLL_OVERCOUNT counts syllables held for both kinds of stop
  bool false_nops = false;             ///< NOPS_RETIRED counts nops whose predicate is false
  bool long_is_two = false;            ///< an L+X pair counts as two instructions in event 0x08
  bool unknown_prediction = false;     ///< BR_MISPRED_DETAIL2 and BR_PATH_PRED2 count branches without a prediction
  bool prefetch_reference = false;     ///< lfetch counts as a data reference
  bool replayed_misses = false;        ///< L1D_READ_MISSES counts cancelled passes
  bool prefetch_hits = false;          ///< L1I_FETCH_RAB_HIT and L1I_FETCH_ISB_HIT count prefetches
  bool ia32_retirement = true;         ///< IA-32 instructions count for channels 0 and 1 of event 0x08
  bool walker_loads = true;            ///< page table reads are retired loads
  bool cancels_of_all_groups = false;  ///< L2_OZQ_CANCELS0 with unit mask 0 counts the reasons of all three events
  bool line_reads_only = false;        ///< BUS_RD_HIT and BUS_RD_HITM count plain reads of lines only
  bool limited = true;                 ///< a line counts at most Event::most per cycle
  bool counts_awaited = false;         ///< Event::awaited counts all cycles since the previous retirement; else one
  std::uint32_t halted_cycle = 1;      ///< amount that a cycle with stopped core clock counts
};

/// The threads whose occurrences a counter counts in a stretch of cycles, and the mode that the filters use for each.
/// Index: hardware thread, or `no_thread`.
struct Owners {
  std::array<bool, 3> counted{true, true, true};
  std::array<Mode, 3> modes{};
  bool alike = true;  ///< the owner of an occurrence does not matter
  [[nodiscard]] bool any() const { return counted[0] || counted[1] || counted[no_thread]; }
};

/// The inputs of a filter.
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

/// The parts of the qualification that apply to an event.
enum class Qualifier : std::uint8_t {
  none,
  address,       ///< instruction range of channel 0
  prefetch,      ///< instruction range of channel 1
  fetch,         ///< channel 1 for prefetches, channel 0 for demand fetches
  tag,           ///< range and opcode of channel 0
  tag_by_umask,  ///< range and opcode of the channel selected by the unit mask
  data,          ///< the data channels
  data_address   ///< the data channels without their opcodes
};

/// The thread to which an event's occurrences belong on a core with two threads. Source: libpfm_montecito(3).
enum class Type : std::uint8_t {
  active,        ///< the active thread
  floating,      ///< the thread that caused the occurrence, even if it is in the background
  causal,        ///< no thread
  self_floating  ///< as floating when measured for the own thread, as causal for both threads
};

/// Groups of events that observe the same wires: all events of a group in use must belong to one set.
enum class Group : std::uint8_t { none, l1d, l2 };

/// The source of an event line.
enum class Source : std::uint8_t {
  activity,      ///< one or two columns, or one or two states
  clock,         ///< every cycle
  halted,        ///< every cycle in which the core clock is stopped
  bus_clock,     ///< cycles in which a bus clock begins
  level_change,  ///< cycles in which the privilege level has a new value; unit mask bits: from or to level n; 0: any
  isa_change,    ///< cycles in which PSR.is has a new value
  data_ear,
  fetch_ear,
  branch_ring,  ///< captures of the monitor's own registers
  unmodelled    ///< the models do not produce the event
};

/// A row of the event table. It is selected by `code` with one of `umasks`.
struct Event {
  /// Returns the amount of an occurrence; negative: it does not belong to this event.
  using Amount = int (*)(const EventInput&);
  using Level = std::uint32_t (*)(std::uint64_t first, std::uint64_t second, unsigned umask);

  std::uint8_t code = 0;
  std::uint16_t umasks = 1;  ///< bit n: unit mask n is listed
  std::uint8_t most = 1;     ///< maximum number per cycle
  Qualifier qualifier = Qualifier::none;
  Group group = Group::none;
  std::uint8_t set = 0;
  Type type = Type::active;
  std::uint16_t counters = 0xffff;  ///< bit n: counter n, from 0, can select the event
  Source source = Source::activity;
  // columns: an occurrence counts if (detail & mask) == value and `amount`, if set, is not negative
  activity::Signal signal = activity::Signal::count_;
  activity::Signal second_signal = activity::Signal::count_;
  std::uint16_t mask = 0;
  std::uint16_t value = 0;
  Amount amount = nullptr;      ///< null: the occurrence's own amount
  std::int8_t line_state = -1;  ///< bit position in the detail of a line state that the counter selects by; -1: none
  bool first_of_cycle = false;  ///< of each cycle, only the first occurrence that passes counts
  bool awaited = false;         ///< counts cycles of retirement, see EventChoices::counts_awaited
  // states, if `level` is set
  activity::State state = activity::State::count_;
  activity::State second_state = activity::State::count_;
  Level level = nullptr;
};

/// The monitor's own inputs in a stretch: captures of its registers, and changes at the beginning of the stretch.
struct Happened {
  std::span<const Capture> data_ear, fetch_ear, branch_ring;
  unsigned levels_changed = 0;  ///< bits of the old and the new privilege level; 0: no change
  bool isa_changed = false;
  const ClockDivider* bus_clock = nullptr;
  std::uint64_t bus_ticks = 0;  ///< ticks of bus_clock before the stretch
  Cycle since_retirement = 0;   ///< running cycles between the last retirement and the stretch
};

/// The event selected by a counter.
struct EventLine {
  const Event* event = nullptr;  ///< null: none
  unsigned umask = 0;
  unsigned threshold = 0;
  static constexpr unsigned every_state = 0xf;
  unsigned line_states = every_state;  ///< bits: invalid, shared, exclusive, modified
};

struct EventContext {
  const Block& block;
  const Owners& owners;
  unsigned thread;  ///< hardware thread of the captures
  const Tagger& tagger;
  const EventChoices& choices;
  const Happened& happened;
  /// Null, or the observers. Index: owner, because the gates of the owners differ.
  const std::array<Funnel, 3>* funnels = nullptr;
};

/// The result of a line in a stretch of cycles.
struct EventScan {
  std::uint64_t added = 0;
  Cycle wrap = activity::never;  ///< cycle in which the sum reaches `distance`
  std::uint32_t last = 0;        ///< occurrences in the last cycle, before the threshold
};

/// The signals, records and states that the line reads. `alike`: the owner of an occurrence does not matter.
[[nodiscard]] activity::Subscription subscription_of(const EventLine& line, const Tagger& tagger,
                                                     const EventChoices& choices, bool alike);

/// Counts a line over [from, to), in which no mode changes, up to the cycle in which the sum reaches `distance`. The
/// context must belong to the same stretch.
[[nodiscard]] EventScan scan(const EventLine& line, const EventContext& context, Cycle from, Cycle to,
                             std::uint64_t distance);

/// The row of a code and unit mask, or null. `table` is sorted by code.
[[nodiscard]] const Event* find_event(std::span<const Event> table, unsigned code, unsigned umask);

}  // namespace pmusim::pmu::ia64
