#include <fmt/format.h>

#include "testbench/tests/list_models/ia64_lists.h"

namespace pmusim::testbench::ia64::lists {

namespace d = activity::detail;
namespace dd = act::detail;
using act::Requester;
using act::Served;

namespace {

constexpr std::uint64_t granule = 4096;
std::size_t size(const models::Parameters& parameters, const char* name) {
  return static_cast<std::size_t>(parameters.get(name));
}

}  // namespace

Machine::Machine(const models::Parameters& p, bool split, Findings& findings)
    : findings_(findings),
      memory_(p, split, findings),
      data_tlb_{{1, size(p, "core.l1dtlb_entries")}, {1, size(p, "core.l2dtlb_entries")}},
      code_tlb_{{1, size(p, "core.l1itlb_entries")}, {1, size(p, "core.l2itlb_entries")}},
      page_(number(p, "core.page_bytes")),
      table_(number(p, "core.hash_table")),
      table_entry_(number(p, "core.hash_entry")),
      forward_(number(p, "core.store_forward")),
      ahead_(number(p, "core.stream_ahead")),
      prefetches_(number(p, "core.instruction_prefetch") != 0) {}

void Machine::take(Trip&& trip) {
  ++requests_;
  if (trip.is(Requester::page_walker)) {
    if (!waiting_.known) findings_.add(describe(trip) + ": a walk without a request before it");
    complete(&trip);
    return;
  }
  complete(nullptr);
  waiting_ = std::move(trip);
}

void Machine::act(const Outside& outside, Cycle at) {
  complete(nullptr);
  memory_.apply(outside, at);
}

void Machine::finish() {
  complete(nullptr);
  if (!next_lines_.empty()) findings_.add("a prefetch of the next line is missing at the end");
}

/// All that follows from the waiting request, now that its walk is known.
void Machine::complete(const Trip* walk) {
  if (!waiting_.known) return;
  waiting_.known = false;
  const Trip& trip = waiting_;
  Wanted wanted;
  bool replayed = false;
  const bool walks = translate(trip, wanted, replayed);
  if (walks != (walk != nullptr))
    findings_.add(describe(trip) + (walks ? ": its page is in no TLB, but there is no walk" : ": a needless walk"));
  if (walk != nullptr) {
    Wanted of_walk;
    constexpr std::uint64_t table_bytes = 1 << 24;
    const std::uint64_t entry = table_ + trip.record.address / page_ * table_entry_ % table_bytes;
    if (walk->record.address != entry) findings_.add(describe(*walk) + fmt::format(": the entry is at {:x}", entry));
    of_walk.add(Signal::walk_read, 0);
    of_walk.add(Signal::load_return, 0);
    check_served(*walk, memory_.data(*walk, of_walk).served);
    findings_.compare(*walk, of_walk, [&] { return memory_.held(walk->record.address); });
  }
  access(trip, wanted, replayed);
  findings_.compare(trip, wanted, [&] { return memory_.held(trip.record.address); });
}

Machine::Tlb::Found Machine::Tlb::find(std::uint64_t address, std::uint64_t page, bool through_first) {
  if (through_first && granules.use(0, address / granule)) return Found::first;
  const bool second = pages.use(0, address / page);
  if (second && !through_first) return Found::first;  // nothing is said of it
  if (through_first) granules.add(0, address / granule);
  if (!second) pages.add(0, address / page);
  return second ? Found::second : Found::none;
}

/// Returns whether there must be a walk. Reads of L1D and fetches use the first level, all other accesses the second.
bool Machine::translate(const Trip& trip, Wanted& wanted, bool& replayed) {
  if (trip.is(Requester::prefetch_fetch) || trip.first(Signal::l2_reference, d::access_cache_operation) != nullptr)
    return false;
  const bool code = trip.is(Requester::demand_fetch);
  const std::uint64_t side = code ? 0 : d::side_data;
  const Tlb::Found found = (code ? code_tlb_ : data_tlb_).find(trip.record.address, page_, code || trip.half.l1d_read);
  if (found == Tlb::Found::first) return false;
  const bool walks = found == Tlb::Found::none;
  wanted.add(Signal::translation, side | (walks ? d::tlb_walk : d::tlb_second_level_hit));
  if (walks) wanted.add(Signal::tlb_insert, side);
  replayed = !code;
  const act::Translation where = walks ? act::Translation::walker : act::Translation::second_level;
  if (trip.half.translation != where || trip.half.walker_inserted != walks)
    findings_.add(describe(trip) + ": its record tells another level of its translation");
  return walks;
}

void Machine::check_served(const Trip& trip, Served served) {
  if (trip.half.served != served)
    findings_.add(describe(trip) + fmt::format(": the model has it served by {}, the core by {}; {}",
                                               static_cast<unsigned>(served), static_cast<unsigned>(trip.half.served),
                                               memory_.held(trip.record.address)));
}

void Machine::access(const Trip& trip, Wanted& wanted, bool replayed) {
  if (trip.is(Requester::demand_fetch)) return demand(trip, wanted);
  if (trip.is(Requester::prefetch_fetch)) return prefetch(trip, wanted);
  if (trip.first(Signal::l2_reference, d::access_cache_operation) != nullptr) return memory_.flush(trip, wanted);
  const act::Request& r = trip.half;
  std::uint64_t detail = d::side_data;
  if (r.prefetch) detail |= d::access_prefetch;
  if (r.load) detail |= d::access_load;
  if (r.store) detail |= d::access_store;
  if (replayed) {
    wanted.add(Signal::data_reference, detail | dd::access_replayed);
    if (r.l1d_read) wanted.add(Signal::dcache_lookup, detail | dd::access_replayed | d::lookup_miss);
  }
  wanted.add(Signal::data_reference, detail);
  if (r.l1d_read) {
    const Served served = load(trip, wanted, detail, replayed);
    if (served == Served::l1) return;
    wanted.add(Signal::load_return, 0);
    return check_served(trip, served);
  }
  if (r.store) store(trip, wanted, detail);
  const Served served = memory_.data(trip, wanted).served;
  if (r.load) wanted.add(Signal::load_return, 0);
  if (r.load) check_served(trip, served);
}

/// A store of the last cycles to one of the aligned 8 bytes of the load: L1D does not have its data yet.
bool Machine::follows_store(const Trip& trip, Cycle at) const {
  constexpr std::uint64_t octet = 8;
  const std::uint64_t first = trip.record.address / octet, last = (trip.record.address + trip.record.size - 1) / octet;
  return std::any_of(stores_.begin(), stores_.end(), [&](const Store& s) {
    return s.cycle + forward_ >= at && s.begin / octet <= last && (s.end - 1) / octet >= first;
  });
}

/// The line of an integer load or a register stack fill. Loads with a locality hint write no line, nor do those that
/// take a store's data from L2 if the line is there.
Served Machine::load(const Trip& trip, Wanted& wanted, std::uint64_t detail, bool replayed) {
  const std::uint64_t line = memory_.l1d.line_of(trip.record.address);
  const Event* const last = trip.first(Signal::dcache_lookup, 0, dd::access_replayed);
  const std::size_t again = trip.count(Signal::dcache_lookup, dd::access_replayed) - (replayed ? 1 : 0);
  const Event* first = last;  // of the passes with a translation
  for (const Event& e : trip.events) {
    if (again != 0 && e.signal == Signal::dcache_lookup && (e.detail & dd::access_replayed) != 0) first = &e;
  }
  const Cycle at = last != nullptr ? last->cycle : 0;
  const bool follows = !trip.is(Requester::register_stack) && first != nullptr && follows_store(trip, first->cycle);
  const auto due = data_due_.find(line);
  const auto on_its_way = [&](Cycle when) { return due != data_due_.end() && due->second > when; };
  memory_.l1d.use(line);
  const bool held = memory_.l1d.find(line) != nullptr;
  // While all places for misses are taken, a miss passes the pipe again (core.load_misses); when, is the core's matter.
  if (again == 1) {
    wanted.add(Signal::data_reference, detail | dd::access_replayed);
    wanted.add(Signal::dcache_lookup, detail | dd::access_replayed | d::lookup_miss);
  }
  if (held && !follows && !on_its_way(at)) {
    wanted.add(Signal::dcache_lookup, detail | d::lookup_hit);
    return Served::l1;
  }
  wanted.add(Signal::dcache_lookup, detail | (on_its_way(at) ? d::lookup_pending : d::lookup_miss));
  const bool came = on_its_way(at);
  const Served served = memory_.data(trip, wanted).served;
  constexpr unsigned hint = 28;
  const bool hinted = !trip.is(Requester::register_stack) && (trip.encoding >> hint & 3) != 0;
  if (hinted || came || (held && follows)) return served;
  const Event* const data = trip.first(Signal::load_return);
  const Cycle written = data != nullptr ? data->cycle : 0;
  const unsigned found = static_cast<unsigned>(served == Served::memory ? Mesi::invalid : Mesi::shared);
  constexpr unsigned shared = static_cast<unsigned>(Mesi::shared);
  wanted.add(Signal::line_fill, d::side_data | found << d::fill_found_shift | shared << d::fill_installed_shift,
             written);
  if (memory_.l1d.find(line) == nullptr && memory_.l1d.put(line, Mesi::shared))
    wanted.add(Signal::line_evict, d::cache_l1d | shared << d::evict_state_shift | d::evict_replacement, written);
  data_due_[line] = written;
  return served;
}

/// L1D is written through; a store brings no line and does not make one the most recently used.
void Machine::store(const Trip& trip, Wanted& wanted, std::uint64_t detail) {
  const Event* const pass = trip.first(Signal::data_reference, 0, dd::access_replayed);
  const Cycle at = pass != nullptr ? pass->cycle : 0;
  if (!trip.half.uncacheable) {
    const std::uint64_t line = memory_.l1d.line_of(trip.record.address);
    const auto due = data_due_.find(line);
    const bool hit = memory_.l1d.find(line) != nullptr && (due == data_due_.end() || due->second <= at);
    wanted.add(Signal::dcache_lookup, detail | (hit ? d::lookup_hit : d::lookup_miss));
  }
  stores_.push_back({trip.record.address, trip.record.address + trip.record.size, at});
  constexpr std::size_t remembered = 16;
  if (stores_.size() > remembered) stores_.pop_front();
}

}  // namespace pmusim::testbench::ia64::lists
