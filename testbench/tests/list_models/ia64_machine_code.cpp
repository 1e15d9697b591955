// The instruction side of the model of the first level, and comparison.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iterator>

#include "testbench/tests/list_models/ia64_lists.h"

namespace pmusim::testbench::ia64::lists {

namespace d = activity::detail;
namespace dd = act::detail;
using act::Requester;
using act::Served;

bool Machine::comes_later(const Arrival& arrival, Cycle at, bool reported) {
  if (at >= arrival.latest) return false;
  return at < arrival.earliest || reported;
}

void Machine::fill_code(const Trip& trip, Wanted& wanted, std::uint64_t line, Served from) {
  constexpr unsigned shared = static_cast<unsigned>(Mesi::shared);
  const unsigned found = from == Served::memory ? 0 : shared;
  const Event* const fill = trip.first(Signal::line_fill);
  const Cycle at = fill != nullptr ? fill->cycle : Wanted::any;
  wanted.add(Signal::line_fill, found << d::fill_found_shift | shared << d::fill_installed_shift, at);
  if (memory_.l1i.put(line, Mesi::shared))
    wanted.add(Signal::line_evict, d::cache_l1i | shared << d::evict_state_shift | d::evict_replacement, at);
}

/// A demand fetch looks into L1I, into the streaming buffer, for a request in flight, and then asks L2. The line after
/// one that is asked for is prefetched, on whatever page it is: no document limits that.
void Machine::demand(const Trip& trip, Wanted& wanted) {
  if (!next_lines_.empty()) findings_.add(describe(trip) + ": a prefetch of the next line has to come before it");
  next_lines_.clear();
  const std::uint64_t line = memory_.l1i.line_of(trip.record.address);
  const Event* const fetch = trip.first(Signal::fetch);
  const Cycle at = fetch != nullptr ? fetch->cycle : 0;
  const bool told_pending = fetch != nullptr && (fetch->detail & d::lookup_pending) != 0;
  const bool told_streamed = fetch != nullptr && (fetch->detail & dd::fetch_stream_buffer) != 0;
  const auto due = code_due_.find(line);
  const auto streamed =
      std::find_if(streamed_.begin(), streamed_.end(), [&](const Streamed& s) { return s.line == line; });
  const bool pending = due != code_due_.end() && comes_later(due->second, at, told_pending);
  memory_.l1i.use(line);
  const bool held = memory_.l1i.find(line) != nullptr;
  if (held && !pending) {
    wanted.add(Signal::fetch, d::lookup_hit, at);
    return;
  }
  const bool killed = trip.count(Signal::request_kill) != 0;
  if (killed) wanted.add(Signal::request_kill, 0);
  const bool returned = trip.count(Signal::fetch_return) != 0;
  if (streamed != streamed_.end() && !comes_later(streamed->ready, at, !told_streamed)) {
    wanted.add(Signal::fetch, d::lookup_miss | dd::fetch_stream_buffer, at);
    fill_code(trip, wanted, line, Served::l2);
    streamed_.erase(streamed);
    return;
  }
  if (!killed || returned) wanted.add(Signal::fetch_return, 0);
  if (pending) {
    wanted.add(Signal::fetch, d::lookup_pending, at);
    if (!held) fill_code(trip, wanted, line, Served::l2);
    std::erase_if(streamed_, [&](const Streamed& s) { return s.line == line; });
    if (returned) check_served(trip, Served::l2);
    return;
  }
  wanted.add(Signal::fetch, d::lookup_miss, at);
  const Memory::Answer answer = memory_.fetch(trip, wanted);
  wanted.add(Signal::bundle_pair_in, 0);
  wanted.add(Signal::bundle_pair_in, 0);
  if (returned) check_served(trip, answer.served);
  const Event* const back = trip.first(Signal::fetch_return);
  code_due_[line] = back != nullptr ? Arrival{back->cycle, back->cycle, answer.served} : answer.data;
  fill_code(trip, wanted, line, answer.served);
  if (!prefetches_) return;
  for (std::uint64_t i = 1; i <= ahead_; ++i) next_lines_.push_back(line + i * memory_.l1i.line_bytes());
}

/// A prefetch goes into the streaming buffer, whose oldest line gives way; the lines that L1I or the buffer has, or
/// that are on their way, are not asked for.
void Machine::prefetch(const Trip& trip, Wanted& wanted) {
  const std::uint64_t line = memory_.l1i.line_of(trip.record.address);
  const Event* const fetch = trip.first(Signal::fetch);
  const bool streaming = fetch != nullptr && (fetch->detail & dd::fetch_streaming) != 0;
  if (next_lines_.empty()) {
    hinted_.push_back({line, streaming, trip.count(Signal::prefetch_lost) != 0});
  } else {
    if (next_lines_.front() != line)
      findings_.add(describe(trip) + fmt::format(": the next line is {:x}", next_lines_.front()));
    next_lines_.pop_front();
  }
  // The address buffer is full: that depends on time.
  if (trip.count(Signal::prefetch_lost) != 0) return wanted.add(Signal::prefetch_lost, 0);
  const std::uint64_t kind = d::access_prefetch | (streaming ? dd::fetch_streaming : 0);
  const Cycle at = fetch != nullptr ? fetch->cycle : 0;
  const bool streamed =
      std::any_of(streamed_.begin(), streamed_.end(), [&](const Streamed& s) { return s.line == line; });
  if (streamed) return wanted.add(Signal::fetch, kind | d::lookup_miss | dd::fetch_stream_buffer, at);
  if (memory_.l1i.find(line) != nullptr) return wanted.add(Signal::fetch, kind | d::lookup_hit, at);
  const auto due = code_due_.find(line);
  const bool told = fetch != nullptr && (fetch->detail & d::lookup_pending) != 0;
  if (due != code_due_.end() && comes_later(due->second, at, told))
    return wanted.add(Signal::fetch, kind | d::lookup_pending, at);
  wanted.add(Signal::fetch, kind | d::lookup_miss, at);
  const Memory::Answer answer = memory_.fetch(trip, wanted);
  wanted.add(Signal::bundle_pair_in, 0);
  wanted.add(Signal::bundle_pair_in, 0);
  code_due_[line] = answer.data;
  constexpr std::size_t places = 8;
  if (streamed_.size() == places) streamed_.pop_front();
  streamed_.push_back({line, answer.data});
}

// --- comparison -------------------------------------------------------------------------------------------------

namespace {

std::string event_text(Signal signal, std::uint16_t detail, Cycle cycle) {
  return cycle == Wanted::any ? fmt::format("{} {:#x}", name_of(signal), detail)
                              : fmt::format("{} {:#x} at {}", name_of(signal), detail, cycle);
}

/// Signals whose number depends on time alone.
bool is_compared(Signal signal) {
  return signal != Signal::force_recirculate && signal != Signal::recirculate_try && signal != Signal::l2i_retry;
}

}  // namespace

void Findings::add(const std::string& text) {
  constexpr std::size_t reported = 5;
  if (++count_ <= reported) ADD_FAILURE() << text;
}

void Findings::compare(const Trip& trip, const Wanted& wanted, const std::function<std::string()>& held) {
  std::vector<Event> seen;
  for (const Event& e : trip.events) {
    if (is_compared(e.signal)) seen.push_back(e);
  }
  std::string missing;
  for (const Event& w : wanted.list()) {
    const auto at = std::find_if(seen.begin(), seen.end(), [&](const Event& e) {
      return e.signal == w.signal && e.detail == w.detail && (w.cycle == Wanted::any || e.cycle == w.cycle);
    });
    if (at == seen.end()) {
      missing += " " + event_text(w.signal, w.detail, w.cycle) + ";";
    } else {
      seen.erase(at);
    }
  }
  if (missing.empty() && seen.empty()) return;
  std::string more;
  for (const Event& e : seen) more += " " + event_text(e.signal, e.detail, e.cycle) + ";";
  add(describe(trip) + "\n  only the model has:" + missing + "\n  only the core has:" + more + "\n  " + held());
}

void Findings::want_unowned(Signal signal, std::uint64_t detail, Cycle cycle) {
  wanted_.insert({signal, static_cast<std::uint16_t>(detail), cycle});
}

/// A transaction and its snoop come some bus clocks after their cause.
void Findings::see_unowned(const Event& event) {
  const bool late = event.signal == Signal::bus_transaction || event.signal == Signal::bus_snoop;
  seen_.insert({event.signal, event.detail, late ? Wanted::any : event.cycle});
}

void Findings::finish() {
  std::vector<Unowned> missing, more;
  std::set_difference(wanted_.begin(), wanted_.end(), seen_.begin(), seen_.end(), std::back_inserter(missing));
  std::set_difference(seen_.begin(), seen_.end(), wanted_.begin(), wanted_.end(), std::back_inserter(more));
  for (const auto& [signal, detail, cycle] : missing) add("only the model has " + event_text(signal, detail, cycle));
  for (const auto& [signal, detail, cycle] : more) add("only the core has " + event_text(signal, detail, cycle));
}

}  // namespace pmusim::testbench::ia64::lists
