#include "models/ia64/monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace pmusim::pmu::ia64 {

using activity::State;

namespace {

/// Core clocks per bus clock if the activity contains no ratio: 4 to 1.
constexpr std::uint64_t bus_ratio = 4u << 16 | 1u;

Mode mode_of(const Held& cpl, const Held& psr) { return {static_cast<unsigned>(cpl.value & 3), psr.value}; }

}  // namespace

bool yields(std::span<const Selected> counters, unsigned i, bool (*alike)(unsigned code)) {
  const unsigned code = counters[i].event->code;
  if (!alike(code)) return false;
  for (const Selected& other : counters.first(i)) {
    if (other.event != nullptr && alike(other.code)) return other.code != code;
  }
  return false;
}

Ia64Monitor::Ia64Monitor(const Family& family, const models::Parameters& parameters)
    : family_(&family),
      infos_(register_infos(family)),
      behaviour_(parameters, family.threads),
      capturing_{{}, {}, BranchRing(family.ring.entries), {}},
      tagger_(behaviour_.tags),
      bus_clock_(1, bus_ratio) {
  Ia64Monitor::reset();
}

void Ia64Monitor::reset() {
  pmc_ = {};
  for (const PmcRange& range : family_->pmcs) std::fill_n(pmc_.begin() + range.first, range.count, range.reset);
  counter_ = {};
  ibr_ = {};
  dbr_ = {};
  pmv_ = std::uint64_t{1} << behaviour_.pmv_mask_bit;
  capturing_ = {{}, {}, BranchRing(family_->ring.entries), {}};
  freeze_at_ = activity::never;
  pending_ = requested_ = false;
  probes_ = {};
  configure_all();
}

void Ia64Monitor::freeze(Cycle from) {
  pmc_[0] |= pmc0::fr;
  freeze_at_ = activity::never;
  capturing_.ip_ear.freeze(from);
}

// The rules of the four event types. Occurrences that belong to no thread count for the active thread.
Owners Ia64Monitor::owners(unsigned i, const Stretch& s) const {
  const bool halted = lines_[i].event != nullptr && lines_[i].event->source == Source::halted;
  const bool on = s.running != halted && !frozen() && enabled();
  const auto runs = [&](unsigned thread) {
    const Mode& mode = s.modes[thread];
    return on && gates_[i].runs(mode.psr, mode.cpl);
  };
  Owners result;
  if (family_->threads == 1) {
    result.modes.fill(s.modes[0]);
    result.counted.fill(runs(0));
    return result;
  }
  const unsigned own = behaviour_.thread;
  const bool both = both_threads_[i];
  const bool foreground = (both || s.active == own) && runs(s.active);
  const Type type = lines_[i].event != nullptr ? lines_[i].event->type : Type::active;
  const bool self_floats = type == Type::self_floating && (!both || behaviour_.self_floats_for_both);
  if (type != Type::floating && !self_floats) {
    result.modes.fill(s.modes[s.active]);
    result.counted.fill(foreground);
    return result;
  }
  result.alike = false;
  for (unsigned thread = 0; thread < most_threads; ++thread) {
    result.modes[thread] = s.modes[thread];
    result.counted[thread] =
        (both || thread == own) && runs(thread) && (thread == s.active || behaviour_.floats_in_background);
  }
  result.modes[no_thread] = s.modes[s.active];
  result.counted[no_thread] = foreground;
  return result;
}

std::array<Funnel, 3> Ia64Monitor::funnels(unsigned i, const Stretch& s, const Owners& owners, bool is_frozen) const {
  const bool halted = lines_[i].event != nullptr && lines_[i].event->source == Source::halted;
  const unsigned own = behaviour_.thread;
  const bool both = both_threads_[i];
  std::array<Funnel, 3> all{Funnel(*watcher(), i), Funnel(*watcher(), i), Funnel(*watcher(), i)};
  for (unsigned owner = 0; owner < all.size(); ++owner) {
    const bool by_thread = !owners.alike && owner != no_thread;
    const unsigned thread = by_thread ? owner : s.active;
    const Mode& mode = s.modes[thread];
    Funnel& funnel = all[owner];
    funnel.gate(Step::clock, s.running != halted);
    if (family_->has_enable) funnel.gate(Step::enabled, enabled());
    funnel.gate(Step::frozen, !is_frozen);
    if (family_->threads > 1) {
      const bool in_front = !by_thread || thread == s.active || behaviour_.floats_in_background;
      funnel.gate(Step::thread, (both || thread == own) && in_front);
    }
    funnel.gate(Step::privilege, gates_[i].at_level(mode.cpl));
    funnel.gate(Step::monitor_bit, gates_[i].run_by(mode.psr));
    if (family_->has_ia32) funnel.gate(Step::instruction_set, gates_[i].in_instruction_set(mode.psr));
  }
  return all;
}

