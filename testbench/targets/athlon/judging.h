// Parts of the Athlon's judging facts that are in events.cpp.
#pragma once

#include "testbench/judge/trial/judging_facts.h"

namespace pmusim::testbench::targets::athlon {

/// Relations among the counts of one run, as the manuals state them.
[[nodiscard]] std::span<const Identity> identities();
[[nodiscard]] std::span<const EventFacts> events();

}  // namespace pmusim::testbench::targets::athlon
