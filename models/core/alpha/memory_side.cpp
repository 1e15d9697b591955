// The upper level: Dcache, miss address file, write buffer, Icache and its refill buffer.
#include "models/core/alpha/memory_side.h"

#include <algorithm>
#include <bit>

namespace pmusim::core::alpha {

namespace d = activity::detail;

namespace {}  // namespace

Forced forced_data(const trace::Annotations* annotations) {
  return annotations == nullptr ? Forced{} : Forced{annotations->data, annotations->latency.value_or(0)};
}
Forced forced_code(const trace::Annotations* annotations) {
  return annotations == nullptr ? Forced{} : Forced{annotations->fetch, 0};
}

MemorySide::MemorySide(Machine& machine)
    : machine_(machine),
      l1i_(shape_of(settings_.l1i_bytes, settings_.l1i_ways, settings_.l1i_line)),
      l1d_(shape_of(settings_.l1d_bytes, settings_.l1d_ways, settings_.l1d_line)),
      scache_(shape_of(settings_.scache_bytes, settings_.scache_ways, settings_.scache_line)),
      bcache_(shape_of(settings_.bcache_bytes, 1, settings_.bcache_line)),
      entries_(settings_.miss_file + settings_.code_fills + settings_.write_buffer),
      code_begin_(settings_.miss_file),
      write_begin_(settings_.miss_file + settings_.code_fills) {}

// --- entries -------------------------------------------------------------------------------------------------------

MemorySide::Entry* MemorySide::find(unsigned from, unsigned to, std::uint64_t block) {
  for (std::uint64_t left = busy_ | held_; left != 0; left &= left - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(left));
    if (i >= to) return nullptr;
    Entry& entry = entries_[i];
    if (i >= from && entry.block == block && !entry.uncached && !entry.dropped) return &entry;
  }
  return nullptr;
}

MemorySide::Entry* MemorySide::free_entry(unsigned from, unsigned to) {
  for (unsigned i = from; i < to; ++i) {
    if (((busy_ | held_) >> i & 1) == 0) return &entries_[i];
  }
  return nullptr;
}

void MemorySide::due(Entry& entry, Cycle cycle) {
  entry.due = cycle;
  next_due_ = std::min(next_due_, cycle);
  machine_.agenda.at(cycle);
}

void MemorySide::take(Entry& entry, Kind kind, std::uint64_t block, bool uncached, const NamedRequest& request,
                      Forced forced) {
  busy_ |= std::uint64_t{1} << index_of(entry);
  entry.kind = kind;
  entry.phase = Phase::gather;
  entry.wanted = kind == Kind::fetch;
  entry.urgent = entry.dropped = entry.written = false;
  entry.uncached = uncached;
  entry.block = block;
  entry.start = machine_.agenda.now();
  entry.forced = forced.level;
  entry.forced_due = forced.latency == 0 ? 0 : machine_.agenda.now() + forced.latency;
  entry.request = request;
}

void MemorySide::release(Entry& entry) {
  const unsigned i = index_of(entry);
  busy_ &= ~(std::uint64_t{1} << i);
  held_ &= ~(std::uint64_t{1} << i);
  if (i < code_begin_) --data_used_;
  if (i >= write_begin_) --writes_used_;
  entry.waiting.clear();
  entry.due = activity::never;
}

void MemorySide::do_due() {
  const Cycle now = machine_.agenda.now();
  next_due_ = activity::never;
  for (std::uint64_t left = busy_; left != 0; left &= left - 1) {
    Entry& entry = entries_[static_cast<unsigned>(std::countr_zero(left))];
    if (entry.due <= now) step(entry);
  }
  for (std::uint64_t left = busy_; left != 0; left &= left - 1) {
    next_due_ = std::min(next_due_, entries_[static_cast<unsigned>(std::countr_zero(left))].due);
  }
  machine_.agenda.changed();
}

// --- data ----------------------------------------------------------------------------------------------------------

