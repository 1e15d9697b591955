// The first level: Dcache and miss file, write buffer, Icache and refill buffer.
#include "testbench/tests/list_models/alpha_memory.h"

#include <fmt/format.h>

namespace pmusim::testbench::alpha::lists {

namespace d = activity::detail;

namespace {

constexpr std::uint64_t page_bytes = 8192;

std::uint64_t number(const models::Parameters& parameters, const char* name, std::uint64_t otherwise = 0) {
  return parameters.has(name) ? static_cast<std::uint64_t>(parameters.get(name)) : otherwise;
}

LineList cache(const models::Parameters& p, const std::string& name) {
  const std::string core = "core." + name;
  const std::uint64_t line = number(p, (core + "_line").c_str(), 64), ways = number(p, (core + "_ways").c_str(), 1);
  return {std::max(number(p, (core + "_bytes").c_str()), line * ways), ways, line};
}

std::string text(const std::tuple<Signal, std::uint16_t, std::uint64_t>& fact) {
  const auto& [signal, detail, address] = fact;
  return fmt::format(" signal {} detail {:x} of {:x};", static_cast<unsigned>(signal), detail, address);
}

/// What the model says of every occurrence.
bool is_ours(Signal signal) {
  switch (signal) {
    case Signal::fetch:
    case Signal::dcache_lookup:
    case Signal::load_return:
    case Signal::load_merged:
    case Signal::line_request:
    case Signal::line_fill:
    case Signal::l2_lookup:
    case Signal::l3_lookup:
    case Signal::read_miss:
    case Signal::bcache_fill:
    case Signal::line_evict:
    case Signal::system_command:
    case Signal::pin_assert:
      return true;
    default:
      return false;
  }
}

}  // namespace

Memory::Memory(const models::Parameters& p, bool write_back, std::vector<Command> commands)
    : scache_bytes_(number(p, "core.scache_bytes")),
      bcache_bytes_(number(p, "core.bcache_bytes")),
      write_back_(write_back),
      stream_lines_(number(p, "core.stream_lines")),
      write_start_(number(p, "core.write_buffer_start")),
      writes_at_a_time_(number(p, "core.writes_under_way")),
      write_age_(number(p, "core.write_buffer_age")),
      scache_read_(number(p, "core.scache_read")),
      bcache_read_(number(p, "core.bcache_read")),
      bcache_write_(number(p, "core.bcache_write", bcache_read_)),
      memory_read_(number(p, "core.memory_read")),
      to_bcache_(scache_bytes_ != 0 ? 4 : 1),
      pin_events_(static_cast<std::int64_t>(number(p, "core.pin_events"))),
      l1d_(cache(p, "l1d")),
      l1i_(cache(p, "l1i")),
      scache_(cache(p, "scache")),
      bcache_(cache(p, "bcache")),
      data_(number(p, "core.miss_file")),
      code_(number(p, "core.code_fills")),
      writes_(number(p, "core.write_buffer")),
      commands_(std::move(commands)) {}

// --- a cycle -------------------------------------------------------------------------------------------------------

void Memory::see(Cycle now, std::span<const Seen> seen) {
  // What comes without an occurrence: the end of a write, a line of the refill buffer.
  for (Cycle due = next_due(); due < now && !failed(); due = next_due()) process(due, {});
  if (!failed()) process(now, seen);
}

void Memory::end() {
  for (Cycle due = next_due(); due != activity::never && !failed(); due = next_due()) process(due, {});
  for (const Places* places : {&data_, &code_, &writes_}) {
    for (const auto& place : *places) {
      if (place && place->stage != Stage::held) {
        differs(fmt::format("at the end a request of {:x} from cycle {} has not got its data", place->address,
                            place->asked));
      }
    }
  }
  if (next_command_ != commands_.size()) differs("not all commands of the system came");
}

Cycle Memory::next_due() const {
  Cycle due = activity::never;
  std::size_t sending = 0, waiting = 0;
  bool sends = false;
  Cycle expires = activity::never;
  for (const Places* places : {&data_, &code_, &writes_}) {
    for (const auto& place : *places) {
      if (!place) continue;
      if (place->stage == Stage::comes) due = std::min(due, place->due);
      if (place->kind != Kind::write) continue;
      ++(place->stage == Stage::gather ? waiting : sending);
      if (place->stage != Stage::gather) continue;
      sends |= place->urgent;
      expires = std::min(expires, place->asked + write_age_);
    }
  }
  if (waiting == 0 || sending >= writes_at_a_time_) return due;
  const bool at_once = sends || sending + waiting >= write_start_;
  return std::min(due, std::max(last_ + 1, at_once ? 0 : expires));
}

// Within a cycle the memory side comes first: requests in the order of their places. Then loads and stores in the order
// in which they are reported, commands of the system, fetch. A command of an in-order chip acts before the loads.
void Memory::process(Cycle now, std::span<const Seen> seen) {
  now_ = last_ = now;
  expected_.clear();
  unnamed_.clear();
  steps(seen);
  send_writes();
  const auto commands = [&] {
    for (const Seen& s : seen) {
      if (s.signal == Signal::system_command) command(s);
    }
  };
  if (!write_back_) commands();
  for (const Seen& s : seen) {
    if (s.signal == Signal::dcache_lookup) probe(s);
  }
  if (write_back_) commands();
  for (const Seen& s : seen) {
    retired(s);
  }
  for (const Seen& s : seen) {
    if (s.signal == Signal::fetch) fetch(s);
  }
  name_prefetches(seen);
  if (!failed()) compare(seen);
}

void Memory::compare(std::span<const Seen> seen) {
  std::vector<Fact> facts;
  for (const Seen& s : seen) {
    if (is_ours(s.signal)) facts.emplace_back(s.signal, s.detail, s.request == nullptr ? 0 : s.request->address);
  }
  std::sort(facts.begin(), facts.end());
  std::sort(expected_.begin(), expected_.end());
  if (facts == expected_) return;
  std::vector<Fact> missing, extra;
  std::set_difference(expected_.begin(), expected_.end(), facts.begin(), facts.end(), std::back_inserter(missing));
  std::set_difference(facts.begin(), facts.end(), expected_.begin(), expected_.end(), std::back_inserter(extra));
  std::string message = at(now_) + "the core does not report";
  for (const Fact& f : missing) message += text(f);
  message += " and reports";
  for (const Fact& f : extra) message += text(f);
  std::uint64_t address = 0;
  for (const Fact& f : facts) address = std::max(address, std::get<2>(f));
  differs(message + held(address));
}

std::string Memory::held(std::uint64_t address) {
  std::string all = fmt::format(" The lists of {:x}:", address);
  for (auto& [name, list] :
       {std::pair{"Dcache", &l1d_}, {"Icache", &l1i_}, {"Scache", &scache_}, {"Bcache", &bcache_}}) {
    all += fmt::format(" {}", name);
    for (const LineList::Line& l : list->set_of(address)) all += fmt::format(" {:x}{}", l.address, letter(l.state));
  }
  for (const Places* places : {&data_, &code_, &writes_}) {
    all += " |";
    for (const auto& p : *places) {
      all += p ? fmt::format(" {:x}/{}/{}", p->line, static_cast<unsigned>(p->kind), static_cast<unsigned>(p->stage))
               : " -";
    }
  }
  return all;
}

// --- places --------------------------------------------------------------------------------------------------------

std::optional<Memory::Trip>* Memory::free_place(Places& places) {
  for (auto& place : places) {
    if (!place) return &place;
  }
  return nullptr;
}

Memory::Trip* Memory::in_flight(Places& places, std::uint64_t line) {
  for (auto& place : places) {
    if (place && place->line == line) return &*place;
  }
  return nullptr;
}

std::size_t Memory::used(const Places& places) {
  return static_cast<std::size_t>(std::count_if(places.begin(), places.end(), [](const auto& p) { return bool{p}; }));
}

// --- data ----------------------------------------------------------------------------------------------------------

void Memory::probe(const Seen& seen) {
  const bool is_store = (seen.detail & d::access_store) != 0;
  if (is_store && !write_back_) return store(seen);
  const std::uint64_t address = seen.request->address;
  const unsigned access = is_store ? d::access_store : d::access_load;
  LineList::Line* const line = l1d_.find(address);
  if (line != nullptr) l1d_.use(address);
  LineList::Line* const there = l1d_.find(address);
  if (there != nullptr && (!is_store || there->state == Mesi::exclusive || there->state == Mesi::modified)) {
    if (is_store) there->state = Mesi::modified;
    // A fill has the Dcache in this cycle: the hit takes another one.
    const unsigned delayed = filled_ == now_ ? act::detail::access_delayed : 0;
    return expect(Signal::dcache_lookup, access | d::lookup_hit | delayed, address);
  }
  Trip* const trip = in_flight(data_, l1d_.line_of(address));
  if (trip == nullptr) return miss(seen, is_store ? Kind::own : Kind::load);
  expect(Signal::dcache_lookup, access | d::lookup_pending, address);
  if (is_store) {
    trip->kind = Kind::own;
  } else {
    expect(Signal::load_merged, 0, address);
    trip->loads.push_back(address);
  }
}

void Memory::miss(const Seen& seen, Kind kind) {
  const std::uint64_t address = seen.request->address;
  std::optional<Trip>* const place = free_place(data_);
  if (place == nullptr) return differs(at(now_) + fmt::format("{:x} misses, and the miss file is full", address));
  const unsigned access = kind == Kind::own ? d::access_store : d::access_load;
  expect(Signal::dcache_lookup, access | d::lookup_miss, address);
  expect(Signal::line_request, d::side_data | access, address);
  Trip trip;
  trip.id = seen.request->id;
  trip.address = address;
  trip.line = l1d_.line_of(address);
  trip.kind = kind;
  trip.asked = now_;
  if (kind == Kind::load) trip.loads.push_back(address);
  const std::uint64_t write = youngest_write(trip.line);
  if (write != 0) {
    trip.stage = Stage::blocked;
    make_urgent(write);
  }
  *place = trip;
}

// A store that misses does not bring its line.
void Memory::store(const Seen& seen) {
  const std::uint64_t address = seen.request->address, line = l1d_.line_of(address);
  const bool hit = l1d_.find(address) != nullptr;
  if (hit) l1d_.use(address);
  const unsigned found = hit ? d::lookup_hit : in_flight(data_, line) != nullptr ? d::lookup_pending : d::lookup_miss;
  expect(Signal::dcache_lookup, d::access_store | found, address);
  for (const auto& write : writes_) {
    if (write && write->line == line && write->stage == Stage::gather) return;
  }
  std::optional<Trip>* const place = free_place(writes_);
  if (place == nullptr) {
    return differs(at(now_) + fmt::format("a store to {:x} passes, and the write buffer is full", address));
  }
  Trip trip;
  trip.id = seen.request->id;
  trip.address = address;
  trip.line = line;
  trip.age = ++ages_;
  trip.kind = Kind::write;
  trip.stage = Stage::gather;
  trip.asked = now_;
  *place = trip;
}

std::uint64_t Memory::youngest_write(std::uint64_t line) const {
  std::uint64_t age = 0;
  for (const auto& write : writes_) {
    if (write && write->line == line) age = std::max(age, write->age);
  }
  return age;
}

void Memory::make_urgent(std::uint64_t age) {
  for (auto& write : writes_) {
    if (write && write->age <= age) write->urgent = true;
  }
}

// The oldest goes out when two entries are used, when it is old, or when something waits for it.
void Memory::send_writes() {
  while (true) {
    Trip* oldest = nullptr;
    std::size_t sending = 0;
    for (auto& write : writes_) {
      if (!write) continue;
      sending += write->stage != Stage::gather ? 1 : 0;
      if (write->stage == Stage::gather && (oldest == nullptr || write->age < oldest->age)) oldest = &*write;
    }
    if (oldest == nullptr || sending >= writes_at_a_time_) return;
    if (!oldest->urgent && used(writes_) < write_start_ && now_ < oldest->asked + write_age_) return;
    oldest->stage = Stage::asks;
    oldest->due = now_;
  }
}

// Barriers send the write buffer when they issue, and mb also while it waits; nothing else does that but the end of the
// program, and a replay that finds the buffer full.
void Memory::retired(const Seen& seen) {
  if (seen.signal == Signal::replay_trap && seen.detail == static_cast<std::uint16_t>(act::Replay::write_buffer_full)) {
    if (used(writes_) < writes_.size()) differs(at(now_) + "a store is replayed, and the write buffer has room");
    make_urgent(ages_);
  }
  if (seen.signal != Signal::retire || seen.instruction->id >> 63 != 0) return;
  const Word word{seen.instruction->ip, static_cast<std::uint32_t>(seen.instruction->encoding)};
  if (sent_early_ != activity::never && sent_early_ < now_ && !word.memory_barrier()) {
    differs(at(sent_early_) + "a write went out too early");
  }
  sent_early_ = activity::never;
  constexpr std::uint32_t instruction_memory_barrier = 0x86;  // call_pal imb empties the Icache
  if (word.bits == instruction_memory_barrier) l1i_.clear();
  constexpr unsigned misc = 0x18, write_barrier = 0x4400;
  if (word.memory_barrier() || (word.opcode() == misc && (word.bits & 0xffff) == write_barrier)) make_urgent(ages_);
}

// --- code ----------------------------------------------------------------------------------------------------------

void Memory::fetch(const Seen& seen) {
  const std::uint64_t address = seen.request->address, line = l1i_.line_of(address);
  if (l1i_.find(address) != nullptr) {
    l1i_.use(address);
    return expect(Signal::fetch, d::lookup_hit, address);
  }
  if (Trip* const trip = in_flight(code_, line)) {
    expect(Signal::fetch, d::lookup_pending, address);
    trip->wanted = true;
    if (trip->stage != Stage::held) return;
    fill_code(line, address);
    for (auto& place : code_) {
      if (place && place->line == line) place.reset();
    }
    return prefetch_after(line);
  }
  // A true miss: what the refill buffer has is dropped, and a new stream begins (21164PC manual 2.1.1.2).
  for (auto& place : code_) {
    if (place && place->stage == Stage::held) place.reset();
  }
  expect(Signal::fetch, d::lookup_miss, address);
  ask_code(line, address, Kind::fetch, seen.request->id);
  prefetch_after(line);
}

void Memory::ask_code(std::uint64_t line, std::uint64_t address, Kind kind, std::uint64_t id) {
  std::optional<Trip>* const place = free_place(code_);
  if (place == nullptr) return differs(at(now_) + fmt::format("no room for the line of {:x}", address));
  expect(Signal::line_request, kind == Kind::prefetch ? d::access_prefetch : 0, address);
  Trip trip;
  trip.id = id;
  trip.address = address;
  trip.line = line;
  trip.kind = kind;
  trip.wanted = kind == Kind::fetch;
  trip.asked = now_;
  *place = trip;
  if (kind == Kind::prefetch) unnamed_.push_back(&**place);
}

// The lines after a line that missed, or that came out of the refill buffer: not beyond the page, and one request must
// remain for a fetch.
void Memory::prefetch_after(std::uint64_t line) {
  for (std::uint64_t n = 1; n <= stream_lines_; ++n) {
    const std::uint64_t next = line + n * l1i_.line_bytes();
    if (next % page_bytes < line % page_bytes) return;
    if (l1i_.find(next) != nullptr || in_flight(code_, next) != nullptr) continue;
    if (used(code_) + 1 >= code_.size()) return;
    ask_code(next, next, Kind::prefetch, 0);
  }
}

// Prefetches have numbers of their own, which come with their requests.
void Memory::name_prefetches(std::span<const Seen> seen) {
  for (const Seen& s : seen) {
    if (s.signal != Signal::line_request || s.detail != d::access_prefetch) continue;
    for (Trip* const trip : unnamed_) {
      if (trip->line == s.request->address) trip->id = s.request->id;
    }
  }
}

void Memory::fill_code(std::uint64_t line, std::uint64_t address) {
  expect(Signal::line_fill, static_cast<unsigned>(Mesi::exclusive) << d::fill_installed_shift, address);
  if (l1i_.find(line) != nullptr) return l1i_.use(line);
  if (const auto victim = l1i_.put(line, Mesi::exclusive)) evicted(d::cache_l1i, victim->state, d::evict_replacement);
}

}  // namespace pmusim::testbench::alpha::lists
