// Helper functions for filters.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "models/ia64/events.h"

namespace pmusim::pmu::ia64::filters {

inline constexpr int no = -1;

inline int amount_if(bool counts, const EventInput& in) { return counts ? in.occurrence.amount : no; }

/// A unit mask and the details that it selects: those that have `value` in the bits of `mask`. A unit mask may have
/// several rows.
struct Selects {
  unsigned umask;
  std::uint16_t mask, value;
};
template <std::size_t n>
bool selects(const Selects (&table)[n], const EventInput& in) {
  return std::any_of(std::begin(table), std::end(table), [&](const Selects& row) {
    return row.umask == in.umask && (in.occurrence.detail & row.mask) == row.value;
  });
}

/// The causes of the L2's ordered queue, for the rows of either processor.
namespace queue {
using activity::ia64::QueueCancel;
using activity::ia64::QueueStage;
using activity::ia64::Recirculate;
namespace c = activity::ia64::queue_cancel;
namespace r = activity::ia64::recirculate;

/// An attempt cancelled with this cause.
constexpr Selects cancel(unsigned umask, QueueCancel cause) {
  return {umask, c::cause_mask, static_cast<std::uint16_t>(cause)};
}
/// ... and, of the bits of `among`, with those of `set` alone.
constexpr Selects cancel(unsigned umask, QueueCancel cause, unsigned among, unsigned set) {
  return {umask, static_cast<std::uint16_t>(c::cause_mask | among),
          static_cast<std::uint16_t>(static_cast<unsigned>(cause) | set)};
}
/// ... in this stage.
constexpr Selects cancel(unsigned umask, QueueCancel cause, QueueStage stage) {
  return cancel(umask, cause, 3u << c::stage_shift, queue_stage(stage));
}

constexpr Selects round(unsigned umask, Recirculate cause, unsigned among = 0, unsigned set = 0) {
  return {umask, static_cast<std::uint16_t>(r::cause_mask | among),
          static_cast<std::uint16_t>(static_cast<unsigned>(cause) | set)};
}
}  // namespace queue

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
