// Helper functions for filters.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "models/ia64/events.h"

namespace pmusim::pmu::ia64::filters {

inline constexpr int no = -1;

inline int amount_if(bool counts, const EventInput& in) { return counts ? in.occurrence.amount : no; }

/// A unit mask and a reason that it selects.
template <class Reason>
struct Named {
  unsigned umask;
  Reason reason;
};
template <class Reason, std::size_t n>
bool named(const Named<Reason> (&table)[n], const EventInput& in, std::uint16_t reason) {
  return std::any_of(std::begin(table), std::end(table), [&](const Named<Reason>& row) {
    return row.umask == in.umask && static_cast<std::uint16_t>(row.reason) == reason;
  });
}

/// True if unit mask bits 1:0 select the agent: 0 the cores of this die, 1 I/O, 2 this core, 3 any.
inline bool of_agent(activity::ia64::BusAgent agent, unsigned umask) {
  using activity::ia64::BusAgent;
  switch (umask & 3) {
    case 0:
      return agent == BusAgent::self || agent == BusAgent::other_core;
    case 1:
      return agent == BusAgent::io;
    case 2:
      return agent == BusAgent::self;
    default:
      return true;
  }
}

/// True for an access by the program itself, not by the register stack engine or the page walker.
inline bool of_program(const EventInput& in) {
  return in.origin.access != nullptr && in.origin.access->requester == activity::ia64::Requester::data;
}

}  // namespace pmusim::pmu::ia64::filters
