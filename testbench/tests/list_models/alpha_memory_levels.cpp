// The levels after the first, and the system.
#include <fmt/format.h>

#include "testbench/tests/list_models/alpha_memory.h"

namespace pmusim::testbench::alpha::lists {

namespace d = activity::detail;

unsigned Memory::side_of(Kind kind) {
  switch (kind) {
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

void Memory::evicted(unsigned name, Mesi state, unsigned why) {
  expect(Signal::line_evict, name | static_cast<unsigned>(state) << d::evict_state_shift | why);
}

// --- lookups and arrivals ------------------------------------------------------------------------------------------

void Memory::steps(std::span<const Seen> seen) {
  std::map<std::uint64_t, Signal> lookups;
  for (const Seen& s : seen) {
    if (s.signal != Signal::l2_lookup && s.signal != Signal::l3_lookup) continue;
    if ((s.detail & d::access_writeback) == 0) lookups.emplace(s.request->id, s.signal);
  }
  for (Places* const places : {&data_, &code_, &writes_}) {
    for (auto& place : *places) {
      if (!place) continue;
      const auto lookup = lookups.find(place->id);
      if (place->stage == Stage::comes && place->due == now_) {
        arrives(place);
      } else if (lookup != lookups.end()) {
        look_up(*place, lookup->second == Signal::l2_lookup);
        lookups.erase(lookup);
      }
    }
  }
  if (!lookups.empty()) differs(at(now_) + fmt::format("request {} is none that waits", lookups.begin()->first));
}

void Memory::look_up(Trip& trip, bool in_scache) {
  const auto wrong = [&](const char* what) {
    differs(at(now_) + fmt::format("the request of {:x} {}{}", trip.address, what, held(trip.address)));
  };
  if (trip.stage == Stage::gather) {
    // No rule has sent it: mb waits for it, or the program is over. retired() and send_writes() check the rest.
    for (const auto& other : writes_) {
      if (other && other->stage == Stage::gather && other->age < trip.age) wrong("is not the oldest write");
    }
    sent_early_ = now_;
    trip.stage = Stage::asks;
  }
  if (trip.stage != (in_scache || scache_bytes_ == 0 ? Stage::asks : Stage::asks_bcache)) wrong("is not at this level");
  if (now_ <= trip.asked) wrong("is looked up too early");
  LineList& cache = in_scache ? scache_ : bcache_;
  const bool hit = cache.find(trip.line) != nullptr;
  unsigned detail = side_of(trip.kind) | (hit ? d::lookup_hit : d::lookup_miss);
  bool shared = false;
  if (hit) cache.use(trip.line);
  LineList::Line* const line = cache.find(trip.line);
  // The write is done in the first of these levels; others have to hear of one to a shared block first.
  if (hit && trip.kind == Kind::write && (in_scache || scache_bytes_ == 0)) {
    if (!in_scache && line->state != Mesi::modified) detail |= act::detail::found_clean;
    shared = line->state == Mesi::shared;
    if (shared) detail |= act::detail::access_shared_write;
    line->state = Mesi::modified;
    trip.written = true;
  }
  expect(in_scache ? Signal::l2_lookup : Signal::l3_lookup, detail, trip.address);
  trip.stage = Stage::comes;
  if (hit) {
    const Cycle of_bcache = trip.kind == Kind::write ? bcache_write_ : bcache_read_;
    const Cycle time = in_scache ? (shared ? bcache_read_ : scache_read_) : (shared ? memory_read_ : of_bcache);
    trip.due = now_ + time - (in_scache ? 1 : to_bcache_);
    return;
  }
  if (in_scache && bcache_bytes_ != 0) {
    trip.stage = Stage::asks_bcache;
    return;
  }
  if (!in_scache && pin_events_ != 0) {
    // The 21064's pins: a victim that has to be written back, and a miss without one (Tru64 pfm(7)).
    const auto& set = bcache_.set_of(trip.line);
    const bool victim = !set.empty() && set.front().state == Mesi::modified;
    if (victim) expect(Signal::pin_assert, 0);
    if (!victim || pin_events_ == 2) expect(Signal::pin_assert, 1);
  }
  expect(Signal::read_miss, static_cast<unsigned>(++outstanding_), trip.address);
  trip.from_memory = true;
  trip.due = now_ + memory_read_ - (bcache_bytes_ != 0 ? to_bcache_ : 1);
}

void Memory::arrives(std::optional<Trip>& place) {
  Trip trip = *place;
  if (trip.from_memory) --outstanding_;
  if (!trip.written) install_below(trip);
  if (trip.kind == Kind::prefetch && !trip.wanted) {
    place->stage = Stage::held;
    return;
  }
  place.reset();
  switch (trip.kind) {
    case Kind::load:
    case Kind::own:
      fill_data(trip);
      for (const std::uint64_t address : trip.loads) expect(Signal::load_return, 0, address);
      return;
    case Kind::fetch:
      return fill_code(trip.line, trip.address);
    case Kind::prefetch:
      fill_code(trip.line, trip.address);
      return prefetch_after(trip.line);
    case Kind::write:
      return unblock(trip.line);
  }
}

void Memory::fill_data(const Trip& trip) {
  Mesi state = Mesi::exclusive;
  if (write_back_ && trip.kind == Kind::own) state = Mesi::modified;
  if (write_back_ && trip.kind == Kind::load && bcache_bytes_ != 0 && bcache_.state(trip.line) == Mesi::shared) {
    state = Mesi::shared;
  }
  filled_ = now_;
  expect(Signal::line_fill, d::side_data | static_cast<unsigned>(state) << d::fill_installed_shift, trip.address);
  l1d_.take(trip.line);  // a shared line that is now written
  const auto victim = l1d_.put(trip.line, state);
  if (!victim) return;
  evicted(d::cache_l1d, victim->state, d::evict_replacement);
  if (victim->state == Mesi::modified) write_back(victim->address, trip.address);
}

void Memory::unblock(std::uint64_t line) {
  if (youngest_write(line) != 0) return;
  for (auto& load : data_) {
    if (!load || load->line != line || load->stage != Stage::blocked) continue;
    load->stage = Stage::asks;
    load->asked = now_;
  }
}

/// The levels that the data passes get the block. One that has it keeps what it knows of it.
void Memory::install_below(const Trip& trip) {
  const bool write = trip.kind == Kind::write;
  if (bcache_bytes_ != 0) {
    const bool modified = write && scache_bytes_ == 0;
    LineList::Line* const there = bcache_.find(trip.line);
    if (trip.from_memory || there == nullptr) expect(Signal::bcache_fill, side_of(trip.kind), trip.address);
    if (there != nullptr) {
      if (modified) there->state = Mesi::modified;
    } else if (const auto victim = bcache_.put(trip.line, modified ? Mesi::modified : Mesi::exclusive)) {
      // What is above leaves with it, and it is modified if one of them was.
      Mesi state = victim->state;
      for (const auto& [cache, name] : {std::pair{&l1d_, d::cache_l1d}, {&scache_, d::cache_l2}}) {
        const Mesi above = leaves(*cache, name, victim->address, bcache_.line_bytes(), d::evict_replacement);
        if (above == Mesi::modified) state = above;
      }
      evicted(d::cache_l3, state, d::evict_replacement);
    }
  }
  if (scache_bytes_ == 0) return;
  if (LineList::Line* const there = scache_.find(trip.line)) {
    if (write) there->state = Mesi::modified;
    return;
  }
  Mesi state = bcache_bytes_ != 0 && bcache_.state(trip.line) == Mesi::shared ? Mesi::shared : Mesi::exclusive;
  if (write) state = Mesi::modified;
  const auto victim = scache_.put(trip.line, state);
  if (!victim) return;
  leaves(l1d_, d::cache_l1d, victim->address, scache_.line_bytes(), d::evict_replacement);
  evicted(d::cache_l2, victim->state, d::evict_replacement);
  if (victim->state == Mesi::modified) write_back(victim->address, trip.address);
}

/// A modified victim goes to the Bcache, which has its block. `cause`: address of the request that displaced it.
void Memory::write_back(std::uint64_t line, std::uint64_t cause) {
  if (bcache_bytes_ == 0) return;
  LineList::Line* const below = bcache_.find(line);
  expect(Signal::l3_lookup,
         d::side_data | d::access_store | d::access_writeback | (below != nullptr ? d::lookup_hit : d::lookup_miss),
         cause);
  if (below != nullptr) below->state = Mesi::modified;
}

/// The lines of a lower level's block leave a cache. The state of the last one that was modified, or invalid.
Mesi Memory::leaves(LineList& cache, unsigned name, std::uint64_t block, std::uint64_t bytes, unsigned why) {
  Mesi state = Mesi::invalid;
  for (std::uint64_t line = block; line < block + bytes; line += cache.line_bytes()) {
    const Mesi taken = cache.take(line);
    if (taken == Mesi::invalid) continue;
    evicted(name, taken, why);
    if (taken == Mesi::modified) state = taken;
  }
  return state;
}

// --- the system ----------------------------------------------------------------------------------------------------

void Memory::command(const Seen& seen) {
  if (next_command_ == commands_.size()) return differs(at(now_) + "a command that the program does not have");
  const Command& command = commands_[next_command_++];
  LineList& outer = bcache_bytes_ != 0 ? bcache_ : scache_;
  const bool hit = outer.find(command.address) != nullptr;
  expect(Signal::system_command, static_cast<unsigned>(command.kind) | (hit ? act::detail::system_hit : 0));
  (void)seen;
  switch (command.kind) {
    case act::SystemCommand::read:
    case act::SystemCommand::set_shared:
    case act::SystemCommand::probe:
      for (LineList* const cache : {&l1d_, &scache_, &bcache_}) {
        if (cache == &l1d_ && !write_back_) continue;
        if (LineList::Line* const line = cache->find(command.address)) line->state = Mesi::shared;
      }
      return;
    case act::SystemCommand::flush:
    case act::SystemCommand::invalidate: {
      const LineList& last = bcache_bytes_ != 0 ? bcache_ : scache_bytes_ != 0 ? scache_ : l1d_;
      const std::uint64_t block = last.line_of(command.address), bytes = last.line_bytes();
      leaves(l1d_, d::cache_l1d, block, bytes, d::evict_snoop);
      leaves(scache_, d::cache_l2, block, bytes, d::evict_snoop);
      leaves(bcache_, d::cache_l3, block, bytes, d::evict_snoop);
      return;
    }
    case act::SystemCommand::other:
      return;
  }
}

}  // namespace pmusim::testbench::alpha::lists
