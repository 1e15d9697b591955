#include "testbench/tests/pmu_shell/toy_monitor.h"

#include <algorithm>
#include <utility>

namespace pmusim::testing {
namespace {

using pmu::Run;
using pmu::Term;

/// Iterates over the stretches in which both inputs of a counter are constant: event line and gate.
class GatedRuns {
 public:
  GatedRuns(const Block& block, std::uint32_t select, Cycle from, Cycle to)
      : terms_{event_term(select & 3)},
        gates_{Term{.state = activity::State::cpl, .level = user_level}},
        gated_((select & ToyMonitor::user_only) != 0),
        events_(block, std::span(terms_).first((select & 3) == 0 ? 0 : 1), context_, from, to),
        levels_(block, gates_, context_, from, to) {
    more_ = events_.next(event_) && levels_.next(level_);
  }
  bool next(Run& run, bool& open) {
    if (!more_) return false;
    const Cycle end = std::min(event_.end, level_.end);
    run = {event_.begin, end, event_.n};
    open = !gated_ || level_.n != 0;
    event_.begin = level_.begin = end;
    if (event_.end == end) more_ = events_.next(event_);
    if (level_.end == end) more_ = levels_.next(level_) && more_;
    return true;
  }

 private:
  static std::uint32_t user_level(std::uint64_t cpl, const pmu::TermContext&) { return cpl != 0; }
  static Term event_term(std::uint32_t event) {
    if (event == 1) return {.signal = activity::Signal::retire, .count = pmu::count_amount};
    if (event == 3) return {.state = activity::State::load_misses, .level = pmu::level_value};
    return {};
  }
  pmu::TermContext context_;
  std::array<Term, 1> terms_, gates_;
  bool gated_;
  pmu::RunCursor events_, levels_;
  Run event_, level_;
  bool more_;
};

std::uint32_t increment(std::uint32_t select, std::uint32_t n, bool open) {
  const std::uint32_t threshold = select >> ToyMonitor::threshold_shift & 15;
  if (!open) return 0;
  return threshold == 0 ? n : (n >= threshold ? 1 : 0);
}

constexpr std::array<pmu::RegisterInfo, 5> infos{{
    {{pmu::Space::msr, 0}, "Select0", 16, pmu::RegisterKind::control, true},
    {{pmu::Space::msr, 1}, "Select1", 16, pmu::RegisterKind::control, true},
    {{pmu::Space::msr, 8}, "Count0", 16, pmu::RegisterKind::counter, true},
    {{pmu::Space::msr, 9}, "Count1", 16, pmu::RegisterKind::counter, true},
    {{pmu::Space::msr, 16}, "Status", 1, pmu::RegisterKind::status, false},
}};

}  // namespace

std::span<const pmu::RegisterInfo> ToyMonitor::registers() const { return infos; }

pmu::AccessResult ToyMonitor::read(pmu::RegisterId id, const pmu::Accessor&) {
  switch (id.number) {
    case 0:
    case 1:
      return {pmu::Fault::none, counters_[id.number].select};
    case 8:
    case 9:
      return {pmu::Fault::none, counters_[id.number - 8].value};
    case 16:
      return {pmu::Fault::none, pending_ ? 1u : 0u};
    default:
      return {pmu::Fault::general_protection, 0};
  }
}

pmu::AccessResult ToyMonitor::write(pmu::RegisterId id, std::uint64_t value, const pmu::Accessor& who) {
  if (who.cpl != 0 || id.number > 9 || (id.number > 1 && id.number < 8)) return {pmu::Fault::general_protection, 0};
  if (id.number < 8) {
    counters_[id.number].select = value & 0xffff;
  } else {
    counters_[id.number - 8].value = value & (modulus - 1);
  }
  return {};
}

pmu::Consumed ToyMonitor::consume_with_write(const Block& block, Cycle at, pmu::RegisterId id, std::uint64_t value,
                                             const pmu::Accessor& who, pmu::AccessResult& result) {
  const pmu::Consumed done = consume(block, at, at + 1);
  result = write(id, value, who);
  return done;
}

Cycle ToyMonitor::first_overflow(const Block& block, const Counter& counter, Cycle from, Cycle to) const {
  GatedRuns runs(block, counter.select, from, to);
  Run run;
  bool open = false;
  std::uint64_t missing = modulus - counter.value;
  while (runs.next(run, open)) {
    const std::uint64_t step = increment(counter.select, run.n, open);
    if (step == 0) continue;
    const Cycle cycles = (missing + step - 1) / step;
    if (cycles <= run.length()) return run.begin + cycles - 1;
    missing -= step * run.length();
  }
  return activity::never;
}

void ToyMonitor::count(const Block& block, unsigned index, Cycle from, Cycle to) {
  Counter& counter = counters_[index];
  GatedRuns runs(block, counter.select, from, to);
  Run run;
  bool open = false;
  while (runs.next(run, open)) {
    const std::uint64_t step = increment(counter.select, run.n, open);
    Cycle at = run.begin;
    while (step != 0 && at < run.end) {
      const Cycle cycles = std::min<Cycle>((modulus - counter.value + step - 1) / step, run.end - at);
      counter.value += step * cycles;
      at += cycles;
      if (counter.value < modulus) continue;
      counter.value -= modulus;
      if (record_pins_ && counter.pin_low != at) {  // high in the cycle of the overflow: low from `at` on
        edges_.push_back({at, index, true});
        edges_.push_back({at + 1, index, false});
      }
      if (counter.pin_low != at) counter.pin_low = at + 1;
    }
    probes_[index] = {run.n, step != 0, false, counter.value};
  }
}

pmu::Consumed ToyMonitor::consume(const Block& block, Cycle from, Cycle to) {
  pmu::Consumed done{to, false};
  for (const Counter& counter : counters_) {
    if ((counter.select & interrupt) == 0) continue;
    const Cycle overflow = first_overflow(block, counter, from, done.reached);
    if (overflow != activity::never) done = {overflow + 1, true};
  }
  for (unsigned i = 0; i < counters; ++i) count(block, i, from, done.reached);
  pending_ |= done.interrupt_request;
  return done;
}

// A cycle has at most 16 occurrences.
Cycle ToyMonitor::quiet_cycles() const {
  Cycle quiet = activity::never;
  for (const Counter& counter : counters_) {
    if ((counter.select & interrupt) != 0 && (counter.select & 3) != 0) {
      quiet = std::min<Cycle>(quiet, (modulus - counter.value - 1) / 16);
    }
  }
  return quiet;
}

std::vector<pmu::PinEdge> ToyMonitor::take_pin_edges() {
  std::stable_sort(edges_.begin(), edges_.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  return std::exchange(edges_, {});
}

}  // namespace pmusim::testing
