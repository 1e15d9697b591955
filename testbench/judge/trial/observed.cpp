#include "testbench/judge/trial/observed.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/pmu/multiplexer.h"

namespace pmusim::testbench::questions {
namespace {

/// The check counted on a counter; 0 if there is none.
std::size_t event_on(const Examined& candidate, std::size_t counter) {
  const auto found = std::find(candidate.counters.begin(), candidate.counters.end(), counter);
  return found == candidate.counters.end() ? 0 : static_cast<std::size_t>(found - candidate.counters.begin());
}

/// The number of blocks that end before an overflow stops all counters.
std::size_t counting_blocks(bool stops, const ObservedRun& run) {
  const auto& blocks = run.stimulus.log.blocks();
  const auto stopped = [&](const activity::Block& block) { return stops && run.request < block.end; };
  return static_cast<std::size_t>(std::find_if(blocks.begin(), blocks.end(), stopped) - blocks.begin());
}

/// The cycle whose event asserts a counter's pin: with pin control its overflow, without pin control its first event.
/// `overflows` is the event that overflows. `reversed`: pin control means the other one of the two
/// (pmu.pin_polarity=p6). activity::never if the pin must stay low.
Cycle pin_cause(const Examined& candidate, std::size_t counter, std::size_t overflows, bool reversed,
                const Counts& counts, const std::map<std::size_t, Counts::Crossings>& crossings) {
  Cycle cause = activity::never;
  for (std::size_t i = 0; i < candidate.counters.size(); ++i) {
    const std::size_t number = candidate.asked[i];
    if (candidate.counters[i] != counter || counts.total(number).expected == 0) continue;
    const bool each = candidate.question->group.checks[i].request.pin_control == reversed;
    if (!each && overflows != every_event && overflows != i) continue;
    cause = each ? crossings.at(number).first : crossings.at(number).last;
  }
  return cause;
}

/// The first cycle in which the pin was asserted.
Cycle pin_edge(const Seen& seen, std::size_t counter) {
  const auto edge = std::find_if(seen.edges.begin(), seen.edges.end(),
                                 [&](const pmu::PinEdge& e) { return e.pin == counter && e.level; });
  return edge == seen.edges.end() ? activity::never : edge->at;
}

/// The most core clocks from an event to the next bus clock, with which its pulse comes.
Cycle longest_bus_clock(const ActivityLog& log) {
  constexpr Cycle most = 64;  // enough for any ratio
  Cycle longest = 1;
  for (const activity::Block& block : log.blocks()) {
    for (Cycle at = block.begin; at < block.end;) {
      const pmu::Held ratio = pmu::held(block, activity::State::bus_ratio, at);
      const std::uint64_t core_clocks = ratio.value >> 16, bus_clocks = ratio.value & 0xffff;
      if (core_clocks == 0 || bus_clocks == 0) return most;
      longest = std::max<Cycle>(longest, (core_clocks + bus_clocks - 1) / bus_clocks);
      at = ratio.until;
    }
  }
  return std::min(longest, most);
}

/// Describes an error of a pin whose pulse comes at most `delay` cycles after its cause, for activity that ends in
/// cycle `end`; empty if there is none.
std::string wrong_pin(const std::string& counter, Cycle cause, Cycle got, Cycle delay, Cycle end) {
  if (got == activity::never && (cause == activity::never || cause + delay >= end)) return {};
  if (cause != activity::never && got > cause && got <= cause + delay) return {};
  const std::string when = got == activity::never ? "never" : fmt::format("in cycle {}", got);
  const std::string due = cause == activity::never ? "never" : fmt::format("after cycle {}", cause);
  return fmt::format("the pin of {} is asserted {}, due {}", counter, when, due);
}

/// Describes an error of an interrupt request; the overflow was `delay` cycles before `due`.
std::string wrong_request(Cycle due, Cycle got, Cycle delay) {
  if (due == activity::never)
    return fmt::format("an overflow interrupts in cycle {} though no interrupt was asked for", got);
  if (got == activity::never) return fmt::format("the overflow in cycle {} does not interrupt", due - delay);
  return fmt::format("the interrupt is requested in cycle {}, not in {}", got, due);
}

}  // namespace

std::optional<WrongCount> wrong_count(const Bench& bench, const Seen& seen, std::size_t counter, std::uint64_t start,
                                      Counts::ByBlock expected, std::size_t first, std::size_t end) {
  for (std::size_t block = first; block < std::min(end, seen.counts.size()); ++block) {
    const std::uint64_t due = expected.empty() ? 0 : bench.shown(counter, expected[block]);
    const std::uint64_t counted = bench.counted(counter, seen.counts[block][counter], start);
    if (counted != due) return WrongCount{block, counted, due};
  }
  return std::nullopt;
}

void Comparisons::counts(const ObservedRun& run, const Report& report) const {
  const auto& [candidate, seen, starts, expected, stimulus, request] = run;
  for (std::size_t c = 0; c < family_.counters.size(); ++c) {
    const std::size_t event = event_on(candidate, c);
    const std::string& counter = family_.counters[c];
    if (!seen.at_start.empty() && seen.at_start[c] != starts[c] && !idle_counters_read_higher()) {
      report(event, {stimulus.name, counter, seen.at_start[c] - starts[c], 0},
             fmt::format("{} counts before the last register is written: the write that starts the counters comes too "
                         "early",
                         counter));
      continue;
    }
    if ((family_.always_counting || idle_counters_read_higher()) && expected[c].empty()) continue;
    // Without the shipped parameters, a cycle may be counted only when the following one is known, so only the end of
    // the stimulus is compared.
    const std::size_t first = exam_.as_shipped || seen.counts.empty() ? 0 : seen.counts.size() - 1;
    const auto wrong = wrong_count(bench_, seen, c, starts[c], expected[c], first,
                                   counting_blocks(family_.freezes || candidate.question->policy.stops, run));
    if (!wrong) continue;
    std::string problem;
    if (expected[c].empty())
      problem = fmt::format("{} was not requested and counts {}", counter, wrong->counted);
    else if (wrong->block + 1 != seen.counts.size())
      problem = fmt::format("on the way {} is at {}, not at {}", counter, wrong->counted, wrong->due);
    report(event, {stimulus.name, counter, wrong->counted, wrong->due}, problem);
  }
}

void Comparisons::status(const ObservedRun& run, bool frozen, const Report& report) const {
  if (!family_.freezes) return;
  constexpr std::size_t overflow_bits = 4;  // of PMC0; bit 0 is fr
  const std::string &trace = run.stimulus.name, &status = family_.stop.reg;
  for (std::size_t c = 0; c < family_.counters.size(); ++c) {
    if ((run.seen.status >> (overflow_bits + c) & 1) == 0) continue;
    const bool asked = !run.expected[c].empty();
    if (asked && bench_.overflows(c, run.expected[c].back().expected, run.starts[c])) continue;
    const std::string& counter = family_.counters[c];
    report(event_on(run.candidate, c), {trace, counter, 1, 0},
           fmt::format("{} {}, and {} says that it has overflowed", counter,
                       asked ? "has not come so far" : "was not asked for", status));
  }
  if (frozen || (run.seen.status & family_.stop.value) == 0) return;
  report(0, {trace, status, 1, 0}, fmt::format("{} stops all counters without an overflow", status));
}

void Comparisons::captures(const ObservedRun& run, const Report& report) {
  const std::string& captured = run.seen.captured;
  if (captured.empty()) return;
  report(0, {run.stimulus.name, captured, 1, 0}, fmt::format("{} captures, but no capture was requested", captured));
}

Cycle Comparisons::request_delay() const {
  return exam_.parameters.has("pmu.request_delay") ? static_cast<Cycle>(exam_.parameters.get("pmu.request_delay")) : 0;
}

void Comparisons::interrupt(const ObservedRun& run, const Report& report) const {
  if (family_.interrupts == Interrupts::unjudged) return;
  const Cycle due = run.request >= run.stimulus.log.blocks().back().end ? activity::never : run.request;
  const Cycle got = run.seen.requests.empty() ? activity::never : run.seen.requests.front();
  if (got == due) return;
  report(0,
         {run.stimulus.name, run.candidate.answer->counters.front(), run.seen.requests.size(),
          due == activity::never ? 0u : 1u},
         wrong_request(due, got, request_delay()));
}

void Comparisons::pins(const ObservedRun& run, std::size_t overflows, const Counts& counts,
                       const std::map<std::size_t, Counts::Crossings>& crossings, const Report& report) const {
  if (!family_.has_pins) return;
  const Cycle end = run.stimulus.log.blocks().back().end, delay = longest_bus_clock(run.stimulus.log);
  for (std::size_t c = 0; c < family_.counters.size(); ++c) {
    const Cycle cause = pin_cause(run.candidate, c, overflows, chosen("pmu.pin_polarity"), counts, crossings),
                got = pin_edge(run.seen, c);
    const std::string problem = wrong_pin(family_.counters[c], cause, got, delay, end);
    if (problem.empty()) continue;
    report(
        event_on(run.candidate, c),
        {run.stimulus.name, family_.counters[c], got == activity::never ? 0u : 1u, cause == activity::never ? 0u : 1u},
        problem);
  }
}

}  // namespace pmusim::testbench::questions
