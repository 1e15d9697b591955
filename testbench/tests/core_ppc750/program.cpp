#include "program.h"

#include <algorithm>

namespace pmusim::testbench {

using activity::Cycle;
using activity::Signal;
using activity::State;

namespace {

bool names_request(Signal s) {
  switch (s) {
    case Signal::fetch:
    case Signal::translation:
    case Signal::dcache_lookup:
    case Signal::load_return:
    case Signal::line_request:
    case Signal::line_fill:
    case Signal::line_evict:
    case Signal::l2_lookup:
    case Signal::bus_request:
    case Signal::snoop:
    case Signal::ecc_correction:
      return true;
    default:
      return false;
  }
}

}  // namespace

void Activity::add(const activity::Block& block) {
  for (std::size_t s = 0; s < activity::signal_count; ++s) {
    for (const activity::Occurrence& o : block.columns[s]) {
      LoggedOccurrence h;
      h.cycle = block.begin + o.at;
      h.signal = static_cast<Signal>(s);
      h.detail = o.detail;
      h.amount = o.amount;
      h.named = o.ref != activity::no_ref;
      if (h.named && names_request(h.signal)) h.request = block.requests.at(o.ref);
      if (h.named && !names_request(h.signal)) h.instruction = block.instructions.at(o.ref);
      occurrences.push_back(h);
    }
  }
  for (std::size_t s = 0; s < activity::state_count; ++s) {
    auto& list = states[s];
    const auto note = [&](Cycle cycle, std::uint64_t value) {
      if (list.empty() || list.back().second != value) list.emplace_back(cycle, value);
    };
    note(block.begin, block.states[s].initial);
    for (const activity::Change& change : block.states[s].changes) note(block.begin + change.at, change.value);
  }
  end = block.end;
}

std::vector<Cycle> Activity::cycles(Signal s, std::uint16_t with, std::uint16_t without) const {
  std::vector<Cycle> result;
  for (const LoggedOccurrence& h : occurrences) {
    if (h.signal == s && (h.detail & with) == with && (h.detail & without) == 0) result.push_back(h.cycle);
  }
  return result;
}

std::vector<LoggedOccurrence> Activity::of(Signal s) const {
  std::vector<LoggedOccurrence> result;
  std::copy_if(occurrences.begin(), occurrences.end(), std::back_inserter(result),
               [s](const LoggedOccurrence& h) { return h.signal == s; });
  return result;
}

Cycle Activity::when(Signal s, std::uint64_t ordinal) const {
  for (const LoggedOccurrence& h : occurrences) {
    if (h.signal == s && h.named && h.instruction.id == ordinal) return h.cycle;
  }
  return activity::never;
}

std::uint64_t Activity::state(State s, Cycle cycle) const {
  std::uint64_t value = 0;
  for (const auto& [from, v] : states[static_cast<std::size_t>(s)]) {
    if (from <= cycle) value = v;
  }
  return value;
}

std::uint64_t Activity::cycles_with(State s, std::uint64_t bits) const {
  std::uint64_t n = 0;
  const auto& list = states[static_cast<std::size_t>(s)];
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Cycle to = i + 1 < list.size() ? list[i + 1].first : end;
    if ((list[i].second & bits) == bits) n += to - list[i].first;
  }
  return n;
}

models::Parameters parameters(std::initializer_list<std::pair<const char*, std::int64_t>> changes) {
  models::Parameters p = core::ppc750_parameters();
  for (const auto& [name, value] : changes) p.set(name, value);
  return p;
}

Activity finish(core::Core& core, Cycle step) {
  Activity activity;
  activity::Block block;
  for (bool more = true; more;) {
    block.restart(core.now());
    more = core.run(core.now() + step, block);
    activity.add(block);
  }
  activity.retired = core.retired();
  return activity;
}

Activity run(const TraceText& trace, const models::Parameters& with, Cycle step) {
  const auto core = core::make_ppc750(trace.reader(), with);
  return finish(*core, step);
}

}  // namespace pmusim::testbench
