// The facts about a target's events that judging needs, one row an event. They come from the manuals: encoder, model
// and oracle have tables of their own, and share nothing with these.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace pmusim::testbench {

/// How often an event occurs in a cycle. There is no default: a row without it does not compile.
class Occurs {
 public:
  enum class How : std::uint8_t {
    never,        ///< it counts nothing on any trace, by definition or under the default parameters
    reserved,     ///< never, and it has no name: the manual reserves its code
    every_cycle,  ///< it is true in each cycle in which the counter counts
    condition,    ///< it is true or not in a cycle
    occurrence,   ///< it may occur several times in a cycle
    number,       ///< a number that the processor holds is added in a cycle
    all_or_none   ///< in a cycle it occurs as often as it can or not at all
  };
  constexpr Occurs(How how, unsigned most) : how_(how), most_(most) {}
  [[nodiscard]] constexpr bool never() const { return how_ <= How::reserved; }
  [[nodiscard]] constexpr bool reserved() const { return how_ == How::reserved; }
  [[nodiscard]] constexpr bool every_cycle() const { return how_ == How::every_cycle; }
  [[nodiscard]] constexpr bool all_or_none() const { return how_ == How::all_or_none; }
  [[nodiscard]] constexpr bool repeats() const { return how_ >= How::occurrence && how_ != How::number; }
  /// In one cycle; `no_limit` if no document says it.
  [[nodiscard]] constexpr unsigned most() const { return most_; }

 private:
  How how_;
  unsigned most_;
};

/// The counters, from 0, that can count an event. There is no default.
class CounterSet {
 public:
  /// Bit n: counter n.
  constexpr explicit CounterSet(std::uint32_t bits) : bits_(bits) {}
  /// The numbers below `count`, which is the number of counters.
  [[nodiscard]] std::vector<unsigned> numbers(std::size_t count) const;

 private:
  std::uint32_t bits_;
};

/// Whether a count follows from the instructions of a trace alone, or also from the processor's timing. There is no
/// default.
class Follows {
 public:
  constexpr explicit Follows(bool from_instructions) : from_instructions_(from_instructions) {}
  [[nodiscard]] constexpr bool from_instructions() const { return from_instructions_; }

 private:
  bool from_instructions_;
};

/// The filters of a run that restrict an event; it ignores the others. There is no default.
class Filters {
 public:
  constexpr explicit Filters(unsigned bits) : bits_(bits) {}
  friend constexpr Filters operator|(Filters a, Filters b) { return Filters(a.bits_ | b.bits_); }
  [[nodiscard]] constexpr bool code() const { return (bits_ & 1) != 0; }
  [[nodiscard]] constexpr bool opcode() const { return (bits_ & 2) != 0; }
  [[nodiscard]] constexpr bool data() const { return (bits_ & 4) != 0; }
  /// States of cache lines; a request must name at least one.
  [[nodiscard]] constexpr bool lines() const { return (bits_ & 8) != 0; }
  /// Only fetches cause it, which have neither a syllable nor a data address.
  [[nodiscard]] constexpr bool of_fetches() const { return (bits_ & 64) != 0; }
  /// Of `code`: the second range restricts it, as it does prefetches; the first and the second do, as any fetches.
  [[nodiscard]] constexpr bool second_range() const { return (bits_ & 16) != 0; }
  [[nodiscard]] constexpr bool both_ranges() const { return (bits_ & 32) != 0; }

 private:
  unsigned bits_;
};

struct EventFacts {
  /// An event; a row of it (EVENT:MASK) if this row's facts differ; or all events that begin with it (BEGIN*).
  std::string_view name;
  Occurs occurs;
  CounterSet counters;
  Follows follows;
  Filters filters;
};

/// The words of the tables.
namespace facts {
inline constexpr unsigned no_limit = ~0u;
inline constexpr Occurs never{Occurs::How::never, 0}, reserved{Occurs::How::reserved, 0},
    every_cycle{Occurs::How::every_cycle, 1}, condition{Occurs::How::condition, 1},
    occurrence{Occurs::How::occurrence, no_limit};
constexpr Occurs at_most(unsigned count) { return {Occurs::How::occurrence, count}; }
constexpr Occurs number_up_to(unsigned most) { return {Occurs::How::number, most}; }
constexpr Occurs not_by_default(unsigned count) { return {Occurs::How::never, count}; }
constexpr Occurs all_or_none(unsigned count) { return {Occurs::How::all_or_none, count}; }
inline constexpr Follows from_instructions{true}, from_timing{false};
inline constexpr Filters unfiltered{0}, by_code{1}, by_opcode{2}, by_data{4}, by_lines{8}, second_range{16},
    both_ranges{32}, of_fetches{64};
inline constexpr Filters by_tag = by_code | by_opcode, by_all = by_tag | by_data;
inline constexpr CounterSet any{~0u};
constexpr CounterSet on(std::initializer_list<unsigned> numbers) {
  std::uint32_t bits = 0;
  for (const unsigned number : numbers) bits |= 1u << number;
  return CounterSet(bits);
}
}  // namespace facts

struct Identity;

/// Rows shared by similar targets, and those of the target. No event has a row in both.
using EventTable = std::array<std::span<const EventFacts>, 2>;
/// What is known of the events of a target.
struct CountFacts {
  EventTable events;
  std::array<std::span<const Identity>, 2> identities = {};  ///< of similar targets, and of the target
};
/// Null for a target without them.
[[nodiscard]] const CountFacts* find_count_facts(std::string_view target);
/// Throws std::invalid_argument for a target without them.
[[nodiscard]] const CountFacts& count_facts(std::string_view target);
/// The facts about a row of the oracle: those of the row, else of its event, else of the longest beginning. Null if
/// there are none.
[[nodiscard]] const EventFacts* find_event_facts(const EventTable& table, std::string_view row);
/// The same for a target's table. Throws std::invalid_argument for a row without facts.
[[nodiscard]] const EventFacts& event_facts(std::string_view target, std::string_view row);
/// The events of a target whose counts follow from the instructions of a trace, in the order of the table.
[[nodiscard]] std::vector<std::string_view> events_from_instructions(std::string_view target);

}  // namespace pmusim::testbench

#define FACTS CountFacts
#define MEMBER events
#include "testbench/targets/declare_facts.inc"
