#include "testbench/faults/reported/defects.h"

#include <algorithm>
#include <array>

namespace pmusim::testbench::faults::reported {
namespace {

const std::vector<Defect>& list() {
  static const std::vector<Defect> all{
      {.name = "two-in-one-cycle",
       .defect = "two events in one cycle are counted once",
       .target = "ppc750gx",
       .traces = {"ppc750gx.pmt/straight"},
       .only = {"INSTRUCTIONS_COMPLETED", "PROCESSOR_CYCLES", "INSTRUCTIONS_DISPATCHED"},
       .diagnosis = "what PMC1 makes of INSTRUCTIONS_COMPLETED"},
      {.name = "counted-again-on-replay",
       .defect = "what a replay trap throws away is counted, and again when it is executed",
       .target = "alpha-ev6",
       .traces = {"alpha.pmt/orders", "alpha.pmt/branches"},
       .only = {},
       .diagnosis = "what PCTR0 makes of PF6_MUX0_RET_INSTRUCTIONS"},
      {.name = "lost-while-written",
       .defect = "counts are lost while a register is written",
       .target = "ppc750gx",
       .traces = {"ppc750gx.pmt/time_base_write", "ppc750gx.pmt/privilege"},
       .only = {"PROCESSOR_CYCLES", "INSTRUCTIONS_COMPLETED"},
       .diagnosis = "what PMC1 makes of PROCESSOR_CYCLES"},
      {.name = "old-event-kept",
       .defect = "an invalid code leaves the event that was there",
       .target = "ppc750gx",
       .traces = {"ppc750gx.pmt/straight"},
       .only = {"PMC1=", "PROCESSOR_CYCLES"},
       .diagnosis = "what PMC1 makes of PMC1="},
      {.name = "second-counter-zero",
       .defect = "a second counter on the same event stays at zero",
       .target = "alpha-ev6",
       .traces = {"alpha.pmt/branches"},
       .only = {},
       .diagnosis = "what PCTR1 makes of PF6_MUX1_CYCLES"},
      {.name = "no-sign-extension",
       .defect = "what is written to a wide counter is not sign extended",
       .target = "itanium2",
       .traces = {"itanium2.pmt/latencies"},
       .only = {"DATA_EAR_CACHE_LAT", "LOADS_RETIRED", "CPU_CYCLES"},
       .diagnosis = "what PMD4 makes of DATA_EAR_CACHE_LAT4"},
      {.name = "edge-ungated",
       .defect = "a privilege level that is not counted fools the edge detection",
       .target = "athlon",
       .traces = {"athlon.pmt/privilege"},
       .only = {"RETIRED_INSTRUCTIONS", "CPU_CLK_UNHALTED"},
       .diagnosis = "what PerfCtr0 makes of CPU_CLK_UNHALTED:u"},
      {.name = "unknown-event-counts-zero",
       .defect = "an event that is not in the table counts zero, without a word",
       .target = "ppc750gx",
       .traces = {"ppc750gx.pmt/straight"},
       .only = {"PROCESSOR_CYCLES", "INSTRUCTIONS_COMPLETED", "INSTRUCTIONS_DISPATCHED"},
       .diagnosis = "MMCR0 PMC1SELECT is 0x0 (NOTHING), not 0x2 (INSTRUCTIONS_COMPLETED)",
       .of_encoder = true},
      {.name = "retired-code-zero",
       .defect = "the code of retired instructions is programmed as 0",
       .target = "athlon",
       .traces = {"athlon.pmt/straight"},
       .only = {"RETIRED_INSTRUCTIONS", "RETIRED_UOPS", "RETIRED_BRANCH_INSTRUCTIONS"},
       .diagnosis = "event select 0x0 selects no event that the manual names, not RETIRED_INSTRUCTIONS",
       .of_encoder = true},
      {.name = "set-constraints-ignored",
       .defect = "events of different sets are counted at the same time",
       .target = "itanium2",
       .traces = {"itanium2.pmt/accesses"},
       .only = {},
       .diagnosis = "of which one can be counted at a time",
       .of_encoder = true,
       .dealt_by_encoder = true},
      {.name = "threshold-off-by-one",
       .defect = "the threshold is one too high",
       .target = "athlon",
       .traces = {"athlon.pmt/straight"},
       .only = {"RETIRED_INSTRUCTIONS", "RETIRED_UOPS"},
       .diagnosis = "counter mask is 0x0 (add up all occurrences), not 0xff",
       .of_encoder = true},
      {.name = "wrong-default-unit-mask",
       .defect = "an event without a unit mask gets the wrong one",
       .target = "athlon",
       .traces = {"athlon.pmt/segments"},
       .only = {"SEGMENT_REGISTER_LOADS"},
       .diagnosis = "unit mask 0x1 does not select CS, SS, DS, FS, GS and HS",
       .of_encoder = true},
      {.name = "fine-range-with-hole",
       .defect = "a code range in fine mode leaves a bundle out",
       .target = "itanium2",
       .traces = {"itanium2.pmt/ranges"},
       .only = {},
       .diagnosis = "IBR0 addr is 0x4000000000010020",
       .of_encoder = true},
  };
  return all;
}

}  // namespace

std::span<const Defect> defects() { return list(); }

const Defect* find_defect(std::string_view name) {
  const auto found =
      std::find_if(list().begin(), list().end(), [&](const Defect& defect) { return defect.name == name; });
  return found == list().end() ? nullptr : &*found;
}

}  // namespace pmusim::testbench::faults::reported
