// Register values written by hand from the processors' manuals, so that a micro-trace needs no encoder.
#pragma once

#include <string_view>

#include "models/pmu/monitor.h"
#include "testbench/oracle/oracle.h"

namespace pmusim::micro {

/// Programs a monitor for the request; returns the register that holds the count.
pmu::RegisterId program(pmu::Monitor& monitor, std::string_view target, const oracle::Request& request);

}  // namespace pmusim::micro
