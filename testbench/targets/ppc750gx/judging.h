// Parts of the 750GX's judging facts that have a file of their own.
#pragma once

#include "testbench/validate/judging_facts.h"

namespace pmusim::testbench::targets::ppc750gx {

/// Relations among the counts of one run, as the manuals state them.
[[nodiscard]] std::span<const Identity> identities();
/// Rows that the instructions of a trace tell, and what reads them.
[[nodiscard]] RowNames told_rows();
[[nodiscard]] std::unique_ptr<Teller> make_teller();

}  // namespace pmusim::testbench::targets::ppc750gx
