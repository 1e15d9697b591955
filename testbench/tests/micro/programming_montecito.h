// The Montecito's part of program(), see programming.h: libpfm-3's layouts. It has the events that its micro-traces are
// made for and no filters; `pmusim validate` has the rest.
#pragma once

#include "models/pmu/monitor.h"
#include "testbench/oracle/oracle.h"

namespace pmusim::micro {

/// Throws std::logic_error for an event that it has not, or a filter.
pmu::RegisterId program_montecito(pmu::Monitor& monitor, const oracle::Request& request);

}  // namespace pmusim::micro
