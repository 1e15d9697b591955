// Adds a family to those of families.def, for a program that has one of its own.
#pragma once

#include <string_view>

#include "testbench/oracle/family.h"

namespace pmusim::oracle {

/// Call it before the first use of the oracle. `target` must outlive the program.
void add_family(std::string_view target, const Family& (*family)());

}  // namespace pmusim::oracle
