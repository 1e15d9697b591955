// What the mutants of IA-64 encodings run on: every event has to be seen in every context, in every slot and at every
// address that a filter tells apart, which no program shows. So there are stimuli of what all short traces have, of one
// of everything in them, and of what cores hardly ever do. Many small ones: what kills a mutant is tried first on the
// next one like it, and is found at once.
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

/// `gathered` has the activity of all short traces; `threads`: of the processor.
[[nodiscard]] std::vector<MadeUp> ia64_stimuli(const std::vector<ActivityLog>& gathered, const Landmarks& landmarks,
                                               unsigned threads);

}  // namespace pmusim::testbench::mutate
