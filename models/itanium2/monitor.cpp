#include "models/itanium2/monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "models/itanium2/itanium2.h"

namespace pmusim::pmu {

std::unique_ptr<Monitor> make_itanium2_monitor(const models::Parameters& parameters) {
  return std::make_unique<itanium2::Itanium2Monitor>(parameters);
}

namespace itanium2 {

using activity::State;

Itanium2Monitor::Itanium2Monitor(const models::Parameters& parameters, std::span<const ia64::Event> events)
    : behaviour_(parameters), events_(events), tagger_(behaviour_.tags) {
  Itanium2Monitor::reset();
}

void Itanium2Monitor::reset() {
  for (unsigned i = 0; i < pmcs; ++i) pmc_[i] = pmc_bits[i].reset;
  counter_ = {};
  ibr_ = {};
  dbr_ = {};
  pmv_ = std::uint64_t{1} << behaviour_.pmv_mask_bit;
  capturing_ = {};
  freeze_at_ = activity::never;
  pending_ = requested_ = false;
  probes_ = {};
  configure_all();
}

bool Itanium2Monitor::counts(unsigned i, const Stretch& s) const {
  return s.running && !frozen() && enabled() && gates_[i].runs(s.mode.psr, s.mode.cpl);
}

// The longest stretch from `at` on in which no state changes that gates anything.
Itanium2Monitor::Stretch Itanium2Monitor::stretch(const Block& block, Cycle at, Cycle to) {
  if (at >= freeze_at_) {
    pmc_[0] |= pmc0::fr;
    freeze_at_ = activity::never;
  }
  const Held clock = held(block, State::clock, at);
  const Held psr = held(block, State::psr, at);
  const Held cpl = held(block, State::cpl, at);
  const ia64::Mode mode{static_cast<unsigned>(cpl.value & 3), psr.value};
  const bool level_changed = seen_ && mode.cpl != mode_.cpl;
  const bool isa_changed = seen_ && ((mode.psr ^ mode_.psr) & activity::ia64::psr::is) != 0;
  seen_ = true;
  mode_ = mode;
  return {
      at,         std::min({to, clock.until, psr.until, cpl.until, freeze_at_}), mode, clock.value != 0, level_changed,
      isa_changed};
}

// Counters that will wrap soon cut the stretch short, so that little is looked at twice. Results do not depend on it.
Cycle Itanium2Monitor::horizon(const Stretch& s) const {
  constexpr Cycle least = 512;
  Cycle end = s.end;
  for (unsigned i = 0; i < counters; ++i) {
    if (!interrupts(i) || !counts(i, s)) continue;
    end = std::min(end, s.begin + std::max(least, 2 * counter_[i].distance()));
  }
  return end;
}

void Itanium2Monitor::capture(const Block& block, const Stretch& s) {
  captures_.clear();
  const auto runs = [&](const ia64::Gate& gate) { return s.running && enabled() && gate.runs(s.mode.psr, s.mode.cpl); };
  const auto go = [&](auto& part, const ia64::Gate& gate, std::vector<Cycle>& captures) {
    if (!part.idle()) part.advance(block, s.begin, s.end, runs(gate), frozen(), tagger_, s.mode, captures);
  };
  go(capturing_.data_ear, data_ear_gate_, captures_.data_ear);
  go(capturing_.fetch_ear, fetch_ear_gate_, captures_.fetch_ear);
  go(capturing_.branch_ring, branch_ring_gate_, captures_.branch_ring);
}

Cycle Itanium2Monitor::advance(const Block& block, Stretch s) {
  requested_ = false;
  s.end = horizon(s);
  std::array<bool, counters> counting{};
  bool may_freeze = false;
  for (unsigned i = 0; i < counters; ++i) {
    counting[i] = counts(i, s);
    may_freeze = may_freeze || (counting[i] && interrupts(i));
  }
  const auto scan_line = [&](unsigned i, std::uint64_t distance) {
    const ia64::Happened happened{captures_.data_ear, captures_.fetch_ear, captures_.branch_ring, s.level_changed,
                                  s.isa_changed};
    const ia64::EventContext context{block, s.mode, tagger_, behaviour_.events, happened};
    return ia64::scan(lines_[i], context, s.begin, s.end, distance);
  };
  constexpr std::uint64_t unlimited = ~std::uint64_t{0};
  std::array<std::optional<ia64::EventScan>, counters> scans;
  if (may_freeze) {
    const Capturing before = capturing_;
    capture(block, s);
    Cycle end = s.end;
    for (unsigned i = 0; i < counters; ++i) {
      if (!counting[i] || !interrupts(i)) continue;
      scans[i] = scan_line(i, counter_[i].distance());
      if (scans[i]->wrap != activity::never) end = std::min(end, scans[i]->wrap + 1);
      if (end != s.end || scans[i]->wrap != activity::never) scans[i].reset();
    }
    if (end != s.end) {
      scans = {};
      s.end = end;
      capturing_ = before;
      capture(block, s);
    }
  } else {
    capture(block, s);
  }
  const bool probing = s.end - s.begin == 1;
  for (unsigned i = 0; i < counters; ++i) {
    ia64::EventScan line;
    if (scans[i])
      line = *scans[i];
    else if (counting[i] || probing)
      line = scan_line(i, unlimited);
    if (counting[i] && counter_[i].add(line.added)) wrapped(i, s.end - 1);
    note_probe(i, line, counting[i]);
  }
  return s.end;
}

// Only a wrap with oi = 1 happens in a cycle that is known: the last of the stretch.
void Itanium2Monitor::wrapped(unsigned i, Cycle at) {
  if (interrupts(i) || !behaviour_.overflow_needs_oi) pmc_[0] |= std::uint64_t{1} << (pmc0::overflow_shift + i);
  if (!interrupts(i)) return;
  freeze_at_ = std::min(freeze_at_, at + 1 + behaviour_.freeze_delay);
  if (freeze_at_ == at + 1) {
    pmc_[0] |= pmc0::fr;
    freeze_at_ = activity::never;
  }
  if ((pmv_ >> behaviour_.pmv_mask_bit & 1) != 0) return;
  requested_ = requested_ || !pending_;
  pending_ = true;
}

void Itanium2Monitor::note_probe(unsigned i, const ia64::EventScan& scan, bool counting) {
  probes_[i].occurrences = scan.last;
  probes_[i].condition = counting && ia64::above_threshold(scan.last, lines_[i].threshold) != 0;
  probes_[i].value = counter_[i].read();
}

Consumed Itanium2Monitor::consume(const Block& block, Cycle from, Cycle to) {
  Cycle at = from;
  while (at < to) {
    at = advance(block, stretch(block, at, to));
    if (requested_) return {at, true};
  }
  return {at, false};
}

bool Itanium2Monitor::interrupt_enabled(const Block& block, Cycle at) const {
  return (block.state_at(State::psr, at) & activity::ia64::psr::i) != 0;
}

Cycle Itanium2Monitor::quiet_cycles() const {
  constexpr Cycle far = Cycle{1} << 40;
  // Without a limit a line delivers at most as many as any core.
  constexpr std::uint64_t most_of_any = 256;
  Cycle quiet = far;
  if (frozen() || !enabled() || (pmv_ >> behaviour_.pmv_mask_bit & 1) != 0) return quiet;
  for (unsigned i = 0; i < counters; ++i) {
    if (!interrupts(i) || gates_[i].levels == 0 || lines_[i].event == nullptr) continue;
    const std::uint64_t most = lines_[i].threshold != 0    ? 1
                               : behaviour_.events.limited ? lines_[i].event->most
                                                           : most_of_any;
    quiet = std::min(quiet, (counter_[i].distance() + most - 1) / most - 1);
  }
  return quiet;
}

std::vector<std::string> Itanium2Monitor::not_modelled() const {
  std::vector<std::string> sentences;
  for (unsigned i = 0; i < counters; ++i) {
    const ia64::Event* const event = lines_[i].event;
    if (gates_[i].levels == 0 || event == nullptr || event->source != ia64::Source::unmodelled) continue;
    sentences.push_back(fmt::format("PMC{}: event 0x{:02x} with unit mask {} is not modelled and counts 0",
                                    first_counter + i, event->code, lines_[i].umask));
  }
  return sentences;
}

}  // namespace itanium2
}  // namespace pmusim::pmu
