// Register values written by hand from the processors' manuals, so that a micro-trace needs no encoder.
#pragma once

#include <string_view>

#include "models/pmu/monitor.h"
#include "testbench/oracle/oracle.h"

namespace pmusim::micro {

/// Programs a monitor for the request; returns the register that holds the count.
pmu::RegisterId program(pmu::Monitor& monitor, std::string_view target, const oracle::Request& request);
/// The Itanium 2's part: Itanium Architecture SDM volume 2, chapter 7, and libpfm-3's layouts. Throws std::logic_error
/// for ranges that the registers cannot represent exactly.
pmu::RegisterId program_itanium2(pmu::Monitor& monitor, const oracle::Request& request);
/// The Montecito's part: libpfm-3's layouts, the events of its micro-traces and no filters; `pmusim validate` tests the
/// others. Throws std::logic_error for an unsupported event or a filter.
pmu::RegisterId program_montecito(pmu::Monitor& monitor, const oracle::Request& request);

}  // namespace pmusim::micro
