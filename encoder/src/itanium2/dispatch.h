// An Itanium 2 run as register values: what libpfm's pfm_dispatch_events does for this processor, step by step and in
// its order, so that of several faults the same one is reported.
#pragma once

#include "encoder/src/ia64/run.h"

namespace pmusim::encoder::itanium2 {

/// An opcode matcher: raw value of its register, whose control bits are set here.
struct MatcherInput {
  bool used = false;
  std::uint64_t value = 0;
};

struct Input : ia64::RunInput {
  MatcherInput pmc8;
  MatcherInput pmc9;
};

/// PMC output order: counters, 10, 11, 14, 13, 8, 9, 15, 12; absent ones are left out. Without `has_model`
/// everything that the C API's model block sets must be as it is by default.
[[nodiscard]] Result<ia64::RunOutput> dispatch(Input in);

}  // namespace pmusim::encoder::itanium2
