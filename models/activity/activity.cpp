#include "models/activity/activity.h"

#include <algorithm>

namespace pmusim::activity {

std::uint64_t Block::state_at(State s, Cycle c) const {
  const StateColumn& column = state(s);
  const auto after = std::upper_bound(column.changes.begin(), column.changes.end(), c - begin,
                                      [](Cycle offset, const Change& change) { return offset < change.at; });
  return after == column.changes.begin() ? column.initial : std::prev(after)->value;
}

void Block::follow(const Block& next) {
  const auto at = static_cast<std::uint32_t>(end - begin);
  for (std::size_t i = 0; i < state_count; ++i) {
    StateColumn& column = states[i];
    const std::uint64_t last = column.changes.empty() ? column.initial : column.changes.back().value;
    if (last != next.states[i].initial) column.changes.push_back({at, next.states[i].initial});
  }
}

void Block::restart(Cycle new_begin) {
  begin = end = new_begin;
  for (auto& column : columns) column.clear();
  for (auto& column : states) {
    if (!column.changes.empty()) column.initial = column.changes.back().value;
    column.changes.clear();
  }
  instructions.clear();
  requests.clear();
  syllables.clear();
  ia64_requests.clear();
  alpha_instructions.clear();
  accesses.clear();
}

}  // namespace pmusim::activity
