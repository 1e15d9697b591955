// Expected counts by event name, counted cycle by cycle over the activity. The oracle includes the activity headers and
// nothing else of models or encoder: no register bit, no code, no unit-mask value.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/activity/activity.h"

namespace pmusim::oracle::ia64 {

enum class InstructionSet : std::uint8_t { both, ia64, ia32 };

/// Code from `start` up to but not including `end`, bundle addresses, at the levels of a mask.
struct CodeRange {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  unsigned levels = 15;  ///< bit n: the range applies at level n
  friend bool operator==(const CodeRange&, const CodeRange&) = default;
};

/// Data whose first byte lies from `start` up to but not including `end`.
struct DataRange {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  friend bool operator==(const DataRange&, const DataRange&) = default;
};

/// Addresses watched by a data breakpoint.
struct DataBreakpoint {
  DataRange range;
  bool read = true;
  bool write = true;
  unsigned levels = 15;
  friend bool operator==(const DataBreakpoint&, const DataBreakpoint&) = default;
};

inline constexpr std::uint64_t every_bit = 0x1ffffffffff;
/// Instructions by their encoding. Itanium 2: 27 bits are compared, bits 12:0 are the syllable's 12:0, bits 26:13 its
/// 40:27. Montecito: the 41 bits of the syllable; there `every_bit` ignores all of them.
struct OpcodeMatch {
  std::uint64_t match = 0;
  std::uint64_t ignore = 0x7ffffff;             ///< 1: the bit does not matter
  bool m = true, i = true, f = true, b = true;  ///< slots in which the instruction matches
  friend bool operator==(const OpcodeMatch&, const OpcodeMatch&) = default;
};

/// L3 lines by the state in which they are found, installed or replaced (Montecito).
struct LineStates {
  bool modified = true, exclusive = true, shared = true, invalid = true;
  friend bool operator==(const LineStates&, const LineStates&) = default;
};

/// Filter of the branch trace buffer. A branch that is not taken counts as having a right target.
struct BranchFilter {
  enum class Type : std::uint8_t { all, ip_relative, returns, indirect };
  bool taken = true, not_taken = true;
  bool path_right = true, path_wrong = true;
  bool target_right = true, target_wrong = true;
  Type type = Type::all;
  friend bool operator==(const BranchFilter&, const BranchFilter&) = default;
};

/// The Itanium part of a request.
struct Qualifiers {
  unsigned levels = 0;              ///< bit n: count at level n; 0: as `user` (level 3) and `kernel` (level 0) select
  bool privileged_monitor = false;  ///< run by PSR.pp instead of PSR.up
  InstructionSet instruction_set = InstructionSet::both;
  /// Ordinary events: the first range, or the second one for prefetches if there are two.
  /// IA64_TAGGED_INST_RETIRED_IBRPn: range n. A range that is not given does not restrict.
  std::vector<CodeRange> code;
  bool outside = false;              ///< the complement of the first range
  bool fine_mode = false;            ///< at most two ranges by bounds, not by masks: pairs 0 and 2 share the first
  bool short_page = false;           ///< pmu.fine_mask=register compares bits 31:12 and 63:56 of a page only
  std::vector<OpcodeMatch> opcodes;  ///< first and second matcher; IBRP1 and IBRP3 use the second
  std::vector<DataRange> data;       ///< any of them
  std::vector<DataBreakpoint> breakpoints;  ///< DATA_DEBUG_REGISTER_*
  std::string armed;              ///< DATA_EAR_EVENTS, L1I_EAR_EVENTS: the row that describes the setup of the register
  BranchFilter branches;          ///< BRANCH_EVENT
  bool branch_buffer_on = false;  ///< data EAR: the branch trace buffer records at the same time
  // Montecito
  bool all_threads = false;       ///< counts events of both threads, not only the monitor's own
  LineStates line_states;         ///< for L3 events with line states
  bool traces_addresses = false;  ///< the trace buffer records retiring instructions (IP-EAR) instead of branches
  unsigned trace_delay = 0;       ///< cycles that it continues after a freeze, 0 to 255
  friend bool operator==(const Qualifiers&, const Qualifiers&) = default;
  /// Whether both restrict to the same occurrences, apart from the levels at which they count.
  [[nodiscard]] bool same_place(const Qualifiers& o) const {
    return code == o.code && outside == o.outside && fine_mode == o.fine_mode && short_page == o.short_page &&
           opcodes == o.opcodes && data == o.data && breakpoints == o.breakpoints && line_states == o.line_states;
  }
};

}  // namespace pmusim::oracle::ia64

