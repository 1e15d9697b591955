// Code ranges of Montecito: which tag channels the events follow, and the debug register pairs that this takes.
#pragma once

#include "encoder/src/ia64/run.h"

namespace pmusim::encoder::montecito {

struct CodeRanges {
  ia64::RangeRegisters registers;
  bool fine = false;  ///< bounds inside a page of 64 KiB instead of blocks
};

/// The registers of the ranges that the run asks for, or why there are none.
[[nodiscard]] Result<CodeRanges> code_ranges(const ia64::RunInput& in);

}  // namespace pmusim::encoder::montecito
