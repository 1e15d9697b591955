// The steps of an event on its way to a counter: their names and their meanings.
#pragma once

#include <string_view>

#include "models/pmu/probe.h"

namespace pmusim::testbench {

[[nodiscard]] std::string_view name_of(pmu::Step step);
[[nodiscard]] std::string_view meaning_of(pmu::Step step);

}  // namespace pmusim::testbench