namespace pmusim::oracle::alpha {

/// The changes of flow that FLOW_CHANGE counts on the 21164. The hardware derives them from the input of counter 2.
enum class Flow : std::uint8_t { all, jumps, conditional_branches };

/// Qualifiers of the 21164's counters, beside Request::user and Request::kernel (kernel, executive and supervisor mode)
/// of the hardware's modes; the operating system's user code runs in executive mode (pmu.os_user_mode).
struct Qualifiers {
  bool pal = true;                        ///< PALmode
  bool executive_and_supervisor = false;  ///< of the kernel's modes, these two; for Request::kernel = false
  Flow flow = Flow::all;
  friend bool operator==(const Qualifiers&, const Qualifiers&) = default;
};

}  // namespace pmusim::oracle::alpha

namespace pmusim::oracle {

/// A request to one counter, in the terms of the event string (contracts of the command line).
struct Request {
  std::string event;                ///< DATA_CACHE_REFILLS
  std::vector<std::string> umasks;  ///< L2_SHARED, ...; empty if none is given or the event has none
  bool user = true;
  bool kernel = true;
  std::uint32_t threshold = 0;  ///< `c=` (Athlon: n >= c), `t=` (750GX: latency > t; Itanium: n > t)
  bool invert = false;
  bool edge = false;
  std::optional<bool> marked = std::nullopt;  ///< only marked (true; 750GX, Alpha) or unmarked processes (750GX)
  unsigned time_base_bit = 0;                 ///< 750GX `tb=`
  std::uint64_t address = 0;                  ///< address of the breakpoint that the event compares with (IABR, DR0-3)
  std::uint32_t breakpoint = 0;               ///< its kind and length, see breakpoint_* below
  std::uint32_t time_base = 0;                ///< 750GX: TBL in cycle 0
  bool pin_control = false;                   ///< Athlon `pc`; has an effect under pmu.counting_with_pc=only_clear
  ia64::Qualifiers ia64 = {};                 ///< Itanium
  alpha::Qualifiers alpha = {};               ///< Alpha 21164

