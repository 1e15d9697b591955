// Code ranges of Montecito: the tag channels of the events, and the pairs of debug registers that these require.
#pragma once

#include "encoder/src/ia64/run.h"

namespace pmusim::encoder::montecito {

struct CodeRanges {
  ia64::RangeRegisters registers;
  bool fine = false;  ///< the registers hold bounds inside a page of 64 KiB instead of blocks
};

/// The registers for the requested ranges of the run.
[[nodiscard]] Result<CodeRanges> code_ranges(const ia64::RunInput& in);

}  // namespace pmusim::encoder::montecito
