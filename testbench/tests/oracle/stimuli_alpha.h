// What happens on an Alpha in the tests of its rows, and what that counts on each chip.
#pragma once

#include <string>
#include <vector>

#include "machine_alpha.h"

namespace pmusim::oracle::script {

/// Room for one stimulus, which acts in cycle 5.
inline constexpr Cycle alpha_length = 30;

using AlphaAct = std::function<void(AlphaMachine&, Cycle)>;
/// What happens, and what it counts on each chip; `quad`: on the 21164 and the 21164PC alike.
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

/// All of them.
[[nodiscard]] const std::vector<AlphaStimulus>& alpha_stimuli();

}  // namespace pmusim::oracle::script
