// Shared parts of the Montecito monitor's tests.
#pragma once

#include <memory>

#include "models/montecito/montecito.h"
#include "testbench/tests/monitors/ia64_bench.h"

namespace pmusim::testing {

// fields of PMC4-15: both threads; line states
inline constexpr std::uint64_t all = at(26, 1), every_state = at(27, 0xf);
inline constexpr std::uint64_t invalid = at(27, 1), shared = at(28, 1), exclusive = at(29, 1), modified = at(30, 1);

inline std::unique_ptr<Monitor> make_montecito(Flips flips = {}) {
  return make_with(pmu::montecito_pmu_parameters(), pmu::make_montecito_monitor, flips);
}
/// Thread 0's monitor with these events on PMC4 and the registers after it, and its interrupt unmasked.
inline std::unique_ptr<Monitor> counting(std::initializer_list<std::uint64_t> events, Flips flips = {}) {
  auto monitor = make_montecito(flips);
  program(*monitor, events);
  return monitor;
}
/// The count of an event on thread 0's PMC4, at every level and with all line states.
inline std::uint64_t count(const Activity& activity, unsigned code, unsigned umask = 0, Flips flips = {}) {
  auto m = counting({event(code, umask) | any_level | every_state}, flips);
  consume_both(*m, activity.block());
  return get(*m, pmd(4));
}

}  // namespace pmusim::testing
