// Rules that the Alpha's event tables share, and the tables. What counts on which chip: the manual page pfm(7) and the
// hardware reference manuals of the 21164PC and the 21264/EV67.
#pragma once

#include "testbench/oracle/event.h"

namespace pmusim::oracle {

[[nodiscard]] const std::vector<Event>& alpha_ev4_events();
[[nodiscard]] const std::vector<Event>& alpha_ev5_events();
[[nodiscard]] const std::vector<Event>& alpha_pca56_events();
[[nodiscard]] const std::vector<Event>& alpha_ev6_events();
[[nodiscard]] const std::vector<Event>& alpha_ev67_events();

namespace alpha_rules {

using activity::LineState;
using activity::Signal;
using activity::State;
using activity::alpha::bit;
using activity::alpha::IssueStall;
using activity::alpha::Kind;
using activity::alpha::Replay;
using activity::alpha::SystemCommand;
using activity::alpha::Trap;
namespace d = activity::detail;
namespace ad = activity::alpha::detail;

/// Whether the instruction is of one of the kinds.
template <Kind... kinds>
Classes of_kind(const EventSite& s) {
  return (s.alpha_half().kinds & (bit(kinds) | ...)) != 0 ? counted : not_counted;
}
/// Whether a prediction for an instruction of these kinds was wrong.
template <Kind... kinds>
Classes mispredicted(const EventSite& s) {
  return s.any(d::branch_correct) ? not_counted : of_kind<kinds...>(s);
}
/// Whether the detail is one of the enumeration's values.
template <auto... values>
Classes one_of(const EventSite& s) {
  return ((s.what.detail == static_cast<std::uint16_t>(values)) || ...) ? counted : not_counted;
}
/// Whether the bits of `mask` equal `value` and the lookup misses.
template <std::uint16_t mask = 0, std::uint16_t value = mask>
Classes misses(const EventSite& s) {
  return s.any(d::lookup_hit) ? not_counted : where<mask, value>(s);
}
/// Whether a dirty line leaves that cache for another one.
template <std::uint16_t cache>
Classes dirty_victim(const EventSite& s) {
  const auto state = static_cast<LineState>(s.what.detail >> d::evict_state_shift & 7u);
  const bool dirty = state == LineState::modified || state == LineState::owned;
  return dirty && (s.what.detail & d::cache_mask) == cache && s.has(d::evict_replacement) ? counted : not_counted;
}

inline bool every_cycle(const StateValues&, const Choices&) { return true; }

/// Whether nothing issues for this reason.
template <IssueStall... causes>
bool stalled_by(const StateValues& states, const Choices&) {
  const std::uint64_t cause = value_of(states, State::issue_stall);
  return ((cause == static_cast<std::uint64_t>(causes)) || ...);
}
/// Whether nothing issues because no instruction is available.
inline bool dry(const StateValues& states, const Choices& choices) {
  return stalled_by<IssueStall::no_instructions>(states, choices) ||
         (!choices.traps_apart && stalled_by<IssueStall::trap>(states, choices));
}
/// Whether nothing issues although an instruction is available.
inline constexpr auto frozen = stalled_by<IssueStall::registers, IssueStall::unit_busy, IssueStall::load_miss,
                                          IssueStall::write_buffer, IssueStall::after_jump, IssueStall::memory_barrier>;

/// Counts a cycle with this many occurrences once.
template <std::uint32_t first, std::uint32_t last = first>
std::uint32_t if_number_is(std::uint32_t n) {
  return n >= first && n <= last ? 1 : 0;
}

inline constexpr std::uint16_t data_read = d::side_data | d::access_store;  ///< mask: only side_data is set

}  // namespace alpha_rules
}  // namespace pmusim::oracle
