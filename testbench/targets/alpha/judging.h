// Parts of the Alphas' judging facts that are in events.cpp.
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
[[nodiscard]] EventTable events_ev4();
[[nodiscard]] EventTable events_ev5();
[[nodiscard]] EventTable events_pca56();
[[nodiscard]] EventTable events_ev6();
[[nodiscard]] EventTable events_ev67();

}  // namespace pmusim::testbench::targets::alpha
