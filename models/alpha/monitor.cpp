#include "models/alpha/monitor.h"

#include <algorithm>
#include <bit>

#include "models/pmu/multiplexer.h"

namespace pmusim::pmu {

std::optional<unsigned> alpha_interrupted_counter(const Monitor& monitor) {
  return dynamic_cast<const alpha::AlphaMonitor&>(monitor).interrupted_counter();
}

std::optional<AlphaChip> alpha_chip(const Monitor& monitor) {
  const auto* const alpha = dynamic_cast<const alpha::AlphaMonitor*>(&monitor);
  return alpha == nullptr ? std::nullopt : std::optional(alpha->chip());
}

AlphaTotals alpha_totals(const Monitor& monitor, unsigned counter) {
  const alpha::Counter& c = dynamic_cast<const alpha::AlphaMonitor&>(monitor).counter(counter);
  return {c.wraps * c.modulus + c.value, c.modulus, c.carries, c.start};
}

namespace alpha {

using activity::State;

const RegisterInfo* AlphaMonitor::find(RegisterId id) const {
  const auto infos = registers();
  const auto found = std::find_if(infos.begin(), infos.end(), [&](const RegisterInfo& info) { return info.id == id; });
  return found == infos.end() ? nullptr : &*found;
}

AccessResult AlphaMonitor::read(RegisterId id, const Accessor& who) {
  if (who.cpl != 0 || find(id) == nullptr) return {Fault::illegal_instruction, 0};
  return {Fault::none, value_of(id.number)};
}

AccessResult AlphaMonitor::write(RegisterId id, std::uint64_t value, const Accessor& who) {
  const RegisterInfo* const info = find(id);
  if (who.cpl != 0 || info == nullptr) return {Fault::illegal_instruction, 0};
  if (info->writable) set_value(id.number, value);
  if ((requests_ & enabled()) == 0) signalled_ = false;
  return {Fault::none, 0};
}

// A write takes precedence over the increments of its cycle.
Consumed AlphaMonitor::consume_with_write(const Block& block, Cycle at, RegisterId id, std::uint64_t value,
                                          const Accessor& who, AccessResult& result) {
  const Consumed consumed = consume(block, at, at + 1);
  result = write(id, value, who);
  return consumed;
}

AlphaMonitor::Stretch AlphaMonitor::stretch(const Block& block, Cycle at, Cycle to) const {
  const Held running = held(block, State::clock, at);
  to = std::min(to, running.until);
  if (running.value == 0) return {at, to, 0, false};
  return gates(block, at, to);
}

Scan AlphaMonitor::told_scan(unsigned i, const Block& block, const Stretch& s) const {
  Funnel funnel(*watcher(), i);
  funnel.gate(Step::clock, s.running);
  funnel.gate(Step::enabled, (s.on >> i & 1) != 0);
  if (s.mode) funnel.gate(Step::privilege, *s.mode);
  if (s.process) funnel.gate(Step::process, *s.process);
  return counters_[i].scan(behaviour_, block, s.begin, s.end, &funnel);
}

void AlphaMonitor::count(const Block& block, Stretch& s) {
  std::array<Scan, most_counters> scans{};
  std::array<Cycle, most_counters> ends{};
  const auto counts = [&](unsigned i) { return (s.counting >> i & 1) != 0; };
  const auto latches = [&](unsigned i) { return (requesting() >> i & 1) != 0; };
  for (unsigned i = 0; i < count_; ++i) {
    ends[i] = s.end;
    if (!counts(i) && !counters_[i].follows() && s.end - s.begin > 1) continue;
    scans[i] = counters_[i].scan(behaviour_, block, s.begin, s.end);
    if (counts(i) && latches(i) && scans[i].carry != activity::never && would_signal(1u << i)) {
      s.end = scans[i].carry + 1;
    }
  }
  for (unsigned i = 0; i < count_; ++i) {
    if (watcher() != nullptr)
      scans[i] = told_scan(i, block, s);
    else if (ends[i] != s.end && (counts(i) || counters_[i].follows()))
      scans[i] = counters_[i].scan(behaviour_, block, s.begin, s.end);
    if (counts(i)) {
      carries_ |= scans[i].carry != activity::never ? 1u << i : 0u;
      if (latches(i) && scans[i].carry != activity::never) request(i);
      counters_[i].apply(scans[i]);
    } else if (counters_[i].follows()) {
      counters_[i].pass(scans[i]);
    }
    note_probe(i, scans[i].n, counts(i));
  }
}

Consumed AlphaMonitor::consume(const Block& block, Cycle from, Cycle to) {
  for (Cycle at = from; at < to;) {
    Stretch s = stretch(block, at, to);
    if (would_signal(requests_)) s.end = s.begin + 1;
    carries_ = 0;
    if (s.running)
      count(block, s);
    else
      stand_still(s.end - s.begin);
    for (unsigned i = 0; watcher() != nullptr && !s.running && i < count_; ++i) (void)told_scan(i, block, s);
    at = s.end;
    marked_ = block.state_at(State::process_marked, at - 1) != 0;
    if (would_signal(requests_)) {
      signalled_ = true;
      return {at, true};
    }
  }
  return {to, false};
}

void AlphaMonitor::interrupt_taken() {
  const unsigned pending = requests_ & enabled();
  if (pending != 0) {
    reported_ = static_cast<unsigned>(std::bit_width(pending)) - 1;
    withdraw(1u << *reported_);
  }
  signalled_ = false;
}

bool AlphaMonitor::interrupt_enabled(const Block& block, Cycle at) const {
  return block.state_at(State::pal_mode, at) == 0 && block.state_at(State::ipl, at) < interrupt_level;
}

// The registers show all chip-specific state apart from the counters.
bool AlphaMonitor::recurs(const Monitor& earlier, Cycle period) const {
  const auto& before = dynamic_cast<const AlphaMonitor&>(earlier);
  if (follows_instructions() || requests_ != before.requests_ || signalled_ != before.signalled_ ||
      marked_ != before.marked_ || reported_ != before.reported_)
    return false;
  for (unsigned i = 0; i < count_; ++i) {
    if (!counters_[i].recurs(behaviour_, before.counters_[i], period)) return false;
  }
  const auto infos = registers();
  return std::all_of(infos.begin(), infos.end(), [&](const RegisterInfo& info) {
    return value_of(info.id.number) == before.value_of(info.id.number);
  });
}

std::vector<std::uint64_t*> AlphaMonitor::grows() {
  std::vector<std::uint64_t*> numbers;
  for (unsigned i = 0; i < count_; ++i) {
    Counter& counter = counters_[i];
    numbers.insert(numbers.end(), {&counter.carries, &counter.wraps});
    if (counter.event != nullptr && counter.event->rule == Rule::sampled) numbers.push_back(&counter.run);
  }
  return numbers;
}

std::span<const Indicator> AlphaMonitor::indicators() const {
  static constexpr Indicator two[] = {{"overflow", 2}, {"interrupt_requests", 2}};
  static constexpr Indicator three[] = {{"overflow", 3}, {"interrupt_requests", 3}};
  return count_ == most_counters ? std::span<const Indicator>(three) : two;
}

std::uint64_t AlphaMonitor::indicator(std::size_t i) const { return i == 0 ? carries_ : requests_; }

Cycle AlphaMonitor::quiet() const {
  Cycle least = Cycle{1} << 40;
  for (unsigned i = 0; i < count_; ++i) {
    if ((requesting() & enabled()) >> i & 1) least = std::min(least, counters_[i].quiet(behaviour_));
  }
  return least;
}

activity::Subscription AlphaMonitor::subscription() const {
  activity::Subscription all;
  for (const Counter& counter : counters_) {
    if (counter.event != nullptr) all |= counter.event->subscription();
  }
  return all;
}

Cycle AlphaMonitor::quiet_cycles() const { return (requests_ & enabled()) != 0 ? 0 : quiet(); }

}  // namespace alpha
}  // namespace pmusim::pmu
