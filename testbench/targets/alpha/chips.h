// Facts about the Alphas' counters that plans and questions share.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "testbench/judge/trial/judging_facts.h"

namespace pmusim::testbench::alphas {

/// True for the 21164 and 21164PC, which filter by modes.
[[nodiscard]] inline bool has_modes(std::string_view target) {
  return target == "alpha-ev5" || target == "alpha-pca56";
}

/// The only counter of a row.
[[nodiscard]] inline unsigned counter_of(std::string_view target, std::string_view row) {
  return counters_of_row(target, row).front();
}

/// Periods that the hardware provides for a counter, the 21064's default first; the 21264 has none.
[[nodiscard]] inline std::vector<std::uint32_t> periods_of(std::string_view target, unsigned counter) {
  if (target == "alpha-ev4") return counter == 0 ? std::vector{65536u, 4096u} : std::vector{4096u, 256u};
  if (has_modes(target)) return {counter == 2 ? 16384u : 65536u, 256u};
  return {};
}

/// Whether rows of two counters, the lower counter first, can be counted at the same time. The 21264A has one value of
/// SL0 and SL1 for each such pair (21264A manual, 6.10; sys/pfcntr.h). On the 21164 two events of counter 2 narrow the
/// flow changes that counter 1 counts.
[[nodiscard]] inline bool are_together(std::string_view target, std::string_view first, std::string_view second) {
  if (target == "alpha-ev67") return first == "CYCLES0" ? second == "REPLAY" : second != "REPLAY";
  return first != "PF5_MUX1_FLOW_CHANGE" ||
         (second != "PF5_MUX2_C_PC_MISPR" && second != "PF5_MUX2_C_BRANCH_MISPREDICTS");
}

/// Judges the interrupts of counters and the profiled instructions of a plan; both must outlive it.
[[nodiscard]] std::unique_ptr<InterruptTrials> make_interrupt_trials(const Task& task, const models::Target& target);

}  // namespace pmusim::testbench::alphas
