#include "models/athlon/monitor.h"

#include <algorithm>
#include <utility>

#include "models/athlon/athlon.h"

namespace pmusim::pmu {

std::unique_ptr<Monitor> make_athlon_monitor(const models::Parameters& parameters) {
  return std::make_unique<athlon::AthlonMonitor>(parameters);
}

namespace athlon {

using activity::State;

/// The counting rule of pp. 163-164, with the inputs of one counter that are constant during a stretch. It computes the
/// increments from n.
struct AthlonMonitor::Rule {
  /// `each` is added in each of the first `clocks` clocks of a run.
  struct Increment {
    Cycle clocks = 0;
    std::uint32_t each = 0;
  };

  bool frozen;  ///< the clock is stopped: nothing advances
  bool enabled;
  bool silent;  ///< the privilege filter forces n to 0
  bool open;    ///< the gate after the comparison is open
  bool adds;    ///< increments reach the counter
  bool edge;
  bool edge_adds_n;
  bool ungated;  ///< the input of the edge detector is the comparison alone
  bool inverted;
  std::uint32_t mask;
  std::uint32_t most;  ///< the most events that are counted in a clock

  /// True if the counter is incremented by n, not by 1.
  [[nodiscard]] bool sums() const { return mask == 0 && !inverted; }
  [[nodiscard]] bool condition(std::uint32_t n) const {
    const bool reached = (silent ? 0 : std::min(n, most)) >= std::max(mask, 1u);
    return reached != inverted;
  }
  [[nodiscard]] Increment apply(const Run& run, bool& edge_flop) const {
    const bool condition_now = condition(run.n);
    const bool gated = condition_now && open;
    Increment increment;
    if (edge) {
      if (gated && !edge_flop) increment = {1, edge_adds_n && sums() ? std::min(run.n, most) : 1};
    } else if (gated) {
      increment = {run.length(), sums() ? std::min(run.n, most) : 1};
    }
    edge_flop = ungated ? condition_now : gated;
    return increment;
  }
  /// True if nothing can be added and the edge flop is clear after the stretch.
  [[nodiscard]] bool closed() const { return !open && !ungated; }
};

AthlonMonitor::AthlonMonitor(const models::Parameters& parameters, std::span<const EventRow> entries)
    : AthlonMonitor(Behaviour(parameters), entries) {}

void AthlonMonitor::reset() {
  if (behaviour_.keep_at_reset) {
    due_in_ = 0;
    pending_ = false;
    return;
  }
  AthlonMonitor cleared(behaviour_, entries_);
  cleared.recording_ = recording_;
  cleared.bus_ = bus_;
  *this = std::move(cleared);
}

bool AthlonMonitor::enabled(const Counter& c) const {
  return (behaviour_.enable_from_selector0 ? counters_[0] : c).has(select::enable);
}

bool AthlonMonitor::privileged(const Counter& c, const Stretch& s) const { return c.has(s.level); }

// The longest stretch from `at` without a change of a gating state.
AthlonMonitor::Stretch AthlonMonitor::stretch(const Block& block, Cycle at, Cycle to) {
  const Held clock = held(block, State::clock, at);
  const Held cpl = held(block, State::cpl, at);
  const Held mode = held(block, State::operating_mode, at);
  const std::uint32_t level = behaviour_.level_of(cpl.value, mode.value);
  Stretch s{at, std::min({to, clock.until, cpl.until, mode.until}), clock.value != 0, level};
  if (recording_) {
    const Held ratio = held(block, State::bus_ratio, at);
    bus_.set_ratio(at, ratio.value);
    s.end = std::min(s.end, ratio.until);
  }
  return s;
}

AthlonMonitor::Rule AthlonMonitor::rule(const Counter& c, const Stretch& s, bool held) const {
  const bool allowed = privileged(c, s);
  const bool before = behaviour_.privilege_before_compare;
  const bool has_mask = c.counter_mask() != 0;
  return {.frozen = !s.running && !behaviour_.counts_in_halt,
          .enabled = enabled(c),
          .silent = before && !allowed,
          .open = before || allowed,
          .adds = !held && !(behaviour_.counts_only_without_pin_control && c.has(select::pin_control)),
          .edge = c.has(select::edge),
          .edge_adds_n = behaviour_.edge_adds_n,
          .ungated = behaviour_.edge_ungated,
          .inverted = c.has(select::invert) && (has_mask || behaviour_.invert_without_mask),
          .mask = c.counter_mask(),
          .most = behaviour_.three_at_most ? 3 : ~std::uint32_t{0}};
}

// The sum of the increments of the clocks [from, to) without the edge detector and with open gates.
std::uint64_t AthlonMonitor::sum_of(const Rule& r, const EventContext& context, const Block& block, Cycle from,
                                    Cycle to) {
  if (r.sums() && r.most == ~std::uint32_t{0}) return total(context, block, from, to);
  if (r.sums()) {
    std::uint64_t sum = 0;
    for (std::uint32_t n = 1; n <= r.most; ++n) sum += cycles_with(context, block, from, to, n);
    return sum;
  }
  const Cycle reached = r.mask > r.most ? 0 : cycles_with(context, block, from, to, std::max(r.mask, 1u));
  return r.inverted ? to - from - reached : reached;
}

AthlonMonitor::Count AthlonMonitor::count(unsigned i, const Block& block, const Stretch& s) const {
  const Counter& c = counters_[i];
  const Rule r = rule(c, s, i == held_);
  Count result{c.value, c.edge_flop};
  if (r.frozen) return result;
  const bool one_clock = s.end - s.begin == 1;
  if (!r.enabled || (r.closed() && !one_clock)) {
    result.edge_flop = false;
    return result;
  }
  const EventContext context = context_of(c);
  Cycle begin = s.begin;
  if (!one_clock && !r.edge && r.open && !r.silent) {
    // Processes all but the last clock at once, unless the counter wraps in them. The last one sets the edge flop.
    const std::uint64_t sum = r.adds ? sum_of(r, context, block, s.begin, s.end - 1) : 0;
    if (result.value + sum < counter_modulus) {
      result.value += sum;
      begin = s.end - 1;
    }
  }
  SelectionCursor cursor(context, block, begin, s.end);
  for (Run run; cursor.next(run);) {
    const Rule::Increment increment = r.apply(run, result.edge_flop);
    result.n = run.n;
    result.condition = r.open && r.condition(run.n);
    if (!r.adds || increment.clocks == 0) continue;
    const std::uint64_t sum = increment.clocks * increment.each;
    const std::uint64_t distance = counter_modulus - result.value;
    if (sum >= distance && result.overflow == activity::never) {
      result.overflow = run.begin + (distance + increment.each - 1) / increment.each - 1;
    }
    result.value = (result.value + sum) % counter_modulus;
  }
  return result;
}

// Page 163: PC selects overflows or events. Must be called before the counter's value is updated.
void AthlonMonitor::trigger_pin(unsigned i, const Block& block, const Stretch& s) {
  const Counter& c = counters_[i];
  const Rule r = rule(c, s, i == held_);
  if (r.frozen || !r.enabled || r.closed() || !r.adds) return;
  const bool on_overflow = c.has(select::pin_control) != behaviour_.pin_control_p6;
  const EventContext context = context_of(c);
  bool edge_flop = c.edge_flop;
  std::uint64_t value = c.value;
  SelectionCursor cursor(context, block, s.begin, s.end);
  for (Run run; cursor.next(run);) {
    const Rule::Increment increment = r.apply(run, edge_flop);
    if (increment.clocks == 0) continue;
    Cycle begin = run.begin;
    Cycle end = run.begin + increment.clocks;
    if (on_overflow) {
      const std::uint64_t distance = counter_modulus - value;
      const std::uint64_t sum = increment.clocks * increment.each;
      value = (value + sum) % counter_modulus;
      if (sum < distance) continue;
      begin = run.begin + (distance + increment.each - 1) / increment.each - 1;
      end = begin + 1;
    }
    pins_[i].trigger(begin, end, bus_, behaviour_.pin_extends, i, edges_);
  }
}

// Reports the steps of the counting rule to the watcher. Must be called before the counter's value is updated.
void AthlonMonitor::tell(unsigned i, const Block& block, const Stretch& s) const {
  const Counter& c = counters_[i];
  const Rule r = rule(c, s, i == held_);
  const EventContext context = context_of(c);
  const bool before_compare = behaviour_.privilege_before_compare;
  Funnel funnel(*watcher(), i);
  funnel.gate(Step::clock, !r.frozen);
  funnel.gate(Step::enabled, r.enabled);
  if (!before_compare) funnel.gate(Step::privilege, r.open);
  funnel.inputs(block, c.selection.terms(), context, s.begin, s.end);
  bool edge_flop = c.edge_flop;
  SelectionCursor cursor(context, block, s.begin, s.end);
  for (Run run; cursor.next(run);) {
    const auto left = [&](Step step, std::uint32_t n) { funnel.left(step, {run.begin, run.end, n}); };
    if (c.selection.has_qualifiers()) funnel.tell(Step::together, run);
    funnel.line(run);
    if (before_compare) left(Step::privilege, r.silent ? 0 : run.n);
    if (r.most != ~std::uint32_t{0}) left(Step::limited, r.silent ? 0 : std::min(run.n, r.most));
    if (!r.sums()) left(Step::threshold, r.condition(run.n) != r.inverted ? 1 : 0);
    if (r.inverted) left(Step::inverted, r.condition(run.n) ? 1 : 0);
    const Rule::Increment increment = r.apply(run, edge_flop);
    const Run counted{run.begin, run.begin + increment.clocks, increment.each};
    if (r.edge) funnel.left(Step::edges, counted);
    funnel.left(Step::added, {counted.begin, counted.end, r.adds ? counted.n : 0});
  }
}

Cycle AthlonMonitor::advance(const Block& block, Stretch s) {
  requested_ = false;
  const std::size_t known_edges = edges_.size();
  if (due_in_ != 0) s.end = std::min(s.end, s.begin + due_in_);
  const bool armed = behaviour_.has_apic && deliverable() && (lvt_ & lvt::masked) == 0 && !pending_;
  std::array<Count, counters> counts{};
  std::array<Cycle, counters> ends{};
  for (unsigned i = 0; i < counters; ++i) {
    ends[i] = s.end;
    counts[i] = count(i, block, s);
    if (armed && counters_[i].has(select::interrupt) && counts[i].overflow != activity::never) {
      s.end = counts[i].overflow + 1;
    }
  }
  bool overflow_interrupts = false;
  overflows_ = 0;
  for (unsigned i = 0; i < counters; ++i) {
    if (ends[i] != s.end) counts[i] = count(i, block, s);
    if (recording_) trigger_pin(i, block, s);
    if (watcher() != nullptr) tell(i, block, s);
    const bool overflows = counts[i].overflow != activity::never;
    overflow_interrupts |= counters_[i].has(select::interrupt) && overflows;
    overflows_ |= overflows ? 1u << i : 0u;
  }
  for (unsigned i = 0; i < counters; ++i) {
    counters_[i].value = counts[i].value;
    counters_[i].edge_flop = counts[i].edge_flop;
    probes_[i] = {counts[i].n, counts[i].condition, counts[i].edge_flop, counts[i].value};
  }
  if (s.running || !behaviour_.tsc_stops_in_halt) tsc_ += s.end - s.begin;
  if (due_in_ != 0) {
    due_in_ -= s.end - s.begin;
    if (due_in_ == 0) pending_ = requested_ = true;
  }
  if (overflow_interrupts) overflowed();
  if (recording_) settle_pins(s.end, known_edges);
  return s.end;
}

activity::Subscription AthlonMonitor::subscription() const {
  activity::Subscription all;
  for (const Counter& c : counters_) all |= c.selection.subscription();
  return all;
}

Consumed AthlonMonitor::consume(const Block& block, Cycle from, Cycle to) {
  Cycle at = from;
  while (at < to) {
    at = advance(block, stretch(block, at, to));
    if (requested_) return {at, true};
  }
  return {at, false};
}

std::span<const Indicator> AthlonMonitor::indicators() const {
  static constexpr Indicator all[] = {{"overflow", counters}};
  return all;
}

// All counters share one APIC entry. A request that has not been delivered yet absorbs the next one, and a masked entry
// drops it.
void AthlonMonitor::overflowed() {
  if (!behaviour_.has_apic || !deliverable() || pending_ || due_in_ != 0) return;
  if ((lvt_ & lvt::masked) == 0) due_in_ = behaviour_.request_delay;
}

bool AthlonMonitor::deliverable() const {
  switch (delivery_mode()) {
    case lvt::fixed:
      return behaviour_.low_vectors_delivered || (lvt_ & lvt::vector_mask) >= lvt::least_fixed_vector;
    case lvt::smi:
    case lvt::nmi:
      return true;
    default:
      return false;
  }
}

void AthlonMonitor::interrupt_taken() {
  pending_ = false;
  if (behaviour_.mask_after_delivery) lvt_ |= lvt::masked;
}

bool AthlonMonitor::interrupt_enabled(const Block& block, Cycle at) const {
  return delivery_mode() != lvt::fixed || block.state_at(State::interrupt_flag, at) != 0;
}

Cycle AthlonMonitor::quiet_cycles() const {
  if (due_in_ != 0) return due_in_ - 1;
  Cycle quiet = Cycle{1} << 40;
  if (!behaviour_.has_apic || !deliverable() || (lvt_ & lvt::masked) != 0) return quiet;
  for (const Counter& c : counters_) {
    if (!c.has(select::interrupt) || !enabled(c) || !c.has(select::usr | select::os)) continue;
    const bool by_one = (c.has(select::edge) && !behaviour_.edge_adds_n) || c.counter_mask() != 0 ||
                        (c.has(select::invert) && behaviour_.invert_without_mask);
    const std::uint64_t most = by_one ? 1 : c.selection.most_per_cycle();
    if (most != 0) quiet = std::min<Cycle>(quiet, (counter_modulus - c.value + most - 1) / most);
  }
  return quiet;
}

// Appends the pin edges up to and including `end`, and sorts those of this stretch, which are later than all earlier
// ones.
void AthlonMonitor::settle_pins(Cycle end, std::size_t known_edges) {
  for (unsigned i = 0; i < counters; ++i) pins_[i].pass(bus_.ticks(end), bus_, behaviour_.pin_extends, i, edges_);
  const auto first = edges_.begin() + static_cast<std::ptrdiff_t>(known_edges);
  std::stable_sort(first, edges_.end(),
                   [](const PinEdge& a, const PinEdge& b) { return a.at != b.at ? a.at < b.at : a.pin < b.pin; });
}

std::vector<PinEdge> AthlonMonitor::take_pin_edges() { return std::exchange(edges_, {}); }

}  // namespace athlon
}  // namespace pmusim::pmu
