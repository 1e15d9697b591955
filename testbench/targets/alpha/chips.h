// Facts about the Alphas' counters that plans and questions share.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace pmusim::testbench::alphas {

/// True for the 21164 and 21164PC, which filter by modes.
[[nodiscard]] inline bool has_modes(std::string_view target) {
  return target == "alpha-ev5" || target == "alpha-pca56";
}

/// The counter of a row. It is part of the name for the 21164 and 21264, but not for the 21064 and the 21264A's pairs.
[[nodiscard]] inline unsigned counter_of(std::string_view target, std::string_view row) {
  constexpr std::array<std::string_view, 9> first{"PF_ISSUES",     "PF_PIPEDRY",   "PF_LOADI",
                                                  "PF_PIPEFROZEN", "PF_BRANCHI",   "PF_CYCLES",
                                                  "PF_PALMODE",    "PF_NONISSUES", "PF_EXTPIN0"};
  if (target == "alpha-ev4") return std::find(first.begin(), first.end(), row) != first.end() ? 0 : 1;
  const std::size_t mux = row.find("_MUX");
  if (mux != std::string_view::npos) return static_cast<unsigned>(row[mux + 4] - '0');
  return row == "RETINST" || row == "CYCLES0" ? 0 : 1;
}

/// Whether rows of two counters, the lower counter first, can be counted at the same time. The 21264A has one value of
/// SL0 and SL1 for each such pair (21264A manual, 6.10; sys/pfcntr.h). On the 21164 two events of counter 2 narrow the
/// flow changes that counter 1 counts.
[[nodiscard]] inline bool are_together(std::string_view target, std::string_view first, std::string_view second) {
  if (target == "alpha-ev67") return first == "CYCLES0" ? second == "REPLAY" : second != "REPLAY";
  return first != "PF5_MUX1_FLOW_CHANGE" ||
         (second != "PF5_MUX2_C_PC_MISPR" && second != "PF5_MUX2_C_BRANCH_MISPREDICTS");
}

}  // namespace pmusim::testbench::alphas
