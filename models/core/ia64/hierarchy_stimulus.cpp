// Effects of directives and flushes on the lines of L2 and L3.
#include "models/core/ia64/hierarchy.h"

namespace pmusim::core::ia64 {

namespace d = activity::detail;
using act::BusAgent;
using act::BusKind;

namespace {
constexpr Cycle snoop_cycles = 4;  ///< a snoop has the tags of L2
}

bool Hierarchy::takes_line(BusKind kind) {
  return kind == BusKind::read_invalidate_line || kind == BusKind::invalidate_line || kind == BusKind::write_line ||
         kind == BusKind::write_partial;
}

void Hierarchy::foreign(BusKind kind, BusAgent agent, std::uint64_t physical, Cycle at) {
  const std::uint64_t line = line_of(physical);
  const bool coherent = kind <= BusKind::read_current || kind == BusKind::write_line || kind == BusKind::read_partial ||
                        kind == BusKind::write_partial;
  const bool takes = takes_line(kind);
  LineState found = LineState::invalid;
  bool code = false;
  if (coherent) {
    const LineState l2 = l2_.snoop(line);
    const LineState l3 = l3_.snoop(line);
    found = is_dirty(l2) || l3 == LineState::invalid ? l2 : l3;
    if (takes) {
      take_from_l2(line, d::evict_snoop, nullptr, at);
      take_from_l3(line, d::evict_snoop, nullptr, at);
      code = take_from_first_level(line, true, at);
    } else if (kind != BusKind::read_current) {
      if (l2 != LineState::invalid) l2_.set_state(l2_.find(line), line, LineState::shared);
      if (l3 != LineState::invalid) l3_.set_state(l3_.find(line), line, LineState::shared);
    }
    if (split()) {
      unsettle(line, takes, at);
      snoop_instructions(line, takes, true, at);
    }
    if (l2 != LineState::invalid) machine_.schedule.occur(at, Signal::l2_probe, nullptr);
    snoop_until_ = std::max(snoop_until_, at + snoop_cycles);
    snoop_line_ = line;
  }
  const bool full = kind != BusKind::read_partial && kind != BusKind::write_partial;
  bus_.foreign(kind, agent, line, full, found, code, at);
  machine_.schedule.occur(at, Signal::snoop, nullptr,
                          (found != LineState::invalid ? d::snoop_hits_l2 : 0) | (code ? d::snoop_hits_l1i : 0) |
                              (takes ? d::snoop_invalidates : 0));
}

/// A line is snooped while its fill is in flight: the fill ends in a pending state or, if the agent takes the line,
/// invalid.
void Hierarchy::unsettle(std::uint64_t line, bool takes, Cycle at) {
  const Fill* const fill = filling(line, at);
  if (fill == nullptr || fill->begin >= at) return;
  const auto invalid = static_cast<std::uint16_t>(LineState::invalid);
  const auto shared = static_cast<std::uint16_t>(LineState::shared);
  machine_.schedule.amend(Signal::l2_fill, fill->access, takes ? invalid : shared | act::detail::l2_fill_pending);
}

void Hierarchy::place(std::uint64_t physical, LineState state, bool elsewhere) {
  const std::uint64_t line = line_of(physical);
  const Cache::Slot slot = l2_.find(line);
  if (slot == Cache::none || elsewhere) {
    bus_.hold_elsewhere(line, state);
    return;
  }
  l2_.set_state(slot, line, state);
  const Cache::Slot below = l3_.find(line);
  if (below != Cache::none) l3_.set_state(below, line, state);
}

bool Hierarchy::flush_line(std::uint64_t physical, Access* access, Cycle at) {
  const std::uint64_t line = line_of(physical);
  const LineState l2 = take_from_l2(line, d::evict_cache_operation, access, at);
  const LineState l3 = take_from_l3(line, d::evict_cache_operation, access, at);
  const bool code = take_from_first_level(line, false, at);
  if (split()) snoop_instructions(line, true, false, at);
  machine_.schedule.occur(at, Signal::l2_probe, access);
  if (l2 != LineState::invalid || l3 != LineState::invalid) {
    const bool clean = !is_dirty(l2) && !is_dirty(l3);
    Bus::Wish wish{BusKind::write_line, line, access, true, clean};
    wish.non_temporal = non_temporal_.erase(line) != 0;
    const Bus::Reply reply = bus_.transact(wish, bus_.room_from(at));
    order().all_done = std::max(order().all_done, reply.done);
  }
  return code;
}

}  // namespace pmusim::core::ia64
