#include "testbench/tests/list_models/athlon_caches.h"

#include <fmt/format.h>

namespace pmusim::testbench::athlon_lists {

namespace d = activity::detail;

namespace {

std::size_t sets(const models::Parameters& p, const std::string& cache) {
  return static_cast<std::size_t>(p.get("core." + cache + "_bytes") / p.get("core." + cache + "_ways") / 64);
}

}  // namespace

// Latencies count from the cycle before the lookup of L2, or the request on the bus, to the use; a line is in L1 a
// load's use earlier. A line takes `core.bus_line_clocks` of the bus, anything else one clock
// (docs/targets/athlon-core.md).
CachesModel::CachesModel(const models::Parameters& p)
    : l1i_(sets(p, "l1i"), number(p, "core.l1i_ways")),
      l1d_(sets(p, "l1d"), number(p, "core.l1d_ways")),
      l2_(sets(p, "l2"), number(p, "core.l2_ways")),
      l2_latency_(number(p, "core.l2_load_use") - number(p, "core.load_use") - 1),
      memory_latency_(number(p, "core.memory_load_use") - number(p, "core.load_use") - 1),
      transfer_(number(p, "core.l2_transfer")),
      bus_clock_((number(p, "core.bus_halves") + 1) / 2),
      bus_line_((number(p, "core.bus_halves") * number(p, "core.bus_line_clocks") + 1) / 2),
      page_tables_(number(p, "core.page_tables")),
      data_fills_(number(p, "core.data_fills")),
      prefetches_(p.get("core.instruction_prefetch") != 0),
      walks_(p.get("core.walk_in_l2") != 0),
      modifies_(p.get("core.prefetchw_state") != 0) {}

void CachesModel::place(std::uint64_t address, LineState state) {
  const std::uint64_t line = line_of(address);
  l1d_.remove(line);
  l2_.remove(line);
  if (state == LineState::invalid || dirty(state)) l1i_.remove(line);
  if (state != LineState::invalid) l1d_.add(line, address / line_bytes, state);
}

std::uint64_t CachesModel::line_of(std::uint64_t address) const {
  const auto page = pages_.find(address / page_bytes);
  const std::uint64_t physical = page == pages_.end() ? address : page->second * page_bytes + address % page_bytes;
  return physical / line_bytes;
}

CachesModel::Fill* CachesModel::fill_of(std::uint64_t line, bool data) {
  for (Fill& fill : fills_) {
    if (fill.line == line && fill.data == data) return &fill;
  }
  return nullptr;
}

// --- a cycle, in the core's documented order: fills, probes, snoops, fetch, L2, bus ------------------------

bool CachesModel::step(const CycleView& view) {
  return_walks(view.cycle - 1);
  now_ = view.cycle;
  for (auto& list : expected_) list.clear();
  arrive(view);
  return_walks(now_);
  for (const Occurrence& o : view.of(Signal::dcache_lookup)) probe(view, o);
  for (const Occurrence& o : view.of(Signal::translation)) {
    if ((o.detail & d::side_data) != 0) translate(view, o);
  }
  if (!view.of(Signal::snoop).empty()) snoop(view);
  for (const Occurrence& o : view.of(Signal::translation)) {
    if ((o.detail & d::side_data) == 0) translate(view, o);
  }
  for (const Occurrence& o : view.of(Signal::fetch)) fetch(view, o);
  work_l2(view);
  work_bus(view);
  compare(view, Signal::line_request, "request of a line");
  compare(view, Signal::line_evict, "line that leaves");
  compare(view, Signal::cross_invalidate, "line lost to the other L1");
  compare(view, Signal::l2_lookup, "lookup of L2");
  compare(view, Signal::l2_array, "operation of L2");
  compare(view, Signal::bus_request, "bus request");
  compare(view, Signal::snoop, "snoop");
  return error_.empty();
}

void CachesModel::finish() {
  if (!error_.empty()) return;
  return_walks(activity::never - 1);
  if (!fills_.empty()) fail("a fill never arrives");
  if (!jobs_.empty()) fail("L2 has not done all of its work");
  if (!bus_.empty()) fail("the bus has not carried all requests");
  if (!snoops_.empty()) fail("a snoop of the trace did not happen");
}

void CachesModel::arrive(const CycleView& view) {
  for (const Occurrence& o : view.of(Signal::line_fill)) {
    const auto& request = view.request(o);
    const bool data = (o.detail & d::side_data) != 0;
    address_ = request.address;
    // A reference across two lines has two fills of one request; they differ in time or in where they come from.
    const auto at = std::find_if(fills_.begin(), fills_.end(), [&](const Fill& f) {
      return f.data == data && f.request == request.id && f.due == now_;
    });
    if (at == fills_.end()) return fail("no fill of this request is due");
    Fill fill = *at;
    fills_.erase(at);
    const auto wanted = static_cast<std::uint16_t>((data ? d::side_data : 0) |
                                                   static_cast<unsigned>(fill.found) << d::fill_found_shift |
                                                   static_cast<unsigned>(fill.install) << d::fill_installed_shift);
    if (o.detail != wanted) fail(fmt::format("fill with detail {:x}, wanted {:x}", o.detail, wanted));
    ++compared_[static_cast<std::size_t>(Signal::line_fill)];
    data ? arrive_data(fill) : arrive_code(fill);
  }
}

void CachesModel::arrive_data(Fill& fill) {
  if (fill.install == LineState::invalid) return l1d_.remove(fill.line);
  l1d_.find(fill.line)->state = fill.install;
  if (fill.install == LineState::modified) take_from_l1i(fill.line);
}

// A line of L1I is never dirty in L1D. Code from the system is written to L2 as well.
void CachesModel::arrive_code(const Fill& fill) {
  if (dirty(l1d_.state(fill.line)) && fill_of(fill.line, true) == nullptr) {
    expect(Signal::cross_invalidate, d::cross_from_data, fill.request);
    leave_l1d(fill.line, d::evict_to_l2);
  }
  if (const auto gone = l1i_.add(fill.line, fill.index, LineState::shared)) {
    expect(Signal::line_evict, left(d::cache_l1i, gone->state, d::evict_replacement));
  }
  if (fill.found == LineState::invalid) jobs_.push_back({Work::install, now_, fill.line, LineState::shared});
}

void CachesModel::return_walks(Cycle until) {
  while (!returns_.empty() && returns_.front().at <= until) {
    const Return r = returns_.front();
    returns_.pop_front();
    jobs_.push_back({Work::install, r.at, r.line, LineState::exclusive, 0, false, r.rewrite});
  }
}

// --- L1 ----------------------------------------------------------------------------------------------------

void CachesModel::probe(const CycleView& view, const Occurrence& o) {
  const activity::RequestRecord& r = view.request(o);
  const bool second = (o.detail & d::access_second_half) != 0;
  address_ = second ? (r.address / 8 + 1) * 8 : r.address;
  if (!second) first_half_ = r.id;
  const bool prefetch = (o.detail & d::access_prefetch) != 0, store = r.store && !prefetch;
  const bool writes = store && !r.wrong_path;
  const bool owns = writes || (prefetch && modifies_ && !r.wrong_path && owned_prefetches_.contains(r.ip));
  const std::uint64_t line = line_of(address_);
  std::uint16_t result = d::lookup_miss;
  if (Fill* const fill = fill_of(line, true)) {
    result = d::lookup_pending;
    ++pending_probes;
    l1d_.use(line);
    if (writes && !fill->store) {
      fill->store = fill->owns = true;
      if (fill->install != LineState::invalid) fill->install = LineState::modified;
      take_from_l1i(line);
    } else if (writes) {
      fill->owns = true;
    }
  } else if (l1d_.holds(line, address_ / line_bytes)) {
    result = d::lookup_hit;
    l1d_.use(line);
    LineState& state = l1d_.find(line)->state;
    if (writes && state != LineState::modified) {
      // A store to a line that others may have makes the others give it up first.
      if (state != LineState::exclusive) bus_.push_back({now_, false, false});
      upgrades += state != LineState::exclusive ? 1 : 0;
      state = LineState::modified;
      take_from_l1i(line);
    }
  } else {
    const auto access = static_cast<std::uint16_t>(prefetch ? d::access_prefetch
                                                   : store  ? d::access_store
                                                            : d::access_load);
    miss(r, address_, access, owns, store);
  }
  ++number_;
  ++compared_[static_cast<std::size_t>(Signal::dcache_lookup)];
  if ((o.detail & d::lookup_mask) != result) {
    fail(fmt::format("probe {} of L1D gives {:x}, wanted {:x}; {}", number_, o.detail & d::lookup_mask, result,
                     held(address_)));
  }
}

void CachesModel::miss(const activity::RequestRecord& r, std::uint64_t address, std::uint16_t access, bool owns,
                       bool store) {
  const std::uint64_t line = line_of(address), index = address / line_bytes;
  const auto data_side = [](const Fill& f) { return f.data; };
  if (static_cast<std::size_t>(std::count_if(fills_.begin(), fills_.end(), data_side)) == data_fills_) {
    return fail("more data fills than there may be");
  }
  if (l1d_.holds(line)) {  // under another virtual index
    expect(Signal::cross_invalidate, d::cross_by_data | d::cross_from_data, r.id);
    leave_l1d(line, d::evict_to_l2);
  }
  if (owns) take_from_l1i(line);
  if (const auto last = l1d_.last_of(index)) {
    if (fill_of(last->number, true) != nullptr) return fail("the victim is a line that has not arrived");
    leave_l1d(last->number, d::evict_replacement | d::evict_to_l2);
  }
  l1d_.add(line, index, LineState::exclusive);
  Fill fill;
  fill.request = r.id;
  fill.line = line;
  fill.index = index;
  fill.data = true;
  fill.prefetch = access == d::access_prefetch;
  fill.store = store;
  fill.owns = owns;
  fills_.push_back(fill);
  expect(Signal::line_request, static_cast<std::uint16_t>(d::side_data | access), r.id);
  jobs_.push_back({Work::data, now_, line, LineState::invalid, r.id});
}

// The walker reads the entry of the page directory, then that of the table, which lies in the tables as a linear array.
// It sets the bit Accessed with the first walk of a page, and Dirty with the first one for a store.
void CachesModel::translate(const CycleView& view, const Occurrence& o) {
  if (!walks_ || (o.detail & d::tlb_walk) == 0) return;
  const activity::RequestRecord& r = view.request(o);
  const bool data = (o.detail & d::side_data) != 0;
  // The second page of a reference is translated after its first half has been probed.
  const bool second = data && first_half_ == r.id && r.size != 0;
  const std::uint64_t page = (second ? r.address + r.size - 1 : r.address) / page_bytes;
  bool rewrite = false;
  if (data) {
    const bool writes = r.store && !r.wrong_path;
    rewrite = accessed_.insert(page).second;
    if (writes) rewrite |= dirty_.insert(page).second;
  }
  const std::uint64_t own_entry = page_tables_ + page_tables_ / page_bytes * 4;
  jobs_.push_back({Work::walk, now_, (own_entry + page / 1024 * 4) / line_bytes, LineState::invalid, 0, data});
  jobs_.push_back({Work::walk, now_, (page_tables_ + page * 4) / line_bytes, LineState::invalid, 0, data, rewrite});
}

void CachesModel::fetch(const CycleView& view, const Occurrence& o) {
  const activity::RequestRecord& r = view.request(o);
  address_ = r.address;
  const std::uint64_t line = line_of(address_);
  const bool wrong = (o.detail & d::access_wrong_path) != 0;
  std::uint16_t result = d::lookup_miss;
  if (l1i_.holds(line, address_ / line_bytes)) {
    result = d::lookup_hit;
    l1i_.use(line);
  } else if (fill_of(line, false) != nullptr) {
    result = d::lookup_pending;
  } else {
    start_code_fill(view, address_, r.id, false, wrong);
    // The next line comes with it (22007E p. 131), but not from another page, because its translation was not
    // requested.
    const std::uint64_t next = (address_ / line_bytes + 1) * line_bytes;
    const bool ends_page = next % page_bytes == 0;
    const auto code = std::count_if(fills_.begin(), fills_.end(), [](const Fill& f) { return !f.data; });
    if (prefetches_ && code < 4 && fill_of(line + 1, false) == nullptr && !l1i_.holds(line + 1)) {
      page_ends += ends_page ? 1 : 0;
      if (!ends_page) start_code_fill(view, next, 0, true, wrong);
    }
  }
  ++number_;
  ++compared_[static_cast<std::size_t>(Signal::fetch)];
  if ((o.detail & d::lookup_mask) != result) {
    fail(fmt::format("window {} of L1I gives {:x}, wanted {:x}; {}", number_, o.detail & d::lookup_mask, result,
                     held(address_)));
  }
}

void CachesModel::start_code_fill(const CycleView& view, std::uint64_t address, std::uint64_t request, bool prefetch,
                                  bool wrong) {
  if (prefetch) {  // a request of its own, whose number only activity knows
    for (const Occurrence& o : view.of(Signal::line_request)) {
      const bool is_it = (o.detail & d::access_prefetch) != 0 && (o.detail & d::side_data) == 0;
      if (is_it && view.request(o).address == address) request = view.request(o).id;
    }
  }
  const std::uint64_t line = line_of(address);
  Fill fill;
  fill.request = request;
  fill.line = line;
  fill.index = address / line_bytes;
  fill.prefetch = prefetch;
  fill.wrong_path = wrong;
  fill.install = LineState::shared;
  if (l1i_.holds(line)) {  // under another virtual index
    expect(Signal::cross_invalidate, 0, request);
    leave_l1i(line, 0);
  }
  if (l1d_.holds(line) && fill_of(line, true) == nullptr) {
    expect(Signal::cross_invalidate, d::cross_from_data, request);
    leave_l1d(line, d::evict_to_l2);
  }
  fills_.push_back(fill);
  expect(
      Signal::line_request,
      static_cast<std::uint16_t>((prefetch ? d::access_prefetch : d::access_load) | (wrong ? d::access_wrong_path : 0)),
      request);
  jobs_.push_back({Work::code, now_, line, LineState::invalid, request});
}

void CachesModel::leave_l1d(std::uint64_t line, std::uint16_t why) {
  const LineState state = l1d_.state(line);
  l1d_.remove(line);
  expect(Signal::line_evict, left(d::cache_l1d, state, why));
  if ((why & d::evict_to_l2) != 0) jobs_.push_back({Work::victim, now_, line, state});
}

void CachesModel::leave_l1i(std::uint64_t line, std::uint16_t why) {
  expect(Signal::line_evict, left(d::cache_l1i, l1i_.state(line), why));
  l1i_.remove(line);
}

void CachesModel::take_from_l1i(std::uint64_t line) {
  if (!l1i_.holds(line)) return;
  expect(Signal::cross_invalidate, d::cross_by_data);
  leave_l1i(line, 0);
}

void CachesModel::fail(const std::string& what) {
  if (!error_.empty()) return;
  error_ = fmt::format("cycle {}, address {:x}: {}", now_, address_, what);
}

std::string CachesModel::held(std::uint64_t address) {
  const std::uint64_t line = line_of(address);
  const auto state = [&](LineLists& cache) { return static_cast<unsigned>(cache.state(line)); };
  return fmt::format("the model has it in L1I {}, L1D {}, L2 {} (0 I, 1 S, 2 E, 3 O, 4 M), under way {}", state(l1i_),
                     state(l1d_), state(l2_), fill_of(line, true) != nullptr || fill_of(line, false) != nullptr);
}

}  // namespace pmusim::testbench::athlon_lists
