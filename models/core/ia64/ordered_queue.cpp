// The path of an entry through L2's ordered queue: every cancelled attempt with its cause, and every recirculation.
// docs/targets/itanium2-core.md lists the rules; Intel documents none of them.
#include <span>

#include "models/core/ia64/fetch_memory.h"
#include "models/core/ia64/hierarchy.h"

namespace pmusim::core::ia64 {

namespace d = activity::detail;
namespace dd = act::detail;
namespace qc = act::queue_cancel;
using act::FetchCancel;
using act::LinePhase;
using act::QueueCancel;
using act::QueueStage;
using act::Recirculate;

namespace {

constexpr Cycle store_pipe = 4;    ///< a store is in the arrays for so long
constexpr Cycle round_cycles = 4;  ///< the way round
constexpr Cycle correction = 6;    ///< correcting a line

std::uint16_t code(QueueCancel why, std::uint16_t facts) { return static_cast<std::uint16_t>(why) | facts; }

}  // namespace

std::optional<Hierarchy::Obstacle> Hierarchy::ordering(const Entry& e, Cycle at) const {
  const auto wait = [](QueueCancel why, Cycle until, std::uint16_t facts = 0) { return Obstacle{why, until, facts}; };
  const Order& o = order();
  if (at < o.sync_until) return wait(QueueCancel::sync, o.sync_until);
  if (at < o.fence_until) return wait(QueueCancel::fence, o.fence_until);
  if (at < o.acquire_until) {
    const std::uint16_t adjacent = e.enters <= o.acquire_entered + 1 ? qc::adjacent : 0;
    const bool late = e.attempts == 0 && adjacent != 0;
    return wait(QueueCancel::acquire, late ? at + 1 : o.acquire_until, adjacent);
  }
  if (e.access->more.release && at < o.all_done) {
    return wait(QueueCancel::release, e.attempts == 0 ? at + 1 : o.all_done);
  }
  if (e.bypasses && e.attempts == 0 && at < o.release_until && e.enters <= o.release_entered + 1) {
    return wait(QueueCancel::bypass_of_release, at + 1);
  }
  if (e.purpose == Purpose::semaphore && at < o.compare_value_until)
    return wait(QueueCancel::compare_value, o.compare_value_until);
  if (at < o.semaphore_until) return wait(QueueCancel::semaphore, o.semaphore_until);
  // Acquires and releases of the other thread do not hold a request, but the queue notices that only by cancelling an
  // attempt.
  const Order& sibling = orders_[1 - thread_];
  if (e.attempts == 0 && at < std::max(sibling.acquire_until, sibling.release_until))
    return wait(QueueCancel::sibling_order, at + 1);
  return std::nullopt;
}

std::optional<Hierarchy::Obstacle> Hierarchy::store_match(const Entry& e, Cycle at) const {
  const bool may_match = (store_lines_ & bit_of(e.line)) != 0;
  for (const Store& s : may_match ? std::span<const Store>(stores_) : std::span<const Store>()) {
    if (s.issued > at || s.line != e.line) continue;
    if (e.writes()) {
      if (s.missed && at < s.written)
        return Obstacle{QueueCancel::store_order, s.written, queue_stage(QueueStage::l2m)};
      if (s.chunk == e.chunk && s.issued == at)
        return Obstacle{QueueCancel::store_order, at + 1, queue_stage(QueueStage::l2d)};
      continue;
    }
    if (s.chunk != e.chunk) continue;
    if (s.missed && at < s.written) return Obstacle{QueueCancel::store_data, s.written, queue_stage(QueueStage::l2m)};
    const Cycle age = at - s.issued;
    if (age >= store_pipe) continue;
    const QueueStage stage = age < 2 ? QueueStage::l2a : age == 2 ? QueueStage::l2d : QueueStage::l2c;
    return Obstacle{QueueCancel::store_data, s.issued + store_pipe, queue_stage(stage)};
  }
  for (const WriteBack& w : write_backs_) {
    if (e.writes() && w.line == e.line && w.from <= at && at < w.to)
      return Obstacle{QueueCancel::store_order, w.to, queue_stage(QueueStage::l2c)};
  }
  return std::nullopt;
}

std::optional<Hierarchy::Obstacle> Hierarchy::arrays(const Entry& e, Cycle at) const {
  const Cycle bank_free = banks_[bank_of(e.physical)];
  if (bank_free > at) return Obstacle{QueueCancel::bank, bank_free};
  for (const Fill& f : fills_) {
    if (!split() && f.line == e.line && f.begin < at && at < f.ready && e.attempts == 0 && !f.fetch &&
        e.purpose == Purpose::integer_load && f.purpose == Purpose::integer_load) {
      return Obstacle{QueueCancel::l1d_fill, at + 1};
    }
    if (f.ready != at) continue;
    const std::uint16_t same_set = set_of(f.line) == set_of(e.line) ? qc::same_set : 0;
    if (e.writes() || !f.fetch) return Obstacle{QueueCancel::fill, at + 1, same_set};
  }
  if (e.reads() && reads_out_.count(at) != 0) return Obstacle{QueueCancel::write_back_read, at + 1};
  const Cycle latency = e.purpose == Purpose::fp_load ? machine_.settings.l2_fp : machine_.settings.l2_integer;
  if (e.reads() && returns_.count(at + latency - 1) >= machine_.settings.l2_ports)
    return Obstacle{QueueCancel::return_port, at + 1};
  return std::nullopt;
}

std::optional<Hierarchy::Obstacle> Hierarchy::obstacle(Entry& e, Cycle at) {
  if (e.access->more.uncacheable) {
    // An uncacheable request is not overlapped: it is cancelled once if older requests are still in the queue.
    if (at < order().all_done && e.attempts == 0) return Obstacle{QueueCancel::uncacheable, at + 1};
    return std::nullopt;
  }
  if (const auto o = ordering(e, at)) return o;
  if (fetches_.count(at) != 0) {
    const bool walker = walks_.count(at) != 0 || e.purpose == Purpose::walk;
    return Obstacle{QueueCancel::fetch, at + 1, walker ? qc::walker : std::uint16_t{0}};
  }
  // In an L2 that is not split, a first attempt can be made beside a recirculation.
  if (recirculated_at_ == at && (e.attempts != 0 || split())) return Obstacle{QueueCancel::recirculating, at + 1};
  if (const auto o = store_match(e, at)) return o;
  if (const auto o = arrays(e, at)) return o;
  if (!l2_errors_.empty() && l2_errors_.erase(e.line) != 0) {
    machine_.schedule.occur(at, Signal::ecc_correction, e.access, d::ecc_from_l2);
    return Obstacle{QueueCancel::l2_error, at + correction};
  }
  if (!system_errors_.empty() && system_errors_.contains(e.line) && l2_.find(e.line) != Cache::none &&
      filling(e.line, at) == nullptr) {
    system_errors_.erase(e.line);
    machine_.schedule.occur(at, Signal::ecc_correction, e.access);
    return Obstacle{QueueCancel::system_error, at + correction};
  }
  return std::nullopt;
}

std::optional<Hierarchy::Round> Hierarchy::round(const Entry& e, Cycle at) {
  const bool here = l2_.snoop(e.line) != LineState::invalid || filling(e.line, at) != nullptr;
  // With a split L2 a request that must go to L3 meets the snoop there.
  if (at < snoop_until_ && (here || !split())) return Round{Recirculate::snoop, snoop_until_};
  bool same_set = false;
  for (const Fill& f : fills_) {
    if (f.ready + 1 == at && set_of(f.line) == set_of(e.line)) return Round{Recirculate::tags_written, at + 1};
    same_set = same_set || (f.begin < at && at < f.ready && f.line != e.line && set_of(f.line) == set_of(e.line));
  }
  if (e.writes() && fetch_->drop(e.line, machine_.settings.l2_line, at, true)) {
    return Round{Recirculate::self_modifying, at + round_cycles};
  }
  for (const WriteBack& w : write_backs_) {
    if (w.line == e.line && w.from <= at && at < w.to) return Round{Recirculate::write_back, w.to};
  }
  const std::uint64_t l1_line = e.physical / machine_.settings.l1d_line;
  for (const Store& s : stores_) {
    if (e.purpose == Purpose::integer_load && s.chunk != e.chunk &&
        s.chunk * bank_bytes / machine_.settings.l1d_line == l1_line && s.issued <= at && at < s.issued + 2) {
      return Round{Recirculate::l1d_line_written, s.issued + 2};
    }
  }
  if (here) return std::nullopt;
  if (const Cycle free = fills_used_.free_from(at); free > at) return Round{Recirculate::no_fill_buffer, free};
  const Victim victim = l2_.next_victim(e.line, e.line);
  if (victim.valid && is_dirty(victim.states[0])) {
    if (const Cycle free = victims_used_.free_from(at); free > at) return Round{Recirculate::no_victim_buffer, free};
  }
  if (same_set && e.attempts == 0) return Round{Recirculate::set_under_way, at + round_cycles};
  return std::nullopt;
}

std::uint16_t Hierarchy::operation_of(const Entry& e) const {
  switch (e.purpose) {
    case Purpose::integer_load:
    case Purpose::walk:
      return dd::operation_integer_load;
    case Purpose::fp_load:
      return dd::operation_fp_load;
    case Purpose::semaphore:
      return dd::operation_read_modify_write;
    case Purpose::store: {
      // Less than a word of the array's error code is read, changed and written.
      constexpr std::uint32_t word = 4;
      return e.access->record.size < word ? dd::operation_read_modify_write : dd::operation_store;
    }
    case Purpose::prefetch:
      return split() ? dd::operation_prefetch : dd::operation_other;
    default:
      return dd::operation_other;
  }
}

std::uint16_t Hierarchy::fetch_cancel_detail(FetchCancel why, bool prefetch, bool first, unsigned after_data) {
  namespace f = act::fetch_cancel;
  constexpr unsigned most = 3;
  return static_cast<unsigned>(why) | (first ? f::first : 0u) | (prefetch ? f::prefetch : 0u) |
         std::min(after_data, most) << f::after_data_shift;
}

std::uint16_t Hierarchy::round_detail(const Entry& e, Recirculate why, const Fill* pending, Cycle at) {
  namespace r = act::recirculate;
  constexpr Cycle tags_first = 3;  // the tags are written before the data
  auto detail = static_cast<std::uint16_t>(why);
  if (e.writes()) detail |= r::store;
  if (e.purpose == Purpose::prefetch) detail |= r::prefetch;
  if (pending == nullptr) return detail;
  if (pending->fetch && pending->prefetch) detail |= r::for_code_prefetch;
  return detail | line_phase(at < pending->accepted              ? LinePhase::requested
                             : pending->ready == at + 1          ? LinePhase::arrives
                             : pending->ready <= at + tags_first ? LinePhase::in_tags
                                                                 : LinePhase::accepted);
}

/// Records a cancelled attempt. A cycle has no more of them than attempts.
void Hierarchy::cancel(const Entry& e, const Obstacle& o, std::uint16_t operation, Cycle at) {
  std::uint16_t facts = o.facts;
  if (e.attempts == 0) facts |= qc::first;
  if (e.writes()) facts |= qc::store;
  Access& access = *e.access;
  const Cycle when = cancels_.next(at, static_cast<unsigned>(machine_.settings.queue_width));
  machine_.schedule.occur(when, Signal::queue_issue, &access, operation);
  machine_.schedule.occur(when, Signal::queue_cancel, &access, code(o.why, facts));
}

Cycle Hierarchy::issue(Entry& e, std::uint16_t operation) {
  Schedule& schedule = machine_.schedule;
  const auto width = static_cast<unsigned>(machine_.settings.queue_width);
  e.bypasses = e.reads() && e.purpose != Purpose::semaphore;
  Cycle at = e.enters;
  while (true) {
    if (attempts_.count(at) >= width) {
      // The queue makes no more attempts in this cycle; one that wanted to skip it is cancelled.
      if (e.bypasses && e.attempts == 0 && cancels_.count(at) < width) {
        cancel(e, {QueueCancel::no_attempt_left, at}, operation, at);
        ++e.attempts;
      }
      ++at;
      continue;
    }
    attempts_.add(at);
    if (const auto o = obstacle(e, at)) {
      cancel(e, *o, operation, at);
      ++e.attempts;
      at = std::max(o->retry, at + 1);
      continue;
    }
    const auto r = round(e, at);
    if (!r) break;
    schedule.occur(at, Signal::queue_issue, e.access, operation);
    schedule.occur(at, Signal::force_recirculate, e.access, round_detail(e, r->why, nullptr, at));
    went_round(*e.access, true, at);
    ++e.attempts;
    at = std::max(r->retry, at + 1);
    tries_again(*e.access, true, at);
    recirculated_at_ = at;
  }
  e.bypasses = e.bypasses && at <= e.enters + 1 && !e.access->more.uncacheable;
  if (e.bypasses) {
    schedule.occur(at, Signal::bypass, e.access, at == e.enters ? 0 : dd::bypass_late);
  } else {
    schedule.occur(at, Signal::queue_issue, e.access, operation);
  }
  issues_.add(at);
  if (e.purpose == Purpose::walk) walks_.add(at);
  banks_[bank_of(e.physical)] = at + 1;
  return at;
}

void Hierarchy::note_order(const Entry& e, Cycle done) {
  const act::Request& request = e.access->more;
  Order& o = order();
  if (request.acquire) {
    o.acquire_until = std::max(o.acquire_until, done);
    o.acquire_entered = e.enters;
    machine_.schedule.occupy(e.enters, done, Level::acquires);
  }
  if (request.release) {
    o.release_until = std::max(o.release_until, done);
    o.release_entered = e.enters;
    machine_.schedule.occupy(e.enters, done, Level::releases);
  }
  if (e.purpose == Purpose::semaphore) o.semaphore_until = std::max(o.semaphore_until, done);
  o.all_done = std::max(o.all_done, done);
}

void Hierarchy::fence(Cycle at) {
  Order& o = order();
  o.fence_until = std::max({o.fence_until, o.all_done, at + machine_.settings.fence_cycles});
  o.all_done = std::max(o.all_done, o.fence_until);
}

/// A fetch takes the cycle from data requests that come later; those that have it already cancel the fetch.
Cycle Hierarchy::issue_fetch(Access& access, Cycle enters, bool prefetch) {
  Schedule& schedule = machine_.schedule;
  const std::uint64_t line = line_of(machine_.physical(access.record.address));
  Cycle at = enters;
  bool bypass = true;
  unsigned met_data = 0;
  const auto cancel = [&](FetchCancel why, Cycle retry) {
    schedule.occur(at, Signal::fetch_cancel, &access, fetch_cancel_detail(why, prefetch, bypass, met_data));
    bypass = false;
    at = std::max(retry, at + 1);
  };
  while (true) {
    at = fetch_attempts_.next(at);
    const auto filled_now = [&](const Fill& f) { return f.ready == at; };
    const auto reads_out = [&](const WriteBack& w) { return w.from <= at && at < w.to && w.line == line; };
    if (recirculated_at_ == at) {
      cancel(FetchCancel::recirculating, at + 1);
    } else if (issues_.count(at) != 0) {
      cancel(FetchCancel::data, at + 1);
      ++met_data;
    } else if (std::any_of(fills_.begin(), fills_.end(), filled_now) ||
               std::any_of(write_backs_.begin(), write_backs_.end(), reads_out)) {
      cancel(FetchCancel::fill_or_write_back, at + 1);
    } else if (at < snoop_until_) {
      cancel(FetchCancel::snoop, snoop_until_);
    } else {
      break;
    }
  }
  if (at <= enters + 1) {
    schedule.occur(at, Signal::bypass, &access, dd::bypass_instruction | (bypass ? 0 : dd::bypass_late));
  }
  fetches_.add(at);
  return at;
}

}  // namespace pmusim::core::ia64
