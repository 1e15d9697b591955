// The Athlon's event table.
#pragma once

#include <vector>

#include "testbench/oracle/family.h"

namespace pmusim::oracle {

[[nodiscard]] const std::vector<Event>& athlon_events();

}  // namespace pmusim::oracle
