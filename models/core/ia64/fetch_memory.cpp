#include "models/core/ia64/fetch_memory.h"

#include <bit>

#include "models/core/ia64/hierarchy.h"

namespace pmusim::core::ia64 {

namespace d = activity::detail;
namespace dd = act::detail;
using act::BusKind;
using act::Served;

namespace {

constexpr Cycle recirculation = 1;  ///< bundles that come from L2 pass the fetch pipe again
constexpr std::size_t stream_lines_held = 8;

}  // namespace

FetchMemory::FetchMemory(Machine& machine, Hierarchy& hierarchy, Walker& walker)
    : machine_(machine),
      hierarchy_(hierarchy),
      walker_(walker),
      translation_(machine, machine.settings.l1itlb_entries, machine.settings.l2itlb_entries),
      l1i_(shape_of(machine.settings.l1i_bytes, machine.settings.l1i_ways, machine.settings.l1i_line)),
      requests_(machine.settings.request_buffers),
      line_shift_(static_cast<unsigned>(std::countr_zero(machine.settings.l1i_line))) {
  latest_.fill(no_line);
}

/// A line of two pairs arrives pair by pair, the requested pair first.
void FetchMemory::bundles_in(Access& access, Cycle at) {
  machine_.schedule.occur(pairs_.next(at), Signal::bundle_pair_in, &access);
  machine_.schedule.occur(pairs_.next(at + 1), Signal::bundle_pair_in, &access);
}

Hierarchy::Reply FetchMemory::request(Access& access, bool prefetch, Cycle at, Served forced) {
  machine_.schedule.occur(at, Signal::line_request, &access, prefetch ? d::access_prefetch : 0);
  const Hierarchy::Reply reply = hierarchy_.fetch(access, prefetch, at, forced);
  requests_.take(reply.data);
  machine_.schedule.occupy(at, reply.data, Level::request_buffers);
  outstanding_.push_back({line_of(machine_.physical(access.record.address)), reply.data});
  bundles_in(access, reply.data);
  return reply;
}

void FetchMemory::fill(Access& access, std::uint64_t line, Served from, Cycle at) {
  fill_first_level(machine_, l1i_, d::cache_l1i, 0, line, from, access, fills_.next(at));
}

/// A demand fetch of another line than the last one of its set, or of another page.
void FetchMemory::look_up(std::uint64_t address, bool wrong_path, bool translate, const trace::Annotations* keys,
                          Cycle at, std::vector<Idle>& waits) {
  forget(at);
  const Served forced = keys != nullptr ? served_by(keys->fetch) : Served::unknown;
  act::Translation where = act::Translation::first_level;
  if (translate) where = translation_.find(address, true, keys != nullptr ? keys->itlb : trace::TlbOutcome::unset);
  const std::uint64_t pair = address & ~(pair_bytes - 1), line = line_of(machine_.physical(pair));
  if (where != act::Translation::first_level || !hits(line, forced, at)) {
    miss(address, wrong_path, where, forced, at, waits);
    return;
  }
  if (forced == Served::unknown) latest(line) = line;
  hit(pair, line, wrong_path, at);
}

/// A demand fetch that misses L1I or its TLB.
void FetchMemory::miss(std::uint64_t address, bool wrong_path, act::Translation where, Served forced, Cycle at,
                       std::vector<Idle>& waits) {
  const Settings& s = machine_.settings;
  Schedule& schedule = machine_.schedule;
  latest_.fill(no_line);
  const std::uint64_t pair = address & ~(pair_bytes - 1);
  Access& access = machine_.recorder.new_access(nullptr, act::Requester::demand_fetch, pair, pair_bytes);
  access.record.wrong_path = wrong_path;
  access.more.load = true;
  access.more.translation = where;
  Cycle lookup = at;
  const bool translated = where == act::Translation::first_level;
  if (where == act::Translation::second_level) {
    machine_.recorder.occur(Signal::translation, access, d::tlb_second_level_hit);
    lookup = at + s.l2itlb_latency;
  } else if (!translated) {
    const bool fault = where == act::Translation::fault;
    machine_.recorder.occur(Signal::translation, access, d::tlb_walk | (fault ? dd::tlb_fault : 0));
    lookup = walker_.walk(access, translation_.page_of(address), false, fault, at);
  }
  if (!translated) {
    translation_.install(address, true);
    waits.push_back({act::FrontEnd::tlb_miss, lookup - at});
  }
  access.record.start = lookup;
  const std::uint64_t line = line_of(machine_.physical(pair));
  access.more.uncacheable = is_uncacheable(line);
  access.changed = true;
  const Coming* const under_way = pending(line, lookup);
  const auto find_streamed = [&] {
    return std::find_if(streamed_.begin(), streamed_.end(),
                        [&](const Coming& x) { return x.line == line && x.ready <= lookup; });
  };
  const auto note = [&](std::uint16_t detail) {
    if (lookup == at) {
      machine_.recorder.occur(Signal::fetch, access, detail);
    } else {
      schedule.occur(lookup, Signal::fetch, &access, detail);
    }
  };
  Cycle here = lookup;
  if (!translated && hits(line, forced, lookup)) {  // a translated one has been found to miss
    note(d::lookup_hit);
    access.served = access.more.served = Served::l1;
    access.changed = true;
  } else if (const auto streamed = find_streamed(); forced == Served::unknown && streamed != streamed_.end()) {
    note(d::lookup_miss | dd::fetch_stream_buffer);
    fill(access, line, Served::l2, lookup + 1);
    streamed_.erase(streamed);
  } else if (forced == Served::unknown && under_way != nullptr) {
    note(d::lookup_pending);
    schedule.occur(lookup + 1, Signal::line_request, &access);
    here = under_way->ready;
    schedule.serve(here, Signal::fetch_return, access, Served::l2);
    if (l1i_.find(line) == Cache::none) fill(access, line, Served::l2, here + 1);
    std::erase_if(streamed_, [&](const Coming& x) { return x.line == line; });
  } else {
    note(d::lookup_miss);
    const Cycle ask = requests_.free_from(lookup + 1);
    const Hierarchy::Reply reply = request(access, false, ask, forced);
    here = reply.data;
    schedule.serve(here, Signal::fetch_return, access, reply.served);
    if (!access.more.uncacheable) fill(access, line, reply.served, here + 1);
    if (s.instruction_prefetch != 0) {
      for (std::uint64_t i = 1; i <= s.stream_ahead; ++i) prefetch_line(line + i * s.l1i_line, false, lookup + 1);
    }
  }
  if (here > lookup) {
    waits.push_back({act::FrontEnd::instruction_miss, here - lookup});
    waits.push_back({act::FrontEnd::fill_recirculate, recirculation});
    waiting_ = &access;
    waiting_until_ = here;
    ++access.holds;
  }
  machine_.recorder.drop(access);
}

void FetchMemory::abandon(Cycle at) {
  if (waiting_ == nullptr) return;
  if (at < waiting_until_) {
    waiting_->dropped = true;
    machine_.recorder.occur(Signal::request_kill, *waiting_);
    if (machine_.settings.split() && waiting_->record.wrong_path) machine_.recorder.occur(Signal::l2i_abort, *waiting_);
  }
  machine_.recorder.drop(*waiting_);
  waiting_ = nullptr;
}

void FetchMemory::prefetch(std::uint64_t address, bool streaming, Cycle at) {
  if (machine_.settings.instruction_prefetch == 0) return;
  const std::uint64_t lines = streaming ? machine_.settings.stream_lines : 1;
  for (std::uint64_t i = 0; i < lines; ++i)
    prefetch_line((address & ~(machine_.settings.l1i_line - 1)) + i * machine_.settings.l1i_line, streaming, at);
}

void FetchMemory::prefetch_line(std::uint64_t address, bool streaming, Cycle at) {
  const Settings& s = machine_.settings;
  Schedule& schedule = machine_.schedule;
  Access& access = machine_.recorder.new_access(nullptr, act::Requester::prefetch_fetch, address,
                                                static_cast<std::uint32_t>(s.l1i_line));
  access.more.prefetch = true;
  const Cycle turn = std::max(at, prefetch_free_);
  access.record.start = turn;
  if (turn - at >= s.prefetch_addresses) {
    schedule.occur(at, Signal::prefetch_lost, &access);
    machine_.recorder.drop(access);
    return;
  }
  if (turn > at) schedule.occupy(at, turn, Level::prefetch_held);
  prefetch_free_ = turn + 1;
  const std::uint64_t line = line_of(machine_.physical(address));
  const std::uint16_t kind = d::access_prefetch | (streaming ? dd::fetch_streaming : 0);
  access.more.uncacheable = is_uncacheable(line);
  const bool streamed =
      std::any_of(streamed_.begin(), streamed_.end(), [&](const Coming& x) { return x.line == line; });
  if (l1i_.find(line) != Cache::none || streamed) {
    schedule.occur(turn, Signal::fetch, &access,
                   kind | (streamed ? d::lookup_miss | dd::fetch_stream_buffer : d::lookup_hit));
  } else if (pending(line, turn) != nullptr) {
    schedule.occur(turn, Signal::fetch, &access, kind | d::lookup_pending);
  } else {
    schedule.occur(turn, Signal::fetch, &access, kind | d::lookup_miss);
    const Cycle ask = requests_.free_from(turn + 1);
    if (ask > turn + 1) schedule.occupy(turn + 1, ask, Level::prefetch_flow);
    prefetch_free_ = std::max(prefetch_free_, ask);
    const Hierarchy::Reply reply = request(access, true, ask, Served::unknown);
    if (streamed_.size() == stream_lines_held) streamed_.erase(streamed_.begin());
    if (!access.more.uncacheable) streamed_.push_back({line, reply.data});
  }
  machine_.recorder.drop(access);
}

bool FetchMemory::drop(std::uint64_t line, std::uint64_t bytes, Cycle at, bool by_snoop) {
  const bool found = drop_first_level(machine_, l1i_, d::cache_l1i, line, bytes, at, by_snoop);
  if (found) latest_.fill(no_line);
  if (found && by_snoop) machine_.schedule.occur(at, Signal::l1i_snoop, nullptr);
  return found;
}

// The instruction side of a split L2: a cache of its own beside L2D; both share the path to L3.

Hierarchy::Reply Hierarchy::fetch_split(Access& access, bool prefetch, Cycle enters, Served forced) {
  Schedule& schedule = machine_.schedule;
  const std::uint64_t line = line_of(machine_.physical(access.record.address));
  const std::uint16_t kind = prefetch ? d::access_prefetch : 0;
  // One lookup a cycle: a second one is repeated in the next cycle.
  const Cycle at = fetch_attempts_.next(enters);
  const auto under_way = std::find_if(code_fills_.begin(), code_fills_.end(),
                                      [&](const Fill& f) { return f.line == line && at < f.ready; });
  const bool pending = under_way != code_fills_.end() && forced == Served::unknown;
  constexpr Cycle tags_first = 3;  // the tags are written before the data
  const bool there = pending ? under_way->ready <= at + tags_first : l2i_.lookup(line) != LineState::invalid;
  const bool hit = forced == Served::l2 || (there && forced == Served::unknown);
  const std::uint16_t detail = kind | (hit ? d::lookup_hit : d::lookup_miss);
  if (at > enters) schedule.occur(enters, Signal::l2i_retry, &access, detail | dd::retry_conflict);
  schedule.occur(at, Signal::l2i_lookup, &access, detail);
  if (access.more.uncacheable) return fetch_uncacheable(access, at, kind);
  if (pending) {
    schedule.occur(at, Signal::l2i_retry, &access, detail | dd::retry_recirculated);
    return {under_way->ready + 1, under_way->served, 0};
  }
  if (hit) {
    // The request was sent to L3 at the same time. It no longer matters whether L3 accepts it.
    if (l3_free_ > at + l2_to_l3)
      schedule.occur(at + l2_to_l3, Signal::l2i_retry, &access, detail | dd::retry_rejected);
    if (!there) install_instruction({line, at, at + 1}, access);
    return {at + machine_.settings.l2_instruction - 1, Served::l2, 0};
  }
  const Fill& fill = miss_instruction(access, line, at, forced, prefetch);
  return {fill.ready, fill.served, 0};
}

Hierarchy::Fill& Hierarchy::miss_instruction(Access& access, std::uint64_t line, Cycle at, Served forced,
                                             bool prefetch) {
  const Settings& s = machine_.settings;
  const std::uint16_t kind = prefetch ? d::access_prefetch : 0;
  Cycle start = at + l2_to_l3;
  if (l3_free_ > start) {
    machine_.schedule.occur(start, Signal::l2i_retry, &access, kind | d::lookup_miss | dd::retry_rejected);
    start = l3_free_;
  }
  start = l3_lookups_.next(start);
  l3_free_ = start + s.l3_busy;
  Fill fill{line, at, 0, Served::l3, Purpose::integer_load, true, prefetch, false, start, &access};
  fill.ready = start - l2_to_l3 + s.l2_instruction - 1 + s.l3_extra;
  (void)ask_l3(fill, access, start, kind, forced);
  install_instruction(fill, access);
  code_fills_.push_back(fill);
  return code_fills_.back();
}

void Hierarchy::install_instruction(const Fill& fill, Access& access) {
  const Victim victim = l2i_.fill(fill.line, LineState::shared);
  if (victim.valid) machine_.schedule.occur(fill.ready, Signal::l2i_evict, &access);
}

/// Code that must not be cached: each time the bundles come from the bus.
Hierarchy::Reply Hierarchy::fetch_uncacheable(Access& access, Cycle at, std::uint16_t kind) {
  Cycle ask = at + l2_to_l3;
  if (const Cycle room = bus_.room_from(ask); room > ask) {
    refuse(access, false, kind, ask, room);
    ask = room;
  }
  const std::uint64_t address = machine_.physical(access.record.address);
  const Bus::Reply reply = bus_.transact({BusKind::read_partial, address, &access, false, false}, ask);
  machine_.schedule.occupy(ask, reply.done, Level::instructions_rejected);
  return {reply.done, Served::memory, 0};
}

/// A snoop, or `fc`, meets L2I.
void Hierarchy::snoop_instructions(std::uint64_t line, bool takes, bool by_snoop, Cycle at) {
  const Cache::Slot slot = l2i_.find(line);
  if (slot == Cache::none) return;
  if (by_snoop) machine_.schedule.occur(at, Signal::l2i_snoop_hit, nullptr);
  if (takes) l2i_.evict(slot);
}

}  // namespace pmusim::core::ia64
