#include "models/pmu/follower.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "models/activity/signals.h"

namespace pmusim::pmu {

namespace {

std::string register_names(const Monitor& monitor) {
  std::string names;
  for (const RegisterInfo& info : monitor.registers()) {
    if (!names.empty()) names += ", ";
    names += info.name;
  }
  return names;
}

}  // namespace

Follower::Follower(std::unique_ptr<Monitor> monitor, bool counter_reads_allowed)
    : monitor_(std::move(monitor)), counter_reads_allowed_(counter_reads_allowed) {}

Follower::Follower(const Follower& other)
    : monitor_(other.monitor_->clone()),
      port_(other.port_),
      consumed_(other.consumed_),
      counter_reads_allowed_(other.counter_reads_allowed_),
      taken_outside_(other.taken_outside_),
      reports_(other.reports_) {}

// A copy is made for every block, so the existing monitor object is reused.
Follower& Follower::operator=(const Follower& other) {
  if (this == &other) return *this;
  monitor_->assign(*other.monitor_);
  port_ = other.port_;
  consumed_ = other.consumed_;
  counter_reads_allowed_ = other.counter_reads_allowed_;
  taken_outside_ = other.taken_outside_;
  reports_ = other.reports_;
  return *this;
}

Stop Follower::advance(const Block& block, Cycle to) {
  std::size_t access = first_access(block);
  while (consumed_ < to) {
    const bool line_before = line();
    const Cycle from = consumed_;
    const Cycle access_at = access < block.accesses.size() ? block.begin + block.accesses[access].at : activity::never;
    Consumed done;
    if (access_at == from) {
      done = consume_accesses(block, access);
    } else {
      Cycle limit = std::min(to, access_at);
      if (port_.pending() && !taken_outside_) {
        const Cycle taking = port_.find(block, *monitor_, from, limit);
        if (taking != activity::never) limit = taking + 1;
      }
      done = monitor_->consume(block, from, limit);
    }
    consumed_ = done.reached;
    port_.pass(block, from, consumed_);
    if (done.interrupt_request) port_.request(consumed_ - 1);
    written();
    const bool taking =
        port_.pending() && !taken_outside_ && port_.find(block, *monitor_, consumed_ - 1, consumed_) != activity::never;
    if (taking || line() != line_before) return {consumed_, line() != line_before, taking};
  }
  return {consumed_, false, false};
}

EntryState Follower::take(const Block& block) {
  const EntryState entry = port_.take(block, consumed_ - 1);
  monitor_->interrupt_taken();
  return entry;
}

void Follower::accepted() {
  if (!port_.pending()) return;
  port_.drop();
  monitor_->interrupt_taken();
}

void Follower::reset() {
  monitor_->reset();
  port_.drop();
}

void Follower::written() {
  if (port_.pending() && !monitor_->interrupt_pending()) port_.drop();
}

std::vector<AccessReport> Follower::take_reports() { return std::exchange(reports_, {}); }

std::size_t Follower::first_access(const Block& block) const {
  const auto first =
      std::lower_bound(block.accesses.begin(), block.accesses.end(), consumed_ - block.begin,
                       [](const activity::RegisterAccess& access, Cycle offset) { return access.at < offset; });
  return static_cast<std::size_t>(first - block.accesses.begin());
}

bool Follower::of_another_thread(const Block& block, const activity::RegisterAccess& access) const {
  return access.ref != activity::no_ref &&
         monitor_->thread().value_or(block.instructions[access.ref].thread) != block.instructions[access.ref].thread;
}

// Makes all accesses of cycle consumed_, and consumes the cycle. Reads before the first write get the value after all
// earlier cycles, or, by the model's rule, after this one too. The first write is made at the end of the cycle, by the
// model's rule.
Consumed Follower::consume_accesses(const Block& block, std::size_t& index) {
  const std::uint32_t at = block.accesses[index].at;
  const Accessor who{static_cast<unsigned>(block.state_at(activity::State::cpl, consumed_)), counter_reads_allowed_};
  Consumed done;
  bool consumed = false;
  for (; index < block.accesses.size() && block.accesses[index].at == at; ++index) {
    const activity::RegisterAccess& access = block.accesses[index];
    if (of_another_thread(block, access)) continue;
    RegisterInfo info{};
    AccessReport& entry = report(block, access, info);
    AccessResult result;
    if (!access.write) {
      if (!consumed && monitor_->reads_own_cycle()) {
        done = monitor_->consume(block, consumed_, consumed_ + 1);
        consumed = true;
      }
      result = monitor_->read(info.id, who);
      entry.value = result.value;
    } else if (consumed) {
      result = monitor_->write(info.id, access.value, who);
    } else {
      done = monitor_->consume_with_write(block, consumed_, info.id, access.value, who, result);
      consumed = true;
    }
    entry.fault = result.fault;
  }
  return consumed ? done : monitor_->consume(block, consumed_, consumed_ + 1);
}

AccessReport& Follower::report(const Block& block, const activity::RegisterAccess& access, RegisterInfo& info) {
  const std::string_view name(access.name.data(), ::strnlen(access.name.data(), access.name.size()));
  const std::uint64_t ip = access.ref == activity::no_ref ? 0 : block.instructions[access.ref].ip;
  const auto found = find_register(*monitor_, name);
  if (!found) {
    throw std::invalid_argument(
        fmt::format("instruction at 0x{:x} in cycle {} accesses register '{}'; this target has {}", ip, consumed_, name,
                    register_names(*monitor_)));
  }
  info = *found;
  return reports_.emplace_back(
      AccessReport{consumed_, ip, std::string(info.name), access.write, access.value, Fault::none});
}

namespace {

using activity::Occurrence;
using activity::Signal;
using activity::State;

/// Occurrences with which instructions leave the pipeline in program order: all of Signal::retire, and those of
/// Signal::kill with kill_in_order.
struct Leaving {
  Signal signal;
  std::uint16_t detail;  ///< required detail bits
  [[nodiscard]] bool is(const Occurrence& o) const { return (o.detail & detail) == detail; }
};
constexpr Leaving retired{Signal::retire, 0};
constexpr Leaving without_work{Signal::kill, activity::detail::kill_in_order};

/// The first occurrence of the column in cycle `offset` of the block or later.
const Occurrence* first_from(const std::vector<Occurrence>& column, Cycle offset) {
  return std::lower_bound(column.data(), column.data() + column.size(), offset,
                          [](const Occurrence& o, Cycle wanted) { return o.at < wanted; });
}

/// Cycle of the first such occurrence from `from` on, or activity::never.
Cycle next_of(const Leaving& leaving, const Block& block, Cycle from) {
  const auto& column = block.column(leaving.signal);
  const Occurrence* const end = column.data() + column.size();
  const Occurrence* const first =
      std::find_if(first_from(column, from - block.begin), end, [&](const Occurrence& o) { return leaving.is(o); });
  return first == end ? activity::never : block.begin + first->at;
}

/// First cycle in [from, to) with such an occurrence in which the interrupt is enabled, or activity::never.
Cycle find_enabled_at(const Leaving& leaving, const Block& block, const Monitor& monitor, Cycle from, Cycle to) {
  const auto& column = block.column(leaving.signal);
  const Occurrence* const end = column.data() + column.size();
  Cycle looked_at = activity::never;
  for (const Occurrence* o = first_from(column, from - block.begin); o != end && block.begin + o->at < to; ++o) {
    const Cycle at = block.begin + o->at;
    if (at == looked_at || !leaving.is(*o)) continue;
    if (monitor.interrupt_enabled(block, at)) return at;
    looked_at = at;
  }
  return activity::never;
}

/// The last such occurrence in [from, to), or null.
const Occurrence* last_of(const Leaving& leaving, const Block& block, Cycle from, Cycle to) {
  const auto& column = block.column(leaving.signal);
  const Occurrence* const begin = column.data();
  const Occurrence* o = to == block.end ? begin + column.size() : first_from(column, to - block.begin);
  while (o != begin && block.begin + o[-1].at >= from) {
    --o;
    if (leaving.is(*o)) return o;
  }
  return nullptr;
}

/// First cycle after `at` in which any state changes, or `to`.
Cycle next_change(const Block& block, Cycle at, Cycle to) {
  Cycle first = to;
  for (const activity::StateColumn& column : block.states) {
    const auto change = std::upper_bound(column.changes.begin(), column.changes.end(), at - block.begin,
                                         [](Cycle offset, const activity::Change& c) { return offset < c.at; });
    if (change != column.changes.end()) first = std::min(first, block.begin + change->at);
  }
  return first;
}

/// First cycle in [from, to) in which the interrupt is enabled. This depends on states only, so only the cycles of
/// their changes are checked.
Cycle find_enabled(const Block& block, const Monitor& monitor, Cycle from, Cycle to) {
  for (Cycle at = from; at < to; at = next_change(block, at, to)) {
    if (monitor.interrupt_enabled(block, at)) return at;
  }
  return activity::never;
}

/// As find_enabled(), restricted to cycles in which the state is on (not 0) or off.
Cycle find_enabled_while(const Block& block, const Monitor& monitor, State state, bool on, Cycle from, Cycle to) {
  const activity::StateColumn& column = block.state(state);
  bool is_on = column.initial != 0;
  Cycle begin = block.begin;
  for (std::size_t i = 0; i <= column.changes.size(); ++i) {
    const Cycle end = i < column.changes.size() ? block.begin + column.changes[i].at : block.end;
    if (is_on == on) {
      const Cycle found = find_enabled(block, monitor, std::max(begin, from), std::min(end, to));
      if (found != activity::never) return found;
    }
    if (i < column.changes.size()) is_on = column.changes[i].value != 0;
    begin = end;
  }
  return activity::never;
}

}  // namespace

Cycle InterruptPort::find(const Block& block, const Monitor& monitor, Cycle from, Cycle to) const {
  assert(pending_);
  const Cycle asked_from = from;
  from = std::max({from, not_before_, requested_ + monitor.interrupt_skid()});
  if (from >= to) return activity::never;
  Cycle found = find_enabled_while(block, monitor, State::clock, false, from, to);
  const InterruptBoundary boundary = monitor.interrupt_boundary();
  if (boundary != InterruptBoundary::retirement) {
    Cycle known = from;
    if (!retired_any_)
      known = std::max(from, std::min(next_of(retired, block, asked_from), next_of(without_work, block, asked_from)));
    const Cycle end = std::min(found, to);
    found = std::min(found, boundary == InterruptBoundary::issue
                                ? find_enabled(block, monitor, known, end)
                                : find_enabled_while(block, monitor, State::idle_thread, true, known, end));
    if (boundary == InterruptBoundary::idle)
      found = std::min(found, find_enabled_at(without_work, block, monitor, from, std::min(found, to)));
  }
  return std::min(found, find_enabled_at(retired, block, monitor, from, std::min(found, to)));
}

Cycle InterruptPort::quiet_cycles(const Monitor& monitor, Cycle now) const {
  if (!pending_) {
    const Cycle quiet = monitor.quiet_cycles();
    return quiet > activity::never - monitor.interrupt_skid() ? activity::never : quiet + monitor.interrupt_skid();
  }
  const Cycle earliest = requested_ + monitor.interrupt_skid();
  return earliest > now ? earliest - now : 0;
}

EntryState InterruptPort::take(const Block& block, Cycle at) {
  EntryState entry;
  entry.cycle = at + 1;
  entry.requested = requested_;
  entry.pc = next_ip_;
  entry.last_ip = last_ip_;
  entry.pc_valid = retired_any_;
  entry.msr = block.state_at(State::msr, at);
  entry.cpl = static_cast<unsigned>(block.state_at(State::cpl, at));
  entry.thread = static_cast<unsigned>(block.state_at(State::thread, at));
  entry.process = block.state_at(State::process, at);
  pending_ = false;
  return entry;
}

void InterruptPort::pass(const Block& block, Cycle from, Cycle to) {
  const Occurrence* last = last_of(retired, block, from, to);
  const Occurrence* const other = last_of(without_work, block, from, to);
  if (last == nullptr && other == nullptr) return;
  retired_any_ = true;
  const auto is_younger = [&](const Occurrence& a, const Occurrence& b) {
    if (a.at != b.at || a.ref == activity::no_ref || b.ref == activity::no_ref) return a.at > b.at;
    return block.instructions[a.ref].id > block.instructions[b.ref].id;
  };
  if (last == nullptr || (other != nullptr && is_younger(*other, *last))) last = other;
  if (last->ref == activity::no_ref) return;  // a sum of instructions: no handler uses their addresses
  const activity::InstructionRecord& record = block.instructions[last->ref];
  last_ip_ = record.ip;
  next_ip_ = record.next_ip;
}

}  // namespace pmusim::pmu
