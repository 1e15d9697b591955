// Cache operations of the program, table search reads and the transactions of other agents.
#include <algorithm>

#include "models/core/ppc750/memory.h"

namespace pmusim::core::ppc750 {

namespace d = activity::detail;
using trace::Level;

void MemorySide::operate(Cycle now, CacheOperation operation, NamedRequest& request) {
  const std::uint64_t physical = map.translate(request.record.address);
  if (operation == CacheOperation::invalidate_instruction) {
    // UM 3.4.2.6: the lookup uses the index only; all ways of the set become invalid.
    for (std::uint32_t way = 0; way < l1i_.shape().ways; ++way) {
      const Cache::Slot slot = l1i_.line_in_way(physical, way);
      if (slot == Cache::none) continue;
      machine_.recorder.occur(Signal::line_evict, request,
                              evict_detail(d::cache_l1i, l1i_.state(slot, physical), d::evict_cache_operation));
      l1i_.evict(slot);
    }
    return;
  }
  const Cache::Slot slot = l1d_.find(physical);
  const LineState state = l1d_.state(slot, physical);
  machine_.recorder.occur(
      Signal::dcache_lookup, request,
      d::side_data | d::access_cache_operation | (state != LineState::invalid ? d::lookup_hit : d::lookup_miss));
  // UM 9.2: what dcbf and dcbst push from L1 goes to the bus and makes the sector of L2, which is older, invalid.
  CacheOperation in_l2 = operation;
  if (operation == CacheOperation::zero) {
    if (state != LineState::invalid) {
      l1d_.touch(slot);
      l1d_.set_state(slot, physical, LineState::modified);
      return;
    }
    evict_l1d(now, l1d_.fill(physical, LineState::modified));
  } else if (state != LineState::invalid) {
    const bool leaves = operation != CacheOperation::store_back;
    if (is_dirty(state) && operation != CacheOperation::invalidate) {
      machine_.recorder.occur(Signal::bus_request, request, write_detail(physical));
      in_l2 = CacheOperation::invalidate;
    }
    if (leaves) {
      machine_.recorder.occur(Signal::line_evict, request, evict_detail(d::cache_l1d, state, d::evict_cache_operation));
      l1d_.evict(slot);
    } else {
      l1d_.set_state(slot, physical, LineState::exclusive);
    }
  }
  if (machine_.settings.l2_enabled) l2_queue_.push_back({L2Work::operate, now + 1, 0, physical, in_l2, request});
}

void MemorySide::operate_l2(CacheOperation operation, std::uint64_t physical, NamedRequest& request) {
  const Cache::Slot slot = l2_.find(physical);
  const LineState state = l2_.state(slot, physical);
  const bool hit = state != LineState::invalid;
  machine_.recorder.occur(Signal::l2_lookup, request,
                          d::side_data | d::access_cache_operation | (hit ? d::lookup_hit : d::lookup_miss));
  if (!hit || operation == CacheOperation::zero) return;
  if (is_dirty(state) && operation != CacheOperation::invalidate) {
    machine_.recorder.occur(Signal::bus_request, request, write_detail(physical));
  }
  if (operation == CacheOperation::store_back) {
    l2_.set_state(slot, physical, LineState::exclusive);
    return;
  }
  machine_.recorder.occur(Signal::line_evict, request, evict_detail(d::cache_l2, state, d::evict_cache_operation));
  l2_.set_state(slot, physical, LineState::invalid);
}

/// The engine reads the entry as a load would, but over its own path to L2 and memory; the time of the read is part of
/// the table search. Lines that it reads are installed in the caches at once.
Level MemorySide::read_table_entry(Cycle now, NamedRequest& request) {
  const std::uint64_t physical = request.record.address;
  const bool hit = l1d_.lookup(physical) != LineState::invalid;
  constexpr std::uint16_t access = d::side_data | d::access_load | d::access_walk;
  machine_.recorder.occur(Signal::dcache_lookup, request, access | (hit ? d::lookup_hit : d::lookup_miss));
  if (hit) return Level::l1;
  machine_.recorder.occur(Signal::line_request, request, access);
  LineState found = LineState::invalid;
  if (machine_.settings.l2_enabled) {
    found = l2_.lookup(physical);
    const auto result = found != LineState::invalid ? d::lookup_hit : d::lookup_miss;
    machine_.recorder.occur(Signal::l2_lookup, request, access | result);
  }
  if (found == LineState::invalid) {
    machine_.recorder.occur(Signal::bus_request, request, static_cast<unsigned>(MemoryType::write_back) | d::bus_dram);
    if (machine_.settings.l2_enabled) record_l2_victim(l2_.fill(physical, LineState::exclusive));
  }
  const Victim victim = l1d_.fill(physical, LineState::exclusive);
  machine_.recorder.occur(Signal::line_fill, request, d::side_data | fill_detail(found, LineState::exclusive));
  evict_l1d(now, victim);
  return found == LineState::invalid ? Level::memory : Level::l2;
}

bool MemorySide::in_flight(std::uint64_t line) const {
  const bool filling = find_miss(line, false) != none || find_miss(line, true) != none;
  return filling || std::any_of(l2_queue_.begin(), l2_queue_.end(),
                                [&](const L2Request& r) { return r.work == L2Work::write && r.physical == line; });
}

void MemorySide::snoop(SnoopKind kind, std::uint64_t physical, bool retry) {
  const std::uint64_t line = l1d_.line_of(physical);
  const Cache::Slot l1i_slot = l1i_.find(line), l1d_slot = l1d_.find(line), l2_slot = l2_.find(line);
  const LineState l1d_state = l1d_.state(l1d_slot, line), l2_state = l2_.state(l2_slot, line);
  std::uint16_t detail = 0;
  if (l1i_slot != Cache::none) detail |= d::snoop_hits_l1i;
  if (l1d_state != LineState::invalid) detail |= d::snoop_hits_l1d;
  if (l2_state != LineState::invalid) detail |= d::snoop_hits_l2;
  if (retry || in_flight(line)) {  // nothing changes: the agent must repeat the transaction
    machine_.recorder.occur(Signal::snoop, detail | d::snoop_retried);
    return;
  }
  // UM Table 3-5: clean block and flush block change nothing; write-with-kill discards modified data.
  const bool ignored = kind == SnoopKind::clean || kind == SnoopKind::flush;
  const bool pushes = !ignored && kind != SnoopKind::write_kill;
  const bool invalidates = !ignored;
  const bool l1_push = pushes && is_dirty(l1d_state);
  const bool l2_push = pushes && !l1_push && is_dirty(l2_state);
  if ((l1_push || l2_push) && machine_.settings.snoop_push_retries) detail |= d::snoop_retried;
  if (l2_push) detail |= d::snoop_pushed_modified_l2;
  if (invalidates && (detail & (d::snoop_hits_l1d | d::snoop_hits_l2)) != 0) detail |= d::snoop_invalidates;
  machine_.recorder.occur(Signal::snoop, detail);
  if (l1_push || l2_push) machine_.recorder.occur(Signal::bus_request, write_detail(line));
  const auto leave = [&](Cache& cache, Cache::Slot slot, LineState state, std::uint16_t name, bool recorded) {
    if (state == LineState::invalid) return;
    if (recorded) machine_.recorder.occur(Signal::line_evict, evict_detail(name, state, d::evict_snoop));
    cache.set_state(slot, line, LineState::invalid);
  };
  if (ignored) return;
  leave(l1d_, l1d_slot, l1d_state, d::cache_l1d, true);
  // L2's copy of a line that is modified in L1D is stale: it is discarded without a castout.
  leave(l2_, l2_slot, l2_state, d::cache_l2, !l1_push);
  // Software (icbi), not snooping, keeps the instruction cache coherent.
}

void MemorySide::foreign_transfer(Cycle now, std::uint64_t physical) {
  machine_.recorder.occur(Signal::bus_request, bus_detail(physical, map.type(physical)));
  bus_free_ = std::max(bus_free_, now) + machine_.settings.memory_line_rest + 1;
}

void MemorySide::set_line(std::uint64_t physical, LineState state) {
  if (state == LineState::invalid) {
    for (Cache* cache : {&l1i_, &l1d_, &l2_}) {
      const Cache::Slot slot = cache->find(physical);
      if (slot != Cache::none) cache->set_state(slot, physical, LineState::invalid);
    }
    return;
  }
  l1d_.fill(physical, state);
  if (machine_.settings.l2_enabled && state == LineState::exclusive) l2_.fill(physical, state);
}

}  // namespace pmusim::core::ppc750