  /// Whether both count in the same processor modes, apart from user and kernel.
  [[nodiscard]] bool same_modes(const Request& other) const { return alpha == other.alpha; }
  /// Whether both add the same amount, in requests that only one family has.
  [[nodiscard]] bool same_qualifiers(const Request& other) const { return ia64 == other.ia64 && alpha == other.alpha; }
};
/// The number of interrupts for a count: one per `period` events.
[[nodiscard]] constexpr std::uint64_t interrupts(std::uint64_t events, std::uint64_t period) { return events / period; }
inline constexpr std::uint32_t breakpoint_execute = 0, breakpoint_write = 1, breakpoint_read_write = 3;
inline constexpr std::uint32_t breakpoint_length_shift = 4;     ///< length in bytes << 4
inline constexpr std::uint32_t breakpoint_translation = 0x100;  ///< 750GX IABR[TE]

struct Tally {
  std::uint64_t expected = 0;     ///< the count from zero, without wraps
  std::uint64_t occurrences = 0;  ///< occurrences of the event before filters: whether it was exercised
  bool half = false;              ///< and half an event in addition (21064)
};

/// Value of a named model parameter (`pmu.pmc4_8`, ...) in this run.
using ParameterLookup = std::function<std::int64_t(std::string_view)>;

/// Counts one event for several requests in one pass.
class Counter {
 public:
  virtual ~Counter() = default;
  virtual void consume(const activity::Block& block) = 0;
  /// The same for part of a block; cycles must follow each other.
  virtual void consume(const activity::Block& block, activity::Cycle from, activity::Cycle to) = 0;
  [[nodiscard]] virtual Tally tally(std::size_t request) const = 0;
  /// Cycle in which the count of a request reached `target` (1-based), or activity::never. Only for requests with
  /// targets in watch().
  virtual void watch(std::size_t request, std::uint64_t first, std::uint64_t period) = 0;
  /// Cycles in which the watched count reached first, first + period, first + 2 period, ... consume() throws
  /// std::invalid_argument if there are more than 2^24.
  [[nodiscard]] virtual const std::vector<activity::Cycle>& crossings(std::size_t request) const = 0;
};

/// Event names that the oracle of a target knows, with their unit masks. Itanium rows have the unit mask in the name
/// (BE_EXE_BUBBLE_ALL); a request may also name the two apart (BE_EXE_BUBBLE and ALL).
struct EventName {
  std::string_view name;
  std::vector<std::string_view> umasks;
};
[[nodiscard]] const std::vector<EventName>& events(std::string_view target);

/// The common part of requests that one pass can count: the event's name; for Itanium rows the part of the name before
/// the unit mask. Throws std::invalid_argument for an unknown target or event.
[[nodiscard]] std::string_view pass_of(std::string_view target, std::string_view event);

/// True if the request's threshold asks for more occurrences in a cycle than the definition of its event allows.
[[nodiscard]] bool out_of_reach(std::string_view target, const Request& request, const ParameterLookup& parameters);

/// A counter for requests with a common pass_of(). Throws std::invalid_argument for an unknown target, event or unit
/// mask, and for an impossible qualifier.
[[nodiscard]] std::unique_ptr<Counter> make_counter(std::string_view target, const std::vector<Request>& requests,
                                                    const ParameterLookup& parameters);

/// One rule of an event broken on purpose, so that a test can check whether it is noticed.
struct Breakage {
  std::string event;     ///< pass_of() its rows
  std::size_t rule = 0;  ///< index of the event's rule; without meaning for a level or the time base
  enum class Kind {
    never,             ///< the rule counts nothing
    every_occurrence,  ///< the rule counts everything that it examines
    unfiltered,        ///< the filter of the request passes everything
    shifted,           ///< an occurrence belongs to the next unit mask
    inverted,          ///< the level
    uncapped,          ///< a cycle counts more than the maximum of the event
    single,            ///< an occurrence counts 1, whatever its amount
    any_code,          ///< code ranges do not restrict it
    any_opcode,        ///< opcodes do not restrict it
    any_data,          ///< data ranges do not restrict it
    any_thread,        ///< it counts for both threads
    any_line,          ///< states of L3 lines do not restrict it
    as_it_comes,       ///< a cycle counts its occurrences directly
    whole,             ///< an occurrence is a whole event instead of half of one
    lost,              ///< occurrences beyond the maximum of a cycle are lost
    every_cycle        ///< the level counts in every cycle in which it holds
  } kind = Kind::never;
  [[nodiscard]] std::string text() const;
};
/// All breakages of a target's rules that have an effect.
[[nodiscard]] std::vector<Breakage> breakages(std::string_view target);
/// As make_counter(), with one rule broken. Requests for other events are counted as usual.
[[nodiscard]] std::unique_ptr<Counter> make_broken_counter(std::string_view target,
                                                           const std::vector<Request>& requests,
                                                           const ParameterLookup& parameters, const Breakage& breakage);

/// A counter for requests owned by the caller: requests are not copied, and it can be used for several activities.
class LastingCounter : public Counter {
 public:
  /// Forgets all counts. Returns false if the event does not support that; create another counter then.
  [[nodiscard]] virtual bool restart() = 0;
};

/// As make_counter(). The requests are read during the call.
[[nodiscard]] std::unique_ptr<LastingCounter> make_lasting_counter(std::string_view target,
                                                                   std::span<const Request* const> requests,
                                                                   const ParameterLookup& parameters);

}  // namespace pmusim::oracle
