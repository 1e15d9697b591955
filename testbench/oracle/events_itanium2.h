// The parts of the Itanium 2's event table, and shared helpers. The Montecito uses most of the table; a unit mask
// without a name is a position that only the Montecito has. The definitions are those of Intel's processor manual as
// far as they are known; the names are libpfm's.
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "testbench/oracle/family.h"

namespace pmusim::oracle {
[[nodiscard]] const std::vector<Event>& itanium2_events();
}

namespace pmusim::oracle::itanium2 {

[[nodiscard]] std::vector<Event> retirement_events();
[[nodiscard]] std::vector<Event> branch_events();
[[nodiscard]] std::vector<Event> cycle_events();
[[nodiscard]] std::vector<Event> fetch_events();
[[nodiscard]] std::vector<Event> data_events();
[[nodiscard]] std::vector<Event> l2_queue_events();
[[nodiscard]] std::vector<Event> bus_events();
[[nodiscard]] std::vector<Event> capture_events();

/// The filters that apply: code ranges; opcodes, too; all.
inline constexpr Filters by_code = {true, false, false};
inline constexpr Filters by_instruction = {true, true, false};
inline constexpr Filters by_all = {true, true, true};

/// An event with one rule, of which at most `most` occurrences count in a cycle.
[[nodiscard]] inline Event occurring(std::string_view name, std::uint32_t most, Filters filters,
                                     activity::Signal signal, Classes (*rule)(const EventSite&),
                                     std::vector<std::string_view> umasks = {}) {
  return {.name = name, .umasks = std::move(umasks), .rules = {{signal, rule}}, .most = most, .filters = filters};
}
/// Selected bits of the number of entries in a queue that a state holds.
template <activity::State whose, unsigned queue, unsigned shift, std::uint32_t mask>
Event live(std::string_view name, std::uint32_t most = 0) {
  const auto bits = [](const StateValues& states) {
    return LevelIncrement{counted, static_cast<std::uint32_t>(value_of(states, whose) >> queue & 0xff) >> shift & mask};
  };
  return {.name = name, .states = {whose}, .most = most, .increment = bits, .step = mask};
}

/// The unit masks at these positions in the event's list.
constexpr Classes places(std::initializer_list<unsigned> list) {
  Classes classes = 0;
  for (const unsigned place : list) classes |= Classes{1} << place;
  return classes;
}
/// The unit masks of a cause in a table of causes; `others` for a cause that is not listed.
template <typename Cause, std::size_t size>
constexpr Classes listed(const std::pair<Cause, Classes> (&table)[size], Cause cause, Classes others = not_counted) {
  for (const auto& [one, classes] : table)
    if (one == cause) return classes;
  return others;
}
constexpr Classes when(bool condition, Classes classes = counted) { return condition ? classes : not_counted; }

inline bool by_fetch(activity::ia64::Requester r) {
  return r == activity::ia64::Requester::demand_fetch || r == activity::ia64::Requester::prefetch_fetch;
}
inline bool by_demand_fetch(const EventSite& s) {
  return s.ia64_request().requester == activity::ia64::Requester::demand_fetch;
}
inline bool by_prefetch(const EventSite& s) {
  return s.ia64_request().requester == activity::ia64::Requester::prefetch_fetch;
}

/// Of queue_cancel: what kept the entry from issuing, and the stage in which the older store was.
inline activity::ia64::QueueCancel cause_of(const EventSite& s) {
  return static_cast<activity::ia64::QueueCancel>(s.what.detail & activity::ia64::queue_cancel::cause_mask);
}
inline activity::ia64::QueueStage stage_of(const EventSite& s) {
  return static_cast<activity::ia64::QueueStage>(s.what.detail >> activity::ia64::queue_cancel::stage_shift & 3);
}

inline activity::ia64::BusKind bus_kind(const EventSite& s) {
  return static_cast<activity::ia64::BusKind>(s.what.detail & activity::ia64::detail::bus_kind_mask);
}
/// ANY, IO, SELF, EITHER: this core or the other core of its die, if there are two.
constexpr Classes places_of(activity::ia64::BusAgent agent) {
  using activity::ia64::BusAgent;
  constexpr std::pair<BusAgent, Classes> agents[] = {{BusAgent::io, places({0, 1})},
                                                     {BusAgent::self, places({0, 2, 3})},
                                                     {BusAgent::other_core, places({0, 3})},
                                                     {BusAgent::other_processor, places({0})}};
  return listed(agents, agent);
}
inline Classes by_agent(const EventSite& s) {
  return places_of(static_cast<activity::ia64::BusAgent>(s.what.detail >> activity::ia64::detail::bus_agent_shift & 3));
}

}  // namespace pmusim::oracle::itanium2

// The parts of the Montecito's event table that the Itanium 2 does not have. The definitions are those of the Itanium
// 2's manuals with the known changes; the names are libpfm's.
namespace pmusim::oracle {
[[nodiscard]] const std::vector<Event>& montecito_events();
}

namespace pmusim::oracle::montecito {

[[nodiscard]] std::vector<Event> core_events();       ///< instructions, cycles, threads
[[nodiscard]] std::vector<Event> cache_events();      ///< L2D, L2I, L3
[[nodiscard]] std::vector<Event> interface_events();  ///< the system interface and its bus

}  // namespace pmusim::oracle::montecito
