#include "models/core/ia64/hierarchy.h"

#include <bit>

#include "models/core/ia64/data_side.h"
#include "models/core/ia64/fetch_memory.h"

namespace pmusim::core::ia64 {

namespace d = activity::detail;
namespace dd = act::detail;
using act::BusKind;
using act::L3Cancel;
using act::QueueCancel;
using act::Recirculate;
using act::Served;

namespace {

constexpr Cycle write_back_cycles = 6;  ///< a victim leaves L2
constexpr Cycle round_again = 8;        ///< an entry that waits for a fill tries again after so long
constexpr Cycle store_cycles = 2;       ///< a store that hits, from issue to performed

template <class Why>
std::uint16_t code(Why why) {
  return static_cast<std::uint16_t>(why);
}

}  // namespace

Served served_by(trace::Level level) {
  constexpr std::array levels = {Served::unknown, Served::l1, Served::l2, Served::l3, Served::memory};
  return levels[static_cast<std::size_t>(level)];
}

void fill_first_level(Machine& machine, Cache& tags, unsigned cache, unsigned side, std::uint64_t line, Served from,
                      Access& access, Cycle at) {
  const Victim victim = tags.fill(line, LineState::shared);
  const LineState found = from == Served::memory ? LineState::invalid : LineState::shared;
  machine.schedule.occur(at, Signal::line_fill, &access, side | fill_detail(found, LineState::shared));
  if (!victim.valid) return;
  machine.schedule.occur(at, Signal::line_evict, &access, evict_detail(cache, victim.states[0], d::evict_replacement));
}

bool drop_first_level(Machine& machine, Cache& tags, unsigned cache, std::uint64_t line, std::uint64_t bytes, Cycle at,
                      bool by_snoop) {
  bool found = false;
  for (std::uint64_t a = line; a < line + bytes; a += tags.shape().line_bytes) {
    const Cache::Slot slot = tags.find(a);
    if (slot == Cache::none) continue;
    found = true;
    const LineState state = tags.state(slot, a);
    tags.evict(slot);
    machine.schedule.occur(at, Signal::line_evict, nullptr,
                           evict_detail(cache, state, by_snoop ? d::evict_snoop : d::evict_cache_operation));
  }
  return found;
}

Hierarchy::Hierarchy(Machine& machine)
    : machine_(machine),
      bus_(machine),
      l2_(shape_of(machine.settings.l2_bytes, machine.settings.l2_ways, machine.settings.l2_line)),
      l3_(shape_of(machine.settings.l3_bytes, machine.settings.l3_ways, machine.settings.l2_line)),
      l2i_(shape_of(machine.settings.l2i_bytes, machine.settings.l2i_ways, machine.settings.l2_line)),
      queue_(machine.settings.queue_entries),
      queue_data_(machine.settings.queue_data),
      victims_used_(machine.settings.victim_buffers),
      fills_used_(machine.settings.fill_buffers),
      line_shift_(static_cast<unsigned>(std::countr_zero(machine.settings.l2_line))),
      banks_(static_cast<std::size_t>(machine.settings.l2_banks)) {}

/// Removes entries that no later request can meet: all later requests are made in cycle `before` or after it. Requests
/// do not enter in the order in which they are made, because some wait for a buffer.
void Hierarchy::forget(Cycle before) {
  constexpr Cycle tail = 8, seldom = 16;
  if (before < forgotten_ + seldom) return;
  forgotten_ = before;
  std::erase_if(fills_, [before](const Fill& f) { return f.ready + tail < before; });
  std::erase_if(code_fills_, [before](const Fill& f) { return f.ready < before; });
  std::erase_if(stores_, [before](const Store& s) { return std::max(s.issued + tail, s.written) < before; });
  store_lines_ = 0;
  for (const Store& s : stores_) store_lines_ |= bit_of(s.line);
  std::erase_if(write_backs_, [before](const WriteBack& w) { return w.to < before; });
}

void Hierarchy::went_round(Access& access, bool data_side, Cycle at) {
  machine_.schedule.occur(rounds_[data_side].next(at), Signal::recirculate_done, &access, data_side ? d::side_data : 0);
}

void Hierarchy::tries_again(Access& access, bool data_side, Cycle at) {
  machine_.schedule.occur(tries_[data_side].next(at), Signal::recirculate_try, &access, data_side ? d::side_data : 0);
}

const Hierarchy::Fill* Hierarchy::filling(std::uint64_t line, Cycle at) const {
  for (const Fill& f : fills_) {
    if (f.line == line && at < f.ready) return &f;
  }
  return nullptr;
}

void Hierarchy::evicted(unsigned cache, LineState state, bool written, unsigned why, Access* access, Cycle at) {
  std::uint16_t detail = evict_detail(cache, state, why);
  if (written && cache != d::cache_l3) detail |= d::evict_to_l2;
  machine_.schedule.occur(at, Signal::line_evict, access, detail);
}

/// Removes a line from L2, and from L3. Returns its state there.
LineState Hierarchy::take_from_l2(std::uint64_t line, unsigned why, Access* access, Cycle at) {
  const LineState state = l2_.snoop(line);
  if (state == LineState::invalid) return state;
  l2_.evict(l2_.find(line));
  note_invalidated(line, at);
  evicted(d::cache_l2, state, is_dirty(state), why, access, at);
  return state;
}
LineState Hierarchy::take_from_l3(std::uint64_t line, unsigned why, Access* access, Cycle at) {
  const LineState state = l3_.snoop(line);
  if (state == LineState::invalid) return state;
  l3_.evict(l3_.find(line));
  evicted(d::cache_l3, state, is_dirty(state), why, access, at);
  return state;
}
/// Removes a line of L2 from L1D and L1I; true if L1I held some of it.
bool Hierarchy::take_from_first_level(std::uint64_t line, bool by_snoop, Cycle at) {
  data_->drop(line, machine_.settings.l2_line, at, by_snoop);
  return fetch_->drop(line, machine_.settings.l2_line, at, by_snoop);
}

/// L3 includes the levels above it: a line that leaves L3 leaves all caches.
void Hierarchy::leave_l3(const Victim& victim, Access* access, Cycle at) {
  if (!victim.valid) return;
  const std::uint64_t line = victim.address;
  evicted(d::cache_l3, victim.states[0], true, d::evict_replacement, access, at);
  const LineState found = take_from_l2(line, d::evict_snoop, access, at);
  const bool code = take_from_first_level(line, true, at);
  if (found != LineState::invalid || code) bus_.back_snoop(found, code, at);
  if (split()) snoop_instructions(line, true, true, at);
  if (is_dirty(victim.states[0]) || is_dirty(found)) write_back(line, access, at);
}

/// A way has become invalid: fills in flight to this set that had chosen a valid way take the invalid one instead.
void Hierarchy::note_invalidated(std::uint64_t line, Cycle at) {
  for (Fill& f : fills_) {
    if (!f.valid_victim || f.ready <= at || set_of(f.line) != set_of(line)) continue;
    f.valid_victim = false;
    machine_.schedule.occur(f.ready, Signal::l2_valid_victim, nullptr);
  }
}

/// The reason why L3 of a split L2 rejects a data request in the cycle in which it is sent.
std::optional<Hierarchy::L3Obstacle> Hierarchy::l3_obstacle(std::uint64_t line, Cycle at, Cycle start) const {
  if (at < snoop_until_ && snoop_line_ == line) return L3Obstacle{L3Cancel::snoop_of_request, snoop_until_};
  if (at < snoop_until_) {
    const Victim victim = l2_.next_victim(line, line);
    if (victim.valid && victim.address == snoop_line_) return L3Obstacle{L3Cancel::snoop_of_victim, snoop_until_};
  }
  for (const WriteBack& w : write_backs_) {
    if (w.from <= start && start < w.to) return L3Obstacle{L3Cancel::write_back, w.to};
  }
  for (const Fill& f : fills_) {
    if (f.ready == start && f.line != line) return L3Obstacle{L3Cancel::fill, start + 1};
  }
  return std::nullopt;
}

Hierarchy::Fill& Hierarchy::miss(Access& access, const Entry* entry, std::uint64_t line, Cycle at, Served forced,
                                 bool prefetch) {
  const Settings& s = machine_.settings;
  Schedule& schedule = machine_.schedule;
  const std::uint16_t whose = entry != nullptr ? act::l3_cancel_by_data : act::l3_cancel_by_fetch;
  const bool store = entry != nullptr && entry->writes();
  const Purpose purpose = entry != nullptr ? entry->purpose : Purpose::integer_load;
  const Cycle latency = entry == nullptr ? s.l2_instruction : purpose == Purpose::fp_load ? s.l2_fp : s.l2_integer;

  const auto cancel = [&](L3Cancel why, Cycle when, std::uint16_t facts = 0) {
    call_off_l3(access, code(why) | whose | facts, when);
  };
  Cycle start = at + l2_to_l3;
  if (split()) {
    if (const auto o = l3_obstacle(line, at, start)) {
      cancel(o->why, start);
      start = std::max(o->retry, start + 1);
    }
  }
  if (const Cycle free = fills_used_.free_from(start); free > start) {
    cancel(L3Cancel::no_fill_buffer, start);
    start = free;
  }
  if (l3_free_ > start) {
    const bool write_back = std::any_of(write_backs_.begin(), write_backs_.end(),
                                        [&](const WriteBack& w) { return w.from <= start && start < w.to; });
    cancel(L3Cancel::l3_busy, start, write_back ? act::l3_cancel_during_write_back : 0);
    start = l3_free_;
  } else if (fills_used_.empty_at(at)) {
    schedule.occur(start, Signal::bypass, &access, dd::bypass_l3 | (entry == nullptr ? dd::bypass_instruction : 0));
  }
  start = l3_lookups_.next(start);
  l3_free_ = start + s.l3_busy;

  std::uint16_t detail = entry != nullptr ? d::side_data : 0;
  if (prefetch) detail |= d::access_prefetch;
  if (purpose == Purpose::walk) detail |= d::access_walk;
  if (store) detail |= dd::l3_for_ownership;
  Fill fill{line, at, 0, Served::l3, purpose, entry == nullptr, prefetch, false, start, &access};
  fill.ready = start - l2_to_l3 + latency - 1 + s.l3_extra;
  const bool shared = ask_l3(fill, access, start, detail, forced);
  fills_used_.take(fill.ready);
  schedule.occupy(at, fill.ready, Level::fills);
  const Victim victim = l2_.next_victim(line, line);
  fill.valid_victim = victim.valid;
  install(fill, store, shared, access);
  fills_.push_back(fill);
  return fills_.back();
}

/// Looks a request up in L3; a miss goes to the bus. `detail`: of the lookup, without its result.
/// Returns whether another cache keeps a copy.
bool Hierarchy::ask_l3(Fill& fill, Access& access, Cycle start, std::uint16_t detail, Served forced) {
  const Settings& s = machine_.settings;
  LineState state = l3_.lookup(fill.line);
  if (forced == Served::l3 && state == LineState::invalid) {
    state = LineState::exclusive;
    leave_l3(l3_.fill(fill.line, state), &access, start);
    note_insert(access, state, start);
  }
  const bool hit = state != LineState::invalid && forced != Served::memory;
  detail |= hit ? d::lookup_hit : d::lookup_miss;
  if (split() && hit) detail |= static_cast<std::uint16_t>(static_cast<unsigned>(state) << dd::l3_state_shift);
  machine_.schedule.occur(start, Signal::l3_lookup, &access, detail);
  const bool store = (detail & dd::l3_for_ownership) != 0;
  if (hit) {
    const bool shared = state == LineState::shared;
    if (shared && store) {
      // Other processors may have it: their copies go first.
      const Bus::Reply reply =
          bus_.transact({BusKind::invalidate_line, fill.line, &access, true, false}, bus_.room_from(start + 1));
      fill.ready = std::max(fill.ready, reply.done);
    }
    return shared;
  }

  const bool for_data = !fill.fetch;
  Cycle ask = start + s.l3_busy;
  if (const Cycle room = bus_.room_from(ask); room > ask) {
    refuse(access, for_data, detail, ask, room);
    ask = room;
  }
  const Bus::Reply reply = bus_.transact(
      {store ? BusKind::read_invalidate_line : BusKind::read_line, fill.line, &access, for_data, false}, ask);
  fill.ready = reply.done;
  fill.served = Served::memory;
  if (state == LineState::invalid) {
    const LineState now = reply.shared             ? LineState::shared
                          : split() && reply.dirty ? LineState::modified
                                                   : LineState::exclusive;
    leave_l3(l3_.fill(fill.line, now), &access, fill.ready);
    note_insert(access, now, fill.ready);
  }
  const bool demand = !fill.prefetch && fill.purpose != Purpose::prefetch && fill.purpose != Purpose::store;
  if (machine_.two_threads && demand && !access.record.wrong_path)
    machine_.far_misses.push_back(
        {start, fill.ready, machine_.active, access.more.requester == act::Requester::register_stack});
  return reply.shared;
}

/// The bus request queue has no room from `at` to `until`.
void Hierarchy::refuse(Access& access, bool for_data, std::uint16_t detail, Cycle at, Cycle until) {
  Schedule& schedule = machine_.schedule;
  if (split()) {
    schedule.occupy(at, until, Level::data_rejected);
    schedule.occupy(at, until, Level::instructions_rejected);
    if (!for_data) {
      schedule.occur(at, Signal::l2i_retry, &access,
                     dd::retry_rejected | d::lookup_miss | (detail & d::access_prefetch));
      return;
    }
  }
  call_off_l3(access, code(L3Cancel::bus_queue_full) | (for_data ? act::l3_cancel_by_data : act::l3_cancel_by_fetch),
              at);
}

void Hierarchy::install(const Fill& fill, bool store, bool shared, Access& access) {
  const LineState state = store ? LineState::modified : shared ? LineState::shared : LineState::exclusive;
  const Victim victim = l2_.fill(fill.line, state);
  if (split()) {
    machine_.schedule.occur(fill.ready, Signal::l2_fill, &access, static_cast<std::uint16_t>(state));
    if (access.non_temporal) non_temporal_.insert(fill.line);
  }
  if (!victim.valid) return;
  const bool dirty = is_dirty(victim.states[0]);
  evicted(d::cache_l2, victim.states[0], dirty, d::evict_replacement, &access, fill.ready);
  if (!dirty) return;
  // The victim is read when the fill arrives, and then written to L3, which has a copy of the line.
  const Cycle leaves = fill.ready + write_back_cycles;
  victims_used_.take(leaves);
  machine_.schedule.occupy(fill.begin, leaves, Level::victims);
  write_backs_.push_back({victim.address, fill.ready, leaves});
  reads_out_.add(fill.ready + 1);
  const Cache::Slot slot = l3_.find(victim.address);
  const bool hit = slot != Cache::none;
  std::uint16_t detail = d::side_data | d::access_writeback | (hit ? d::lookup_hit : d::lookup_miss);
  if (split() && hit) {
    detail |= static_cast<std::uint16_t>(static_cast<unsigned>(l3_.state(slot, victim.address)) << dd::l3_state_shift);
  }
  machine_.schedule.occur(l3_lookups_.next(fill.ready + l2_to_l3), Signal::l3_lookup, &access, detail);
  l3_free_ =
      std::max(l3_free_, fill.ready + l2_to_l3 < l3_free_ + write_back_cycles ? fill.ready + l2_to_l3 + 1 : l3_free_);
  if (hit) {
    l3_.set_state(slot, victim.address, LineState::modified);
  } else {
    write_back(victim.address, &access, leaves);
  }
}

/// A modified line goes to memory.
void Hierarchy::write_back(std::uint64_t line, Access* access, Cycle at) {
  Bus::Wish wish{BusKind::write_line, line, access, true, false};
  wish.non_temporal = non_temporal_.erase(line) != 0;
  bus_.transact(wish, bus_.room_from(at));
}

/// A store to a shared line: the bus first invalidates the other copies.
Cycle Hierarchy::own(Access& access, std::uint64_t line, Cycle at) {
  machine_.schedule.occur(at, Signal::l2_store_shared, &access);
  machine_.schedule.occur(at, Signal::l2_probe, &access);
  const Bus::Reply reply =
      bus_.transact({BusKind::invalidate_line, line, &access, true, false}, bus_.room_from(at + 1));
  return reply.done;
}

Hierarchy::Reply Hierarchy::uncacheable(Access& access, Entry& entry, Cycle at) {
  Cycle ask = at + l2_to_l3;
  if (uncacheable_until_ > ask) {
    call_off_l3(access, code(L3Cancel::uncacheable_in_flight) | act::l3_cancel_by_data, ask);
    if (split()) machine_.schedule.occupy(ask, uncacheable_until_, Level::data_rejected);
    ask = uncacheable_until_;
  }
  if (const Cycle room = bus_.room_from(ask); room > ask) {
    refuse(access, true, 0, ask, room);
    ask = room;
  }
  const BusKind kind = entry.writes() ? BusKind::write_partial : BusKind::read_partial;
  const Bus::Reply reply = bus_.transact({kind, entry.physical, &access, true, false}, ask);
  uncacheable_until_ = reply.done;
  return {reply.done, Served::memory, at};
}

Hierarchy::Reply Hierarchy::data(Access& access, Purpose purpose, Cycle enters, Served forced) {
  forget(machine_.now);
  const Settings& s = machine_.settings;
  Schedule& schedule = machine_.schedule;
  const std::uint64_t physical = machine_.physical(access.record.address);
  Entry entry{&access, purpose, enters, physical, line_of(physical), physical / bank_bytes};
  std::uint16_t kind = d::side_data;
  if (entry.writes()) kind |= d::access_store;
  if (purpose != Purpose::store && purpose != Purpose::other)
    kind |= purpose == Purpose::prefetch ? d::access_prefetch : d::access_load;
  if (purpose == Purpose::other) kind |= d::access_cache_operation;
  if (purpose == Purpose::walk) kind |= d::access_walk;
  std::uint16_t found = 0;  // at insertion, where the processor tells
  if (split() && !access.more.uncacheable) {
    const bool here = l2_.snoop(entry.line) != LineState::invalid && filling(entry.line, enters) == nullptr;
    found = here ? d::lookup_hit : d::lookup_miss;
  }
  schedule.occur(enters, Signal::l2_reference, &access, kind | found);

  const std::uint16_t operation = operation_of(entry);
  const Cycle at = issue(entry, operation);
  const Cycle latency = (purpose == Purpose::fp_load ? s.l2_fp : s.l2_integer) - 1;
  Reply reply;
  if (access.more.uncacheable) {
    reply = uncacheable(access, entry, at);
  } else if (purpose == Purpose::other) {
    reply = {at + store_cycles, Served::l2, 0};
  } else {
    const Fill* pending = filling(entry.line, at);
    const LineState state = l2_.lookup(entry.line);
    if (forced == Served::l2 && state == LineState::invalid) install({entry.line, at, at + 1}, false, false, access);
    const bool hit = forced == Served::l2 || (state != LineState::invalid && forced == Served::unknown);
    const auto lookup = [&](std::uint16_t result) { schedule.occur(at, Signal::l2_lookup, &access, kind | result); };
    if (pending != nullptr && forced == Served::unknown) {
      lookup(d::lookup_pending);
      schedule.occur(at, Signal::force_recirculate, &access,
                     round_detail(entry, Recirculate::line_under_way, pending, at));
      went_round(access, true, at);
      if (pending->ready > at + round_again) {
        tries_again(access, true, at + round_again);
        cancel(entry, {QueueCancel::still_missing, at}, operation, at + round_again);
      }
      tries_again(access, true, pending->ready);
      reply = {pending->ready + 1, pending->served, 0};
      if (entry.writes() && state == LineState::shared) reply.data = own(access, entry.line, pending->ready);
    } else if (hit) {
      lookup(d::lookup_hit);
      if (entry.bypasses && l3_free_ <= at && fills_used_.empty_at(at) && l3_cancels_.count(at + 1) == 0) {
        // The request was sent to L3 at the same time, which accepts one per cycle; there it is cancelled.
        call_off_l3(access, code(L3Cancel::l2_hit) | act::l3_cancel_by_data, at + 1);
      }
      reply = {at + (entry.reads() ? latency : store_cycles), Served::l2, 0};
      if (entry.reads()) returns_.add(reply.data);
      if (entry.reads() && machine_.two_threads) machine_.l2_return = std::max(machine_.l2_return, reply.data);
      if (entry.writes() && l2_.snoop(entry.line) == LineState::shared) reply.data = own(access, entry.line, at);
    } else {
      lookup(d::lookup_miss);
      if (entry.bypasses) {
        cancel(entry, {QueueCancel::missed_bypass, at}, operation, at);
      }
      schedule.occur(at, Signal::force_recirculate, &access, round_detail(entry, Recirculate::miss, nullptr, at));
      went_round(access, true, at);
      const Fill& fill = miss(access, &entry, entry.line, at, forced, purpose == Purpose::prefetch);
      tries_again(access, true, fill.ready - 1);
      reply = {fill.ready, fill.served, 0};
      returns_.add(fill.ready);
    }
    if (entry.writes()) {
      l2_.set_state(l2_.find(entry.line), entry.line, LineState::modified);
      stores_.push_back({entry.chunk, entry.line, at, reply.data, !hit});
      store_lines_ |= bit_of(entry.line);
    }
    if (purpose == Purpose::semaphore) reply.data += s.semaphore_cycles;
  }
  reply.issued = at;
  queue_.take(reply.data);
  schedule.occupy(enters, reply.data, Level::queue);
  if (entry.writes()) {
    queue_data_.take(reply.data);
    schedule.occupy(enters, reply.data, Level::queue_data);
  }
  note_order(entry, reply.data);
  return reply;
}

Hierarchy::Reply Hierarchy::fetch(Access& access, bool prefetch, Cycle enters, Served forced) {
  forget(machine_.now);
  if (split()) return fetch_split(access, prefetch, enters, forced);
  Schedule& schedule = machine_.schedule;
  const std::uint64_t line = line_of(machine_.physical(access.record.address));
  const std::uint16_t kind = prefetch ? d::access_prefetch : 0;
  schedule.occur(enters, Signal::l2_reference, &access, kind);
  const Cycle at = issue_fetch(access, enters, prefetch);
  const Cycle latency = machine_.settings.l2_instruction - 1;
  const auto lookup = [&](std::uint16_t result) { schedule.occur(at, Signal::l2_lookup, &access, kind | result); };
  const Fill* pending = filling(line, at);
  const LineState state = l2_.lookup(line);
  if (pending != nullptr && forced == Served::unknown) {
    lookup(d::lookup_pending);
    went_round(access, false, at);
    if (pending->ready > at + round_again) {
      tries_again(access, false, at + round_again);
      schedule.occur(at + round_again, Signal::fetch_cancel, &access,
                     fetch_cancel_detail(act::FetchCancel::still_missing, prefetch, false, 0));
    }
    tries_again(access, false, pending->ready);
    return {pending->ready + 1, pending->served, 0};
  }
  if (forced == Served::l2 || (state != LineState::invalid && forced == Served::unknown)) {
    if (state == LineState::invalid) install({line, at, at + 1}, false, false, access);
    lookup(d::lookup_hit);
    return {at + latency, Served::l2, 0};
  }
  lookup(d::lookup_miss);
  went_round(access, false, at);
  const Fill& fill = miss(access, nullptr, line, at, forced, prefetch);
  tries_again(access, false, fill.ready - 1);
  return {fill.ready, fill.served, 0};
}

}  // namespace pmusim::core::ia64
