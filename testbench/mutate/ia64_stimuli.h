// The stimuli of IA-64 mutants. Every event must occur in every context, in every slot and at every address that a
// filter distinguishes, which no program achieves. Therefore there are stimuli from the activity of all short traces,
// from their representative activity, and from occurrences that cores rarely produce. There are many small ones: the
// stimulus that kills a mutant is tried first on the next similar mutant.
#pragma once

#include <string>
#include <vector>

#include "testbench/driver/activity_log.h"
#include "testbench/validate/plan.h"

namespace pmusim::testbench::mutate {

struct MadeUp {
  std::string name;
  ActivityLog log;
};

/// `gathered`: the activity of all short traces; `threads`: hardware threads of the processor.
[[nodiscard]] std::vector<MadeUp> ia64_stimuli(const std::vector<ActivityLog>& gathered, const Landmarks& landmarks,
                                               unsigned threads);

}  // namespace pmusim::testbench::mutate
