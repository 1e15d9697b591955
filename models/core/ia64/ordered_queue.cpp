// The path of an entry through L2's ordered queue: every cancelled attempt with its cause, and every recirculation.
// docs/targets/itanium2-core.md lists the rules; Intel documents none of them.
#include <span>

#include "models/core/ia64/hierarchy.h"

namespace pmusim::core::ia64 {

namespace d = activity::detail;
namespace dd = act::detail;
using act::FetchCancel;
using act::QueueCancel;
using act::Recirculate;

namespace {

constexpr Cycle store_pipe = 4;    ///< a store is in the arrays for so long
constexpr Cycle round_cycles = 4;  ///< the way round
constexpr Cycle correction = 6;    ///< correcting a line

template <class Why>
std::uint16_t code(Why why) {
  return static_cast<std::uint16_t>(why);
}

/// The queue of a split L2 distinguishes fewer causes.
QueueCancel in_split_queue(QueueCancel why) {
  switch (why) {
    case QueueCancel::sync:
    case QueueCancel::fence_acceptance:
    case QueueCancel::ccv:
    case QueueCancel::weird:
      return QueueCancel::other_order;
    case QueueCancel::late_acquire:
      return QueueCancel::acquire;
    case QueueCancel::late_release:
      return QueueCancel::release;
    case QueueCancel::l2m_store_cancelled:
    case QueueCancel::l2d_store_cancelled:
    case QueueCancel::l2c_store_cancelled:
      return QueueCancel::l2m_to_l2c_store;
    case QueueCancel::store_fill_conflict:
      return QueueCancel::l2_fill_store_conflict;
    case QueueCancel::l1_fill_conflict:
      return QueueCancel::data_conflict;
    default:
      return why;
  }
}

}  // namespace

std::optional<Hierarchy::Obstacle> Hierarchy::ordering(const Entry& e, Cycle at) const {
  const auto wait = [](QueueCancel why, Cycle until) { return Obstacle{why, until}; };
  const Order& o = order();
  if (at < o.sync_until) return wait(QueueCancel::sync, o.sync_until);
  if (at < o.fence_until) return wait(QueueCancel::fence_acceptance, o.fence_until);
  if (at < o.acquire_until) {
    const bool late = e.attempts == 0 && e.enters <= o.acquire_entered + 1;
    return late ? wait(QueueCancel::late_acquire, at + 1) : wait(QueueCancel::acquire, o.acquire_until);
  }
  if (e.access->more.release && at < o.all_done) {
    return e.attempts == 0 ? wait(QueueCancel::late_release, at + 1) : wait(QueueCancel::release, o.all_done);
  }
  if (e.bypasses && e.attempts == 0 && at < o.release_until && e.enters <= o.release_entered + 1) {
    return wait(QueueCancel::late_bypass_effective_release, at + 1);
  }
  if (e.purpose == Purpose::semaphore && at < o.compare_value_until)
    return wait(QueueCancel::ccv, o.compare_value_until);
  if (at < o.semaphore_until) return wait(QueueCancel::semaphore, o.semaphore_until);
  // The other thread's acquires and releases hold no request, but the queue finds that out by cancelling an attempt.
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
      if (s.missed && at < s.written) return Obstacle{QueueCancel::l2m_store_cancelled, s.written};
      if (s.chunk == e.chunk && s.issued == at) return Obstacle{QueueCancel::l2d_store_cancelled, at + 1};
      continue;
    }
    if (s.chunk != e.chunk) continue;
    if (s.missed && at < s.written) return Obstacle{QueueCancel::l2m_store_match, s.written};
    const Cycle age = at - s.issued;
    if (age >= store_pipe) continue;
    const QueueCancel stage = age < 2    ? QueueCancel::l2a_store_match
                              : age == 2 ? QueueCancel::l2d_store_match
                                         : QueueCancel::l2c_store_match;
    return Obstacle{stage, s.issued + store_pipe};
  }
  for (const WriteBack& w : write_backs_) {
    if (e.writes() && w.line == e.line && w.from <= at && at < w.to)
      return Obstacle{QueueCancel::l2c_store_cancelled, w.to};
  }
  return std::nullopt;
}

