// A Montecito run as register values: what libpfm's pfm_dispatch_events does for this processor, step by step and in
// its order, so that of several faults the same one is reported.
#pragma once

#include "encoder/src/ia64/run.h"

namespace pmusim::encoder::montecito {

/// An opcode matcher: slot types and 41 bits of the instruction.
struct MatcherInput {
  bool used = false;
  bool m = false, i = false, f = false, b = false;
  std::uint64_t match = 0;
  std::uint64_t mask = 0;  ///< 1 for bits that do not matter
};

/// Retiring instructions in the trace buffer.
struct IpEarInput {
  bool used = false;
  std::uint32_t levels = 0;  ///< 0 takes the default of the run
  std::uint32_t delay = 0;   ///< cycles between the freeze of the counters and that of the buffer
  bool privileged = false;   ///< as of a counter
};

struct Input : ia64::RunInput {
  MatcherInput matcher1;  ///< PMC32 and PMC33
  MatcherInput matcher2;  ///< PMC34 and PMC35
  IpEarInput ip_ear;
  bool refuse_all_threads = false;  ///< as libpfm does, which programs .me only
};

/// PMC output order: counters, 37, 40, 38, 41, 32, 33, 34, 35, 39, 42; absent ones are left out, and PMC36 keeps its
/// reset value. Without `has_model` everything that the C API's model block sets must be as it is by default.
[[nodiscard]] Result<ia64::RunOutput> dispatch(Input in);

}  // namespace pmusim::encoder::montecito
