// Seeded defects: defects that performance monitors and encoders have had (docs/evidence.md), each as a fault of
// source_faults.txt, with the comparisons that are judged and the expected diagnosis.
#pragma once

#include <string_view>
#include <vector>

#include "testbench/judge/question/plan.h"

namespace pmusim::testbench::faults::reported {

struct Defect {
  std::string_view name;
  std::string_view defect;  ///< in one line
  std::string_view target;
  std::vector<std::string_view> traces;  ///< below isa-traces/micro
  std::vector<std::string_view> only;    ///< prefixes of the event strings that are judged; empty: all of the plan
  std::string_view diagnosis;            ///< part of the sentence that the validation must report
  bool of_encoder = false;               ///< a fault of the encoder, otherwise of a monitor
  /// The encoder also says which events count together, as for a user of split_passes().
  bool dealt_by_encoder = false;
};

[[nodiscard]] const std::vector<Defect>& defects();

}  // namespace pmusim::testbench::faults::reported
