// The table of events of an IA-64 monitor against the encoder's, which has the facts of libpfm 3.10 by name: unit
// masks, maximum per cycle, filters, sets, threads, counters.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <span>
#include <string>
#include <tuple>

#include "models/ia64/events.h"
#include "pmusim/encoder/encoder.h"

namespace pmusim::testing {

/// The set of an event as the encoder writes it; `levels` are the names of L1D and L2.
inline std::string set_of(const pmu::ia64::Event& event, const std::array<std::string, 2>& levels) {
  if (event.group == pmu::ia64::Group::none) return "";
  return levels[event.group == pmu::ia64::Group::l1d ? 0 : 1] + " set " + std::to_string(event.set);
}

/// The filters that an event honours. Captures are qualified when they are made: by every filter of their unit.
inline std::set<std::string> filters_of(const pmu::ia64::Event& event) {
  using Q = pmu::ia64::Qualifier;
  using S = pmu::ia64::Source;
  const bool of_data_ear = event.source == S::data_ear, of_ring = event.source == S::branch_ring;
  if (!of_data_ear && !of_ring && event.source != S::fetch_ear && event.qualifier == Q::none) return {};
  const bool by_tag = event.qualifier == Q::tag || event.qualifier == Q::tag_by_umask;
  std::set<std::string> filters{"code range"};
  if (of_data_ear || of_ring || by_tag || event.qualifier == Q::data) filters.insert("opcode");
  if (of_data_ear || event.qualifier == Q::data || event.qualifier == Q::data_address) filters.insert("data range");
  return filters;
}

/// Expects the facts of every event of the encoder; returns the number of different selectors that these have.
inline std::size_t expect_the_encoders_facts(const std::string& target, std::span<const pmu::ia64::Event> table,
                                             const std::array<std::string, 2>& levels) {
  constexpr std::array types{"active", "floating", "causal", "self-floating"};
  std::set<std::tuple<unsigned, unsigned, std::string>> selectors;
  const auto events = encoder::events(target);
  for (const encoder::EventInfo& info : *events) {
    SCOPED_TRACE(info.name);
    const bool is_ear = info.name.find("_EAR_") != std::string::npos;  // its unit mask is that of a register of its own
    const unsigned umask = is_ear ? 0 : info.fixed_mask;
    selectors.emplace(info.code, umask, info.event_set);
    const auto event = std::find_if(table.begin(), table.end(), [&](const pmu::ia64::Event& e) {
      return e.code == info.code && (e.umasks >> umask & 1) != 0 && set_of(e, levels) == info.event_set;
    });
    if (event == table.end()) {
      ADD_FAILURE() << "it is not in the table, or in another set than " << info.event_set;
      continue;
    }
    unsigned counters = 0;
    for (const auto& [counter, code] : info.counter_codes) counters |= 1u << counter;
    EXPECT_EQ(event->counters & counters, counters);
    EXPECT_TRUE(counters + 1 == std::bit_ceil(counters + 1) || event->counters == counters);
    EXPECT_EQ(event->most, info.max_per_cycle);
    EXPECT_EQ(filters_of(*event), std::set(info.filters.begin(), info.filters.end()));
    EXPECT_EQ(info.thread_type.empty() ? "" : types[static_cast<unsigned>(event->type)], info.thread_type);
    EXPECT_TRUE(info.unit_masks.empty() || event->line_state >= 0);
  }
  return selectors.size();
}

inline std::size_t selectors_of(std::span<const pmu::ia64::Event> table) {
  std::size_t number = 0;
  for (const pmu::ia64::Event& event : table) number += static_cast<std::size_t>(std::popcount(event.umasks));
  return number;
}

}  // namespace pmusim::testing
