#include <fmt/format.h>

#include "testbench/tests/list_models/ia64_lists.h"

namespace pmusim::testbench::ia64::lists {

namespace d = activity::detail;
namespace dd = act::detail;
using act::BusKind;
using act::Served;

std::uint64_t number(const models::Parameters& parameters, const char* name) {
  return static_cast<std::uint64_t>(parameters.get(name));
}

namespace {

LineList cache(const models::Parameters& parameters, const std::string& name, const char* line) {
  return {number(parameters, ("core." + name + "_bytes").c_str()),
          number(parameters, ("core." + name + "_ways").c_str()), number(parameters, line)};
}

constexpr const char* lower_line = "core.l2_line";

bool is_full_line(BusKind kind) {
  return kind == BusKind::read_line || kind == BusKind::read_invalidate_line || kind == BusKind::write_line ||
         kind == BusKind::read_current;
}
std::uint64_t answer_bits(Mesi state) {
  return state == Mesi::modified ? dd::bus_answer_modified : state != Mesi::invalid ? dd::bus_answer_hit : 0;
}

/// When the line of a request that missed L2 comes. Where no signal tells exactly, the last try of the entry does: it
/// is in the cycle before, or later if other entries of the queue try then, of which there are 32. Bundle pairs come
/// one a cycle from then on.
Arrival arrival_of(const Trip& trip, bool split) {
  constexpr Cycle later = 32;
  if (trip.half.load && !trip.half.semaphore) {
    if (const Event* e = trip.last(Signal::load_return)) return {e->cycle, e->cycle};
  }
  if (const Event* e = trip.last(Signal::fetch_return)) return {e->cycle, e->cycle};
  if (split) {
    if (const Event* e = trip.last(Signal::l2_fill)) return {e->cycle, e->cycle};
    if (const Event* e = trip.last(Signal::l2i_evict)) return {e->cycle, e->cycle};
  }
  if (const Event* e = trip.last(Signal::recirculate_try))
    return {e->cycle + 1 - std::min(e->cycle, later), e->cycle + 1};
  if (const Event* e = trip.first(Signal::bundle_pair_in)) return {e->cycle - std::min(e->cycle, later), e->cycle};
  return {0, 0};
}

}  // namespace

Purpose::Purpose(const Trip& trip)
    : writes(trip.half.store),
      semaphore(trip.half.semaphore),
      prefetch(trip.half.prefetch),
      walk(trip.is(act::Requester::page_walker)),
      detail(d::side_data) {
  if (writes) detail |= d::access_store;
  if (prefetch) detail |= d::access_prefetch;
  if (!prefetch && (!writes || semaphore)) detail |= d::access_load;
  if (walk) detail |= d::access_walk;
}

Memory::Memory(const models::Parameters& parameters, bool split, Findings& findings)
    : l1d(cache(parameters, "l1d", "core.l1d_line")),
      l1i(cache(parameters, "l1i", "core.l1i_line")),
      split_(split),
      l2_fetch_(number(parameters, "core.l2_instruction")),
      findings_(findings),
      l2_(cache(parameters, "l2", lower_line)),
      l2i_(split ? cache(parameters, "l2i", lower_line) : LineList(1, 1, 1)),
      l3_(cache(parameters, "l3", lower_line)) {}

std::string Memory::held(std::uint64_t address) {
  std::string text =
      fmt::format("the model's sets, youngest first: L1D {}, L1I {}, L2 {}, L3 {}", l1d.describe(address),
                  l1i.describe(address), l2_.describe(address), l3_.describe(address));
  if (split_) text += ", L2I " + l2i_.describe(address);
  return text;
}

std::uint64_t Memory::evicted(std::uint64_t cache, Mesi state, std::uint64_t why) {
  const bool to_lower = state == Mesi::modified && cache != d::cache_l3;
  return cache | static_cast<std::uint64_t>(state) << d::evict_state_shift | why | (to_lower ? d::evict_to_l2 : 0);
}

bool Memory::under_way(const std::unordered_map<std::uint64_t, Arrival>& arrivals, std::uint64_t line, Cycle at,
                       bool reported) const {
  const auto it = arrivals.find(line);
  if (it == arrivals.end() || at >= it->second.latest) return false;
  return at < it->second.earliest || reported;
}

/// Takes the parts of a line out of L1D and L1I, in a cycle. Returns whether L1I had some.
bool Memory::take_from_first_level(std::uint64_t line, Cycle at, std::uint64_t why) {
  for (std::uint64_t a = line; a < line + l2_.line_bytes(); a += l1d.line_bytes()) {
    if (l1d.take(a) == Mesi::invalid) continue;
    findings_.want_unowned(Signal::line_evict, evicted(d::cache_l1d, Mesi::shared, why), at);
  }
  bool code = false;
  for (std::uint64_t a = line; a < line + l2_.line_bytes(); a += l1i.line_bytes()) {
    if (l1i.take(a) == Mesi::invalid) continue;
    code = true;
    findings_.want_unowned(Signal::line_evict, evicted(d::cache_l1i, Mesi::shared, why), at);
  }
  return code;
}

/// A transaction of this processor. Returns how another agent had the line.
Mesi Memory::bus(Wanted& wanted, BusKind kind, std::uint64_t address, bool for_data, bool castout) {
  Mesi other = Mesi::invalid;
  const bool invalidates = kind == BusKind::read_invalidate_line || kind == BusKind::invalidate_line;
  if (const auto it = elsewhere_.find(l2_.line_of(address)); it != elsewhere_.end()) {
    if (kind == BusKind::read_line || invalidates) other = it->second;
    if (kind == BusKind::read_line) it->second = Mesi::shared;
    if (invalidates) elsewhere_.erase(it);
  }
  wanted.add(Signal::bus_transaction, static_cast<std::uint64_t>(kind) | (is_full_line(kind) ? dd::bus_full_line : 0) |
                                          (for_data ? dd::bus_for_data : 0) | (castout ? dd::bus_clean_castout : 0) |
                                          answer_bits(other));
  return other;
}

/// L3 includes all other caches. What is modified there, or in L2, goes to memory.
void Memory::leave_l3(const Trip& trip, Wanted& wanted, const LineList::Line& victim) {
  wanted.add(Signal::line_evict, evicted(d::cache_l3, victim.state, d::evict_replacement));
  const Event* const when = trip.first(Signal::line_evict, d::cache_l3);
  const Cycle at = when != nullptr ? when->cycle : 0;
  const Mesi above = l2_.take(victim.address);
  if (above != Mesi::invalid) wanted.add(Signal::line_evict, evicted(d::cache_l2, above, d::evict_snoop), at);
  const bool code = take_from_first_level(victim.address, at, d::evict_snoop);
  if (above != Mesi::invalid || code) {
    findings_.want_unowned(
        Signal::bus_snoop,
        dd::snoop_self | (above == Mesi::modified ? dd::snoop_found_modified : 0) | (code ? dd::snoop_reaches_l1i : 0),
        Wanted::any);
  }
  if (split_ && l2i_.take(victim.address) != Mesi::invalid) findings_.want_unowned(Signal::l2i_snoop_hit, 0, at);
  if (victim.state == Mesi::modified || above == Mesi::modified) write_back(wanted, victim.address);
}

/// Returns whether the line is shared with other processors.
bool Memory::ask_l3(const Trip& trip, Wanted& wanted, std::uint64_t line, std::uint64_t detail, Served& served) {
  const bool for_ownership = (detail & dd::l3_for_ownership) != 0, for_data = (detail & d::side_data) != 0;
  if (LineList::Line* const here = l3_.find(line); here != nullptr) {
    const std::uint64_t state = split_ ? static_cast<std::uint64_t>(here->state) << dd::l3_state_shift : 0;
    wanted.add(Signal::l3_lookup, detail | d::lookup_hit | state);
    served = Served::l3;
    const bool shared = here->state == Mesi::shared;
    // No processor writes a line that others may hold before the bus has invalidated their copies.
    if (shared && for_ownership) bus(wanted, BusKind::invalidate_line, line, true);
    l3_.use(line);
    return shared;
  }
  wanted.add(Signal::l3_lookup, detail | d::lookup_miss);
  served = Served::memory;
  const Mesi other = bus(wanted, for_ownership ? BusKind::read_invalidate_line : BusKind::read_line, line, for_data);
  const bool shared = other != Mesi::invalid && !for_ownership;
  // Who takes a modified line for a store has the only copy: memory is out of date.
  const Mesi state = shared ? Mesi::shared : split_ && other == Mesi::modified ? Mesi::modified : Mesi::exclusive;
  if (const auto victim = l3_.put(line, state)) leave_l3(trip, wanted, *victim);
  if (split_) wanted.add(Signal::l3_insert, static_cast<std::uint64_t>(state));
  return shared;
}

/// The line comes into L2; a modified victim is written to L3, whose line is modified then.
void Memory::install(const Trip& trip, Wanted& wanted, std::uint64_t line, Mesi state) {
  if (split_) wanted.add(Signal::l2_fill, static_cast<std::uint64_t>(state));
  const Event* const fill = split_ ? trip.first(Signal::l2_fill) : nullptr;
  const auto victim = l2_.put(line, state);
  if (!victim) return;
  wanted.add(Signal::line_evict, evicted(d::cache_l2, victim->state, d::evict_replacement),
             fill != nullptr ? fill->cycle : Wanted::any);
  if (victim->state != Mesi::modified) return;
  LineList::Line* const below = l3_.find(victim->address);
  const std::uint64_t detail = d::side_data | d::access_writeback;
  if (below == nullptr) {
    wanted.add(Signal::l3_lookup, detail | d::lookup_miss);
    return write_back(wanted, victim->address);
  }
  const std::uint64_t found = split_ ? static_cast<std::uint64_t>(below->state) << dd::l3_state_shift : 0;
  wanted.add(Signal::l3_lookup, detail | d::lookup_hit | found);
  below->state = Mesi::modified;
}

Memory::Answer Memory::miss(const Trip& trip, Wanted& wanted, std::uint64_t line, std::uint64_t detail) {
  Answer answer;
  const bool shared = ask_l3(trip, wanted, line, detail, answer.served);
  const bool store = (detail & dd::l3_for_ownership) != 0;
  install(trip, wanted, line, store ? Mesi::modified : shared ? Mesi::shared : Mesi::exclusive);
  answer.data = arrival_of(trip, split_);
  answer.data.served = answer.served;
  arrivals_[line] = answer.data;
  return answer;
}

Memory::Answer Memory::data(const Trip& trip, Wanted& wanted) {
  const Purpose purpose(trip);
  const std::uint64_t line = l2_.line_of(trip.record.address);
  // A store to code: L1I loses the line, and the entry goes round.
  if (purpose.writes) {
    const auto self_modifying = static_cast<std::uint16_t>(act::Recirculate::self_modifying);
    Cycle at = 0;
    for (const Event& e : trip.events) {
      if (e.signal == Signal::force_recirculate && (e.detail & act::recirculate::cause_mask) == self_modifying)
        at = e.cycle;
    }
    bool code = false;
    for (std::uint64_t a = line; a < line + l2_.line_bytes(); a += l1i.line_bytes()) {
      if (l1i.take(a) == Mesi::invalid) continue;
      code = true;
      findings_.want_unowned(Signal::line_evict, evicted(d::cache_l1i, Mesi::shared, d::evict_snoop), at);
    }
    if (code != (at != 0)) findings_.add(describe(trip) + ": self_modifying is of stores to a line of L1I");
  }
  if (trip.half.uncacheable) {
    wanted.add(Signal::l2_reference, purpose.detail);
    bus(wanted, purpose.writes ? BusKind::write_partial : BusKind::read_partial, trip.record.address, true);
    return {Served::memory, {}};
  }
  const Event* const entered = trip.first(Signal::l2_reference);
  const Event* const looked = trip.first(Signal::l2_lookup);
  const bool reported = looked != nullptr && (looked->detail & d::lookup_pending) != 0;
  LineList::Line* here = l2_.find(line);
  std::uint64_t found = 0;
  if (split_) {
    const bool there = here != nullptr && entered != nullptr && !under_way(arrivals_, line, entered->cycle, false);
    found = there ? d::lookup_hit : d::lookup_miss;
  }
  wanted.add(Signal::l2_reference, purpose.detail | found);
  const bool pending = looked != nullptr && under_way(arrivals_, line, looked->cycle, reported);
  l2_.use(line);
  here = l2_.find(line);
  if (!pending && here == nullptr) {
    wanted.add(Signal::l2_lookup, purpose.detail | d::lookup_miss);
    return miss(trip, wanted, line,
                d::side_data | (purpose.prefetch ? d::access_prefetch : 0) | (purpose.walk ? d::access_walk : 0) |
                    (purpose.writes ? dd::l3_for_ownership : 0));
  }
  wanted.add(Signal::l2_lookup, purpose.detail | (pending ? d::lookup_pending : d::lookup_hit));
  if (purpose.writes && here == nullptr)
    findings_.add(describe(trip) + ": its line is on its way, but L2 has given it up");
  if (purpose.writes && here != nullptr) {
    if (here->state == Mesi::shared) {
      wanted.add(Signal::l2_store_shared, 0);
      wanted.add(Signal::l2_probe, 0);
      bus(wanted, BusKind::invalidate_line, line, true);
    }
    here->state = Mesi::modified;
  }
  return {pending ? arrivals_[line].served : Served::l2, {}};
}

}  // namespace pmusim::testbench::ia64::lists