Probed MemorySide::probe(NamedRequest& request, std::uint64_t tag, Forced forced, bool store) {
  const Cycle now = machine_.agenda.now();
  const std::uint64_t physical = machine_.map.translate(request.record.address);
  const std::uint64_t block = l1d_.line_of(physical);
  const bool uncached = machine_.map.type(physical) == activity::MemoryType::uncacheable;
  const std::uint16_t access = store ? d::access_store : d::access_load;
  if (!uncached) {
    const LineState state = l1d_.lookup(physical);
    bool present = store ? state == LineState::exclusive || is_dirty(state) : state != LineState::invalid;
    if (forced.level != trace::Level::unset) present = forced.level == trace::Level::l1;
    if (present) {
      const bool delayed = fill_cycle_ == now;
      recorder_.occur(Signal::dcache_lookup, request,
                      access | d::lookup_hit | (delayed ? act::detail::access_delayed : 0));
      const Cache::Slot slot = l1d_.find(physical);
      if (store && slot != Cache::none) l1d_.set_state(slot, physical, LineState::modified);
      return {Probe::hit, delayed};
    }
    if (Entry* const entry = find(0, code_begin_, block)) {
      recorder_.occur(Signal::dcache_lookup, request, access | d::lookup_pending);
      if (store) {
        entry->kind = Kind::own;
      } else {
        recorder_.occur(Signal::load_merged, request);
      }
      entry->waiting.push_back({tag, request});
      return {Probe::merged, false};
    }
  }
  Entry* const entry = free_entry(0, code_begin_);
  if (entry == nullptr) return {Probe::full, false};
  if (!uncached) recorder_.occur(Signal::dcache_lookup, request, access | d::lookup_miss);
  recorder_.occur(Signal::line_request, request, d::side_data | access);
  take(*entry, store ? Kind::own : Kind::load, block, uncached, request, forced);
  ++data_used_;
  entry->waiting.push_back({tag, request});
  wait_for_writes(*entry);
  if (entry->phase != Phase::blocked) start(*entry);
  return {Probe::miss, false};
}

/// A write to the same block must finish first.
void MemorySide::wait_for_writes(Entry& entry) {
  entry.phase = Phase::gather;
  std::uint64_t youngest = 0;
  for (unsigned i = write_begin_; i < entries_.size(); ++i) {
    if ((busy_ >> i & 1) != 0 && entries_[i].block == entry.block) youngest = std::max(youngest, entries_[i].age);
  }
  if (youngest == 0) return;
  entry.phase = Phase::blocked;
  entry.due = activity::never;
  hurry(youngest);
}

void MemorySide::fill_l1d(Entry& entry) {
  LineState state = LineState::exclusive;
  if (settings_.write_back) {
    state = entry.kind == Kind::own ? LineState::modified : bcache_.state(bcache_.find(entry.block), entry.block);
    if (state == LineState::invalid || (state == LineState::modified && entry.kind != Kind::own)) {
      state = LineState::exclusive;
    }
  }
  const Victim victim = l1d_.fill(entry.block, state);
  fill_cycle_ = machine_.agenda.now();
  recorder_.occur(Signal::line_fill, entry.request, d::side_data | fill_detail(LineState::invalid, state));
  if (!victim.valid) return;
  note_evict(d::cache_l1d, victim.states[0], d::evict_replacement);
  if (is_dirty(victim.states[0])) write_back(victim.address, entry.request);
}

// --- write buffer --------------------------------------------------------------------------------------------------

bool MemorySide::accepts_store(std::uint64_t address) const {
  if (writes_used_ < settings_.write_buffer) return true;
  const std::uint64_t physical = machine_.map.translate(address), block = l1d_.line_of(physical);
  if (machine_.map.type(physical) == activity::MemoryType::uncacheable)
    return false;  // it does not merge with another entry
  for (unsigned i = write_begin_; i < entries_.size(); ++i) {
    if (entries_[i].phase == Phase::gather && entries_[i].block == block) return true;
  }
  return false;
}

bool MemorySide::store(NamedRequest& request, Forced forced) {
  const std::uint64_t physical = machine_.map.translate(request.record.address);
  const std::uint64_t block = l1d_.line_of(physical);
  const bool uncached = machine_.map.type(physical) == activity::MemoryType::uncacheable;
  Entry* entry = nullptr;
  for (unsigned i = write_begin_; i < entries_.size() && !uncached; ++i) {
    if ((busy_ >> i & 1) != 0 && entries_[i].phase == Phase::gather && entries_[i].block == block) entry = &entries_[i];
  }
  const bool joins = entry != nullptr;
  if (!joins) entry = free_entry(write_begin_, static_cast<unsigned>(entries_.size()));
  bool hit = false;
  if (!uncached) {
    hit = l1d_.lookup(physical) != LineState::invalid;
    if (forced.level != trace::Level::unset) hit = forced.level == trace::Level::l1;
    const std::uint16_t found = hit                                      ? d::lookup_hit
                                : find(0, code_begin_, block) != nullptr ? d::lookup_pending
                                                                         : d::lookup_miss;
    recorder_.occur(Signal::dcache_lookup, request, d::access_store | found);
  }
  machine_.agenda.changed();
  if (joins) return hit;
  take(*entry, Kind::write, block, uncached, request, {});
  entry->age = ++ages_;
  ++writes_used_;
  next_send_ = 0;
  return hit;
}

