#include "models/core/athlon/load_store.h"

#include <algorithm>

#include "models/core/parts/renew.h"

namespace pmusim::core::athlon {

namespace d = activity::detail;

namespace {
constexpr std::uint64_t octet = 8;
constexpr std::size_t page_count = std::size_t{1} << 20;
}  // namespace

LoadStore::LoadStore(Machine& machine, InFlight& flight, MemorySide& memory, Window& window, StoreWatcher& watcher)
    : machine_(machine),
      settings_(machine.settings),
      agenda_(machine.agenda),
      flight_(flight),
      memory_(memory),
      window_(window),
      watcher_(watcher),
      tlb_(1, settings_.dtlb_entries),
      tlb2_(settings_.dtlb2_entries / settings_.dtlb2_ways, settings_.dtlb2_ways),
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
  // An instruction with more accesses than there are entries has them one after the other: it needs all of them.
  const std::size_t first = std::min<std::size_t>(accesses, settings_.ls1_entries);
  const std::size_t all = std::min<std::size_t>(accesses, settings_.ls_entries);
  return to_probe_.size() + first <= settings_.ls1_entries && occupied_ + all <= settings_.ls_entries;
}

void LoadStore::dispatch(Sequence sequence, const trace::Instruction& instruction) {
  Chunk& chunk = flight_.at(sequence);
  const trace::Annotations* notes = instruction.annotations;
  for (std::size_t i = 0; i < instruction.accesses.size(); ++i) {
    const trace::Access& access = instruction.accesses[i];
    const Index index = allocate();
    Entry& e = entries_[index];
    e.sequence = sequence;
    e.operation = static_cast<std::uint8_t>(std::min<std::size_t>(i, chunk.operations - 1u));
    e.address = access.address;
    e.physical = machine_.map.translate(access.address);
    e.type = machine_.map.type(e.physical);
    e.size = std::max<std::uint16_t>(access.size, 1);
    e.store = access.store;
    e.prefetch = chunk.code->prefetches;
    for (std::size_t before = 0; e.store && before < i; ++before) {
      const trace::Access& earlier = instruction.accesses[before];
      e.update |= !earlier.store && earlier.address == access.address;
    }
    if (notes != nullptr) {
      e.forced_level = notes->data;
      e.forced_tlb = notes->dtlb;
      if (!e.store) e.forced_latency = static_cast<std::uint16_t>(notes->latency.value_or(0));
    }
    to_probe_.push_back(index);
    if (!e.store) continue;
    stores_.push_back(index);
    chunk.stores = true;
  }
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
  for (const Index index : stores_) entries_[index].fills &= ~arrived;
  std::erase_if(waiting_, [&](Index index) {
    Entry& e = entries_[index];
    e.fills &= ~arrived;
    if (e.fills != 0) return false;
    data_returns(e);
    release(index);
    return true;
  });
}

void LoadStore::data_returns(Entry& e) {
  const Cycle now = agenda_.now();
  if (e.missed) {
    e.request.record.end = now;
    machine_.recorder.occur(Signal::load_return, e.request, d::side_data | d::access_load);
  }
  if (e.prefetch) return;
  window_.load_done(e.sequence, e.place, std::max(e.forced_ready, now + settings_.load_use - address_to_probe));
}

bool LoadStore::translate(Entry& e) {
  const Cycle now = agenda_.now();
  if (!e.translated) {
    const std::uint64_t page = e.address / page_bytes;
    bool first = tlb_.lookup(page);
    bool second = !first && tlb2_.lookup(page);
    switch (e.forced_tlb) {
      case trace::TlbOutcome::unset:
        break;
      case trace::TlbOutcome::hit:
        first = true;
        break;
      case trace::TlbOutcome::l2:
        first = false;
        second = true;
        break;
      case trace::TlbOutcome::walk:
      case trace::TlbOutcome::fault:
        first = second = false;
        break;
    }
    e.translated = true;
    e.translated_at = now;
    if (first) return true;
    agenda_.changed();
    machine_.recorder.occur(
        Signal::translation, e.request,
        static_cast<std::uint16_t>(d::side_data | (second ? d::tlb_second_level_hit : d::tlb_walk)));
    e.translated_at = now + (second ? settings_.dtlb2_latency : settings_.dtlb_walk);
    if (!second) {
      const std::size_t bit = page % page_count;
      const bool rewrite = !accessed_[bit] || (e.store && !dirty_[bit]);
      accessed_[bit] = true;
      if (e.store) dirty_[bit] = true;
      memory_.walk(e.address, true, rewrite);
      walk_until_ = std::max(walk_until_, e.translated_at);
      tlb2_.fill(page);
    }
    tlb_.fill(page);
  }
  if (e.translated_at <= now) return true;
  agenda_.at(e.translated_at);
  return false;
}

