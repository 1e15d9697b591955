// The part of the model beyond L1: snoops, the work of L2 and of the bus in their order, and the comparison.
#include <fmt/format.h>

#include "testbench/tests/list_models/athlon_caches.h"

namespace pmusim::testbench::athlon_lists {

namespace d = activity::detail;
using activity::L2Requester;

namespace {
/// MOESI, what a read of another processor leaves: the data stay, but no longer alone.
LineState after_read(LineState state) {
  if (state == LineState::modified) return LineState::owned;
  return state == LineState::exclusive ? LineState::shared : state;
}
std::uint16_t tag_read(L2Requester who) { return static_cast<std::uint16_t>(who); }
std::uint16_t tag_write(L2Requester who) { return tag_read(who) | d::l2_array_write; }
std::uint16_t data_read(L2Requester who) { return tag_read(who) | d::l2_array_data; }
std::uint16_t data_write(L2Requester who) { return data_read(who) | d::l2_array_write; }
std::uint16_t side_and_kind(bool data, bool store, bool prefetch) {
  const unsigned kind = store ? d::access_store : prefetch ? d::access_prefetch : d::access_load;
  return static_cast<std::uint16_t>((data ? d::side_data : 0) | kind);
}
}  // namespace

// Each cache that has the line answers. A read leaves it everywhere, an invalidation nowhere.
void CachesModel::snoop(const CycleView& view) {
  for (std::size_t i = 0; i < view.of(Signal::snoop).size(); ++i) {
    if (snoops_.empty()) return fail("a snoop that the trace does not have");
    const Snoop s = snoops_.front();
    snoops_.pop_front();
    address_ = s.address;
    const std::uint64_t line = line_of(s.address);
    std::uint16_t detail = s.invalidates ? d::snoop_invalidates : std::uint16_t{0};
    if (l1i_.holds(line)) {
      detail |= d::snoop_hits_l1i;
      if (s.invalidates) leave_l1i(line, d::evict_snoop);
    }
    if (l1d_.holds(line) && fill_of(line, true) == nullptr) {
      detail |= d::snoop_hits_l1d;
      LineState& state = l1d_.find(line)->state;
      if (s.invalidates) {
        expect(Signal::line_evict, left(d::cache_l1d, state, d::evict_snoop));
        l1d_.remove(line);
      } else {
        state = after_read(state);
      }
    }
    if (l2_.holds(line)) {
      detail |= d::snoop_hits_l2;
      LineState& state = l2_.find(line)->state;
      if (s.invalidates) {
        if (state == LineState::modified) detail |= d::snoop_pushed_modified_l2;
        expect(Signal::line_evict, left(d::cache_l2, state, d::evict_snoop));
        l2_.remove(line);
      } else {
        state = after_read(state);
      }
    }
    // A victim that waits for L2 is as good as in it.
    const auto waits = [line](const Job& job) { return job.work == Work::victim && job.line == line; };
    if (const auto job = std::find_if(jobs_.begin(), jobs_.end(), waits); job != jobs_.end()) {
      detail |= d::snoop_hits_l2;
      job->state = after_read(job->state);
      if (s.invalidates) jobs_.erase(job);
    }
    expect(Signal::snoop, detail);
  }
}

// L2 has one port and does what it is asked in order, one thing a cycle, not in the cycle in which it is asked.
void CachesModel::work_l2(const CycleView& view) {
  if (view.of(Signal::l2_lookup).empty() && view.of(Signal::l2_array).empty()) return;
  if (jobs_.empty()) return fail("L2 works without a request");
  const Job job = jobs_.front();
  jobs_.pop_front();
  address_ = job.line * line_bytes;
  const Cycle start = std::max(job.entered + 1, l2_free_);
  if (start != now_) return fail(fmt::format("L2 should start this in cycle {}", start));
  switch (job.work) {
    case Work::data:
    case Work::code: {
      Fill* const fill = fill_of(job.line, job.work == Work::data);
      if (fill == nullptr) return fail("a lookup of L2 for no fill");
      job.work == Work::data ? look_up_data(*fill) : look_up_code(*fill);
      break;
    }
    case Work::walk:
      look_up_walk(job);
      break;
    case Work::victim:
      expect(Signal::l2_array, tag_write(L2Requester::data_cache));
      expect(Signal::l2_array, data_write(L2Requester::data_cache));
      install_l2(job.line, job.state);
      break;
    case Work::install: {
      expect(Signal::l2_array, tag_write(L2Requester::system));
      expect(Signal::l2_array, data_write(L2Requester::system));
      if (job.rewrite) expect(Signal::l2_array, data_write(L2Requester::l2));
      // What L2 has changed itself is newer than what the system has sent.
      const bool newer = job.rewrite || dirty(l2_.state(job.line));
      install_l2(job.line, newer ? LineState::modified : job.state);
      break;
    }
  }
}

// L2 is exclusive: what L1D gets from it, it no longer has.
void CachesModel::look_up_data(Fill& fill) {
  fill.found = l2_.state(fill.line);
  fill.looked_up = true;
  l2_.remove(fill.line);
  const bool hit = fill.found != LineState::invalid;
  expect(Signal::l2_lookup,
         static_cast<std::uint16_t>(side_and_kind(true, fill.store, fill.prefetch) |
                                    (hit ? d::lookup_hit : d::lookup_miss)),
         fill.request);
  expect(Signal::l2_array, tag_read(fill.store ? L2Requester::store : L2Requester::load), fill.request);
  if (!hit) {
    const auto answer = answers_.find(fill.line);
    fill.install = fill.owns ? LineState::modified : answer == answers_.end() ? LineState::exclusive : answer->second;
    l2_free_ = now_ + 1;
    bus_.push_back({now_, false, true, fill.request, false, false, fill.line});
    return;
  }
  expect(Signal::l2_array, data_read(fill.store ? L2Requester::store : L2Requester::load), fill.request);
  expect(Signal::l2_array, tag_write(fill.store ? L2Requester::store : L2Requester::load), fill.request);
  l2_free_ = now_ + transfer_;
  fill.due = now_ + l2_latency_;
  fill.install = fill.owns ? LineState::modified : fill.found;
  if (fill.owns && (fill.found == LineState::shared || fill.found == LineState::owned)) {
    ++upgrades;
    bus_.push_back({now_, false, false});
  }
}

void CachesModel::look_up_code(Fill& fill) {
  fill.found = l2_.state(fill.line);
  fill.looked_up = true;
  const bool hit = fill.found != LineState::invalid;
  expect(
      Signal::l2_lookup,
      static_cast<std::uint16_t>(side_and_kind(false, false, fill.prefetch) | (hit ? d::lookup_hit : d::lookup_miss)),
      fill.request);
  expect(Signal::l2_array, tag_read(L2Requester::fetch), fill.request);
  l2_free_ = now_ + (hit ? transfer_ : 1);
  if (!hit) return bus_.push_back({now_, false, true, fill.request, false, false, fill.line});
  expect(Signal::l2_array, data_read(L2Requester::fetch), fill.request);
  l2_.use(fill.line);
  fill.due = now_ + l2_latency_;
}

void CachesModel::look_up_walk(const Job& job) {
  const bool hit = l2_.holds(job.line);
  expect(Signal::l2_lookup, static_cast<std::uint16_t>(side_and_kind(job.data_side, false, false) | d::access_walk |
                                                       (hit ? d::lookup_hit : d::lookup_miss)));
  expect(Signal::l2_array, tag_read(L2Requester::load));
  l2_free_ = now_ + (hit ? transfer_ : 1);
  if (!hit) return bus_.push_back({now_, false, true, {}, true, job.rewrite, job.line});
  expect(Signal::l2_array, data_read(L2Requester::load));
  l2_.use(job.line);
  if (!job.rewrite) return;
  expect(Signal::l2_array, data_write(L2Requester::l2));
  l2_.find(job.line)->state = LineState::modified;
}

void CachesModel::install_l2(std::uint64_t line, LineState state) {
  l2_free_ = now_ + transfer_;
  const auto gone = l2_.add(line, line, state);
  if (!gone) return;
  expect(Signal::line_evict, left(d::cache_l2, gone->state, d::evict_replacement));
  if (dirty(gone->state)) bus_.push_back({now_, true, true});
}

// One request at a time, in the order in which they were made.
void CachesModel::work_bus(const CycleView& view) {
  if (view.of(Signal::bus_request).empty()) return;
  if (bus_.empty()) return fail("a bus request without a cause");
  const BusJob job = bus_.front();
  bus_.pop_front();
  const Cycle start = std::max(job.entered, bus_free_);
  if (start != now_) return fail(fmt::format("the bus should carry this in cycle {}", start));
  bus_free_ = now_ + (job.whole_line ? bus_line_ : bus_clock_);
  constexpr auto write_back = static_cast<unsigned>(activity::MemoryType::write_back);
  expect(Signal::bus_request, static_cast<std::uint16_t>(write_back | d::bus_dram | (job.write ? d::bus_write : 0)),
         job.request);
  if (job.walk) returns_.push_back({now_ + memory_latency_, job.line, job.rewrite});
  if (!job.request) return;
  for (Fill& fill : fills_) {
    if (fill.request == *job.request && fill.line == job.line) fill.due = now_ + memory_latency_;
  }
}

void CachesModel::compare(const CycleView& view, Signal signal, const char* name) {
  const auto& wanted = expected_[static_cast<std::size_t>(signal)];
  const auto got = view.of(signal);
  compared_[static_cast<std::size_t>(signal)] += got.size();
  const auto text = [&](std::size_t i) {
    const std::string a =
        i < got.size() ? fmt::format("{:x} of request {}", got[i].detail, view.request(got[i]).id) : "none";
    const std::string b = i >= wanted.size()  ? "none"
                          : wanted[i].request ? fmt::format("{:x} of request {}", wanted[i].detail, *wanted[i].request)
                                              : fmt::format("{:x}", wanted[i].detail);
    if (i < got.size() && got[i].ref != activity::no_ref) address_ = view.request(got[i]).address;
    return fmt::format("{} {} is {}, wanted {}; {}", name, i, a, b, held(address_));
  };
  for (std::size_t i = 0; i < std::max(got.size(), wanted.size()); ++i) {
    if (i >= got.size() || i >= wanted.size() || got[i].detail != wanted[i].detail ||
        (wanted[i].request && (got[i].ref == activity::no_ref || view.request(got[i]).id != *wanted[i].request))) {
      return fail(text(i));
    }
  }
}

}  // namespace pmusim::testbench::athlon_lists
