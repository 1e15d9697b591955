// Expected counts by event name, counted cycle by cycle over the activity. The oracle includes the activity headers and
// nothing else of models or encoder: no register bit, no code, no unit-mask value.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/activity/activity.h"
#include "testbench/oracle/alpha.h"
#include "testbench/oracle/ia64.h"

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
inline constexpr std::uint32_t breakpoint_enable = 0x200;       ///< 750GX IABR[BE]

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

}  // namespace pmusim::oracle
