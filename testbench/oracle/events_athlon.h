// The Athlon's event table, and its row among the families.
#pragma once

#include <vector>

#include "testbench/oracle/family.h"

namespace pmusim::oracle {

[[nodiscard]] const std::vector<Event>& athlon_events();

namespace athlon {
[[nodiscard]] const Family& family();
}

}  // namespace pmusim::oracle
