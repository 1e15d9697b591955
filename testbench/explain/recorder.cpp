#include "testbench/explain/recorder.h"

#include <algorithm>

#include "models/pmu/multiplexer.h"
#include "testbench/explain/raw_counters.h"

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

namespace {

struct StepText {
  std::string_view name, meaning;
};
// In the order of pmu::Step.
constexpr auto steps = std::to_array<StepText>({
    {"signal", "occurrences of the event's signals, and cycles of its states"},
    {"selected", "selected by event code and unit mask, as the event counts them"},
    {"opcode", "passed by the opcode matcher"},
    {"code_range", "passed by the instruction address range"},
    {"data_range", "passed by the data address ranges"},
    {"together", "in cycles in which all levels of the event are on"},
    {"clock", "while the core clock runs"},
    {"enabled", "while the counter is enabled"},
    {"frozen", "while the PMU is not frozen"},
    {"stopped", "while no signalled interrupt has stopped the counting"},
    {"trigger", "after the trigger"},
    {"thread", "of the hardware threads that are counted"},
    {"privilege", "at the privilege levels that are counted"},
    {"monitor_bit", "while the bit of the PSR that runs the counter is 1"},
    {"instruction_set", "in the instruction sets that are counted"},
    {"process", "of the processes that are counted"},
    {"first", "the first of each cycle"},
    {"limited", "no more than the counter takes in a cycle"},
    {"carried", "no more than the counter takes in a cycle; the rest follows in the cycles after it"},
    {"threshold", "cycles in which the comparison holds"},
    {"inverted", "inverted: the cycles, or slots, in which it does not"},
    {"sampled", "cycles in which the slower clock sees it"},
    {"long_run", "cycles in which it has been on for long enough"},
    {"edges", "cycles in which the condition begins to hold"},
    {"added", "added to the counter"},
});
static_assert(steps.size() == pmu::step_count);

}  // namespace

std::string_view name_of(pmu::Step step) { return steps.at(static_cast<std::size_t>(step)).name; }
std::string_view meaning_of(pmu::Step step) { return steps.at(static_cast<std::size_t>(step)).meaning; }

EventInputs inputs_of(const models::Target& target, const std::vector<encoder::RegisterValue>& registers,
                      unsigned counter) {
  const models::Parameters parameters = target.parameters();
  const auto monitor = target.make_monitor(parameters);
  for (const RegisterWrite& write : writes_of(target, parameters, registers))
    (void)monitor->write(write.id, write.value, {});
  Recorder recorder(monitor->counter_count());
  monitor->watch(&recorder);
  activity::Block nothing;
  nothing.end = 1;
  (void)monitor->consume(nothing, 0, 1);
  return {recorder.counter(counter).signals, recorder.counter(counter).states};
}

}  // namespace pmusim::testbench
