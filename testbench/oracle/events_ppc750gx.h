// The 750GX's event table, and its row among the families.
#pragma once

#include <vector>

#include "testbench/oracle/family.h"

namespace pmusim::oracle {

[[nodiscard]] const std::vector<Event>& ppc750gx_events();

namespace ppc750gx {
[[nodiscard]] const Family& family();
}

}  // namespace pmusim::oracle
