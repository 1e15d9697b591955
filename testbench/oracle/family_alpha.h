// The Alpha family: five chips that differ in their events and in what restricts a counter.
#pragma once

#include <string_view>

#include "testbench/oracle/family.h"

namespace pmusim::oracle {

/// alpha-ev4 (21064), alpha-ev5 (21164), alpha-pca56 (21164PC), alpha-ev6 (21264), alpha-ev67 (21264A); null: none of
/// them.
[[nodiscard]] const Family* alpha_family_of(std::string_view target);

}  // namespace pmusim::oracle
