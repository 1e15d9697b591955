// The instruction side of a split L2: a cache of its own beside L2D; both share the path to L3.
#include "models/core/ia64/hierarchy.h"

namespace pmusim::core::ia64 {

namespace d = activity::detail;
namespace dd = act::detail;
using act::BusKind;
using act::Served;

Hierarchy::Reply Hierarchy::fetch_split(Access& access, bool prefetch, Cycle enters, Served forced) {
  Schedule& schedule = machine_.schedule;
  const std::uint64_t line = line_of(machine_.physical(access.record.address));
  const std::uint16_t kind = prefetch ? d::access_prefetch : std::uint16_t{0};
  // One lookup a cycle: a second one is repeated in the next cycle.
  const Cycle at = fetch_attempts_.next(enters);
  const auto under_way = std::find_if(code_fills_.begin(), code_fills_.end(),
                                      [&](const Fill& f) { return f.line == line && at < f.ready; });
  const bool pending = under_way != code_fills_.end() && forced == Served::unknown;
  constexpr Cycle tags_first = 3;  // the tags are written before the data
  const bool there = pending ? under_way->ready <= at + tags_first : l2i_.lookup(line) != LineState::invalid;
  const bool hit = forced == Served::l2 || (there && forced == Served::unknown);
  const std::uint16_t detail = kind | (hit ? d::lookup_hit : d::lookup_miss);
  if (at > enters) schedule.occur(enters, Signal::l2i_retry, &access, detail | dd::retry_conflict);
  schedule.occur(at, Signal::l2i_lookup, &access, detail);
  if (access.more.uncacheable) return fetch_uncacheable(access, at, kind);
  if (pending) {
    schedule.occur(at, Signal::l2i_retry, &access, detail | dd::retry_recirculated);
    return {under_way->ready + 1, under_way->served, 0};
  }
  if (hit) {
    // The request was sent to L3 at the same time. It no longer matters whether L3 accepts it.
    if (l3_free_ > at + l2_to_l3)
      schedule.occur(at + l2_to_l3, Signal::l2i_retry, &access, detail | dd::retry_rejected);
    if (!there) install_instruction({line, at, at + 1}, access);
    return {at + machine_.settings.l2_instruction - 1, Served::l2, 0};
  }
  const Fill& fill = miss_instruction(access, line, at, forced, prefetch);
  return {fill.ready, fill.served, 0};
}

Hierarchy::Fill& Hierarchy::miss_instruction(Access& access, std::uint64_t line, Cycle at, Served forced,
                                             bool prefetch) {
  const Settings& s = machine_.settings;
  const std::uint16_t kind = prefetch ? d::access_prefetch : std::uint16_t{0};
  Cycle start = at + l2_to_l3;
  if (l3_free_ > start) {
    machine_.schedule.occur(start, Signal::l2i_retry, &access, kind | d::lookup_miss | dd::retry_rejected);
    start = l3_free_;
  }
  start = l3_lookups_.next(start);
  l3_free_ = start + s.l3_busy;
  Fill fill{line, at, 0, Served::l3, Purpose::integer_load, true, prefetch, false, start, &access};
  fill.ready = start - l2_to_l3 + s.l2_instruction - 1 + s.l3_extra;
  (void)ask_l3(fill, access, start, kind, forced);
  install_instruction(fill, access);
  code_fills_.push_back(fill);
  return code_fills_.back();
}

void Hierarchy::install_instruction(const Fill& fill, Access& access) {
  const Victim victim = l2i_.fill(fill.line, LineState::shared);
  if (victim.valid) machine_.schedule.occur(fill.ready, Signal::l2i_evict, &access);
}

/// Code that must not be cached: each time the bundles come from the bus.
Hierarchy::Reply Hierarchy::fetch_uncacheable(Access& access, Cycle at, std::uint16_t kind) {
  Cycle ask = at + l2_to_l3;
  if (const Cycle room = bus_.room_from(ask); room > ask) {
    refuse(access, false, kind, ask, room);
    ask = room;
  }
  const std::uint64_t address = machine_.physical(access.record.address);
  const Bus::Reply reply = bus_.transact({BusKind::read_partial, address, &access, false, false}, ask);
  machine_.schedule.occupy(ask, reply.done, Level::instructions_rejected);
  return {reply.done, Served::memory, 0};
}

/// A snoop, or `fc`, meets L2I.
void Hierarchy::snoop_instructions(std::uint64_t line, bool takes, bool by_snoop, Cycle at) {
  const Cache::Slot slot = l2i_.find(line);
  if (slot == Cache::none) return;
  if (by_snoop) machine_.schedule.occur(at, Signal::l2i_snoop_hit, nullptr);
  if (takes) l2i_.evict(slot);
}

}  // namespace pmusim::core::ia64
