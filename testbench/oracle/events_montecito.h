// The parts of the Montecito's event table that the Itanium 2 does not have. The definitions are those of the Itanium
// 2's manuals with the known changes; the names are libpfm's.
#pragma once

#include "testbench/oracle/events_itanium2.h"

namespace pmusim::oracle {
[[nodiscard]] const std::vector<Event>& montecito_events();
}

namespace pmusim::oracle::montecito {

[[nodiscard]] const Family& family();

[[nodiscard]] std::vector<Event> core_events();       ///< instructions, cycles, threads
[[nodiscard]] std::vector<Event> cache_events();      ///< L2D, L2I, L3
[[nodiscard]] std::vector<Event> interface_events();  ///< the system interface and its bus

}  // namespace pmusim::oracle::montecito
