// The Montecito's part of program(), see programming.h: libpfm-3's layouts. It supports the events of its micro-traces
// and no filters; `pmusim validate` tests the others.
#pragma once

#include "models/pmu/monitor.h"
#include "testbench/oracle/oracle.h"

namespace pmusim::micro {

/// Throws std::logic_error for an unsupported event or a filter.
pmu::RegisterId program_montecito(pmu::Monitor& monitor, const oracle::Request& request);

}  // namespace pmusim::micro