/// Makes all writes up to this age urgent.
void MemorySide::hurry(std::uint64_t age) {
  for (unsigned i = write_begin_; i < entries_.size(); ++i) {
    if ((busy_ >> i & 1) != 0 && entries_[i].age <= age) entries_[i].urgent = true;
  }
  next_send_ = 0;
  machine_.agenda.changed();
}

void MemorySide::send_writes() {
  const Cycle now = machine_.agenda.now();
  while (sending_ < settings_.writes_under_way && sending_ < writes_used_) {
    Entry* oldest = nullptr;
    for (unsigned i = write_begin_; i < entries_.size(); ++i) {
      Entry& e = entries_[i];
      if ((busy_ >> i & 1) != 0 && e.phase == Phase::gather && (oldest == nullptr || e.age < oldest->age)) oldest = &e;
    }
    const Cycle expires = oldest->start + settings_.write_buffer_age;
    if (!oldest->urgent && writes_used_ < settings_.write_buffer_start && now < expires) {
      next_send_ = expires;
      return;
    }
    ++sending_;
    start(*oldest);
  }
  next_send_ = activity::never;
}

void MemorySide::finish_write(Entry& entry) {
  const std::uint64_t block = entry.block;
  --sending_;
  next_send_ = 0;
  release(entry);
  for (unsigned i = write_begin_; i < entries_.size(); ++i) {
    if ((busy_ >> i & 1) != 0 && entries_[i].block == block) return;
  }
  for (unsigned i = 0; i < write_begin_; ++i) {
    if ((busy_ >> i & 1) != 0 && entries_[i].phase == Phase::blocked && physical_of(entries_[i]) == block) {
      start(entries_[i]);
    }
  }
}

// --- instructions --------------------------------------------------------------------------------------------------

Probe MemorySide::fetch(NamedRequest& request, Forced forced) {
  const std::uint64_t address = request.record.address, line = l1i_.line_of(address);
  bool present = l1i_.lookup(address) != LineState::invalid;
  if (forced.level != trace::Level::unset) present = forced.level == trace::Level::l1;
  if (present) {
    recorder_.occur(Signal::fetch, request, d::lookup_hit);
    return Probe::hit;
  }
  if (Entry* const entry = find(code_begin_, write_begin_, line)) {
    recorder_.occur(Signal::fetch, request, d::lookup_pending);
    entry->wanted = true;
    if (entry->phase == Phase::held) {
      fill_code(line, request);
      release(*entry);
      prefetch_behind(line);
    }
    machine_.agenda.changed();
    return Probe::merged;
  }
  drop_held();
  if (free_entry(code_begin_, write_begin_) == nullptr) return Probe::full;
  recorder_.occur(Signal::fetch, request, d::lookup_miss);
  ask_code(line, Kind::fetch, request, forced);
  prefetch_behind(line);
  return Probe::miss;
}

void MemorySide::ask_code(std::uint64_t line, Kind kind, const NamedRequest& request, Forced forced) {
  Entry& entry = *free_entry(code_begin_, write_begin_);
  take(entry, kind, line, false, request, forced);
  recorder_.occur(Signal::line_request, entry.request, kind == Kind::prefetch ? d::access_prefetch : 0);
  start(entry);
}

/// Requests the lines after a line that missed, within its page and while entries are free; one entry stays free.
void MemorySide::prefetch_behind(std::uint64_t line) {
  for (unsigned n = 1; n <= settings_.stream_lines; ++n) {
    const std::uint64_t next = line + std::uint64_t{n} * settings_.l1i_line;
    if (next / page_bytes != line / page_bytes) return;
    if (has_code(next) || find(code_begin_, write_begin_, next) != nullptr) continue;
    const auto used = static_cast<unsigned>(
        std::popcount((busy_ | held_) >> code_begin_ & ((std::uint64_t{1} << settings_.code_fills) - 1)));
    if (used + 1 >= settings_.code_fills) return;
    ask_code(next, Kind::prefetch, machine_.new_request(next, settings_.l1i_line), {});
  }
}

void MemorySide::drop_held() {
  for (std::uint64_t left = held_; left != 0; left &= left - 1) {
    release(entries_[static_cast<unsigned>(std::countr_zero(left))]);
  }
}

void MemorySide::drop_prefetch(std::uint64_t address) {
  if (Entry* const entry = find(code_begin_, write_begin_, l1i_.line_of(address))) {
    entry->dropped = true;
    if (entry->phase == Phase::held) release(*entry);
  }
}

void MemorySide::fill_code(std::uint64_t line, NamedRequest& request) {
  const Victim victim = l1i_.fill(line, LineState::exclusive);
  recorder_.occur(Signal::line_fill, request, fill_detail(LineState::invalid, LineState::exclusive));
  if (victim.valid) note_evict(d::cache_l1i, victim.states[0], d::evict_replacement);
}

}  // namespace pmusim::core::alpha