std::optional<Hierarchy::Obstacle> Hierarchy::arrays(const Entry& e, Cycle at) const {
  const Cycle bank_free = banks_[bank_of(e.physical)];
  if (bank_free > at) return Obstacle{QueueCancel::bank_conflict, bank_free};
  for (const Fill& f : fills_) {
    if (!split() && f.line == e.line && f.begin < at && at < f.ready && e.attempts == 0 && !f.fetch &&
        e.purpose == Purpose::integer_load && f.purpose == Purpose::integer_load) {
      return Obstacle{QueueCancel::l1d_fill_l2m, at + 1};
    }
    if (f.ready != at) continue;
    if (e.writes()) {
      return Obstacle{
          set_of(f.line) == set_of(e.line) ? QueueCancel::store_fill_conflict : QueueCancel::l2_fill_store_conflict,
          at + 1};
    }
    if (!f.fetch) return Obstacle{QueueCancel::l1_fill_conflict, at + 1};
  }
  if (e.reads() && reads_out_.count(at) != 0) return Obstacle{QueueCancel::read_write_back_conflict, at + 1};
  const Cycle latency = e.purpose == Purpose::fp_load ? machine_.settings.l2_fp : machine_.settings.l2_integer;
  if (e.reads() && returns_.count(at + latency - 1) >= machine_.settings.l2_ports)
    return Obstacle{QueueCancel::data_conflict, at + 1};
  return std::nullopt;
}

std::optional<Hierarchy::Obstacle> Hierarchy::obstacle(Entry& e, Cycle at) {
  if (e.access->more.uncacheable) {
    // It goes alone: once if it finds others before it.
    if (at < order().all_done && e.attempts == 0) return Obstacle{QueueCancel::weird, at + 1};
    return std::nullopt;
  }
  if (const auto o = ordering(e, at)) return o;
  if (fetches_.count(at) != 0) {
    const bool walker = walks_.count(at) != 0 || e.purpose == Purpose::walk;
    return Obstacle{walker ? QueueCancel::walker_or_fetch_conflict : QueueCancel::data_or_fetch, at + 1};
  }
  if (recirculated_at_ == at && e.attempts == 0 && split()) return Obstacle{QueueCancel::preempted, at + 1};
  if (recirculated_at_ == at && e.attempts != 0) return Obstacle{QueueCancel::recirculate_oversubscribed, at + 1};
  if (const auto o = store_match(e, at)) return o;
  if (const auto o = arrays(e, at)) return o;
  if (!l2_errors_.empty() && l2_errors_.erase(e.line) != 0) {
    machine_.schedule.occur(at, Signal::ecc_correction, e.access, d::ecc_from_l2);
    return Obstacle{QueueCancel::ecc, at + correction};
  }
  if (!system_errors_.empty() && system_errors_.contains(e.line) && l2_.find(e.line) != Cache::none &&
      filling(e.line, at) == nullptr) {
    system_errors_.erase(e.line);
    machine_.schedule.occur(at, Signal::ecc_correction, e.access);
    return Obstacle{QueueCancel::scrub, at + correction};
  }
  return std::nullopt;
}

