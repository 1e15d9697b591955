// Parts of the 750GX's judging facts that are in separate files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "testbench/judge/trial/judging_facts.h"

namespace pmusim::testbench::targets::ppc750gx {

/// Relations among the counts of one run, as the manuals state them.
[[nodiscard]] std::span<const Identity> identities();
/// Rows whose counts follow from the instructions of a trace, and the class that counts them.
[[nodiscard]] RowNames told_rows();
[[nodiscard]] std::unique_ptr<Teller> make_teller();
/// The counters, from 0, that can count each event.
[[nodiscard]] const std::map<std::string, std::vector<unsigned>>& counters_of_events();

}  // namespace pmusim::testbench::targets::ppc750gx
