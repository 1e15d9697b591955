// Computes the register values of an Itanium 2 run with the steps of libpfm's pfm_dispatch_events for this processor,
// in the same order, so that of several errors the same one is reported.
#pragma once

#include <vector>

#include "encoder/src/ia64/encoding.h"
#include "encoder/src/ia64/run.h"

namespace pmusim::encoder::itanium2 {

/// An opcode matcher: raw value of its register. dispatch() sets the control bits.
struct MatcherInput {
  bool used = false;
  std::uint64_t value = 0;
};

struct Input : ia64::RunInput {
  MatcherInput pmc8;
  MatcherInput pmc9;
};

/// Order of the PMCs in the output: counters, 10, 11, 14, 13, 8, 9, 15, 12; unused PMCs are omitted. Without
/// `has_model` all members that the C API's model block sets must have their defaults.
[[nodiscard]] Result<ia64::RunOutput> dispatch(Input in);

using ia64::kFirstCounter;

}  // namespace pmusim::encoder::itanium2
