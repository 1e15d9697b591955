// Parts of the Montecito's judging facts that are in separate files.
#pragma once

#include "testbench/judge/trial/judging_facts.h"
#include "testbench/targets/ia64/judging.h"

namespace pmusim::testbench::targets::montecito {

/// Relations among the counts of one run that hold only for the Montecito.
[[nodiscard]] std::span<const Identity> identities();
/// The facts about events besides those of both processors.
[[nodiscard]] std::span<const EventFacts> events();

}  // namespace pmusim::testbench::targets::montecito
