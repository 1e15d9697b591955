// Stimuli for the tests of the Alphas' rows, with the counts on each chip.
#pragma once

#include <string>
#include <vector>

#include "machine_alpha.h"

namespace pmusim::oracle::script {

/// Cycles reserved for one stimulus, which acts in cycle 5.
inline constexpr Cycle alpha_length = 30;

using AlphaAct = std::function<void(AlphaMachine&, Cycle)>;
/// A stimulus and its counts on each chip; `quad`: on both the 21164 and the 21164PC.
struct AlphaStimulus {
  std::string what;
  AlphaAct act;
  std::string ev4 = "", quad = "", ev5 = "", pca56 = "", ev6 = "", ev67 = "";
  [[nodiscard]] std::string rows(const std::string& target) const {
    if (target == "alpha-ev4") return ev4;
    if (target == "alpha-ev5") return quad + " " + ev5;
    if (target == "alpha-pca56") return quad + " " + pca56;
    return target == "alpha-ev6" ? ev6 : ev67;
  }
};

/// All stimuli.
[[nodiscard]] const std::vector<AlphaStimulus>& alpha_stimuli();

}  // namespace pmusim::oracle::script
