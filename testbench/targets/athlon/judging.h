// Parts of the Athlon's judging facts that are in separate files.
#pragma once

#include "testbench/judge/trial/judging_facts.h"

namespace pmusim::testbench::targets::athlon {

/// Relations among the counts of one run, as the manuals state them.
[[nodiscard]] std::span<const Identity> identities();
[[nodiscard]] std::span<const EventFacts> events();
/// Counts the events that follow from the instructions of a trace.
[[nodiscard]] std::unique_ptr<Teller> make_teller(std::string_view target);

}  // namespace pmusim::testbench::targets::athlon
