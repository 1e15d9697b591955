#include "testbench/tests/list_models/ppc750_caches.h"

#include <fmt/format.h>

namespace pmusim::testbench::ppc750_lists {

namespace d = activity::detail;

namespace {

constexpr auto write_back = static_cast<std::uint16_t>(activity::MemoryType::write_back);

}  // namespace

const std::uint16_t CachesModel::bus_read = write_back | d::bus_dram;
const std::uint16_t CachesModel::bus_write = write_back | d::bus_dram | d::bus_write;

CachesModel::CachesModel(const models::Parameters& p)
    : l1i_(number(p, "core.l1i.sets")),
      l1d_(number(p, "core.l1d.sets")),
      l2_(number(p, "core.l2.sets")),
      l2_latency_(number(p, "core.l2.latency")),
      castout_cycles_(number(p, "core.l2.write_cycles")),
      memory_latency_(number(p, "core.memory_latency")),
      line_rest_(number(p, "core.memory_line_rest")),
      page_table_(number(p, "core.page_table")),
      data_misses_(number(p, "core.l1d.misses")),
      l2_misses_(number(p, "core.l2.misses")),
      push_retries_(p.get("core.snoop_push_retries") != 0) {}

CachesModel::Miss* CachesModel::miss_of(std::uint64_t line, bool code) {
  for (Miss& miss : misses_) {
    if (miss.line == line && miss.code == code) return &miss;
  }
  return nullptr;
}

std::size_t CachesModel::bus_reads() const {
  return static_cast<std::size_t>(
      std::count_if(misses_.begin(), misses_.end(), [](const Miss& m) { return m.on_bus; }));
}

// --- a cycle, in the documented order: stimulus, memory, cache access, oldest store, fetch -----------------

bool CachesModel::step(const CycleView& view) {
  for (auto& list : expected_) list.clear();
  advance_l2(view.cycle);
  now_ = view.cycle;
  for (std::size_t i = 0; i < view.of(Signal::snoop).size(); ++i) snoop();
  arrive(view);
  work_l2(view);
  for (const Occurrence& o : view.of(Signal::dcache_lookup)) look_up(view, o);
  invalidate_instructions(view);
  for (const Occurrence& o : view.of(Signal::fetch)) fetch(view, o);
  compare(view, Signal::line_request, "request of a block");
  compare(view, Signal::line_evict, "block that leaves");
  compare(view, Signal::l2_lookup, "lookup of L2");
  compare(view, Signal::bus_request, "bus request");
  compare(view, Signal::snoop, "snoop");
  return error_.empty();
}

void CachesModel::finish() {
  if (!error_.empty()) return;
  for (auto& list : expected_) list.clear();
  advance_l2(activity::never);
  if (!misses_.empty()) fail("a block never arrives");
  if (!jobs_.empty()) fail("L2 has not done all of its work");
  if (!snoops_.empty()) fail("a snoop of the trace did not happen");
  while (!stores_.empty() && stores_.front().kind == StoreKind::invalidate_instruction) stores_.pop_front();
  if (!stores_.empty()) fail(fmt::format("{} stores were not written", stores_.size()));
}

// UM 3.6.4, Table 3-5. The states are MEI: a read of others is as bad as a write. A block on its way is answered with a
// retry, and so is a push. L2 keeps nothing that L1D has changed since.
void CachesModel::snoop() {
  if (snoops_.empty()) return fail("a snoop that the trace does not have");
  std::string kind = snoops_.front().kind;
  address_ = snoops_.front().address;
  snoops_.pop_front();
  if (kind.ends_with("-now")) kind.resize(kind.size() - 4);
  const bool others_retry = kind.ends_with("-retried");
  if (others_retry) kind.resize(kind.size() - 8);
  const std::uint64_t line = address_ / line_bytes;
  const LineState data = l1d_.state(line), second = l2_.state(line);
  unsigned detail = (l1i_.holds(line) ? d::snoop_hits_l1i : 0u) |
                    (data != LineState::invalid ? d::snoop_hits_l1d : 0u) |
                    (second != LineState::invalid ? d::snoop_hits_l2 : 0u);
  const bool castout = std::any_of(jobs_.begin(), jobs_.end(),
                                   [line](const L2Job& job) { return job.work == Work::castout && job.line == line; });
  if (others_retry || castout || miss_of(line, false) != nullptr || miss_of(line, true) != nullptr) {
    ++retries;
    return expect(Signal::snoop, bits(detail | d::snoop_retried));
  }
  if (kind == "clean" || kind == "flush") return expect(Signal::snoop, bits(detail));  // no action is taken
  const bool pushes_l1 = kind != "write_kill" && data == LineState::modified;
  const bool pushes_l2 = kind != "write_kill" && !pushes_l1 && second == LineState::modified;
  if (data != LineState::invalid || second != LineState::invalid) detail |= d::snoop_invalidates;
  if (pushes_l1 || pushes_l2) {
    ++pushes;
    if (push_retries_) detail |= d::snoop_retried;
    if (pushes_l2) detail |= d::snoop_pushed_modified_l2;
    write_bus();
  }
  expect(Signal::snoop, bits(detail));
  if (data != LineState::invalid) {
    expect(Signal::line_evict, left(d::cache_l1d, data, d::evict_snoop));
    l1d_.mark(line, LineState::invalid);
  }
  if (second != LineState::invalid) {
    if (!pushes_l1) expect(Signal::line_evict, left(d::cache_l2, second, d::evict_snoop));
    l2_.invalidate(line);
  }
}

// --- blocks that arrive ------------------------------------------------------------------------------------

void CachesModel::arrive(const CycleView& view) {
  for (const Occurrence& o : view.of(Signal::line_fill)) {
    address_ = view.request(o).address;
    if (address_ >= page_table_) continue;  // of a table search, which takes its block at once
    const bool code = (o.detail & d::side_data) == 0;
    Miss* const pending_miss = miss_of(address_ / line_bytes, code);
    if (pending_miss == nullptr) return fail("a block that was not requested");
    const Miss miss = *pending_miss;
    if (miss.due != now_) return fail(fmt::format("a block that should arrive in cycle {}", miss.due));
    if (miss.on_bus && bus_reads() == l2_misses_) room_since_ = now_;
    misses_.erase(misses_.begin() + (pending_miss - misses_.data()));
    // A block from memory goes to L1 and L2.
    if (miss.on_bus && l2_.state(miss.line) == LineState::invalid) add_to_l2(miss.line, LineState::exclusive);
    L1& l1 = code ? l1i_ : l1d_;
    for (StoreWork& work : stores_) {
      if (!code || work.kind != StoreKind::invalidate_instruction) break;
      work.refilled |= &l1i_.set(work.address / line_bytes) == &l1i_.set(miss.line);
    }
    const bool modified = miss.own || l1.state(miss.line) == LineState::modified;
    const LineState state = modified ? LineState::modified : LineState::exclusive;
    const auto gone = l1.add(miss.line, state);
    const auto wanted = bits((code ? 0u : d::side_data) | static_cast<unsigned>(miss.found) << d::fill_found_shift |
                             static_cast<unsigned>(state) << d::fill_installed_shift);
    ++compared_[static_cast<std::size_t>(Signal::line_fill)];
    if (o.detail != wanted) wrong_result("fill", o.detail, wanted);
    if (!code) {
      leaves_l1d(gone);
    } else if (gone) {
      expect(Signal::line_evict, left(d::cache_l1i, gone->state, d::evict_replacement));
    }
  }
}

// UM 3.5.1: a modified block is written to L2 when the load that replaces it has completed.
void CachesModel::leaves_l1d(const std::optional<L1Set::Block>& gone) {
  if (!gone) return;
  const bool modified = gone->state == LineState::modified;
  expect(Signal::line_evict,
         left(d::cache_l1d, gone->state, bits(d::evict_replacement | (modified ? d::evict_to_l2 : 0u))));
  if (!modified) return;
  ++castouts;
  jobs_.push_back({Work::castout, now_ + 1, gone->line});
}

// --- L1 ----------------------------------------------------------------------------------------------------

void CachesModel::look_up(const CycleView& view, const Occurrence& o) {
  address_ = view.request(o).address;
  const std::uint64_t line = address_ / line_bytes;
  ++number_;
  ++compared_[static_cast<std::size_t>(Signal::dcache_lookup)];
  if ((o.detail & d::access_walk) != 0) return walk(line, o.detail);
  const bool touch = (o.detail & d::access_prefetch) != 0, store = (o.detail & d::access_store) != 0;
  if (store || (!touch && (o.detail & d::access_cache_operation) != 0)) {
    take_store(address_, o.detail);
    if (!store || !error_.empty()) return;
  }
  unsigned wanted = d::lookup_miss;
  if (l1d_.holds(line)) {
    wanted = d::lookup_hit;
    l1d_.use(line);
    if (store) l1d_.mark(line, LineState::modified);
  } else if (Miss* const miss = miss_of(line, false)) {
    wanted = d::lookup_pending;
    ++pending;
    miss->own |= store;
  } else {
    const auto data = std::count_if(misses_.begin(), misses_.end(), [](const Miss& m) { return !m.code; });
    if (static_cast<std::size_t>(data) == data_misses_) return fail("more data misses than there may be");
    const auto access = bits(o.detail & ~(d::lookup_mask | d::side_data));
    misses_.push_back({line, false, access, store});
    expect(Signal::line_request, bits(d::side_data | access), line);
    jobs_.push_back({Work::read, now_ + 1, line});
  }
  if ((o.detail & d::lookup_mask) != wanted) wrong_result("lookup of L1D", o.detail & d::lookup_mask, wanted);
}

// The search of the page table reads an entry as a load does, and has it at once.
void CachesModel::walk(std::uint64_t line, std::uint16_t detail) {
  ++walks;
  constexpr unsigned access = d::side_data | d::access_load | d::access_walk;
  const bool hit = l1d_.holds(line);
  if (detail != (access | result_of(hit))) wrong_result("lookup of L1D by a search", detail, access | result_of(hit));
  if (hit) return l1d_.use(line);
  expect(Signal::line_request, access, line);
  const bool hit_l2 = l2_.state(line) != LineState::invalid;
  expect(Signal::l2_lookup, bits(access | result_of(hit_l2)), line);
  if (hit_l2) {
    l2_.use(line);
  } else {
    expect(Signal::bus_request, bus_read, line);
    add_to_l2(line, LineState::exclusive);
  }
  leaves_l1d(l1d_.add(line, LineState::exclusive));
}

void CachesModel::take_store(std::uint64_t address, std::uint16_t detail) {
  skip_invalidations(0);
  const bool operation = (detail & d::access_cache_operation) != 0;
  if (stores_.empty() || stores_.front().address != address ||
      (stores_.front().kind != StoreKind::store) != operation) {
    return fail(fmt::format("a store out of order; the program's next one is to {:x}",
                            stores_.empty() ? 0 : stores_.front().address));
  }
  const StoreWork work = stores_.front();
  stores_.pop_front();
  if (!operation) return;
  const unsigned wanted = d::side_data | d::access_cache_operation | result_of(l1d_.holds(address / line_bytes));
  if (detail != wanted) wrong_result("lookup of L1D by a cache operation", detail, wanted);
  operate(work);
}

// UM 3.4.2: dcbz makes the block Modified; dcbst writes a modified block back, which is Exclusive then; dcbf writes it
// back and drops it; dcbi drops it.
void CachesModel::operate(const StoreWork& work) {
  const std::uint64_t line = work.address / line_bytes;
  const LineState state = l1d_.state(line);
  if (work.kind == StoreKind::zero) {
    if (state != LineState::invalid) {
      l1d_.use(line);
      return l1d_.mark(line, LineState::modified);
    }
    leaves_l1d(l1d_.add(line, LineState::modified));
    return jobs_.push_back({Work::operate, now_ + 1, line, false, work.kind});
  }
  const bool pushes_it = state == LineState::modified && work.kind != StoreKind::invalidate;
  if (pushes_it) expect(Signal::bus_request, bus_write, line);
  if (pushes_it && work.kind == StoreKind::store_back) l1d_.mark(line, LineState::exclusive);
  if (state != LineState::invalid && work.kind != StoreKind::store_back) {
    expect(Signal::line_evict, left(d::cache_l1d, state, d::evict_cache_operation), line);
    l1d_.mark(line, LineState::invalid);
  }
  jobs_.push_back({Work::operate, now_ + 1, line, false, work.kind, pushes_it});
}

// UM 3.4.2.6: icbi looks up with the index only; all ways of the set become invalid.
void CachesModel::invalidate_instructions(const CycleView& view) {
  const auto evicts = view.of(Signal::line_evict);
  const auto first = std::find_if(evicts.begin(), evicts.end(), [](const Occurrence& o) {
    return (o.detail & d::cache_mask) == d::cache_l1i && (o.detail & d::evict_cache_operation) != 0;
  });
  if (first == evicts.end()) return;
  address_ = view.request(*first).address;
  const std::uint64_t line = address_ / line_bytes;
  skip_invalidations(address_);
  if (stores_.empty() || stores_.front().address != address_) return fail("code leaves L1I without an icbi");
  stores_.pop_front();
  for (auto& block : l1i_.set(line).blocks()) {
    if (block.state == LineState::invalid) continue;
    expect(Signal::line_evict, left(d::cache_l1i, block.state, d::evict_cache_operation), line);
    block.state = LineState::invalid;
  }
}

// The next ones up to an icbi of this address left no trace: they must have found nothing.
void CachesModel::skip_invalidations(std::uint64_t address) {
  while (!stores_.empty() && stores_.front().kind == StoreKind::invalidate_instruction) {
    const StoreWork& icbi = stores_.front();
    const auto& blocks = l1i_.set(icbi.address / line_bytes).blocks();
    const bool found =
        std::any_of(blocks.begin(), blocks.end(), [](const L1Set::Block& b) { return b.state != LineState::invalid; });
    if (icbi.address == address && found) return;
    if (found && !icbi.refilled) return fail(fmt::format("icbi {:x} did nothing", icbi.address));
    stores_.pop_front();
  }
}

void CachesModel::fetch(const CycleView& view, const Occurrence& o) {
  address_ = view.request(o).address;
  const std::uint64_t line = address_ / line_bytes;
  ++number_;
  ++compared_[static_cast<std::size_t>(Signal::fetch)];
  unsigned wanted = d::lookup_miss;
  if (l1i_.holds(line)) {
    wanted = d::lookup_hit;
    l1i_.use(line);
  } else if (miss_of(line, true) != nullptr) {
    wanted = d::lookup_pending;
  } else {
    if (std::any_of(misses_.begin(), misses_.end(), [](const Miss& m) { return m.code; }))
      return fail("a second miss of the instruction cache");
    misses_.push_back({line, true, 0});
    expect(Signal::line_request, 0, line);
    jobs_.push_back({Work::read, now_ + 1, line, true});
  }
  if (o.detail != wanted) wrong_result("fetch", o.detail, wanted);
}

}  // namespace pmusim::testbench::ppc750_lists