void LoadStore::probe() {
  unsigned ports = settings_.ports;
  unsigned store_bytes = 0;
  for (std::size_t i = 0; i < to_probe_.size() && ports != 0;) {
    const Progress progress = probe_one(to_probe_[i], ports, store_bytes);
    if (progress == Progress::done) {
      const Index index = to_probe_[i];
      to_probe_.erase(to_probe_.begin() + static_cast<std::ptrdiff_t>(i));
      finish_probe(index);
      agenda_.changed();
      continue;
    }
    if (progress == Progress::partly) agenda_.changed();
    if (settings_.in_order_memory) break;
    ++i;
  }
  machine_.recorder.set(State::table_walk,
                        (machine_.recorder.get(State::table_walk) & 1u) | (walk_until_ > agenda_.now() ? 2u : 0u));
}

LoadStore::Progress LoadStore::probe_one(Index index, unsigned& ports, unsigned& store_bytes) {
  Entry& e = entries_[index];
  const Cycle now = agenda_.now();
  if (e.probe_at > now) {
    if (e.probe_at != activity::never) agenda_.at(e.probe_at);
    return Progress::blocked;
  }
  if (e.request.record.size == 0) {
    memory_.start_request(e.request, e.address, e.size);
    RequestRecord& r = e.request.record;
    const InstructionRecord& owner = flight_.record(flight_.at(e.sequence)).record;
    r.instruction = owner.id;
    r.ip = owner.ip;
    r.has_instruction = true;
    r.store = e.store;
    // A prefetch names a line and has no operand that could cross anything: it is one probe.
    r.crosses_word = !e.prefetch && e.address % 4 + e.size > 4;
    r.crosses_octet = !e.prefetch && e.address % octet + e.size > octet;
  }
  if (!translate(e)) return Progress::blocked;
  const bool cached = e.type != MemoryType::uncacheable && e.type != MemoryType::write_combining;
  if (!cached) {
    if (e.store || e.prefetch) {
      --ports;
      return Progress::done;
    }
    // A read with side effects must not be speculative: it waits until it is the oldest.
    if (e.sequence != flight_.retired) return Progress::blocked;
    e.request.record.start = now;
    const Probe p = memory_.read_uncached(e.physical, e.request);
    if (p.outcome == Outcome::stall) return Progress::blocked;
    e.fills |= 1u << p.fill;
    --ports;
    return Progress::done;
  }
  const AccessKind kind = e.prefetch ? AccessKind::prefetch : e.store ? AccessKind::store : AccessKind::load;
  const bool split = e.request.record.crosses_octet;
  while (ports != 0) {
    // Two stores share a clock only if they are of 32 bits at most.
    if (e.store && store_bytes != 0 && (store_bytes > 4 || e.size > 4)) return Progress::partly;
    const bool second = e.first_half_done;
    if (!second) e.request.record.start = now;
    const std::uint64_t up = second ? octet - e.address % octet : 0;
    const auto part =
        static_cast<std::uint16_t>((second ? d::access_second_half : 0) | (e.update ? d::access_update : 0));
    const Probe p = memory_.probe_data(e.address + up, second ? machine_.map.translate(e.address + up) : e.physical,
                                       kind, e.request, part, e.forced_level);
    if (p.outcome == Outcome::stall) return Progress::blocked;
    --ports;
    if (e.store) store_bytes = std::max<unsigned>(e.size, 1);
    if (p.outcome == Outcome::pending || p.outcome == Outcome::miss) {
      e.fills |= 1u << p.fill;
      e.missed = true;
    }
    if (!split || second) return Progress::done;
    e.first_half_done = true;
    if (settings_.split_waits) break;
  }
  return Progress::partly;
}

void LoadStore::finish_probe(Index index) {
  Entry& e = entries_[index];
  const Cycle now = agenda_.now();
  e.probed = true;
  if (e.store) {
    window_.part_done(e.place, now);
    watcher_.store_probed(e.sequence, e.address, e.size, e.request);
    return;
  }
  if (e.prefetch) {
    // A prefetch has no register to fill: the instruction is done when the request is on its way.
    window_.load_done(e.sequence, e.place, now + settings_.load_use - address_to_probe);
    release(index);
    return;
  }
  if (e.fills != 0) {
    waiting_.push_back(index);
    return;
  }
  data_returns(e);
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
  drop(stores_);
}

void LoadStore::flush_tlbs() {
  tlb_.clear();
  tlb2_.clear();
}

}  // namespace pmusim::core::athlon
