#include "models/core/alpha/out_of_order/load_store.h"

#include <algorithm>

#include "models/core/alpha/out_of_order/core.h"

namespace pmusim::core::alpha::out_of_order {

using act::Replay;
using act::Trap;

namespace {

bool overlap(std::uint64_t a, unsigned a_size, std::uint64_t b, unsigned b_size) {
  return a < b + b_size && b < a + a_size;
}

}  // namespace

LoadStore::LoadStore(Machine& machine, const OutOfOrderSettings& pipeline, InFlight& flight, MemorySide& memory,
                     Translation& translation, Program& program, const FrontEnd& front, OutOfOrderCore& core)
    : machine_(machine),
      pipeline_(pipeline),
      flight_(flight),
      memory_(memory),
      translation_(translation),
      program_(program),
      front_(front),
      core_(core),
      store_waits_(pipeline.store_wait_entries) {}

// --- entry and exit --------------------------------------------------------------------------------------

void LoadStore::map(Sequence sequence) {
  Operation& operation = flight_.at(sequence);
  if (operation.code->has(act::Kind::load)) {
    operation.load_number = loads_.end;
    Load& load = loads_.at(loads_.end++);
    load = {};
    load.sequence = sequence;
  } else {
    operation.store_number = stores_.end;
    Store& store = stores_.at(stores_.end++);
    store = {};
    store.sequence = sequence;
  }
}

void LoadStore::kill(Sequence from) {
  while (loads_.end != loads_.begin && loads_.at(loads_.end - 1).sequence >= from) --loads_.end;
  const std::uint64_t keep = stores_.begin + retired_stores_;
  for (Sequence s = from; s < flight_.mapped; ++s) {
    const Operation& operation = flight_.at(s);
    if (operation.trap == Trap::dtb_single && !front_.was_served(operation.line, operation.trap)) {
      owed_.push_back({operation.line, operation.table_miss});
    }
  }
  while (stores_.end != keep && stores_.at(stores_.end - 1).sequence >= from) --stores_.end;
  std::erase_if(outstanding_, [from](const Outstanding& o) { return o.sequence >= from; });
  std::erase_if(retries_, [from](const Retry& r) { return r.sequence >= from; });
}

// --- execution -------------------------------------------------------------------------------------------

bool LoadStore::may_issue(Sequence sequence) const {
  const Operation& operation = flight_.at(sequence);
  if (operation.code->has(act::Kind::store_conditional)) return sequence == flight_.retired;
  if (operation.load_number == unnumbered || !waits_for_stores(operation.code->pc)) return true;
  for (std::uint64_t n = stores_.end; n != stores_.begin + retired_stores_; --n) {
    const Store& store = stores_.at(n - 1);
    if (store.sequence < sequence && !store.done) return false;
  }
  return true;
}

void LoadStore::issue(Sequence sequence) {
  if (flight_.at(sequence).code->has(act::Kind::load)) {
    issue_load(sequence);
  } else {
    issue_store(sequence);
  }
}

// Exceptions of the access. The instruction traps when it is the oldest.
bool LoadStore::access_traps(Operation& operation, NamedRequest& request, const trace::Annotations* notes) {
  const StaticCode& code = *operation.code;
  const auto trap = [&](Trap why) {
    operation.trap = why;
    operation.trap_at = agenda_.now() + OutOfOrderSettings::from_issue(pipeline_.dtb_penalty);
    operation.result = operation.complete = activity::never;
    agenda_.at(operation.trap_at);
    return true;
  };
  if (!code.any_align && code.access_size != 0 && request.record.address % code.access_size != 0) {
    return trap(Trap::unaligned);
  }
  // A miss that was killed before its trap occurs again.
  const auto owed = std::find_if(owed_.begin(), owed_.end(), [&](const Owed& o) { return o.line == operation.line; });
  if (owed != owed_.end()) {
    operation.table_miss = owed->table_miss;
    owed_.erase(owed);
    return trap(Trap::dtb_single);
  }
  const bool followed =
      front_.was_served(operation.line, Trap::dtb_single) || front_.was_served(operation.line, Trap::dstream_fault);
  const trace::TlbOutcome forced = notes != nullptr && !followed ? notes->dtlb : trace::TlbOutcome::unset;
  switch (translation_.data(request, forced)) {
    case Translated::hit:
      return false;
    case Translated::miss:
      return trap(Trap::dtb_single);
    case Translated::double_miss:
      operation.table_miss = true;
      return trap(Trap::dtb_single);
    case Translated::fault:
      return trap(Trap::dstream_fault);
  }
  return false;
}

// Replays the oldest load, from this number on, that has already read these bytes.
void LoadStore::replay_younger_load(std::uint64_t from_number, std::uint64_t address, unsigned size, Replay why) {
  for (std::uint64_t n = from_number; n != loads_.end; ++n) {
    const Load& load = loads_.at(n);
    if (!load.done || load.size == 0 || !overlap(address, size, load.address, load.size)) continue;
    if (why == Replay::store_load_order) {
      const std::uint64_t pc = flight_.at(load.sequence).code->pc;
      store_waits_[pc / 4 & (store_waits_.size() - 1)] = agenda_.now() / pipeline_.store_wait_period + 1;
    }
    core_.condemn(load.sequence, why, agenda_.now() + OutOfOrderSettings::from_issue(pipeline_.order_penalty));
    return;
  }
}

void LoadStore::issue_load(Sequence sequence) {
  Operation& operation = flight_.at(sequence);
  const Cycle now = agenda_.now();
  const Cycle trap = now + OutOfOrderSettings::from_issue(pipeline_.replay_penalty);
  Load& load = loads_.at(operation.load_number);
  if (operation.load_number - loads_.begin >= pipeline_.load_queue) {
    core_.condemn(sequence, Replay::load_queue_full, trap);
    return;
  }
  std::span<const trace::Access> accesses;
  if (operation.line != no_line) accesses = program_.at(operation.line)->accesses;
  if (accesses.empty()) {  // the address is not known: takes the time of a hit
    load.done = true;
    return;
  }
  const trace::Annotations* notes = program_.at(operation.line)->instruction.annotations;
  const trace::Access& access = accesses.front();
  NamedRequest request = machine_.new_request(flight_.record(sequence), access.address, access.size, false);
  if (access_traps(operation, request, notes)) return;
  load.address = access.address;
  load.size = access.size;
  load.done = true;
  replay_younger_load(operation.load_number + 1, load.address, load.size, Replay::load_load_order);
  // The youngest older store that writes some of these bytes must supply all of them; otherwise the load is replayed.
  for (std::uint64_t n = stores_.end; n != stores_.begin; --n) {
    const Store& store = stores_.at(n - 1);
    if (store.sequence > sequence || !store.done || store.size == 0) continue;
    if (!overlap(store.address, store.size, load.address, load.size)) continue;
    const bool contains = store.address <= load.address && load.address + load.size <= store.address + store.size;
    if (!contains) core_.condemn(sequence, Replay::wrong_size, trap);
    return;
  }
  probe(sequence, request, forced_data(notes));
}

void LoadStore::issue_store(Sequence sequence) {
  Operation& operation = flight_.at(sequence);
  Store& store = stores_.at(operation.store_number);
  if (operation.store_number - stores_.begin >= pipeline_.store_queue) {
    core_.condemn(sequence, Replay::store_queue_full,
                  agenda_.now() + OutOfOrderSettings::from_issue(pipeline_.replay_penalty));
    return;
  }
  std::span<const trace::Access> accesses;
  if (operation.line != no_line) accesses = program_.at(operation.line)->accesses;
  if (accesses.empty()) {
    store.done = true;
    return;
  }
  const trace::Annotations* notes = program_.at(operation.line)->instruction.annotations;
  const trace::Access& access = accesses.front();
  store.request = machine_.new_request(flight_.record(sequence), access.address, access.size, true);
  if (access_traps(operation, store.request, notes)) return;
  store.forced = forced_data(notes);
  store.address = access.address;
  store.size = access.size;
  store.done = true;
  std::uint64_t younger = loads_.end;
  while (younger != loads_.begin && loads_.at(younger - 1).sequence > sequence) --younger;
  replay_younger_load(younger, store.address, store.size, Replay::store_load_order);
}

// --- the Dcache ------------------------------------------------------------------------------------------

void LoadStore::data_there(Sequence sequence, Cycle usable) {
  Operation& operation = flight_.at(sequence);
  if (operation.condemned) return;
  operation.result = usable + (operation.code->has(act::Kind::floating) ? pipeline_.fp_load_extra : 0);
  operation.complete = std::max(operation.issued + pipeline_.memory_retire - fetch_to_issue, operation.result + 1);
  agenda_.changed();
}

void LoadStore::probe(Sequence sequence, NamedRequest& request, Forced forced) {
  Operation& operation = flight_.at(sequence);
  const Cycle now = agenda_.now();
  const std::uint64_t tag = next_tag_++;
  const Probed probed = memory_.probe(request, tag, forced, false);
  if (probed.probe != Probe::hit) operation.result = operation.complete = activity::never;
  switch (probed.probe) {
    case Probe::hit:
      data_there(sequence, now + std::max(settings_.load_use, forced.latency) + (probed.delayed ? 1 : 0));
      return;
    case Probe::full:
      retries_.push_back({sequence, request, forced});
      agenda_.at(now + 1);
      break;
    case Probe::merged:
      outstanding_.push_back({tag, sequence, request.record.address});
      break;
    case Probe::miss: {
      // Two outstanding blocks must not share a line of the Bcache.
      const std::uint64_t size = settings_.bcache_bytes, block = ~std::uint64_t{settings_.bcache_line - 1};
      const std::uint64_t mine = machine_.map.translate(request.record.address) & block;
      for (const Outstanding& other : outstanding_) {
        const std::uint64_t theirs = machine_.map.translate(other.address) & block;
        if (size == 0 || theirs == mine || (theirs - mine) % size != 0) continue;
        core_.condemn(sequence, Replay::cache_alias, now + OutOfOrderSettings::from_issue(pipeline_.replay_penalty));
        return;
      }
      outstanding_.push_back({tag, sequence, request.record.address});
      break;
    }
  }
}

void LoadStore::take_data() {
  for (const MemorySide::Returned& data : memory_.returned()) {
    const auto load =
        std::find_if(outstanding_.begin(), outstanding_.end(), [&](const Outstanding& o) { return o.tag == data.tag; });
    if (load != outstanding_.end()) {
      data_there(load->sequence, agenda_.now());
      outstanding_.erase(load);
      continue;
    }
    for (std::uint64_t n = stores_.begin; n != stores_.begin + retired_stores_; ++n) {
      Store& store = stores_.at(n);
      if (store.block == Block::coming && store.tag == data.tag) store.block = Block::there;
    }
  }
}

void LoadStore::step() {
  if (!retries_.empty()) {
    std::vector<Retry> again;
    again.swap(retries_);
    for (Retry& r : again) {
      if (!flight_.at(r.sequence).condemned) probe(r.sequence, r.request, r.forced);
    }
  }
  if (retired_stores_ == 0) return;
  // One store per cycle requests its block, in order. The oldest store writes once its block has arrived.
  for (std::uint64_t n = stores_.begin; n != stores_.begin + retired_stores_; ++n) {
    Store& store = stores_.at(n);
    if (store.block != Block::wanted) continue;
    if (store.size == 0) {
      store.block = Block::there;
      continue;
    }
    store.tag = next_tag_++;
    const Probe result = memory_.probe(store.request, store.tag, store.forced, true).probe;
    if (result == Probe::hit) store.block = Block::there;
    if (result == Probe::miss || result == Probe::merged) store.block = Block::coming;
    agenda_.at(agenda_.now() + 1);
    break;
  }
  if (stores_.at(stores_.begin).block != Block::there) return;
  ++stores_.begin;
  --retired_stores_;
  agenda_.changed();
}

}  // namespace pmusim::core::alpha::out_of_order
