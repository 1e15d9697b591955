#include "models/ppc750gx/monitor.h"

#include <algorithm>
#include <array>
#include <utility>

#include "models/ppc750gx/ppc750gx.h"

namespace pmusim::pmu {

std::unique_ptr<Monitor> make_ppc750gx_monitor(const models::Parameters& parameters) {
  return std::make_unique<ppc750gx::Ppc750gxMonitor>(parameters);
}

namespace ppc750gx {

using activity::State;

Ppc750gxMonitor::Ppc750gxMonitor(const models::Parameters& parameters, std::span<const EventRow> entries)
    : Ppc750gxMonitor(Behaviour(parameters), entries) {}

// The time base is set to 0; its tick in progress continues with the bus clock.
void Ppc750gxMonitor::reset() {
  pending_ = false;
  if (behaviour_.keep_at_reset) return;
  Ppc750gxMonitor cleared(behaviour_, entries_);
  cleared.time_base_ = time_base_;
  cleared.time_base_.clear();
  *this = cleared;
}

EventContext Ppc750gxMonitor::context(unsigned i) const {
  return {selected_[i].selection, behaviour_, (mmcr0_ >> mmcr0::threshold_shift) & mmcr0::threshold_mask, iabr_};
}

unsigned Ppc750gxMonitor::time_base_bit() const {
  static constexpr std::array<unsigned, 4> bits{0, 8, 12, 16};  // time base bits 63, 55, 51, 47
  const unsigned select = (mmcr0_ >> mmcr0::rtcselect_shift) & 3;
  return bits[behaviour_.tb_select_reversed ? 3 - select : select];
}

// Section 11.3, PMCTRIGGER: PMC1[0] is read at the start of a cycle.
bool Ppc750gxMonitor::trigger_level() const {
  return negative(pmc_[0]) && (!behaviour_.trigger_needs_control || has(mmcr0::pmc1intcontrol));
}

// Section 11.3, DISCOUNT: true if PMC2-PMC4 stop together with PMC1.
bool Ppc750gxMonitor::stops_others() const {
  if (behaviour_.pmcintcontrol_overrides_discount && has(mmcr0::pmcintcontrol)) return false;
  switch (behaviour_.discount_scope) {
    case DiscountScope::trigger:
      return !has(mmcr0::pmctrigger);
    case DiscountScope::all:
      return true;
    case DiscountScope::pmc1:
      return false;
  }
  return false;
}

bool Ppc750gxMonitor::can_signal(const Stretch& s) const { return s.running && has(mmcr0::enint); }

bool Ppc750gxMonitor::overflow_condition() const {
  return (has(mmcr0::pmc1intcontrol) && negative(pmc_[0])) ||
         (has(mmcr0::pmcintcontrol) && (negative(pmc_[1]) || negative(pmc_[2]) || negative(pmc_[3])));
}

// The longest stretch from `at` without a change of a gating state.
Ppc750gxMonitor::Stretch Ppc750gxMonitor::stretch(const Block& block, Cycle at, Cycle to) {
  const Held clock = held(block, State::clock, at);
  const Held ratio = held(block, State::bus_ratio, at);
  const Held msr = held(block, State::msr, at);
  time_base_.set_ratio(at, ratio.value);
  const bool problem_state = (msr.value & activity::msr::pr) != 0;
  const bool marked = (msr.value & activity::msr::pm) != 0;
  const bool level = !has(problem_state ? mmcr0::du : mmcr0::dp), mark = !has(marked ? mmcr0::dms : mmcr0::dmr);
  // A toggle is in the first cycle of its stretch.
  return {at,   std::min({to, clock.until, ratio.until, msr.until}),  clock.value != 0, level,
          mark, clock.value != 0 && !has(mmcr0::dis) && level && mark};
}

bool Ppc750gxMonitor::toggles(const MsrToggle& toggle, std::uint64_t msr) const {
  return last_msr_ && ((*last_msr_ ^ msr) & toggle.mask) != 0 && (msr & toggle.where) == toggle.is;
}

Ppc750gxMonitor::Scan Ppc750gxMonitor::scan(unsigned i, const Block& block, Cycle from, Cycle to, bool watch) const {
  const Selected& selected = selected_[i];
  Scan result;
  if (selected.time_base) {
    result.added = time_base_.edges(from, to, time_base_bit());
  } else if (selected.toggle.mask != 0) {
    result.added = toggles(selected.toggle, block.state_at(State::msr, from)) ? 1 : 0;
  } else if (!selected.selection.empty()) {
    result.added = total(context(i), block, from, to);
  }
  if (!watch) return result;
  const std::uint64_t distance = (negative(pmc_[i]) ? std::uint64_t{1} << 32 : counter_negative) - pmc_[i];
  if (result.added < distance) return result;
  if (selected.toggle.mask != 0) {
    result.flip = from;
    return result;
  }
  if (selected.time_base) {
    result.flip = time_base_.edge(distance, from, to, time_base_bit());
    return result;
  }
  const EventContext c = context(i);
  SelectionCursor cursor(c, block, from, to);
  std::uint64_t left = distance;
  for (Run run; cursor.next(run);) {
    if (run.n * run.length() >= left) {
      result.flip = run.begin + (left + run.n - 1) / run.n - 1;
      break;
    }
    left -= run.n * run.length();
  }
  return result;
}

// Reports the steps of the counting rule to the watcher. Must be called after the increments and before the signal. Not
// `kept`: nothing was added, or the increment was dropped.
void Ppc750gxMonitor::tell(unsigned i, const Block& block, const Stretch& s, bool enabled, bool kept) const {
  const Selected& selected = selected_[i];
  Funnel funnel(*watcher(), i);
  funnel.gate(Step::clock, s.running);
  funnel.gate(Step::frozen, !has(mmcr0::dis));
  if (has(mmcr0::discount)) funnel.gate(Step::stopped, !(stopped_ && (i == 0 || stops_others())));
  if (i != 0 && has(mmcr0::pmctrigger)) funnel.gate(Step::trigger, enabled || !s.run);
  funnel.gate(Step::privilege, s.level);
  funnel.gate(Step::process, s.mark);
  const auto line = [&](const Run& run) {
    funnel.line(run);
    funnel.left(Step::added, {run.begin, run.end, kept ? run.n : 0});
  };
  const auto pulse = [&](Cycle at) {
    funnel.input({at, at + 1, 1});
    line({at, at + 1, 1});
  };
  if (selected.time_base) {
    Cycle at = activity::never;
    for (std::uint64_t k = 1; (at = time_base_.edge(k, s.begin, s.end, time_base_bit())) != activity::never; ++k)
      pulse(at);
  } else if (selected.toggle.mask != 0) {
    if (toggles(selected.toggle, block.state_at(State::msr, s.begin))) pulse(s.begin);
  } else if (!selected.selection.empty()) {
    const EventContext c = context(i);
    funnel.inputs(block, selected.selection.terms(), c, s.begin, s.end);
    SelectionCursor cursor(c, block, s.begin, s.end);
    for (Run run; cursor.next(run);) {
      if (selected.selection.has_qualifiers()) funnel.tell(Step::together, run);
      line(run);
    }
  }
}

Cycle Ppc750gxMonitor::advance(const Block& block, Stretch s) {
  requested_ = false;
  sia_written_ = std::exchange(sia_taken_, false);
  if (behaviour_.trigger_self_clear && has(mmcr0::pmctrigger) && (trigger_level() || released_)) {
    mmcr0_ &= ~mmcr0::pmctrigger;
  }
  const bool signals = can_signal(s);
  const bool waits = has(mmcr0::pmctrigger) && !released_;
  if (signals) {
    if (overflow_condition()) s.end = s.begin + 1;
    if (has(mmcr0::intonbittrans)) {
      const Cycle edge = time_base_.edge(1, s.begin, s.end, time_base_bit());
      if (edge != activity::never) s.end = edge + 1;
    }
  }
  std::array<bool, counters> enabled{};
  enabled[0] = s.run && !stopped_;
  enabled[1] = enabled[2] = enabled[3] = s.run && !(stopped_ && stops_others()) && (!waits || trigger_level());

  std::array<Scan, counters> scans{};
  std::array<Cycle, counters> ends{};
  for (unsigned i = 0; i < counters; ++i) {
    ends[i] = s.end;
    if (!enabled[i]) continue;
    const bool watch = (signals && has(i == 0 ? mmcr0::pmc1intcontrol : mmcr0::pmcintcontrol)) || (i == 0 && waits);
    scans[i] = scan(i, block, s.begin, s.end, watch && i != held_);
    if (scans[i].flip != activity::never) s.end = scans[i].flip + 1;
  }
  const bool pmc1_overflows = scans[0].flip == s.end - 1 && !negative(pmc_[0]);
  const auto before = pmc_;
  for (unsigned i = 0; i < counters; ++i) {
    if (!enabled[i]) continue;
    if (ends[i] != s.end) scans[i] = scan(i, block, s.begin, s.end, false);
    if (i != held_) pmc_[i] += static_cast<std::uint32_t>(scans[i].added);
  }
  note_probes(block, s, enabled, scans);
  const bool edge =
      signals && has(mmcr0::intonbittrans) && time_base_.edge(1, s.begin, s.end, time_base_bit()) != activity::never;
  const bool signalled = signals && (edge || overflow_condition());
  if (watcher() != nullptr) {
    for (unsigned i = 0; i < counters; ++i) tell(i, block, s, enabled[i], i != held_ && pmc_[i] != before[i]);
  }
  if (signalled) signal(block, s.end - 1, pmc1_overflows);
  if (behaviour_.sia_at_taking) last_completed_ = completed(block, s.end - 1);
  last_msr_ = block.state_at(State::msr, s.end - 1);
  time_base_.pass(s.end);
  return s.end;
}

activity::Subscription Ppc750gxMonitor::subscription() const {
  activity::Subscription all;
  for (const State gate : {State::clock, State::bus_ratio, State::msr}) all.add(gate);
  for (const Selected& selected : selected_) all |= selected.selection.subscription();
  if (has(mmcr0::enint)) all.add_named(activity::Signal::retire);  // SIA
  return all;
}

Consumed Ppc750gxMonitor::consume(const Block& block, Cycle from, Cycle to) {
  Cycle at = from;
  while (at < to) {
    at = advance(block, stretch(block, at, to));
    if (requested_) return {at, true};
  }
  return {at, false};
}

void Ppc750gxMonitor::note_probes(const Block& block, const Stretch& s, const std::array<bool, counters>& enabled,
                                  const std::array<Scan, counters>& scans) {
  frozen_ = s.running && !s.run;
  for (unsigned i = 0; i < counters; ++i) {
    probes_[i].value = pmc_[i];
    if (s.end - s.begin != 1) continue;
    const Scan line = enabled[i] ? scans[i] : scan(i, block, s.begin, s.end, false);
    probes_[i].occurrences = static_cast<std::uint32_t>(line.added);
    probes_[i].condition = enabled[i] && line.added != 0;
  }
}

namespace {

enum class Shown : std::uint8_t { frozen, stopped, released, overflow, sia_written, count_ };
constexpr std::array<Indicator, static_cast<std::size_t>(Shown::count_)> shown{
    {{"frozen"}, {"DISCOUNT_stopped"}, {"PMCTRIGGER_released"}, {"overflow", counters}, {"SIA_written"}}};

}  // namespace

std::span<const Indicator> Ppc750gxMonitor::indicators() const { return shown; }

std::uint64_t Ppc750gxMonitor::indicator(std::size_t i) const {
  unsigned overflows = 0;
  for (unsigned c = 0; c < counters; ++c) overflows |= negative(pmc_[c]) ? 1u << c : 0u;
  switch (static_cast<Shown>(i)) {
    case Shown::frozen:
      return frozen_ ? 1 : 0;
    case Shown::stopped:
      return stopped_ ? 1 : 0;
    case Shown::released:
      return has(mmcr0::pmctrigger) && (released_ || trigger_level()) ? 1 : 0;
    case Shown::overflow:
      return overflows;
    case Shown::sia_written:
      return sia_written_ ? 1 : 0;
    case Shown::count_:
      break;
  }
  return 0;
}

Cycle Ppc750gxMonitor::quiet_cycles() const {
  static constexpr Cycle far = Cycle{1} << 40;
  if (!has(mmcr0::enint)) return far;
  if (overflow_condition()) return 0;
  Cycle quiet = far;
  for (unsigned i = 0; i < counters; ++i) {
    if (!has(i == 0 ? mmcr0::pmc1intcontrol : mmcr0::pmcintcontrol)) continue;
    const std::uint64_t most =
        selected_[i].time_base || selected_[i].toggle.mask != 0 ? 1 : selected_[i].selection.most_per_cycle();
    if (most != 0) quiet = std::min<Cycle>(quiet, (counter_negative - pmc_[i] + most - 1) / most - 1);
  }
  if (has(mmcr0::intonbittrans)) {
    // The core is never slower than its bus, so ticks are at least four cycles apart.
    const unsigned bit = time_base_bit();
    quiet = time_base_.edge_waits(bit) ? 0 : std::min<Cycle>(quiet, 4 * (time_base_.ticks_to_edge(bit) - 1));
  }
  return quiet;
}

}  // namespace ppc750gx
}  // namespace pmusim::pmu

