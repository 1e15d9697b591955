#include "program.h"

namespace pmusim::testbench::ppc750 {

models::Parameters parameters(const Changes& changes) { return changed(core::ppc750_parameters(), changes); }

Activity finish(core::Core& core, activity::Cycle step) { return log_of<Activity>(core, step); }

Activity run(const TraceText& trace, const models::Parameters& with, activity::Cycle step) {
  return finish(*core::make_ppc750(trace.reader(), with), step);
}

}  // namespace pmusim::testbench::ppc750
