#include "models/core/ppc750/memory.h"

#include <algorithm>
#include <bit>

namespace pmusim::core::ppc750 {

namespace d = activity::detail;
using trace::Level;

namespace {

CacheShape l1_shape(unsigned sets, unsigned ways) { return {sets, ways, 32, 1, Replacement::pseudo_lru, 0}; }

}  // namespace

MemorySide::MemorySide(Machine& machine)
    : machine_(machine),
      l1i_(l1_shape(machine.settings.l1i_sets, machine.settings.l1i_ways)),
      l1d_(l1_shape(machine.settings.l1d_sets, machine.settings.l1d_ways)),
      // UM Table 9-2: the bits alone choose the way, and an invalidation makes it the next one.
      l2_({machine.settings.l2_sets, machine.settings.l2_ways, 64, 2, Replacement::pseudo_lru, 0, false}),
      misses_(machine.settings.l1d_misses + 1) {}

void MemorySide::step(Cycle now, Wake& wake) {
  for (auto left = active_; left != 0; left &= left - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
    const Miss& miss = misses_[i];
    if (miss.fill_at == now) {
      fill(i);
      wake.on(now + 1);
    } else if (miss.fill_at != activity::never) {
      if (miss.data_at == now) wake.on(now + 1);
      wake.on(miss.data_at > now ? miss.data_at : miss.fill_at);
    }
  }
  if (!l2_queue_.empty()) work_l2(now, wake);
}

std::uint32_t MemorySide::free_data_miss() const {
  for (std::uint32_t i = 0; i < machine_.settings.l1d_misses; ++i) {
    if (!is_active(i)) return i;
  }
  return none;
}

std::uint32_t MemorySide::find_miss(std::uint64_t physical, bool instruction) const {
  const std::uint64_t line = l1d_.line_of(physical);
  for (std::uint32_t i = 0; i < misses_.size(); ++i) {
    const Miss& m = misses_[i];
    if (is_active(i) && m.cached && m.instruction == instruction && l1d_.line_of(m.physical) == line) return i;
  }
  return none;
}

void MemorySide::start_miss(Cycle now, std::uint32_t index, NamedRequest& request, std::uint64_t physical,
                            std::uint16_t access, const Forced& forced) {
  Miss& m = misses_[index];
  const bool instruction = index == machine_.settings.l1d_misses;
  m = {.serial = ++serial_,
       .physical = physical,
       .access = access,
       .instruction = instruction,
       .forced = forced,
       .start = now};
  active_ |= 1u << index;
  request.record.start = now;
  machine_.recorder.occur(Signal::line_request, request, m.side() | access);
  m.request = request;
  l2_queue_.push_back({L2Work::read, now + 1, index});
}

Probe MemorySide::fetch(Cycle now, NamedRequest& request, const Forced& forced) {
  const std::uint64_t physical = map.translate(request.record.address);
  bool hit = l1i_.lookup(physical) != LineState::invalid;
  if (forced.level == Level::l1 && !hit) evict_l1i(l1i_.fill(physical, LineState::exclusive));
  if (forced.level != Level::unset) hit = forced.level == Level::l1;
  if (hit) {
    machine_.recorder.occur(Signal::fetch, request, d::lookup_hit);
    return {ProbeResult::hit, {}};
  }
  const std::uint32_t index = machine_.settings.l1d_misses;
  const bool pending = find_miss(physical, true) != none;
  if (!pending && is_active(index)) return {};
  machine_.recorder.occur(Signal::fetch, request, pending ? d::lookup_pending : d::lookup_miss);
  if (!pending) start_miss(now, index, request, physical, 0, forced);
  return {pending ? ProbeResult::pending : ProbeResult::miss, {index, misses_[index].serial}};
}

Probe MemorySide::data(Cycle now, NamedRequest& request, std::uint16_t access, bool own, const Forced& forced) {
  const std::uint64_t physical = map.translate(request.record.address);
  const auto look = [&](std::uint16_t result) {
    machine_.recorder.occur(Signal::dcache_lookup, request, d::side_data | access | result);
  };
  bool hit = l1d_.lookup(physical) != LineState::invalid;
  if (forced.level == Level::l1 && !hit) evict_l1d(now, l1d_.fill(physical, LineState::exclusive));
  if (forced.level != Level::unset) hit = forced.level == Level::l1;
  if (hit) {
    look(d::lookup_hit);
    return {ProbeResult::hit, {}};
  }
  std::uint32_t index = find_miss(physical, false);
  if (index != none) {
    request.record.start = now;
    look(d::lookup_pending);
    misses_[index].own |= own;
    return {ProbeResult::pending, {index, misses_[index].serial}};
  }
  index = free_data_miss();
  if (index == none) return {};
  request.record.start = now;
  look(d::lookup_miss);
  start_miss(now, index, request, physical, access, forced);
  misses_[index].own = own;
  return {ProbeResult::miss, {index, misses_[index].serial}};
}

MissRef MemorySide::read_uncached(Cycle now, NamedRequest& request, const Forced& forced) {
  const std::uint32_t index = free_data_miss();
  Miss& m = misses_[index];
  request.record.start = now;
  m = {.serial = ++serial_,
       .physical = map.translate(request.record.address),
       .cached = false,
       .forced = forced,
       .start = now,
       .request = request};
  active_ |= 1u << index;
  from_bus(now + 1, m);
  request = m.request;
  return {index, m.serial};
}

void MemorySide::write_bus(NamedRequest& request, std::uint64_t physical, MemoryType type) {
  machine_.recorder.occur(Signal::bus_request, request, bus_detail(physical, type) | d::bus_write);
}

void MemorySide::write_through(NamedRequest& request) {
  const std::uint64_t physical = map.translate(request.record.address);
  const auto result = l1d_.lookup(physical) != LineState::invalid ? d::lookup_hit : d::lookup_miss;
  machine_.recorder.occur(Signal::dcache_lookup, request, d::side_data | d::access_store | result);
  write_bus(request, physical, MemoryType::write_through);
}

/// A line arrives in its L1, and in L2 if it came from memory.
void MemorySide::fill(std::uint32_t index) {
  Miss& m = misses_[index];
  active_ &= ~(1u << index);
  if (m.on_bus) --bus_reads_;
  if (!m.cached) return;
  if (m.on_bus && machine_.settings.l2_enabled && l2_.state(l2_.find(m.physical), m.physical) == LineState::invalid) {
    record_l2_victim(l2_.fill(m.physical, LineState::exclusive));
  }
  Cache& l1 = m.instruction ? l1i_ : l1d_;
  LineState state = m.own ? LineState::modified : LineState::exclusive;
  // A forced outcome can fill a line that is already in the cache: the line stays modified.
  if (is_dirty(l1.state(l1.find(m.physical), m.physical))) state = LineState::modified;
  const Victim victim = l1.fill(m.physical, state);
  machine_.recorder.occur(Signal::line_fill, m.request, m.side() | fill_detail(m.found, state));
  if (m.instruction) {
    evict_l1i(victim);
  } else {
    evict_l1d(m.fill_at, victim);
  }
}

void MemorySide::evict_l1i(const Victim& victim) {
  if (!victim.valid) return;
  machine_.recorder.occur(Signal::line_evict, evict_detail(d::cache_l1i, victim.states[0], d::evict_replacement));
}

void MemorySide::evict_l1d(Cycle now, const Victim& victim) {
  if (!victim.valid) return;
  const bool dirty = is_dirty(victim.states[0]);
  std::uint16_t detail = evict_detail(d::cache_l1d, victim.states[0], d::evict_replacement);
  if (dirty && machine_.settings.l2_enabled) detail |= d::evict_to_l2;
  machine_.recorder.occur(Signal::line_evict, detail);
  if (!dirty) return;
  if (machine_.settings.l2_enabled) {
    l2_queue_.push_back({L2Work::write, now + 1, 0, victim.address});
  } else {
    machine_.recorder.occur(Signal::bus_request, write_detail(victim.address));
  }
}

/// L2 handles one request at a time, in order.
void MemorySide::work_l2(Cycle now, Wake& wake) {
  L2Request& head = l2_queue_.front();
  const Cycle start = std::max(head.earliest, l2_free_);
  if (start > now) return wake.on(start);
  if (head.work == L2Work::read && bus_reads_ >= machine_.settings.l2_misses) {
    const std::uint64_t physical = misses_[head.miss].physical;
    if (l2_.state(l2_.find(physical), physical) == LineState::invalid) return;  // a fill requests the next cycle
  }
  Cycle busy = 1;
  if (head.work == L2Work::read) {
    read_l2(now, misses_[head.miss]);
  } else if (head.work == L2Work::write) {
    record_l2_victim(l2_.fill(head.physical, LineState::modified));
    busy = machine_.settings.l2_write_cycles;
  } else {
    operate_l2(head.operation, head.physical, head.request);
  }
  l2_queue_.erase(l2_queue_.begin());
  l2_free_ = now + busy;
  wake.on(now + 1);
}

void MemorySide::read_l2(Cycle now, Miss& m) {
  if (machine_.settings.l2_enabled) {
    LineState found = l2_.lookup(m.physical);
    if (m.forced.level == Level::memory) found = LineState::invalid;
    if (m.forced.level == Level::l2 && found == LineState::invalid) found = LineState::exclusive;
    m.found = found;
    const auto result = found != LineState::invalid ? d::lookup_hit : d::lookup_miss;
    machine_.recorder.occur(Signal::l2_lookup, m.request, m.side() | m.access | result);
  }
  if (m.found == LineState::invalid) return from_bus(now, m);
  // A forced latency counts from the L1 lookup; otherwise the wait for L2 is added.
  m.data_at =
      m.forced.latency ? std::max(m.start + *m.forced.latency, now + 1) : now - 1 + machine_.settings.l2_latency;
  m.fill_at = m.data_at + 1;
  correct_error(m.physical, true, m.request);
}

void MemorySide::from_bus(Cycle now, Miss& m) {
  machine_.recorder.occur(Signal::bus_request, m.request, bus_detail(m.physical, map.type(m.physical)));
  // The data bus transfers one line after another; a forced latency is not changed by this.
  m.data_at = m.forced.latency ? std::max(m.start + *m.forced.latency, now + 1)
                               : std::max(now - 1 + machine_.settings.memory_latency, bus_free_);
  m.fill_at = m.data_at + 1 + (m.cached ? machine_.settings.memory_line_rest : 0);
  if (!m.forced.latency) bus_free_ = m.fill_at;
  m.on_bus = true;
  ++bus_reads_;
  correct_error(m.physical, false, m.request);
}

void MemorySide::record_l2_victim(const Victim& victim) {
  if (!victim.valid) return;
  for (unsigned sector = 0; sector < 2; ++sector) {
    const LineState state = victim.states[sector];
    if (state == LineState::invalid) continue;
    machine_.recorder.occur(Signal::line_evict, evict_detail(d::cache_l2, state, d::evict_replacement));
    if (is_dirty(state)) machine_.recorder.occur(Signal::bus_request, write_detail(victim.address + 32 * sector));
  }
}

std::uint16_t MemorySide::bus_detail(std::uint64_t physical, MemoryType type) const {
  return static_cast<std::uint16_t>(type) | (map.is_dram(physical) ? d::bus_dram : 0);
}
std::uint16_t MemorySide::write_detail(std::uint64_t physical) const {
  return bus_detail(physical, MemoryType::write_back) | d::bus_write;
}

void MemorySide::correct_error(std::uint64_t physical, bool from_l2, NamedRequest& request) {
  if (errors_.empty()) return;
  const std::uint64_t line = l1d_.line_of(physical);
  const auto planted = std::find_if(errors_.begin(), errors_.end(),
                                    [&](const Error& e) { return e.line == line && e.from_l2 == from_l2; });
  if (planted == errors_.end()) return;
  errors_.erase(planted);
  machine_.recorder.occur(Signal::ecc_correction, request, from_l2 ? d::ecc_from_l2 : 0);
}

Translation::Translation(Machine& machine, MemorySide& memory)
    : machine_(machine),
      memory_(memory),
      tlbs_{Tlb(machine.settings.tlb_sets, machine.settings.tlb_ways),
            Tlb(machine.settings.tlb_sets, machine.settings.tlb_ways)} {}

bool Translation::start_walk(Cycle now, Side side, const NamedRequest& request, Wake& wake) {
  if (walking_) return false;  // the end of the search requests the next cycle
  walking_ = true;
  side_ = side;
  page_ = request.record.address >> 12;
  walk_space_ = space_;
  NamedRequest walk;
  walk.record = request.record;
  walk.record.start = now;
  machine_.recorder.occur(Signal::translation, walk, (side == Side::data ? d::side_data : 0) | d::tlb_walk);
  // The hashed page table of UM 5.5: segment and page index select the group, and the entry is the first of it.
  // Every segment and process has its own number, so their entries are in different groups.
  const std::uint64_t segment = (page_ >> 16) + 16ull * space_;
  const std::uint64_t hash = ((segment * 0x111) ^ (page_ & 0xFFFF)) & (machine_.settings.page_table_groups - 1);
  NamedRequest entry;
  entry.record.id = request.record.id;
  entry.record.address = machine_.settings.page_table + hash * 64;
  entry.record.size = 8;
  entry.record.start = now;
  entry.record.instruction = request.record.instruction;
  entry.record.has_instruction = request.record.has_instruction;
  entry.record.ip = request.record.ip;
  const Level found = memory_.read_table_entry(now, entry);
  end_ = now + (found == Level::l1   ? machine_.settings.walk_l1
                : found == Level::l2 ? machine_.settings.walk_l2
                                     : machine_.settings.walk_memory);
  machine_.recorder.set(State::table_walk, side == Side::data ? 2 : 1);
  wake.on(now + 1);  // L2 takes what the entry's block has replaced in L1D
  wake.on(end_);
  return true;
}

void Translation::step(Cycle now, Wake& wake) {
  if (now < end_) return wake.on(end_);
  walking_ = false;
  last_ = {};  // the new page may have replaced the page of the last access
  tlbs_[index(side_)].fill(page_, walk_space_);
  machine_.recorder.set(State::table_walk, 0);
  wake.on(now + 1);
}

void Translation::install(Side side, std::uint64_t address) {
  if (hit(side, address)) return;
  last_ = {};
  tlbs_[index(side)].fill(address >> 12, space_);
}

}  // namespace pmusim::core::ppc750
