#include "testbench/judge/trial/pins.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/pmu/multiplexer.h"

namespace pmusim::testbench::questions {

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

Cycle pin_edge(const Seen& seen, std::size_t counter) {
  const auto edge = std::find_if(seen.edges.begin(), seen.edges.end(),
                                 [&](const pmu::PinEdge& e) { return e.pin == counter && e.level; });
  return edge == seen.edges.end() ? activity::never : edge->at;
}

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

std::string wrong_pin(const std::string& counter, Cycle cause, Cycle got, Cycle delay, Cycle end) {
  if (got == activity::never && (cause == activity::never || cause + delay >= end)) return {};
  if (cause != activity::never && got > cause && got <= cause + delay) return {};
  const std::string when = got == activity::never ? "never" : fmt::format("in cycle {}", got);
  const std::string due = cause == activity::never ? "never" : fmt::format("after cycle {}", cause);
  return fmt::format("the pin of {} is asserted {}, due {}", counter, when, due);
}

std::string wrong_request(Cycle due, Cycle got, Cycle delay) {
  if (due == activity::never)
    return fmt::format("an overflow interrupts in cycle {} though no interrupt was asked for", got);
  if (got == activity::never) return fmt::format("the overflow in cycle {} does not interrupt", due - delay);
  return fmt::format("the interrupt is requested in cycle {}, not in {}", got, due);
}

std::uint64_t short_period(const Check& check) {
  constexpr std::uint32_t shortest = 256;
  const auto& list = check.attributes;
  return std::find(list.begin(), list.end(), Attribute{"freq", shortest}) != list.end() ? shortest : 0;
}

}  // namespace pmusim::testbench::questions
