// The part of the model beyond L1, and the comparison.
#include <fmt/format.h>

#include "testbench/tests/list_models/ppc750_caches.h"

namespace pmusim::testbench::ppc750_lists {

namespace d = activity::detail;

// --- L2: one request at a time, in order -------------------------------------------------------------------

// Castouts that leave no trace in activity.
void CachesModel::advance_l2(Cycle now) {
  while (!jobs_.empty() && jobs_.front().work == Work::castout) {
    const Cycle start = std::max(jobs_.front().earliest, l2_free_);
    if (start >= now) return;
    now_ = start;
    castout_to_l2(jobs_.front().line);
    jobs_.pop_front();
    if (!expected_[static_cast<std::size_t>(Signal::line_evict)].empty())
      fail("something should leave L2 for a castout");
  }
}

void CachesModel::work_l2(const CycleView& view) {
  const bool looks_up = std::any_of(view.of(Signal::l2_lookup).begin(), view.of(Signal::l2_lookup).end(),
                                    [](const Occurrence& o) { return (o.detail & d::access_walk) == 0; });
  if (jobs_.empty()) return looks_up ? fail("L2 works without a request") : void();
  const L2Job job = jobs_.front();
  const Cycle start = std::max(job.earliest, l2_free_);
  if (job.work == Work::castout) {
    if (start != now_) return looks_up ? fail("L2 does not work in order") : void();
    jobs_.pop_front();
    return castout_to_l2(job.line);
  }
  if (!looks_up) return;
  jobs_.pop_front();
  address_ = job.line * line_bytes;
  // A miss waits until one of those on the bus has come back.
  const bool waited = job.work == Work::read && l2_.state(job.line) == LineState::invalid && room_since_ == now_;
  if (start != now_ && !(start < now_ && waited)) return fail(fmt::format("L2 should start this in cycle {}", start));
  job.work == Work::read ? read_l2(job) : operate_l2(job);
}

void CachesModel::read_l2(const L2Job& job) {
  Miss* const miss = miss_of(job.line, job.code);
  if (miss == nullptr) return fail("L2 reads for no miss");
  miss->found = l2_.state(job.line);
  const bool hit = miss->found != LineState::invalid;
  expect(Signal::l2_lookup, bits((job.code ? 0u : d::side_data) | miss->access | result_of(hit)), job.line);
  l2_free_ = now_ + 1;
  if (hit) {
    l2_.use(job.line);
    miss->due = now_ + l2_latency_;
    return;
  }
  if (bus_reads() == l2_misses_) return fail("more misses on the bus than there may be");
  expect(Signal::bus_request, bus_read, job.line);
  miss->on_bus = true;
  miss->due = std::max(now_ - 1 + memory_latency_, bus_free_) + 1 + line_rest_;
  bus_free_ = miss->due;
}

void CachesModel::castout_to_l2(std::uint64_t line) {
  l2_free_ = now_ + castout_cycles_;
  add_to_l2(line, LineState::modified);
}

// UM 9.2: the modified sectors of a tag that gives way go to the bus.
void CachesModel::add_to_l2(std::uint64_t line, LineState state) {
  const auto gone = l2_.add(line, state);
  if (!gone) return;
  for (const LineState sector : gone->sectors) {
    if (sector == LineState::invalid) continue;
    expect(Signal::line_evict, left(d::cache_l2, sector, d::evict_replacement));
    if (sector != LineState::modified) continue;
    ++l2_castouts;
    write_bus();
  }
}

// UM 9.2 (p. 328): what dcbf and dcbst have pushed from L1 makes the sector of L2 invalid; otherwise L2 pushes its own,
// and dcbf invalidates it. UM 9.6: dcbz does not change L2, dcbi invalidates.
void CachesModel::operate_l2(const L2Job& job) {
  const LineState state = l2_.state(job.line);
  l2_free_ = now_ + 1;
  expect(Signal::l2_lookup, bits(d::side_data | d::access_cache_operation | result_of(state != LineState::invalid)),
         job.line);
  if (state == LineState::invalid || job.kind == StoreKind::zero) return;
  const bool pushes_it = state == LineState::modified && !job.pushed && job.kind != StoreKind::invalidate;
  if (pushes_it) expect(Signal::bus_request, bus_write, job.line);
  if (job.kind == StoreKind::store_back && !job.pushed) {
    if (state == LineState::modified) l2_.mark(job.line, LineState::exclusive);
    return;
  }
  expect(Signal::line_evict, left(d::cache_l2, state, d::evict_cache_operation), job.line);
  l2_.invalidate(job.line);
}

// --- comparison --------------------------------------------------------------------------------------------

void CachesModel::compare(const CycleView& view, Signal signal, const char* name) {
  const auto& wanted = expected_[static_cast<std::size_t>(signal)];
  const auto got = view.of(signal);
  compared_[static_cast<std::size_t>(signal)] += got.size();
  for (std::size_t i = 0; i < std::max(got.size(), wanted.size()); ++i) {
    const bool named = i < got.size() && got[i].ref != activity::no_ref;
    const std::uint64_t line = named ? view.request(got[i]).address / line_bytes : 0;
    const bool same = i < got.size() && i < wanted.size() && got[i].detail == wanted[i].detail &&
                      (wanted[i].line == 0 || wanted[i].line == line);
    if (same) continue;
    const auto text = [](bool there, unsigned detail, std::uint64_t of) {
      return there ? fmt::format("{:x} of block {:x}", detail, of * line_bytes) : std::string("none");
    };
    if (named) address_ = view.request(got[i]).address;
    const std::string is = text(i < got.size(), i < got.size() ? got[i].detail : 0, line);
    const std::string should =
        text(i < wanted.size(), i < wanted.size() ? wanted[i].detail : 0, i < wanted.size() ? wanted[i].line : 0);
    return fail(fmt::format("{} {} is {}, wanted {}; {}", name, i, is, should, held()));
  }
}

void CachesModel::wrong_result(const char* what, unsigned got, unsigned wanted) {
  fail(fmt::format("{} (access {}) gives {:x}, wanted {:x}; {}", what, number_, got, wanted, held()));
}

void CachesModel::fail(const std::string& what) {
  if (error_.empty()) error_ = fmt::format("cycle {}, address {:x}: {}", now_, address_, what);
}

std::string CachesModel::held() {
  const std::uint64_t line = address_ / line_bytes;
  return fmt::format("the model has it in L1I {}, L1D {}, L2 {} (0 I, 2 E, 4 M), under way {}",
                     static_cast<unsigned>(l1i_.state(line)), static_cast<unsigned>(l1d_.state(line)),
                     static_cast<unsigned>(l2_.state(line)),
                     miss_of(line, false) != nullptr || miss_of(line, true) != nullptr);
}

}  // namespace pmusim::testbench::ppc750_lists
