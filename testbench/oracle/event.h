// How an event is written down in this room: what has to happen in the activity for it to occur, and how
// one occurrence belongs to the event's unit masks. The tables are in events_*.cpp, by event name.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "models/activity/activity.h"
#include "testbench/oracle/choices.h"
#include "testbench/oracle/oracle.h"

namespace pmusim::oracle {

/// Set of unit masks of one event, bit i for the i-th name. Events without unit masks use `counted` alone.
using Classes = std::uint32_t;
inline constexpr Classes counted = 1;
inline constexpr Classes not_counted = 0;

/// States of the machine in the cycle that is judged; filled for the states that the event names.
using StateValues = std::array<std::uint64_t, activity::state_count>;
constexpr std::uint64_t value_of(const StateValues& states, activity::State s) {
  return states[static_cast<std::size_t>(s)];
}

/// All that a rule may look at: one occurrence in its block, and what was asked.
struct Scene {
  const activity::Block& block;
  const activity::Occurrence& what;
  const StateValues& states;
  const Choices& choices;
  const Request& asked;

  [[nodiscard]] bool has(std::uint16_t bits) const { return (what.detail & bits) == bits; }
  [[nodiscard]] bool any(std::uint16_t bits) const { return (what.detail & bits) != 0; }
  [[nodiscard]] const activity::InstructionRecord& instruction() const { return block.instructions.at(what.ref); }
  [[nodiscard]] const activity::RequestRecord& request() const { return block.requests.at(what.ref); }
};

/// One way in which an event happens.
struct Happening {
  activity::Signal signal;
  Classes (*classes)(const Scene&);        ///< unit masks that the occurrence belongs to; 0: it is not this event
  bool (*passes)(const Scene&) = nullptr;  ///< a further filter that the request sets (latency threshold)
  bool usually_each = false;               ///< every occurrence counts unless a choice says otherwise
};

/// An event: its name, its unit masks, and when it occurs. A cycle's occurrences are the sum over all
/// happenings, plus 1 if `level` holds, plus 1 for an edge of the selected time base bit if `time_base`.
struct Event {
  std::string_view name;
  std::vector<std::string_view> umasks = {};
  std::vector<Happening> happenings = {};
  std::vector<activity::State> states = {};  ///< that `level` and the rules look at
  bool (*level)(const StateValues&, const Choices&) = nullptr;
  bool time_base = false;
  bool at_retirement = false;   ///< charged to the privilege of a retire group
  bool level_inverted = false;  ///< the level is broken, see Breakage
  bool umasks_shifted = false;  ///< an occurrence belongs to the unit mask behind its own, see Breakage
};

/// The event with one rule broken.
[[nodiscard]] Event broken(Event event, const Breakage& breakage);

// --- rules that both targets use -----------------------------------------------------------------

/// Every occurrence counts.
inline Classes each(const Scene&) { return counted; }

/// The bits of `mask` in the detail equal `value`.
template <std::uint16_t mask, std::uint16_t value = mask>
Classes where(const Scene& s) {
  return (s.what.detail & mask) == value ? counted : not_counted;
}

/// The instruction has the trait.
template <activity::Trait trait>
Classes with_trait(const Scene& s) {
  return s.instruction().has(trait) ? counted : not_counted;
}

/// Some bit of `mask` is set in the state.
template <activity::State state, std::uint64_t mask>
bool holds(const StateValues& states, const Choices&) {
  return (value_of(states, state) & mask) != 0;
}

/// The state is not zero.
template <activity::State state>
bool nonzero(const StateValues& states, const Choices&) {
  return value_of(states, state) != 0;
}

[[nodiscard]] const std::vector<Event>& ppc750gx_events();
[[nodiscard]] const std::vector<Event>& athlon_events();

}  // namespace pmusim::oracle