// The effects of a signal of the 750GX monitor and of taking its interrupt. User's Manual chapter 11 and p. 350 for
// SIA.
namespace pmusim::pmu::ppc750gx {

using activity::Signal;
using activity::State;

void Ppc750gxMonitor::signal(const Block& block, Cycle at, bool pmc1_overflows) {
  requested_ = !pending_;
  pending_ = true;
  sampled_load_ = sampled_load(block, at, pmc1_overflows);
  if (!behaviour_.sia_at_taking) {
    if (const auto address = sampled_load_ ? sampled_load_ : completed(block, at)) {
      sia_ = *address;
      sia_written_ = true;
    }
  }
  if (behaviour_.enint_clear == EnintClear::at_signal) mmcr0_ &= ~mmcr0::enint;
  if (has(mmcr0::discount)) {
    if (behaviour_.discount_sets_dis) {
      mmcr0_ |= mmcr0::dis;
    } else {
      stopped_ = true;
    }
  }
  if (behaviour_.trigger_release_remembered) released_ = true;
}

// The load whose return made PMC1 negative, if the threshold event is a cause.
std::optional<std::uint32_t> Ppc750gxMonitor::sampled_load(const Block& block, Cycle at, bool pmc1_overflows) const {
  const unsigned code = (mmcr0_ >> mmcr0::pmc1select_shift) & mmcr0::pmc1select_mask;
  if (code != threshold_code || !pmc1_overflows) return std::nullopt;
  const EventContext c = context(0);
  const auto loads = occurrences(block, Signal::load_return, at, at + 1);
  std::uint64_t surplus = pmc_[0] - counter_negative;  // counts after the load that made PMC1 negative
  for (auto load = loads.rbegin(); load != loads.rend(); ++load) {
    const std::uint32_t n = selected_[0].selection.amount(Signal::load_return, block, *load, c);
    if (n > surplus) return static_cast<std::uint32_t>(request_of(block, *load)->ip);
    surplus -= n;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> Ppc750gxMonitor::completed(const Block& block, Cycle at) const {
  const auto retired = occurrences(block, Signal::retire, at, at + 1);
  if (retired.empty()) return std::nullopt;
  const auto* const instruction = instruction_of(block, behaviour_.sia_older ? retired.front() : retired.back());
  if (instruction == nullptr) return std::nullopt;
  return static_cast<std::uint32_t>(instruction->ip);
}

void Ppc750gxMonitor::interrupt_taken() {
  pending_ = false;
  if (behaviour_.enint_clear == EnintClear::at_taking) mmcr0_ &= ~mmcr0::enint;
  if (behaviour_.sia_at_taking) {
    if (const auto address = sampled_load_ ? sampled_load_ : last_completed_) {
      sia_ = *address;
      sia_taken_ = true;
    }
  }
}

bool Ppc750gxMonitor::interrupt_enabled(const Block& block, Cycle at) const {
  return (block.state_at(State::msr, at) & activity::msr::ee) != 0;
}

}  // namespace pmusim::pmu::ppc750gx
