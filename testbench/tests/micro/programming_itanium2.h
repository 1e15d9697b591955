// The Itanium 2's part of program(), see programming.h: Itanium Architecture SDM volume 2, chapter 7, and libpfm-3's
// layouts.
#pragma once

#include "models/pmu/monitor.h"
#include "testbench/oracle/oracle.h"

namespace pmusim::micro {

/// Throws std::logic_error for ranges that the registers cannot represent exactly.
pmu::RegisterId program_itanium2(pmu::Monitor& monitor, const oracle::Request& request);

}  // namespace pmusim::micro
