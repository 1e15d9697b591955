#include "testbench/explain/recorder.h"

#include <algorithm>

#include "models/pmu/references.h"

namespace pmusim::testbench {
namespace {

using pmu::Run;
using pmu::Step;

Culprit instruction_at(const pmu::Block& block, std::uint32_t index) {
  const activity::InstructionRecord& record = block.instructions[index];
  return {record.ip, record.slot, true};
}

}  // namespace

void Recorder::looks_at(unsigned counter, activity::Signal signal, activity::State state) {
  CounterRecord& record = counters_.at(counter).record;
  if (signal != activity::Signal::count_) record.signals.insert(signal);
  if (state != activity::State::count_) record.states.insert(state);
}

void Recorder::left(unsigned counter, Step step, const Run& run) {
  Counter& c = counters_.at(counter);
  std::optional<std::uint64_t>& sum = c.record.left[static_cast<std::size_t>(step)];
  sum = sum.value_or(0) + std::uint64_t{run.n} * run.length();
  if (step != Step::added) return;
  c.record.since += std::uint64_t{run.n} * run.length();
  charge(counter, run);
}

void Recorder::named(unsigned counter, const pmu::Block& block, activity::Signal signal,
                     const pmu::Occurrence& occurrence, std::uint32_t amount) {
  Pending pending{block.begin + occurrence.at, {}, {}, amount};
  if (!pmu::refers_to_request(signal)) {
    if (occurrence.ref >= block.instructions.size()) return;
    pending.culprit = instruction_at(block, occurrence.ref);
  } else {
    if (occurrence.ref >= block.requests.size()) return;
    const activity::RequestRecord& request = block.requests[occurrence.ref];
    pending.address = request.address;
    const std::uint32_t owner =
        occurrence.ref < block.ia64_requests.size() ? block.ia64_requests[occurrence.ref].owner : activity::no_ref;
    if (owner < block.instructions.size()) {
      pending.culprit = instruction_at(block, owner);
    } else if (request.has_instruction) {
      pending.culprit = {request.ip, 0, true};
    }
  }
  Counter& c = counters_.at(counter);
  c.sorted = c.sorted && (c.pending.empty() || c.pending.back().at <= pending.at);
  c.pending.push_back(pending);
}

void Recorder::charge(unsigned counter, const Run& run) {
  Counter& c = counters_.at(counter);
  if (!c.sorted) {
    const auto first = c.pending.begin() + static_cast<std::ptrdiff_t>(c.first);
    std::stable_sort(first, c.pending.end(), [](const Pending& a, const Pending& b) { return a.at < b.at; });
    c.sorted = true;
  }
  const bool carries = c.record.left[static_cast<std::size_t>(Step::carried)].has_value();
  const auto none_left = [&](pmu::Cycle end) { return c.first == c.pending.size() || c.pending[c.first].at >= end; };
  while (!carries && !none_left(run.begin)) ++c.first;
  if (run.n == 0) return;
  const auto charge_unnamed = [&](pmu::Cycle from, pmu::Cycle to, std::uint64_t n) {
    if (n == 0 || from == to) return;
    c.record.unnamed += n * (to - from);
    unnamed(counter, from, to, n);
  };
  pmu::Cycle at = run.begin;
  while (at < run.end && !none_left(run.end)) {
    if (c.pending[c.first].at > at) {
      charge_unnamed(at, c.pending[c.first].at, run.n);
      at = c.pending[c.first].at;
      continue;
    }
    std::uint32_t rest = run.n;
    while (rest != 0 && !none_left(at + 1)) {
      Pending& pending = c.pending[c.first];
      const std::uint32_t part = std::min(rest, pending.amount);
      c.record.by_culprit[pending.culprit] += part;
      if (pending.address) c.record.by_address[*pending.address] += part;
      rest -= part;
      pending.amount -= part;
      if (pending.amount == 0) ++c.first;
    }
    charge_unnamed(at, at + 1, rest);
    ++at;
    while (!carries && !none_left(at)) ++c.first;
  }
  charge_unnamed(at, run.end, run.n);
  if (c.first == c.pending.size()) {
    c.pending.clear();
    c.first = 0;
  }
}

void Recorder::written(unsigned counter, std::uint64_t value) {
  CounterRecord& record = counters_.at(counter).record;
  record.overwritten += record.since;
  record.since = 0;
  record.base = value;
}

}  // namespace pmusim::testbench
