#include "models/activity/activity.h"

#include <algorithm>

namespace pmusim::activity {

std::uint64_t Block::state_at(State s, Cycle c) const {
  const StateColumn& column = state(s);
  const auto after = std::upper_bound(column.changes.begin(), column.changes.end(), c - begin,
                                      [](Cycle offset, const Change& change) { return offset < change.at; });
  return after == column.changes.begin() ? column.initial : std::prev(after)->value;
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
  accesses.clear();
}

}  // namespace pmusim::activity
