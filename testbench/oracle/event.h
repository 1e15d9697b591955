// The form of an event's definition in the oracle: what must happen in the activity for it to occur, and which unit
// masks an occurrence belongs to. The tables are in events_*.cpp, by event name.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "models/activity/activity.h"
#include "testbench/oracle/choices.h"
#include "testbench/oracle/oracle.h"

namespace pmusim::oracle {

/// Set of unit masks of one event; bit i stands for the i-th name. Events without unit masks use only `counted`.
using Classes = std::uint32_t;
inline constexpr Classes counted = 1;
inline constexpr Classes not_counted = 0;
inline constexpr Classes any_class = ~Classes{0};

/// States of the machine in the evaluated cycle; filled in for the states that the event names.
using StateValues = std::array<std::uint64_t, activity::state_count>;
constexpr std::uint64_t value_of(const StateValues& states, activity::State s) {
  return states[static_cast<std::size_t>(s)];
}

/// The inputs of a rule: one occurrence in its block, and the request.
struct EventSite {
  const activity::Block& block;
  activity::Signal signal;
  const activity::Occurrence& what;
  const StateValues& states;
  const Choices& choices;
  const Request& asked;

  [[nodiscard]] bool has(std::uint16_t bits) const { return (what.detail & bits) == bits; }
  [[nodiscard]] bool any(std::uint16_t bits) const { return (what.detail & bits) != 0; }
  [[nodiscard]] const activity::InstructionRecord& instruction() const { return block.instructions.at(what.ref); }
  [[nodiscard]] const activity::RequestRecord& request() const { return block.requests.at(what.ref); }
  [[nodiscard]] const activity::ia64::Syllable& syllable() const { return block.syllables.at(what.ref); }
  [[nodiscard]] const activity::ia64::Request& ia64_request() const { return block.ia64_requests.at(what.ref); }
  [[nodiscard]] const activity::alpha::Instruction& alpha_half() const { return block.alpha_instructions.at(what.ref); }
  [[nodiscard]] bool has_ref() const { return what.ref != activity::no_ref; }
};

/// One way in which an event occurs.
struct OccurrenceRule {
  activity::Signal signal;
  Classes (*classes)(const EventSite&);            ///< unit masks that the occurrence belongs to; 0: none, not counted
  Classes (*passing)(const EventSite&) = nullptr;  ///< the subset that passes a filter of the request
  bool usually_each = false;                       ///< every occurrence counts, except by choice
  std::uint32_t (*amount)(const EventSite&) = nullptr;  ///< amount of an occurrence; none: its own amount
  bool Choices::*if_chosen = nullptr;                   ///< the choice that enables the rule; none: always enabled
};

/// A level with an increment: the amount that it adds per cycle, and for which unit masks.
struct LevelIncrement {
  Classes classes = not_counted;
  std::uint32_t amount = 0;
};

/// A change of some bits of a state between two cycles.
struct Transition {
  activity::State state;
  std::uint64_t mask;
  bool Choices::*if_chosen = nullptr;  ///< the choice that enables it; none: always enabled
  std::uint64_t where = 0, is = 0;     ///< counts only while the state has these bits of `where`
  Classes (*classes)(std::uint64_t before, std::uint64_t after) = nullptr;  ///< unit masks of the change; none: all
  /// The thread of the state, and the state of the background thread. A thread that becomes active has changed if its
  /// state differs from its state in the background. None: there is one thread.
  struct Threads {
    activity::State active, background;
  };
  std::optional<Threads> threads = std::nullopt;
};

/// The filters of a request that apply to an event: code ranges, opcodes, data ranges.
struct Filters {
  bool code = false, opcode = false, data = false;
};

/// Units that record captures; their events count the captures.
enum class CaptureUnit : std::uint8_t { none, data_ear, fetch_ear, branch_buffer };

/// Whose an event is, on a core of two threads (libpfm_montecito(3)). What belongs to no thread counts for the thread
/// that is active.
enum class Attribution : std::uint8_t {
  active,        ///< only the active thread causes it
  floating,      ///< belongs to the thread that causes it, which may be in the background
  causal,        ///< belongs to no thread
  self_floating  ///< floating for a monitor of its own thread, causal for a monitor of both
};

/// An event: its name, its unit masks, and when it occurs. The number of occurrences in a cycle is the sum over all
/// rules, plus 1 if `level` holds, plus the increment, plus 1 for a transition, plus 1 for an edge of the selected time
/// base bit if `time_base`, plus the captures of the unit, but at most `most`.
struct Event {
  std::string_view name;
  std::vector<std::string_view> umasks = {};
  std::vector<OccurrenceRule> rules = {};
  std::vector<activity::State> states = {};  ///< inputs of `level` and of the rules
  bool (*level)(const StateValues&, const Choices&) = nullptr;
  std::uint32_t (*degree)(const StateValues&, const Choices&) = nullptr;  ///< amount of the level; none: 1
  bool time_base = false;
  bool level_inverted = false;  ///< the level is broken, see Breakage
  bool umasks_shifted = false;  ///< an occurrence belongs to the unit mask after its own, see Breakage
  // Itanium
  std::uint32_t most = 0;  ///< maximum number of occurrences in a cycle; 0: no maximum
  Filters filters = {};
  bool by_channel = false;  ///< its rules compare ranges and opcodes themselves, each unit mask with its own
  LevelIncrement (*increment)(const StateValues&) = nullptr;
  std::uint32_t step = 0;  ///< largest amount of the increment; 0: no maximum
  std::optional<Transition> transition = std::nullopt;
  CaptureUnit unit = CaptureUnit::none;
  bool captures_all = false;  ///< the unit's filters are broken, see Breakage
  // Montecito
  std::optional<Attribution> attribution = std::nullopt;          ///< on a core of two threads
  bool any_thread = false;                                        ///< threads are broken, see Breakage
  activity::LineState (*line_state)(const EventSite&) = nullptr;  ///< of L3, for requests with line states
  bool in_low_power = false;  ///< counts only in cycles in which the clock is stopped
  bool bus_clock = false;     ///< plus 1 in a cycle in which a bus clock begins
  bool of_groups = false;     ///< counts cycles in which a group retires; by choice, also cycles that wait for one
  // Alpha
  std::uint32_t (*of_cycle)(std::uint32_t) =
      nullptr;                              ///< amount for a number of occurrences in a cycle; none: the number
  bool halves = false;                      ///< an occurrence is half an event
  bool carries = false;                     ///< occurrences above `most` count in the next cycles
  std::uint32_t Choices::*clock = nullptr;  ///< period in cycles of which one counts, the first one with an occurrence
  std::uint32_t Choices::*longer_than = nullptr;  ///< `level` counts once, after it has held for more cycles than this
  /// Adds a state to `states` if it is not there.
  void add_state(activity::State state) {
    if (std::find(states.begin(), states.end(), state) == states.end()) states.push_back(state);
  }
  /// Its occurrences determine the thread that they belong to.
  [[nodiscard]] bool floats() const {
    return attribution == Attribution::floating || attribution == Attribution::self_floating;
  }
};

/// The event with one rule broken.
[[nodiscard]] Event broken(Event event, const Breakage& breakage);

// --- rules that both targets use -----------------------------------------------------------------

/// Every occurrence counts.
inline Classes each(const EventSite&) { return counted; }

/// The bits of `mask` in the detail equal `value`.
template <std::uint16_t mask, std::uint16_t value = mask>
Classes where(const EventSite& s) {
  return (s.what.detail & mask) == value ? counted : not_counted;
}

/// Whether the instruction has the trait.
template <activity::Trait trait>
Classes with_trait(const EventSite& s) {
  return s.instruction().has(trait) ? counted : not_counted;
}

/// Whether a bit of `mask` is set in the state.
template <activity::State state, std::uint64_t mask>
bool holds(const StateValues& states, const Choices&) {
  return (value_of(states, state) & mask) != 0;
}

/// Whether the state is not zero.
template <activity::State state>
bool nonzero(const StateValues& states, const Choices&) {
  return value_of(states, state) != 0;
}

}  // namespace pmusim::oracle
