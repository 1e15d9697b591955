// The load/store unit: cache accesses of loads, the load queue of loads that missed, and the store queue, which writes
// retired stores to the cache in order.
#include <utility>

#include "models/core/ppc750/core.h"

namespace pmusim::core::ppc750 {

namespace d = activity::detail;
using trace::Level;
using trace::TlbOutcome;
using trace::ppc::Kind;

namespace {

/// A plain operand is accessed by aligned double words, an operand of a multiple or string instruction word by word.
unsigned parts_of(const trace::Access& access, bool words) {
  if (access.size == 0) return 0;
  if (words) return (access.size + 3u) / 4;
  return static_cast<unsigned>((access.address + access.size - 1) / 8 - access.address / 8) + 1;
}

const trace::Annotations* notes_of(const Dynamic& x) {
  return x.entry != nullptr ? x.entry->instruction.annotations : nullptr;
}

Forced forced_data(const Dynamic& x) {
  const trace::Annotations* const notes = notes_of(x);
  return notes != nullptr ? Forced{notes->data, notes->latency} : Forced{};
}
/// The operation of a cache instruction; none: a store.
std::optional<CacheOperation> cache_operation(Kind kind) {
  constexpr std::pair<Kind, CacheOperation> operations[] = {{Kind::dcbz, CacheOperation::zero},
                                                            {Kind::dcbf, CacheOperation::flush},
                                                            {Kind::dcbst, CacheOperation::store_back},
                                                            {Kind::dcbi, CacheOperation::invalidate},
                                                            {Kind::icbi, CacheOperation::invalidate_instruction}};
  for (const auto& [of, operation] : operations) {
    if (of == kind) return operation;
  }
  return std::nullopt;
}

/// Accesses of the instruction that are used: a successful stwcx. is recorded with a load and a store.
bool counts(const Dynamic& x, const trace::Access& access) {
  return x.operation->kind != Kind::store_conditional || access.store;
}

}  // namespace

unsigned Ppc750Core::piece_count(const Dynamic& x) const {
  if (x.entry == nullptr) return 0;
  unsigned n = 0;
  for (const trace::Access& access : x.entry->instruction.accesses) {
    if (counts(x, access)) n += x.operation->cache_operation ? 1 : parts_of(access, x.operation->words);
    if (x.operation->cache_operation && n == 1) break;
  }
  return n;
}

Ppc750Core::Piece Ppc750Core::piece(const Dynamic& x, unsigned number) const {
  for (const trace::Access& access : x.entry->instruction.accesses) {
    if (!counts(x, access)) continue;
    if (x.operation->cache_operation) return {access.address, access.size, access.store, false};
    const unsigned parts = parts_of(access, x.operation->words);
    if (number >= parts) {
      number -= parts;
      continue;
    }
    const std::uint64_t end = access.address + access.size;
    if (x.operation->words) {
      const std::uint64_t begin = access.address + 4 * number;
      return {begin, static_cast<std::uint32_t>(std::min<std::uint64_t>(4, end - begin)), access.store, false};
    }
    const std::uint64_t begin = number == 0 ? access.address : (access.address / 8 + number) * 8;
    const std::uint64_t stop = std::min(end, (begin / 8 + 1) * 8);
    return {begin, static_cast<std::uint32_t>(stop - begin), access.store, number != 0};
  }
  return {};
}

void Ppc750Core::start_access(Index index) {
  const Dynamic& x = pool_[index];
  if (x.operation->kind == Kind::icbi && piece_count(x) == 0) btic_.clear();
  stage_ = {true, index, now_ + 1, 0, piece_count(x), 0, false, false, false};
}

NamedRequest Ppc750Core::new_request(const Dynamic& x) const {
  const Piece p = piece(x, stage_.piece);
  NamedRequest request;
  RequestRecord& r = request.record;
  r.id = request_count_ + 1;
  r.address = p.address;
  r.size = p.size;
  r.instruction = x.named.record.id;
  r.ip = x.named.record.ip;
  r.has_instruction = true;
  r.start = now_;
  r.store = x.operation->store;
  r.multiple_or_string = x.operation->words;
  for (const trace::Access& access : x.entry->instruction.accesses) {
    if (access.size == 0 || x.operation->cache_operation) continue;
    const std::uint64_t last = access.address + access.size - 1;
    if (p.address < access.address || p.address > last) continue;
    // An access of an aligned double word does not cross: crossing means that the operand is not aligned to its parts.
    r.crosses_word = access.address % 4 + access.size > 4 && !(access.size == 8 && access.address % 8 == 0);
    r.crosses_octet = access.address / 8 != last / 8;
  }
  return request;
}

/// True if the page of the access is translated. A table search waits until no older prediction is open.
bool Ppc750Core::translate_data(const Dynamic& x, const NamedRequest& request) {
  if (!translated(Side::data)) return true;
  if (translation_.walking(Side::data)) return false;
  const trace::Annotations* notes = notes_of(x);
  const TlbOutcome forced = notes != nullptr ? notes->dtlb : TlbOutcome::unset;
  if (forced == TlbOutcome::hit) translation_.install(Side::data, request.record.address);
  const bool must_walk = forced == TlbOutcome::walk && !stage_.walked;
  if (!must_walk && translation_.hit(Side::data, request.record.address)) return true;
  if (level(x.sequence) != 0) return false;
  if (translation_.start_walk(now_, Side::data, request, wake_)) stage_.walked = true;
  return false;
}

/// Makes one cache access in a cycle.
void Ppc750Core::access() {
  if (stage_.first > now_) return wake_.on(stage_.first);
  if (port_taken_ == now_) return wake_.on(now_ + 1);
  Dynamic& x = pool_[stage_.instruction];
  if (stage_.pieces == 0) {  // no address: wrong path, stwcx. without reservation, or not in the trace
    stage_.active = false;
    finishes(x, now_ + x.operation->latency - 2);
    return wake_.on(now_ + 1);
  }
  NamedRequest request = new_request(x);
  const bool is_touch = x.operation->kind == Kind::dcbt || x.operation->kind == Kind::dcbtst;
  if (is_touch) {
    touch(request);
    return advance_access(x);
  }
  if (!translate_data(x, request)) return;
  if (x.operation->load) {
    if (must_follow_store(request.record)) {
      stage_.aliased = true;
      return;  // a store that leaves requests the next cycle
    }
    if (std::exchange(stage_.aliased, false) && machine_.settings.store_alias_wait > 1) {
      stage_.first = now_ + machine_.settings.store_alias_wait - 1;
      return wake_.on(stage_.first);
    }
  }
  const bool done = x.operation->load ? load_piece(x, request) : queue_piece(x, request);
  if (done) advance_access(x);
}

/// Proceeds to the next piece of the access, or ends the access.
void Ppc750Core::advance_access(Dynamic& x) {
  wake_.on(now_ + 1);
  stage_.walked = false;
  if (++stage_.piece < stage_.pieces) return;
  stage_.active = false;
  // A multiple or string instruction takes one cycle more than it has words.
  finishes(x, now_ + x.operation->latency - 2 + (x.operation->words ? 1 : 0) + stage_.extra);
}

/// True if a store queue entry older than the load has a byte of the same index and word, or is caching-inhibited (UM
/// 8.2): the load must not pass it. All entries are older, as the unit works in order.
bool Ppc750Core::must_follow_store(const RequestRecord& load) const {
  constexpr std::uint64_t page_words = 1024, page_lines = 128;
  if (!machine_.settings.store_alias) return false;
  const auto share = [](std::uint64_t first, std::uint64_t last, std::uint64_t other_first, std::uint64_t other_last,
                        std::uint64_t size) {
    return (other_first - first) % size <= last - first || (first - other_first) % size <= other_last - other_first;
  };
  for (unsigned i = 0; i < stores_.size(); ++i) {
    const StoreEntry& entry = stores_[i];
    const RequestRecord& store = entry.request.record;
    if (entry.operation == CacheOperation::invalidate_instruction) continue;
    if (entry.operation) {  // of a whole line
      if ((load.address / 32 - store.address / 32) % page_lines == 0) return true;
      continue;
    }
    if (memory_.map.type(memory_.map.translate(store.address)) == MemoryType::uncacheable) return true;
    if (share(load.address / 4, (load.address + load.size - 1) / 4, store.address / 4,
              (store.address + store.size - 1) / 4, page_words)) {
      return true;
    }
  }
  return false;
}

/// Accesses the cache for a piece of a load. Returns true if the data is available. A load that waits for its only
/// piece leaves the stage.
bool Ppc750Core::load_piece(Dynamic& x, NamedRequest& request) {
  const Forced forced = forced_data(x);
  const bool uncached = memory_.map.type(memory_.map.translate(request.record.address)) == MemoryType::uncacheable;
  const bool room = loads_.size() < machine_.settings.load_queue;
  LoadEntry entry;
  entry.instruction = stage_.instruction;
  entry.sequence = x.sequence;
  entry.uncached = uncached;
  request.record.oldest_in_queue = loads_.empty();
  if (uncached) {
    if (!room || !memory_.can_read_uncached()) return false;  // a fill or return requests the next cycle
    entry.miss = memory_.read_uncached(now_, request, forced);
  } else {
    const bool certain_hit =
        forced.level == Level::l1 || (forced.level == Level::unset && !room && memory_.present(request.record.address));
    if (!room && !certain_hit) return false;
    const auto second = piece(x, stage_.piece).second ? d::access_second_half : 0;
    const Probe probe = memory_.data(now_, request, static_cast<std::uint16_t>(d::access_load | second), false, forced);
    if (probe.result == ProbeResult::busy) return false;
    port_taken_ = now_;
    if (probe.result == ProbeResult::hit) {
      ++request_count_;
      stage_.extra = forced.latency.value_or(0);
      return true;
    }
    entry.whole_line = probe.result == ProbeResult::pending;
    entry.miss = probe.miss;
  }
  ++request_count_;
  entry.request = request;
  loads_.push(entry);
  note_load_misses();
  wake_.on(now_ + 1);
  if (stage_.pieces == 1) {
    stage_.active = false;
  } else {
    stage_.waiting = true;
  }
  return false;
}

void Ppc750Core::note_load_misses() {
  unsigned n = 0;
  for (unsigned i = 0; i < loads_.size(); ++i) n += loads_[i].uncached ? 0 : 1;
  machine_.recorder.set(State::load_misses, n);
}

/// Writes data that has arrived to its register.
void Ppc750Core::poll_loads() {
  for (unsigned i = 0; i < loads_.size();) {
    LoadEntry& entry = loads_[i];
    const bool ready = entry.whole_line ? memory_.line_ready(entry.miss) : memory_.data_ready(entry.miss, now_);
    if (!ready) {
      ++i;
      continue;
    }
    // One record for each request: the record of a load that requested its line is kept with the line.
    NamedRequest& request = entry.whole_line ? entry.request : memory_.request(entry.miss);
    request.record.end = now_;
    request.record.fill_lag = static_cast<std::uint16_t>(entry.whole_line ? 0 : memory_.fill_lag(entry.miss, now_));
    if (!entry.uncached) machine_.recorder.occur(Signal::load_return, request);
    Dynamic& x = pool_[entry.instruction];
    if (stage_.active && stage_.waiting && stage_.instruction == entry.instruction) {
      stage_.waiting = false;
      advance_access(x);
    } else {
      finishes(x, now_ + x.operation->latency - 2);
    }
    loads_.erase(i);
    note_load_misses();
    wake_.on(now_ + 1);
  }
}

/// dcbt, dcbtst: requests the line if this delays nothing else; otherwise does nothing.
void Ppc750Core::touch(NamedRequest& request) {
  const std::uint64_t address = request.record.address;
  if (translated(Side::data) && !translation_.hit(Side::data, address)) return;
  if (memory_.map.type(memory_.map.translate(address)) == MemoryType::uncacheable) return;
  constexpr std::uint16_t access = d::access_load | d::access_prefetch | d::access_cache_operation;
  if (memory_.data(now_, request, access, false, {}).result == ProbeResult::busy) return;
  ++request_count_;
  port_taken_ = now_;
}

/// Puts a store or cache operation into the store queue; returns false if the queue has no room.
bool Ppc750Core::queue_piece(Dynamic& x, NamedRequest& request) {
  if (stores_.size() == machine_.settings.store_queue) return false;  // a store that leaves requests the next cycle
  StoreEntry& entry = stores_.push();
  entry = {};
  entry.operation = cache_operation(x.operation->kind);
  const MemoryType type = memory_.map.type(memory_.map.translate(request.record.address));
  if (entry.operation == CacheOperation::zero && type != MemoryType::write_back) {
    reject(x, "dcbz of write-through or caching-inhibited memory takes an alignment exception, which is not modelled");
  }
  ++request_count_;
  entry.sequence = x.sequence;
  // A multiple may have more words than the queue has entries. It is the oldest instruction, so its words may be
  // written at once.
  entry.committed = x.operation->words;
  entry.forced = forced_data(x);
  entry.request = request;
  return true;
}

void Ppc750Core::drain_stores() {
  StoreEntry& entry = stores_[0];
  if (entry.waiting) {
    if (!memory_.line_ready(entry.miss)) return;
    memory_.set_modified(memory_.map.translate(entry.request.record.address));
  } else {
    if (port_taken_ == now_) return wake_.on(now_ + 1);
    if (!perform(entry)) return;
  }
  stores_.pop_front();
  wake_.on(now_ + 1);
}

/// Performs the oldest store or cache operation; false if it must wait.
bool Ppc750Core::perform(StoreEntry& entry) {
  const std::uint64_t physical = memory_.map.translate(entry.request.record.address);
  if (entry.operation) {
    port_taken_ = now_;
    if (entry.operation == CacheOperation::invalidate_instruction) btic_.clear();
    memory_.operate(now_, *entry.operation, entry.request);
    return true;
  }
  const MemoryType type = memory_.map.type(physical);
  if (type == MemoryType::uncacheable) {
    memory_.write_bus(entry.request, physical, type);
    return true;
  }
  const bool allocates = machine_.settings.store_allocates || memory_.present(entry.request.record.address);
  if (type == MemoryType::write_through || !allocates) {
    port_taken_ = now_;
    memory_.write_through(entry.request);
    return true;
  }
  const Probe probe = memory_.data(now_, entry.request, d::access_store, true, entry.forced);
  if (probe.result == ProbeResult::busy) return false;  // a fill requests the next cycle
  port_taken_ = now_;
  if (probe.result == ProbeResult::hit) {
    memory_.set_modified(physical);
    return true;
  }
  entry.waiting = true;
  entry.miss = probe.miss;
  wake_.on(now_ + 1);
  return false;
}

}  // namespace pmusim::core::ppc750
