// Computes the register values of a Montecito run with the steps of libpfm's pfm_dispatch_events for this processor, in
// the same order, so that of several errors the same one is reported.
#pragma once

#include <vector>

#include "encoder/src/ia64/encoding.h"
#include "encoder/src/ia64/run.h"

namespace pmusim::encoder::montecito {

/// An opcode matcher: slot types and 41 bits of the instruction.
struct MatcherInput {
  bool used = false;
  bool m = false, i = false, f = false, b = false;
  std::uint64_t match = 0;
  std::uint64_t mask = 0;  ///< 1 for bits that are not compared
};

/// Configuration of the IP-EAR, which records retiring instructions in the trace buffer.
struct IpEarInput {
  bool used = false;
  std::uint32_t levels = 0;  ///< 0: the default of the run
  std::uint32_t delay = 0;   ///< cycles from the freeze of the counters to the freeze of the buffer
  bool privileged = false;   ///< as for a counter
};

struct Input : ia64::RunInput {
  MatcherInput matcher1;  ///< PMC32 and PMC33
  MatcherInput matcher2;  ///< PMC34 and PMC35
  IpEarInput ip_ear;
  bool refuse_all_threads = false;  ///< as in libpfm, which programs .me only
};

/// Order of the PMCs in the output: counters, 37, 40, 38, 41, 32, 33, 34, 35, 39, 42; unused PMCs are omitted, and
/// PMC36 keeps its reset value. Without `has_model` the members that the C API's model block sets must be
/// defaults.
[[nodiscard]] Result<ia64::RunOutput> dispatch(Input in);

// Placement of Montecito events on PMC4 to PMC15.

using ia64::kFirstCounter;

/// The number of an event's set in its group: libpfm's with the quirk set_eight, else the hardware's.
[[nodiscard]] int set_of(const ia64::Row& row, ia64::Quirks quirks);

/// The counter whose event selects the L2D set of counter `pmc`; 0 if there is none.
[[nodiscard]] unsigned chooser_of(unsigned pmc);

/// The PMC number of each event, with the algorithm of libpfm: first cache events on the counters that select their
/// sets, then events that only some counters can count, then the others, each on the lowest free counter.
[[nodiscard]] Result<std::vector<unsigned>> place_counters(const ia64::RunInput& in);

}  // namespace pmusim::encoder::montecito
