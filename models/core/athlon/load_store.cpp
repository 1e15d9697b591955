#include "models/core/athlon/load_store.h"

#include <algorithm>
#include <bit>

#include "models/core/athlon/core.h"
#include "models/core/parts/renew.h"

namespace pmusim::core::athlon {

namespace d = activity::detail;

namespace {
constexpr std::uint64_t octet = 8;
constexpr std::uint64_t word = 4;
constexpr unsigned xmm_bytes = 16;
constexpr std::uint64_t word_of(std::uint64_t address) { return address / word; }
/// True if an operand crosses a boundary between parts of this size. An XMM register is accessed in two halves, so that
/// its operand crosses one only if it does not begin at one.
constexpr bool crosses(std::uint64_t address, unsigned size, unsigned part) {
  return address % part + (size == xmm_bytes ? part : size) > part;
}
/// True if two operands have bytes in one aligned word.
constexpr bool same_words(std::uint64_t a, unsigned size_a, std::uint64_t b, unsigned size_b) {
  return word_of(a) <= word_of(b + size_b - 1) && word_of(b) <= word_of(a + size_a - 1);
}
/// The address of the first or second half of an operand that crosses a boundary of eight bytes.
constexpr std::uint64_t half_of(std::uint64_t address, bool second_half) {
  return second_half ? address + octet - address % octet : address;
}
/// True if two loads read different lines of one bank of the data cache, which serves one of them a clock: eight banks
/// of eight bytes (AMD 25112, 5.9).
constexpr bool meet_in_bank(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t bank = 7 << 3, line = 0x1ff << 6;  // address bits 5:3 and 14:6
  return ((a ^ b) & bank) == 0 && ((a ^ b) & line) != 0;
}
template <class Entry>
constexpr std::uint64_t last_byte(const Entry& e) {
  return e.address + e.size - 1;
}
template <class Entry>
constexpr bool aligned(const Entry& e) {
  return std::has_single_bit(e.size) && e.address % e.size == 0;
}
constexpr std::size_t page_count = std::size_t{1} << 20;
}  // namespace

LoadStore::LoadStore(Machine& machine, InFlight& flight, MemorySide& memory, Window& window, AthlonCore& core)
    : machine_(machine),
      flight_(flight),
      memory_(memory),
      window_(window),
      core_(core),
      tlb_(settings_.dtlb_entries, settings_.dtlb2_entries, settings_.dtlb2_ways),
      accessed_(page_count),
      dirty_(page_count) {}

LoadStore::Index LoadStore::allocate() {
  ++occupied_;
  if (free_.empty()) {
    entries_.emplace_back();
    return static_cast<Index>(entries_.size() - 1);
  }
  const Index index = free_.back();
  free_.pop_back();
  renew(entries_[index]);
  return index;
}

void LoadStore::release(Index index) {
  --occupied_;
  free_.push_back(index);
  agenda_.changed();
}

bool LoadStore::has_room(std::size_t accesses) const {
  // An instruction with more accesses than there are entries makes them one after another and needs all entries.
  const std::size_t first = std::min<std::size_t>(accesses, settings_.ls1_entries);
  const std::size_t all = std::min<std::size_t>(accesses, settings_.ls_entries);
  return to_probe_.size() + first <= settings_.ls1_entries && occupied_ + all <= settings_.ls_entries;
}

// Access `number` of a chunk.
LoadStore::Entry& LoadStore::enter(Sequence sequence, const trace::Access& access, std::size_t number) {
  Chunk& chunk = flight_.at(sequence);
  const StaticCode& code = *chunk.code;
  const Index index = allocate();
  Entry& e = entries_[index];
  e.sequence = sequence;
  e.operation = static_cast<std::uint8_t>(std::min<std::size_t>(number, chunk.operations() - 1u));
  e.address = access.address;
  e.physical = machine_.map.translate(access.address);
  e.type = machine_.map.type(e.physical);
  e.size = std::max<std::uint16_t>(access.size, 1);
  e.store = access.store;
  e.high_byte = code.stores_high_byte;
  e.prefetch = code.prefetches;
  e.wrong_path = chunk.wrong_path;
  if (e.prefetch) {
    const bool owned = code.prefetches_to_write && settings_.prefetchw_modifies && !e.wrong_path;
    e.kind = owned ? AccessKind::prefetch_to_own : AccessKind::prefetch;
  } else if (e.store) {
    e.kind = e.wrong_path ? AccessKind::store_of_wrong_path : AccessKind::store;
  }
  to_probe_.push_back(index);
  if (e.store) {
    stores_.push_back(index);
    count_store(e, 1);
    chunk.stores = true;
  }
  return e;
}

void LoadStore::dispatch(Sequence sequence, const trace::Instruction& instruction) {
  const trace::Annotations* notes = instruction.annotations;
  for (std::size_t i = 0; i < instruction.accesses.size(); ++i) {
    const trace::Access& access = instruction.accesses[i];
    Entry& e = enter(sequence, access, i);
    for (std::size_t before = 0; e.store && before < i; ++before) {
      const trace::Access& earlier = instruction.accesses[before];
      e.update |= !earlier.store && earlier.address == access.address;
    }
    if (notes == nullptr) continue;
    e.forced_level = notes->data;
    e.forced_tlb = notes->dtlb;
    if (!e.store) e.forced_latency = static_cast<std::uint16_t>(notes->latency.value_or(0));
  }
}

void LoadStore::dispatch_absolute(Sequence sequence) {
  const StaticCode& code = *flight_.at(sequence).code;
  trace::Access access{code.absolute_address, code.absolute_bytes};
  if (code.absolute_loads) enter(sequence, access, 0);
  access.store = true;
  if (code.absolute_stores) enter(sequence, access, code.absolute_loads ? 1 : 0).update = code.absolute_loads;
}

// --- loads that depend on older stores ---------------------------------------------------------------------------

void LoadStore::count_store(const Entry& store, int change) {
  for (std::uint64_t at = word_of(store.address); at <= word_of(last_byte(store)); ++at) {
    std::uint16_t& stores = store_words_[at % store_words_.size()];
    stores = static_cast<std::uint16_t>(stores + change);
  }
}

// Two doublewords match if their addresses match in the bits that the processor compares.
bool LoadStore::depends(const Entry& load, const Entry& store) const {
  if (settings_.forward_match == ForwardMatch::bytes) {
    return store.address <= last_byte(load) && load.address <= last_byte(store);
  }
  const std::uint64_t compared =
      settings_.forward_match == ForwardMatch::page_offset ? page_bytes / word - 1 : ~std::uint64_t{0};
  const std::uint64_t read = word_of(load.address), written = word_of(store.address);
  return ((written - read) & compared) <= word_of(last_byte(load)) - read ||
         ((read - written) & compared) <= word_of(last_byte(store)) - written;
}

bool LoadStore::may_forward(const Entry& load, const Entry& store) const {
  if (settings_.forwards_always) return true;
  return load.address == store.address && load.size <= store.size && aligned(load) && aligned(store) &&
         !store.high_byte;
}

// Finds the youngest older store that the load depends on.
void LoadStore::find_store(Entry& e) {
  unsigned words = 0;
  for (std::uint64_t at = word_of(e.address); at <= word_of(last_byte(e)); ++at) {
    words |= store_words_[at % store_words_.size()];
  }
  if (words == 0 || e.forced_latency != 0) return;
  for (auto store = stores_.rbegin(); store != stores_.rend(); ++store) {
    const Entry& s = entries_[*store];
    // If loads may pass stores, the addresses of some older stores are unknown.
    if (s.sequence >= e.sequence || s.probe_at == activity::never || !depends(e, s)) continue;
    e.awaited = *store;
    e.forwards = may_forward(e, s);
    return;
  }
}

// Completes loads whose store has its data or has been written.
void LoadStore::take_store_data() {
  std::erase_if(held_, [&](Index index) {
    Entry& e = entries_[index];
    Cycle ready = agenda_.now();
    if (e.awaited == no_store) {
      if (e.fills != 0) {
        waiting_.push_back(index);
        return true;
      }
    } else {
      const Sequence store = entries_[e.awaited].sequence;
      if (!e.forwards) return false;
      if (store >= flight_.retired) {
        ready = flight_.result(store);
        if (ready == activity::never) return false;
        ready += flight_.at(store).code->forward;
      }
    }
    data_returns(e, ready);
    release(index);
    return true;
  });
}

void LoadStore::address_issued(Sequence sequence, unsigned operation) {
  const Cycle now = agenda_.now();
  const std::uint64_t place = flight_.at(sequence).reorder + operation;
  bool known = false;
  for (const Index index : to_probe_) {
    Entry& e = entries_[index];
    if (e.sequence != sequence || e.operation != operation) continue;
    e.place = place;
    e.probe_at = now + address_to_probe;
    if (e.forced_latency != 0) e.forced_ready = now + e.forced_latency;
    agenda_.at(e.probe_at);
    known = true;
  }
  if (known) return;
  const Chunk& chunk = flight_.at(sequence);
  if (chunk.loads_left != 0) {
    window_.load_done(sequence, place, now + settings_.load_use);
  } else {
    window_.part_done(place, now + 1);
  }
}

void LoadStore::wake_waiting() {
  const std::uint32_t arrived = memory_.data_arrived();
  // For a reference across two lines, the fill of the first line may arrive before the second line is probed.
  for (const Index index : to_probe_) entries_[index].fills &= ~arrived;
  for (const Index index : stores_) entries_[index].fills &= ~arrived;
  for (const Index index : held_) entries_[index].fills &= ~arrived;
  std::erase_if(waiting_, [&](Index index) {
    Entry& e = entries_[index];
    e.fills &= ~arrived;
    if (e.fills != 0) return false;
    data_returns(e, 0);
    release(index);
    return true;
  });
}

void LoadStore::data_returns(Entry& e, Cycle ready) {
  const Cycle now = agenda_.now();
  if (e.missed) {
    e.request.record.end = now;
    machine_.recorder.occur(Signal::load_return, e.request, d::side_data | d::access_load);
  }
  if (e.prefetch) return;
  window_.load_done(e.sequence, e.place,
                    std::max({e.forced_ready, ready, now + settings_.load_use - address_to_probe}));
}

// Translates the page of this byte: the first byte, or, for a reference that crosses a page, the last byte.
bool LoadStore::translate(Entry& e, std::uint64_t address) {
  const Cycle now = agenda_.now();
  const std::uint64_t page = address / page_bytes;
  const auto pages = static_cast<std::uint8_t>(page == e.address / page_bytes ? 1 : 2);
  if (e.pages_translated < pages) {
    const unsigned level = tlb_.level_of(page, e.forced_tlb);
    e.pages_translated = pages;
    e.translated_at = now;
    if (level == 1) return true;
    const bool second = level == 2;
    agenda_.changed();
    machine_.recorder.occur(Signal::translation, e.request,
                            d::side_data | (second ? d::tlb_second_level_hit : d::tlb_walk));
    e.translated_at = now + (second ? settings_.dtlb2_latency : settings_.dtlb_walk);
    if (!second) {
      const std::size_t bit = page % page_count;
      const bool writes = e.kind == AccessKind::store;
      const bool rewrite = !accessed_[bit] || (writes && !dirty_[bit]);
      accessed_[bit] = true;
      if (writes) dirty_[bit] = true;
      memory_.walk(address, true, rewrite);
      walk_until_ = std::max(walk_until_, e.translated_at);
      tlb_.second.fill(page);
    }
    tlb_.first.fill(page);
  }
  if (e.translated_at <= now) return true;
  agenda_.at(e.translated_at);
  return false;
}

void LoadStore::probe() {
  Clock clock{settings_.ports};
  for (std::size_t i = 0; i < to_probe_.size() && clock.ports != 0;) {
    if (probe_one(to_probe_[i], clock)) {
      const Index index = to_probe_[i];
      to_probe_.erase(to_probe_.begin() + static_cast<std::ptrdiff_t>(i));
      finish_probe(index);
      agenda_.changed();
      continue;
    }
    if (settings_.in_order_memory) break;
    ++i;
  }
  machine_.recorder.set(State::table_walk, (machine_.recorder.get(State::table_walk) & 1u) |
                                               (walk_until_ > agenda_.now() ? walk_of_data : 0u));
}

// Two stores share a clock only if they have at most 32 bits and go to different words.
bool LoadStore::may_share(Index store, Index stored) {
  if (stored == no_store) return true;
  const Entry& e = entries_[store];
  const Entry& before = entries_[stored];
  if (e.size > word || before.size > word) return false;
  if (store == stored) return true;
  return !same_words(e.address, e.size, before.address, before.size);
}

// Loads read their data while they probe; stores write theirs later.
bool LoadStore::meets_load(Index load, bool second_half, const Clock& clock) {
  if (clock.loaded == no_store || !settings_.bank_conflicts) return false;
  const Entry& e = entries_[load];
  const Entry& before = entries_[clock.loaded];
  return meet_in_bank(half_of(e.address, second_half), half_of(before.address, clock.loaded_half));
}

// Returns true if all probes of the access have been made.
bool LoadStore::probe_one(Index index, Clock& clock) {
  Entry& e = entries_[index];
  const Cycle now = agenda_.now();
  if (e.probe_at > now) {
    if (e.probe_at != activity::never) agenda_.at(e.probe_at);
    return false;
  }
  if (e.request.record.size == 0) {
    memory_.start_request(e.request, e.address, e.size);
    RequestRecord& r = e.request.record;
    const Chunk& owner = flight_.at(e.sequence);
    r.instruction = owner.id;
    r.ip = owner.code->pc;
    r.has_instruction = true;
    r.store = e.store;
    r.wrong_path = e.wrong_path;
    // A prefetch names a line and has no operand that could cross a boundary: it makes one probe.
    r.crosses_word = !e.prefetch && crosses(e.address, e.size, word);
    r.crosses_octet = !e.prefetch && crosses(e.address, e.size, octet);
  }
  // A prefetch does not request a translation of the page after its byte.
  const bool crosses_page = !e.prefetch && e.address / page_bytes != last_byte(e) / page_bytes;
  if (!e.first_half_done && !translate(e, e.address)) return false;
  const bool cached = e.type != MemoryType::uncacheable && e.type != MemoryType::write_combining;
  if (!cached) {
    if (crosses_page && !translate(e, last_byte(e))) return false;
    if (e.store || e.prefetch) {
      --clock.ports;
      return true;
    }
    // A read with side effects must not be speculative: it waits until it is the oldest.
    if (e.sequence != flight_.retired) return false;
    e.request.record.start = now;
    const Probe p = memory_.read_uncached(e.physical, e.request);
    if (p.outcome == Outcome::stall) return false;
    e.fills |= 1u << p.fill;
    --clock.ports;
    return true;
  }
  const bool split = e.request.record.crosses_octet || e.size == xmm_bytes;
  while (clock.ports != 0) {
    if (e.store && (clock.joins || !may_share(index, clock.stored))) return false;
    const bool second = e.first_half_done;
    if (second && crosses_page && !translate(e, last_byte(e))) return false;
    const std::uint64_t at = half_of(e.address, second);
    if (!e.store && !e.prefetch && meets_load(index, second, clock)) return false;
    if (!second) e.request.record.start = now;
    const std::uint16_t part = (second ? d::access_second_half : 0) | (e.update ? d::access_update : 0);
    const Probe p = memory_.probe_data(at, second ? machine_.map.translate(at) : e.physical, e.kind, e.request, part,
                                       e.forced_level);
    if (p.outcome == Outcome::stall) return false;
    --clock.ports;
    if (e.store) {
      clock.stored = index;
    } else if (!e.prefetch) {
      clock.loaded = index;
      clock.loaded_half = second;
      clock.joins = second && e.request.record.crosses_octet;
    }
    if (p.outcome == Outcome::pending || p.outcome == Outcome::miss) {
      e.fills |= 1u << p.fill;
      e.missed = true;
    }
    if (!split || second) return true;
    e.first_half_done = true;
    if (settings_.split_waits) break;
  }
  return false;
}

void LoadStore::finish_probe(Index index) {
  Entry& e = entries_[index];
  const Cycle now = agenda_.now();
  e.probed = true;
  if (e.store) {
    window_.part_done(e.place, now);
    if (!e.wrong_path) core_.store_probed(e.sequence, e.address, e.size, e.request);
    return;
  }
  if (e.prefetch) {
    // A prefetch writes no register: the instruction is done when its request has been made.
    window_.load_done(e.sequence, e.place, now + settings_.load_use - address_to_probe);
    release(index);
    return;
  }
  if (stores_.empty() || e.type == MemoryType::uncacheable || e.type == MemoryType::write_combining) {
    // No store to depend on; an uncached load is the oldest instruction.
  } else if (find_store(e); e.awaited != no_store) {
    held_.push_back(index);
    take_store_data();
    return;
  }
  if (e.fills != 0) {
    waiting_.push_back(index);
    return;
  }
  data_returns(e, 0);
  release(index);
}

void LoadStore::leave_stores() {
  unsigned leaving = 0;
  while (leaving < 2 && leaving < stores_.size()) {
    const Entry& e = entries_[stores_[leaving]];
    if (!e.retired || e.fills != 0) break;
    ++leaving;
  }
  for (unsigned i = 0; i < leaving; ++i) {
    const Entry& e = entries_[stores_[i]];
    if (e.type != MemoryType::write_back) memory_.write_through(e.physical, e.size, e.type);
    for (const Index load : held_) {
      if (entries_[load].awaited == stores_[i]) entries_[load].awaited = no_store;
    }
    count_store(e, -1);
    release(stores_[i]);
  }
  stores_.erase(stores_.begin(), stores_.begin() + leaving);
}

void LoadStore::retire(Sequence sequence) {
  for (const Index index : stores_) {
    if (entries_[index].sequence > sequence) break;
    entries_[index].retired = true;
  }
}

void LoadStore::kill(Sequence from) {
  const auto younger = [&](Index index) { return entries_[index].sequence >= from && !entries_[index].retired; };
  const auto drop = [&](std::vector<Index>& list) {
    for (const Index index : list) {
      if (younger(index)) release(index);
    }
    std::erase_if(list, younger);
  };
  std::erase_if(to_probe_, [&](Index index) {
    if (!younger(index)) return false;
    if (!entries_[index].store) release(index);  // a store is in the list of stores as well
    return true;
  });
  drop(waiting_);
  drop(held_);
  for (const Index index : stores_) {
    if (younger(index)) count_store(entries_[index], -1);
  }
  drop(stores_);
}

}  // namespace pmusim::core::athlon
