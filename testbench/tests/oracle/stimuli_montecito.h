// Occurrences in one cycle of a Montecito, and the rows of the event list that count them.
#pragma once

#include "stimuli_itanium2.h"

namespace pmusim::oracle::script {

[[nodiscard]] std::vector<Stimulus> montecito_stimuli();

}  // namespace pmusim::oracle::script
