// The levels after the first: Scache, Bcache, the system.
#include <algorithm>

#include "models/core/alpha/memory_side.h"

namespace pmusim::core::alpha {

namespace d = activity::detail;
using act::SystemCommand;

namespace {

/// Reserves the first free cycle of a port that accepts a request every `interval` cycles.
Cycle reserve(Cycle& port, Cycle earliest, unsigned interval) {
  const Cycle at = std::max(port, earliest);
  port = at + interval;
  return at;
}

constexpr std::uint16_t found(bool hit) { return hit ? d::lookup_hit : d::lookup_miss; }

bool there(const Cache& cache, std::uint64_t physical) {
  return cache.state(cache.find(physical), physical) != LineState::invalid;
}

}  // namespace

// --- requests to the lower levels ----------------------------------------------------------------------------------

void MemorySide::start(Entry& entry) {
  const Cycle next = machine_.agenda.now() + 1;
  if (entry.uncached || (!has_scache() && !has_bcache())) {
    entry.phase = Phase::memory;
    ++read_misses_;
    due(entry, std::max(machine_.agenda.now() + settings_.memory_read, entry.forced_due));
  } else if (has_scache()) {
    entry.phase = Phase::scache;
    due(entry, reserve(scache_free_, next, settings_.scache_interval));
  } else {
    entry.phase = Phase::bcache;
    due(entry, reserve(bcache_free_, next, settings_.bcache_interval));
  }
}

void MemorySide::step(Entry& entry) {
  switch (entry.phase) {
    case Phase::scache:
      return look_up_scache(entry);
    case Phase::bcache:
      return look_up_bcache(entry);
    case Phase::memory:
    case Phase::data:
      return data_arrives(entry);
    case Phase::gather:
    case Phase::blocked:
    case Phase::held:
      return;
  }
}

/// True if the request ends at this cache, by the trace's annotation or because the block is in it.
bool MemorySide::takes_hit(const Entry& entry, const Cache& cache, trace::Level level) const {
  if (entry.forced == trace::Level::unset) return there(cache, physical_of(entry));
  if (entry.forced == trace::Level::l2 && !has_scache()) return level == trace::Level::l3;
  return entry.forced == level;
}

/// The data arrives in this cycle, or in the cycle that the trace forces.
void MemorySide::serve(Entry& entry, Phase phase, Cycle at) {
  entry.phase = phase;
  const Cycle now = machine_.agenda.now();
  if (entry.forced_due != 0) at = std::max(now + 1, entry.forced_due);
  due(entry, at);
}

/// Writes to a block if it is in the cache. True if other processors may have the block and must be informed.
bool MemorySide::write_into(Cache& cache, std::uint64_t physical) {
  const Cache::Slot slot = cache.find(physical);
  if (slot == Cache::none) return false;
  const bool shared = cache.state(slot, physical) == LineState::shared;
  cache.set_state(slot, physical, LineState::modified);
  return shared;
}

std::uint16_t MemorySide::detail_of(const Entry& entry) const {
  switch (entry.kind) {
    case Kind::load:
      return d::side_data | d::access_load;
    case Kind::own:
    case Kind::write:
      return d::side_data | d::access_store;
    case Kind::prefetch:
      return d::access_prefetch;
    case Kind::fetch:
      break;
  }
  return 0;
}

void MemorySide::look_up_scache(Entry& entry) {
  const Cycle now = machine_.agenda.now();
  const std::uint64_t physical = physical_of(entry);
  const bool hit = takes_hit(entry, scache_, trace::Level::l2);
  std::uint16_t detail = detail_of(entry) | found(hit);
  if (hit) (void)scache_.lookup(physical);
  bool shared = false;
  if (hit && entry.kind == Kind::write) {
    shared = write_into(scache_, physical);
    entry.written = true;
    if (shared) detail |= act::detail::access_shared_write;
  }
  recorder_.occur(Signal::l2_lookup, entry.request, detail);
  if (hit) {
    serve(entry, Phase::data, now + (shared ? settings_.bcache_read : settings_.scache_read) - 1);
  } else if (has_bcache()) {
    entry.phase = Phase::bcache;
    due(entry, reserve(bcache_free_, now + bcache_start() - 1, settings_.bcache_interval));
  } else {
    ask_memory(entry);
  }
}

void MemorySide::look_up_bcache(Entry& entry) {
  const Cycle now = machine_.agenda.now();
  const std::uint64_t physical = physical_of(entry);
  const bool hit = takes_hit(entry, bcache_, trace::Level::l3);
  std::uint16_t detail = detail_of(entry) | found(hit);
  if (hit) (void)bcache_.lookup(physical);
  bool shared = false;
  if (hit && entry.kind == Kind::write && !has_scache()) {
    if (!is_dirty(bcache_.state(bcache_.find(physical), physical))) detail |= act::detail::found_clean;
    shared = write_into(bcache_, physical);
    entry.written = true;
    if (shared) detail |= act::detail::access_shared_write;
  }
  recorder_.occur(Signal::l3_lookup, entry.request, detail);
  if (hit) {
    const bool writes = entry.kind == Kind::write && settings_.bcache_write != 0;
    const Cycle own = writes ? settings_.bcache_write : settings_.bcache_read;
    return serve(entry, Phase::data, now + (shared ? settings_.memory_read : own) - bcache_start());
  }
  if (settings_.pin_events != 0) {
    const Victim victim = bcache_.next_victim(physical, physical);
    const bool written_back = victim.valid && is_dirty(victim.states[0]);
    constexpr unsigned all_on_pin_1 = 2;
    if (written_back) recorder_.occur(Signal::pin_assert, 0);
    if (!written_back || settings_.pin_events == all_on_pin_1) recorder_.occur(Signal::pin_assert, 1);
  }
  ask_memory(entry);
}

void MemorySide::ask_memory(Entry& entry) {
  ++read_misses_;
  recorder_.occur(Signal::read_miss, entry.request, static_cast<std::uint16_t>(read_misses_));
  serve(entry, Phase::memory,
        machine_.agenda.now() + settings_.memory_read - (has_bcache() || !has_scache() ? bcache_start() : 1));
}

// --- arrival of data -----------------------------------------------------------------------------------------------

void MemorySide::data_arrives(Entry& entry) {
  const bool from_memory = entry.phase == Phase::memory;
  if (from_memory) --read_misses_;
  if (!entry.uncached && !entry.written) install_below(entry, from_memory);
  if (entry.dropped) return release(entry);
  switch (entry.kind) {
    case Kind::load:
    case Kind::own:
      if (!entry.uncached) fill_l1d(entry);
      for (Returned& waiting : entry.waiting) {
        waiting.request.record.end = machine_.agenda.now();
        if (!waiting.request.record.store) recorder_.occur(Signal::load_return, waiting.request);
        returned_.push_back(waiting);
      }
      return release(entry);
    case Kind::fetch:
      fill_code(entry.block, entry.request);
      return release(entry);
    case Kind::prefetch:
      if (entry.wanted) {
        fill_code(entry.block, entry.request);
        const std::uint64_t line = entry.block;
        release(entry);
        return prefetch_behind(line);
      }
      entry.phase = Phase::held;
      entry.due = activity::never;
      busy_ &= ~(std::uint64_t{1} << index_of(entry));
      held_ |= std::uint64_t{1} << index_of(entry);
      return;
    case Kind::write:
      return finish_write(entry);
  }
}

/// The levels that the data passes allocate the block.
void MemorySide::install_below(Entry& entry, bool from_memory) {
  const std::uint64_t physical = physical_of(entry);
  const bool written_here = entry.kind == Kind::write;
  if (has_bcache() && (from_memory || !there(bcache_, physical))) {
    fill_bcache(entry, written_here && !has_scache() ? LineState::modified : LineState::exclusive);
  }
  if (!has_scache()) return;
  const LineState below = has_bcache() ? bcache_.state(bcache_.find(physical), physical) : LineState::exclusive;
  const LineState state = written_here                 ? LineState::modified
                          : below == LineState::shared ? LineState::shared
                                                       : LineState::exclusive;
  if (!there(scache_, physical)) {
    fill_scache(entry, state);
  } else if (written_here) {
    (void)write_into(scache_, physical);
  }
}

void MemorySide::fill_bcache(Entry& entry, LineState state) {
  const std::uint64_t physical = physical_of(entry);
  // A request for another line of the block may have brought it meanwhile: what was written since then remains.
  if (there(bcache_, physical) && state != LineState::modified) {
    state = bcache_.state(bcache_.find(physical), physical);
  }
  const Victim victim = bcache_.fill(physical, state);
  recorder_.occur(Signal::bcache_fill, entry.request, detail_of(entry));
  if (!victim.valid) return;
  bool dirty = is_dirty(victim.states[0]);
  dirty |= evict(l1d_, victim.address, settings_.bcache_line, d::evict_replacement);
  if (has_scache()) dirty |= evict(scache_, victim.address, settings_.bcache_line, d::evict_replacement);
  note_evict(d::cache_l3, dirty ? LineState::modified : victim.states[0], d::evict_replacement);
}

void MemorySide::fill_scache(Entry& entry, LineState state) {
  const Victim victim = scache_.fill(physical_of(entry), state);
  if (!victim.valid) return;
  evict(l1d_, victim.address, settings_.scache_line, d::evict_replacement);
  note_evict(d::cache_l2, victim.states[0], d::evict_replacement);
  if (is_dirty(victim.states[0])) write_back(victim.address, entry.request);
}

/// A modified victim moves one level down; after the last level it leaves on the system's bus.
void MemorySide::write_back(std::uint64_t block, NamedRequest& cause) {
  if (!has_bcache()) return;
  const bool hit = there(bcache_, block);
  bcache_free_ = std::max(bcache_free_, machine_.agenda.now()) + settings_.bcache_interval;
  recorder_.occur(Signal::l3_lookup, cause, d::side_data | d::access_store | d::access_writeback | found(hit));
  if (hit) (void)write_into(bcache_, block);
}

/// Removes a cache's lines of a lower level's block. True if one was modified.
bool MemorySide::evict(Cache& cache, std::uint64_t block, unsigned bytes, std::uint16_t why) {
  const bool first = &cache == &l1d_;
  bool dirty = false;
  for (std::uint64_t at = block; at < block + bytes; at += first ? settings_.l1d_line : settings_.scache_line) {
    const Cache::Slot slot = cache.find(at);
    if (slot == Cache::none) continue;
    const Victim victim = cache.evict(slot);
    dirty |= is_dirty(victim.states[0]);
    note_evict(first ? d::cache_l1d : d::cache_l2, victim.states[0], why);
  }
  return dirty;
}

// --- the system ----------------------------------------------------------------------------------------------------

/// Other processors also have the block, and memory is up to date.
void MemorySide::share(std::uint64_t physical) {
  const auto in = [physical](Cache& cache) {
    const Cache::Slot slot = cache.find(physical);
    if (cache.state(slot, physical) != LineState::invalid) cache.set_state(slot, physical, LineState::shared);
  };
  if (settings_.write_back) in(l1d_);
  if (has_scache()) in(scache_);
  if (has_bcache()) in(bcache_);
}

void MemorySide::system(SystemCommand command, std::uint64_t address) {
  const std::uint64_t physical = machine_.map.translate(address);
  const bool hit = has_bcache() ? there(bcache_, physical) : has_scache() && there(scache_, physical);
  recorder_.occur(Signal::system_command, static_cast<unsigned>(command) | (hit ? act::detail::system_hit : 0));
  machine_.agenda.changed();
  switch (command) {
    case SystemCommand::read:
    case SystemCommand::set_shared:
    case SystemCommand::probe:
      return share(physical);
    case SystemCommand::flush:
    case SystemCommand::invalidate: {
      const unsigned bytes = has_bcache()   ? settings_.bcache_line
                             : has_scache() ? settings_.scache_line
                                            : settings_.l1d_line;
      const std::uint64_t block = physical & ~std::uint64_t{bytes - 1};
      evict(l1d_, block, bytes, d::evict_snoop);
      if (has_scache()) evict(scache_, block, bytes, d::evict_snoop);
      const Cache::Slot slot = has_bcache() ? bcache_.find(physical) : Cache::none;
      if (slot != Cache::none) note_evict(d::cache_l3, bcache_.evict(slot).states[0], d::evict_snoop);
      return;
    }
    case SystemCommand::other:
      return;
  }
}

void MemorySide::place(std::uint64_t address, LineState state) {
  const std::uint64_t physical = machine_.map.translate(address);
  const auto put = [&](Cache& cache, LineState s) {
    if (s == LineState::invalid) {
      const Cache::Slot slot = cache.find(physical);
      if (slot != Cache::none) cache.evict(slot);
    } else {
      cache.fill(physical, s);
    }
  };
  const bool dirty = is_dirty(state);
  const LineState clean = dirty ? LineState::exclusive : state;
  if (has_bcache()) put(bcache_, dirty && !has_scache() && !settings_.write_back ? state : clean);
  if (has_scache()) put(scache_, state);
  put(l1d_, settings_.write_back ? state : clean);
}

}  // namespace pmusim::core::alpha
