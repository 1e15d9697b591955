// What happens in one cycle of an Itanium 2, and the rows of the event list that count it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "machine.h"

namespace pmusim::oracle::script {

/// Data breakpoints of the tests watch reads here.
inline constexpr std::uint64_t watched_address = 0x5000;

struct Stimulus {
  std::string what;
  std::function<void(Machine&, Cycle)> act;
  std::string rows;  ///< as rows_of() reads them, without CPU_CYCLES
  Cycle length = 0;  ///< cycles that it takes; 0: ten
};

[[nodiscard]] const std::vector<Stimulus>& itanium2_stimuli();
/// Parts of it.
[[nodiscard]] std::vector<Stimulus> instruction_stimuli();
[[nodiscard]] std::vector<Stimulus> pipeline_stimuli();
[[nodiscard]] std::vector<Stimulus> memory_stimuli();
[[nodiscard]] std::vector<Stimulus> bus_stimuli();

}  // namespace pmusim::oracle::script