// The longest stretch from `at` on in which none of the states changes on which gates and counting depend.
Ia64Monitor::Stretch Ia64Monitor::stretch(const Block& block, Cycle at, Cycle to) {
  if (at >= freeze_at_) freeze(freeze_at_);
  const Held clock = held(block, State::clock, at);
  const Held ratio = held(block, State::bus_ratio, at);
  const Held psr = held(block, State::psr, at);
  const Held cpl = held(block, State::cpl, at);
  Stretch s{};
  s.begin = at;
  s.end = std::min({to, clock.until, ratio.until, psr.until, cpl.until, freeze_at_});
  s.running = clock.value != 0;
  s.modes.fill(mode_of(cpl, psr));
  if (family_->threads > 1) {
    const Held thread = held(block, State::thread, at);
    const Held background_psr = held(block, State::background_psr, at);
    const Held background_cpl = held(block, State::background_cpl, at);
    s.end = std::min({s.end, thread.until, background_psr.until, background_cpl.until});
    s.active = thread.value & 1;
    s.modes[1 - s.active] = mode_of(background_cpl, background_psr);
  }
  bus_clock_.set_ratio(at, ratio.value);
  const Mode &before = modes_[s.active], &mode = s.modes[s.active];
  if (seen_ && mode.cpl != before.cpl) s.levels_changed = 1u << mode.cpl | 1u << before.cpl;
  s.isa_changed = seen_ && ((mode.psr ^ before.psr) & activity::ia64::psr::is) != 0;
  seen_ = true;
  modes_ = s.modes;
  return s;
}

// The stretch is cut short if a counter will wrap soon, so that few cycles are scanned twice. After stretches that
// counted nothing the cut is later. Results do not depend on the cut.
Cycle Ia64Monitor::horizon(const Stretch& s, const std::array<Owners, most_counters>& owners) const {
  constexpr Cycle least = 512;
  Cycle end = s.end;
  for (unsigned i = 0; i < family_->counters; ++i) {
    if (!interrupts(i) || !owners[i].any()) continue;
    const Cycle ahead = std::max(least, 2 * counter_[i].distance());
    if (ahead <= (s.end - s.begin) >> still_) end = std::min(end, s.begin + (ahead << still_));
  }
  return end;
}

// The event address registers and the ring read many signals, so they subscribe to everything.
activity::Subscription Ia64Monitor::subscription() const {
  const Capturing& c = capturing_;
  const bool captures = !c.data_ear.idle() || !c.fetch_ear.idle() || !c.branch_ring.idle() || !c.ip_ear.idle();
  if (captures) return activity::Subscription::everything();
  activity::Subscription all;
  if (behaviour_.events.counts_awaited) all.add(activity::Signal::retire);
  for (unsigned i = 0; i < family_->counters; ++i) {
    if (lines_[i].event == nullptr) continue;
    const Type type = lines_[i].event->type;
    const bool alike = family_->threads == 1 || type == Type::active || type == Type::causal;
    all |= subscription_of(lines_[i], tagger_, behaviour_.events, alike);
  }
  return all;
}

void Ia64Monitor::capture(const Block& block, const Stretch& s) {
  captures_.clear();
  const Mode& mode = s.modes[behaviour_.thread];
  const auto runs = [&](const Gate& gate) { return s.running && enabled() && gate.runs(mode.psr, mode.cpl); };
  const auto go = [&](auto& part, const Gate& gate, std::vector<Capture>& captures) {
    if (!part.idle()) part.advance(block, s.begin, s.end, runs(gate), frozen(), tagger_, mode, captures);
  };
  if (s.active == behaviour_.thread || behaviour_.ears_follow_in_background) {
    go(capturing_.data_ear, data_ear_gate_, captures_.data_ear);
    go(capturing_.fetch_ear, fetch_ear_gate_, captures_.fetch_ear);
  } else {
    capturing_.data_ear.forget();
    capturing_.fetch_ear.forget();
  }
  go(capturing_.branch_ring, ring_gate_, captures_.branch_ring);
  if (capturing_.ip_ear.idle()) return;
  capturing_.ip_ear.advance(block, s.begin, s.end, runs(ring_gate_), frozen(), s.active == behaviour_.thread,
                            capturing_.branch_ring.registers);
}

