// The event tables in the forms of other projects.
#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "pmusim/encoder/encoder.h"

namespace pmusim::testbench {

/// Events with the names of their targets.
using ListedEvents = std::vector<std::pair<std::string, encoder::EventInfo>>;

/// One array as in tools/perf/pmu-events/arch of Linux: an object for each event and each of its unit masks.
void print_perf_json(const ListedEvents& events, std::ostream& out);
/// As libpfm4's example program showevtinfo prints them.
void print_showevtinfo(const ListedEvents& events, std::ostream& out);

}  // namespace pmusim::testbench
