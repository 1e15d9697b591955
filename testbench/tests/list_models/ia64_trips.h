// Each request of a run with all that the activity says of it, in the order in which the core has made them. Requests
// have rising numbers (RequestRecord::id); a walk and prefetches follow the access that needs them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "models/core/core.h"

namespace pmusim::testbench::ia64::lists {

namespace act = activity::ia64;
using activity::Cycle;
using activity::Signal;

struct Event {
  Signal signal;
  std::uint16_t detail;
  Cycle cycle;
};

struct Trip {
  activity::RequestRecord record;
  act::Request half;
  std::uint64_t encoding = 0;  ///< of the syllable that makes it; 0: none
  bool known = false;
  std::uint64_t block = 0;  ///< the last block that names it
  std::vector<Event> events;

  [[nodiscard]] const Event* first(Signal signal, std::uint16_t with = 0, std::uint16_t without = 0) const;
  [[nodiscard]] const Event* last(Signal signal) const;
  [[nodiscard]] std::size_t count(Signal signal, std::uint16_t with = 0, std::uint16_t without = 0) const;
  [[nodiscard]] bool is(act::Requester who) const { return half.requester == who; }
};

/// What a branch of the program came to.
struct RetiredBranch {
  std::uint64_t id, ip;
  unsigned slot;
  bool predicted_taken, taken, mispredicted, unknown, flush;
  act::Prediction prediction;
};

/// What a model does with a run.
struct Reader {
  std::function<void(Trip&&)> trip;
  /// Occurrences of a snoop come before the first request that begins in their cycle or later.
  std::function<void(const Event&)> snoop;
  std::function<void(const Event&)> unowned;
  std::function<void(const RetiredBranch&)> branch;
};

/// Runs a core to its end. Occurrences that name no request are handed out before the requests of their block.
void read_run(core::Core& core, const Reader& reader);

[[nodiscard]] std::string name_of(Signal signal);
[[nodiscard]] std::string describe(const Trip& trip);

}  // namespace pmusim::testbench::ia64::lists
