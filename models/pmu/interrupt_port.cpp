#include "models/pmu/interrupt_port.h"

#include <algorithm>
#include <cassert>

namespace pmusim::pmu {
namespace {

using activity::Occurrence;
using activity::Signal;
using activity::State;

/// First retire occurrence in cycle `from` or later.
const Occurrence* first_retired(const Block& block, Cycle from) {
  const auto& column = block.column(Signal::retire);
  return std::lower_bound(column.data(), column.data() + column.size(), from - block.begin,
                          [](const Occurrence& o, Cycle offset) { return o.at < offset; });
}

/// Cycle of the first retirement from `from` on, or activity::never.
Cycle next_retired(const Block& block, Cycle from) {
  const auto& column = block.column(Signal::retire);
  const Occurrence* const first = first_retired(block, from);
  return first == column.data() + column.size() ? activity::never : block.begin + first->at;
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

/// First cycle in [from, to) in which the interrupt is enabled. Nothing but the states decides, so only their changes
/// are looked at.
Cycle find_enabled(const Block& block, const Monitor& monitor, Cycle from, Cycle to) {
  for (Cycle at = from; at < to; at = next_change(block, at, to)) {
    if (monitor.interrupt_enabled(block, at)) return at;
  }
  return activity::never;
}

/// The same of cycles in which this state is on, or off.
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
  if (const InterruptBoundary boundary = monitor.interrupt_boundary(); boundary != InterruptBoundary::retirement) {
    const Cycle known = std::max(from, retired_any_ ? from : next_retired(block, asked_from));
    const Cycle end = std::min(found, to);
    found = std::min(found, boundary == InterruptBoundary::issue
                                ? find_enabled(block, monitor, known, end)
                                : find_enabled_while(block, monitor, State::idle_thread, true, known, end));
  }
  const Cycle limit = std::min(found, to);
  const auto& column = block.column(Signal::retire);
  const Occurrence* const end = column.data() + column.size();
  Cycle looked_at = activity::never;
  for (const Occurrence* o = first_retired(block, from); o != end && block.begin + o->at < limit; ++o) {
    const Cycle at = block.begin + o->at;
    if (at != looked_at && monitor.interrupt_enabled(block, at)) return at;
    looked_at = at;
  }
  return found;
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
  const auto& column = block.column(Signal::retire);
  const Occurrence* const behind = to == block.end ? column.data() + column.size() : first_retired(block, to);
  if (behind == column.data() || block.begin + behind[-1].at < from) return;
  retired_any_ = true;
  if (behind[-1].ref == activity::no_ref) return;  // a sum: no handler looks at addresses
  const activity::InstructionRecord& record = block.instructions[behind[-1].ref];
  last_ip_ = record.ip;
  next_ip_ = record.next_ip;
}

}  // namespace pmusim::pmu