std::optional<Hierarchy::Round> Hierarchy::round(const Entry& e, Cycle at) {
  const bool here = l2_.snoop(e.line) != LineState::invalid || filling(e.line, at) != nullptr;
  // With a split L2 a request that must go to L3 meets the snoop there.
  if (at < snoop_until_ && (here || !split())) return Round{Recirculate::snoop_or_l3, snoop_until_};
  bool same_set = false;
  for (const Fill& f : fills_) {
    if (f.ready + 1 == at && set_of(f.line) == set_of(e.line)) return Round{Recirculate::tag_not_ok, at + 1};
    same_set = same_set || (f.begin < at && at < f.ready && f.line != e.line && set_of(f.line) == set_of(e.line));
  }
  if (e.writes() && first_level_ != nullptr && first_level_->drop_code(e.line, machine_.settings.l2_line, at, true)) {
    return Round{Recirculate::self_modifying_hit, at + round_cycles};
  }
  for (const WriteBack& w : write_backs_) {
    if (w.line == e.line && w.from <= at && at < w.to) return Round{Recirculate::victim_pending, w.to};
  }
  const std::uint64_t l1_line = e.physical / machine_.settings.l1d_line;
  for (const Store& s : stores_) {
    if (e.purpose == Purpose::integer_load && s.chunk != e.chunk &&
        s.chunk * bank_bytes / machine_.settings.l1d_line == l1_line && s.issued <= at && at < s.issued + 2) {
      return Round{Recirculate::l1_write, s.issued + 2};
    }
  }
  if (here) return std::nullopt;
  if (const Cycle free = fills_used_.free_from(at); free > at) return Round{Recirculate::forced, free};
  const Victim victim = l2_.next_victim(e.line, e.line);
  if (victim.valid && is_dirty(victim.states[0])) {
    if (const Cycle free = victims_used_.free_from(at); free > at) return Round{Recirculate::victim_buffer_full, free};
  }
  if (same_set && e.attempts == 0) return Round{Recirculate::same_index, at + round_cycles};
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

/// The reason why an entry recirculates whose line is in flight.
Recirculate Hierarchy::pending_round(const Entry& e, const Fill& pending, Cycle at) const {
  if (pending.fetch && pending.prefetch) return Recirculate::prefetch_miss;
  if (e.purpose == Purpose::prefetch) return Recirculate::transaction_prefetch;
  if (!split()) return Recirculate::fill_hit;
  if (at < pending.accepted) return Recirculate::limbo;
  if (pending.ready == at + 1) return Recirculate::fill_hit;
  constexpr Cycle tags_first = 3;  // the tags are written before the data
  if (pending.ready <= at + tags_first) return Recirculate::tag_ok;
  return e.writes() ? Recirculate::secondary_write : Recirculate::secondary_read;
}

/// An attempt that is cancelled; no more of them in a cycle than attempts.
void Hierarchy::call_off(Access& access, QueueCancel why, std::uint16_t operation, Cycle at) {
  if (split()) why = in_split_queue(why);
  const Cycle when = cancels_.next(at, static_cast<unsigned>(machine_.settings.queue_width));
  machine_.schedule.occur(when, Signal::queue_issue, &access, operation);
  machine_.schedule.occur(when, Signal::queue_cancel, &access, code(why));
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
        call_off(*e.access, QueueCancel::oversubscribed, operation, at);
        ++e.attempts;
      }
      ++at;
      continue;
    }
    attempts_.add(at);
    if (const auto o = obstacle(e, at)) {
      call_off(*e.access, o->why, operation, at);
      ++e.attempts;
      at = std::max(o->retry, at + 1);
      continue;
    }
    const auto r = round(e, at);
    if (!r) break;
    schedule.occur(at, Signal::queue_issue, e.access, operation);
    schedule.occur(at, Signal::force_recirculate, e.access, code(r->why));
    went_round(*e.access, true, at);
    ++e.attempts;
    at = std::max(r->retry, at + 1);
    tries_again(*e.access, true, at);
    recirculated_at_ = at;
  }
  e.bypasses = e.bypasses && at <= e.enters + 1 && !e.access->more.uncacheable;
  if (e.bypasses) {
    schedule.occur(at, Signal::bypass, e.access, at == e.enters ? std::uint16_t{0} : dd::bypass_late);
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

/// A fetch takes the cycle from data requests that come later; those that have it already call it off.
Cycle Hierarchy::issue_fetch(Access& access, Cycle enters, bool prefetch) {
  Schedule& schedule = machine_.schedule;
  const std::uint64_t line = line_of(machine_.physical(access.record.address));
  Cycle at = enters;
  bool bypass = true;
  unsigned met_data = 0;
  const auto cancel = [&](FetchCancel why, Cycle retry) {
    schedule.occur(at, Signal::fetch_cancel, &access, code(why));
    bypass = false;
    at = std::max(retry, at + 1);
  };
  while (true) {
    at = fetch_attempts_.next(at);
    const auto filled_now = [&](const Fill& f) { return f.ready == at; };
    const auto reads_out = [&](const WriteBack& w) { return w.from <= at && at < w.to && w.line == line; };
    if (recirculated_at_ == at) {
      cancel(FetchCancel::recirculate_oversubscribed, at + 1);
    } else if (issues_.count(at) != 0) {
      // It tries the way past the queue, then waits for data reads, then is put off by them.
      const FetchCancel why = bypass && prefetch ? FetchCancel::fetch_bypass
                              : bypass           ? FetchCancel::bypass
                              : met_data < 2     ? FetchCancel::data_read
                                                 : FetchCancel::preempted;
      ++met_data;
      cancel(why, at + 1);
    } else if (std::any_of(fills_.begin(), fills_.end(), filled_now) ||
               std::any_of(write_backs_.begin(), write_backs_.end(), reads_out)) {
      cancel(FetchCancel::store_fill_write_back, at + 1);
    } else if (at < snoop_until_) {
      cancel(FetchCancel::changed_priority, snoop_until_);
    } else {
      break;
    }
  }
  if (at <= enters + 1) {
    schedule.occur(at, Signal::bypass, &access, dd::bypass_instruction | (bypass ? std::uint16_t{0} : dd::bypass_late));
  }
  fetches_.add(at);
  return at;
}

}  // namespace pmusim::core::ia64
