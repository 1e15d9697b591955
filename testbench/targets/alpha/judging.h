// Parts of the Alphas' judging facts that are in separate files.
#pragma once

#include "testbench/judge/trial/judging_facts.h"

namespace pmusim::testbench::targets::alpha {

using Identities = std::array<std::span<const Identity>, 2>;

/// Relations among the counts of one run; those shared by similar chips come first.
[[nodiscard]] Identities identities_ev4();
[[nodiscard]] Identities identities_ev5();
[[nodiscard]] Identities identities_pca56();
[[nodiscard]] Identities identities_ev6();
[[nodiscard]] Identities identities_ev67();
/// Rows whose counts follow from the instructions of a trace, and the classes that count them.
[[nodiscard]] RowNames told_rows_ev4();
[[nodiscard]] RowNames told_rows_ev5();
[[nodiscard]] RowNames told_rows_pca56();
[[nodiscard]] RowNames told_rows_ev6();
[[nodiscard]] RowNames told_rows_ev67();
[[nodiscard]] std::unique_ptr<Teller> make_teller_ev4();
[[nodiscard]] std::unique_ptr<Teller> make_teller_ev5();
[[nodiscard]] std::unique_ptr<Teller> make_teller_pca56();
[[nodiscard]] std::unique_ptr<Teller> make_teller_ev6();
[[nodiscard]] std::unique_ptr<Teller> make_teller_ev67();

}  // namespace pmusim::testbench::targets::alpha