Cycle Ia64Monitor::advance(const Block& block, Stretch s) {
  requested_ = false;
  std::array<Owners, most_counters> owners{};
  bool may_freeze = false;
  for (unsigned i = 0; i < family_->counters; ++i) {
    if (gates_[i].levels == 0 && watcher() == nullptr) {  // counts nothing
      owners[i].counted = {};
      continue;
    }
    owners[i] = this->owners(i, s);
    may_freeze = may_freeze || (owners[i].any() && interrupts(i));
  }
  const Cycle whole = std::exchange(s.end, horizon(s, owners));
  const bool cut_short = s.end != whole;
  const auto scan_line = [&](unsigned i, const Owners& counted, std::uint64_t distance,
                             const std::array<Funnel, 3>* told = nullptr) {
    const Happened happened{captures_.data_ear, captures_.fetch_ear, captures_.branch_ring,
                            s.levels_changed,   s.isa_changed,       &bus_clock_,
                            bus_ticks_,         since_retirement_};
    const EventContext context{block, counted, behaviour_.thread, tagger_, behaviour_.events, happened, told};
    return scan(lines_[i], context, s.begin, s.end, distance);
  };
  constexpr std::uint64_t unlimited = ~std::uint64_t{0};
  std::array<std::optional<EventScan>, most_counters> scans;
  const unsigned ring_writes = capturing_.branch_ring.registers.writes;
  if (may_freeze) {
    const Capturing before = capturing_;
    capture(block, s);
    Cycle end = s.end;
    for (unsigned i = 0; i < family_->counters; ++i) {
      if (!owners[i].any() || !interrupts(i)) continue;
      scans[i] = scan_line(i, owners[i], counter_[i].distance());
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
  bool stood_still = true;
  was_frozen_ = frozen();  // before the loop: a counter that wraps may freeze the following cycles
  ring_written_ = capturing_.branch_ring.registers.writes != ring_writes;
  for (unsigned i = 0; i < family_->counters; ++i) {
    const bool counting = owners[i].any();
    EventScan line;
    if (watcher() != nullptr) {
      const std::array<Funnel, 3> told = funnels(i, s, owners[i], was_frozen_);
      scans[i] = scan_line(i, owners[i], unlimited, &told);
      if (!counting) scans[i].reset();
    }
    if (scans[i]) {
      line = *scans[i];
    } else if (counting || probing) {
      if (!counting) {
        owners[i] = this->owners(i, s);
        owners[i].counted.fill(true);
      }
      line = scan_line(i, owners[i], unlimited);
    }
    stood_still = stood_still && (line.added == 0 || !counting || !interrupts(i));
    if (counting && counter_[i].add(line.added)) wrapped(i, s.end - 1);
    note_probe(i, line, counting);
  }
  if (cut_short || !stood_still) still_ = stood_still ? still_ + 1 : 0;
  now_ = s.end;
  if (behaviour_.events.counts_awaited) note_retirement(block, s);
  if (now_ >= freeze_at_) freeze(freeze_at_);
  bus_ticks_ = bus_clock_.ticks(s.end - 1);
  return s.end;
}

void Ia64Monitor::note_retirement(const Block& block, const Stretch& s) {
  const auto retired = occurrences(block, activity::Signal::retire, s.begin, s.end);
  if (!retired.empty()) {
    since_retirement_ = s.running ? s.end - (block.begin + retired.back().at + 1) : 0;
  } else if (s.running) {
    since_retirement_ += s.end - s.begin;
  }
}

// The cycle of a wrap is known only with oi = 1: the last cycle of the stretch.
void Ia64Monitor::wrapped(unsigned i, Cycle at) {
  if (interrupts(i) || !behaviour_.overflow_needs_oi) pmc_[0] |= std::uint64_t{1} << (pmc0::overflow_shift + i);
  if (!interrupts(i)) return;
  freeze_at_ = std::min(freeze_at_, at + 1 + behaviour_.freeze_delay);
  if (freeze_at_ == at + 1) freeze(freeze_at_);
  request();
}

void Ia64Monitor::request() {
  if ((pmv_ >> behaviour_.pmv_mask_bit & 1) != 0) return;
  requested_ = requested_ || !pending_;
  pending_ = true;
}

void Ia64Monitor::note_probe(unsigned i, const EventScan& scan, bool counting) {
  probes_[i].occurrences = scan.last;
  probes_[i].condition = counting && above_threshold(scan.last, lines_[i].threshold) != 0;
  probes_[i].value = counter_[i].read();
}

namespace {

enum class Shown : std::uint8_t { frozen, overflow, data_ear, fetch_ear, ring };
constexpr std::array<Indicator, 5> shown_of(unsigned counters) {
  return {{{"frozen"},
           {"overflow", counters},
           {"data_ear_written"},
           {"instruction_ear_written"},
           {"branch_buffer_written"}}};
}

}  // namespace

std::span<const Indicator> Ia64Monitor::indicators() const {
  static constexpr auto four = shown_of(4), twelve = shown_of(most_counters);
  return family_->counters == most_counters ? std::span<const Indicator>(twelve) : four;
}

std::uint64_t Ia64Monitor::indicator(std::size_t i) const {
  switch (static_cast<Shown>(i)) {
    case Shown::frozen:
      return was_frozen_ ? 1 : 0;
    case Shown::overflow:
      return pmc_[0] >> pmc0::overflow_shift & ((std::uint64_t{1} << family_->counters) - 1);
    case Shown::data_ear:
      return captures_.data_ear.empty() ? 0 : 1;
    case Shown::fetch_ear:
      return captures_.fetch_ear.empty() ? 0 : 1;
    case Shown::ring:
      return ring_written_ ? 1 : 0;
  }
  return 0;
}

Consumed Ia64Monitor::consume(const Block& block, Cycle from, Cycle to) {
  Cycle at = from;
  while (at < to) {
    at = advance(block, stretch(block, at, to));
    if (requested_) return {at, true};
  }
  return {at, false};
}

void Ia64Monitor::interrupt_taken() {
  pending_ = false;
  if (frozen()) capturing_.ip_ear.cut(now_, capturing_.branch_ring.registers);
}

bool Ia64Monitor::interrupt_enabled(const Block& block, Cycle at) const {
  const bool foreground = family_->threads == 1 || (block.state_at(State::thread, at) & 1) == behaviour_.thread;
  return foreground && (block.state_at(State::psr, at) & activity::ia64::psr::i) != 0;
}

Cycle Ia64Monitor::quiet_cycles() const {
  constexpr Cycle far = Cycle{1} << 40;
  // Without the table's limit: an upper bound of the occurrences of a line per cycle in any core.
  constexpr std::uint64_t most_of_any = 256;
  Cycle quiet = far;
  if (frozen() || !enabled() || (pmv_ >> behaviour_.pmv_mask_bit & 1) != 0) return quiet;
  for (const EventLine& line : std::span(lines_).first(family_->counters)) {
    const auto i = static_cast<unsigned>(&line - lines_.data());
    if (!interrupts(i) || gates_[i].levels == 0 || line.event == nullptr) continue;
    if (line.event->awaited && behaviour_.events.counts_awaited) return 0;
    const std::uint64_t most = line.threshold != 0 ? 1 : behaviour_.events.limited ? line.event->most : most_of_any;
    quiet = std::min(quiet, (counter_[i].distance() + most - 1) / most - 1);
  }
  return quiet;
}

std::vector<std::string> Ia64Monitor::not_modelled() const {
  std::vector<std::string> sentences;
  for (unsigned i = 0; i < family_->counters; ++i) {
    const Event* const event = lines_[i].event;
    if (gates_[i].levels == 0 || event == nullptr || event->source != Source::unmodelled) continue;
    sentences.push_back(fmt::format("PMC{}: event 0x{:02x} with unit mask {} is not modelled and counts 0",
                                    first_counter + i, event->code, lines_[i].umask));
  }
  // Data breakpoints have events, but code breakpoints only raise debug faults, and no trace contains their handlers.
  constexpr unsigned execute = 63;
  for (unsigned number = 1; number < ibr_.size(); number += 2) {
    if ((ibr_[number] >> execute & 1) == 0) continue;
    sentences.push_back(fmt::format("IBR{}: x = 1: the debug fault of a code breakpoint is not modelled", number));
  }
  return sentences;
}

std::vector<std::string> Ia64Monitor::broken_rules() const {
  std::vector<std::string> sentences;
  for (unsigned i = 0; i < family_->counters; ++i) {
    if (gates_[i].levels == 0 || !broken_[i]) continue;
    sentences.push_back(fmt::format(
        "PMC{}: event 0x{:02x} with unit mask {} cannot be selected here beside what the other counters select",
        first_counter + i, field(pmc_[first_counter + i], config::event_shift, 0xff), lines_[i].umask));
  }
  return sentences;
}

}  // namespace pmusim::pmu::ia64
