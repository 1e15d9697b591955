// Occurrences in one cycle of an Itanium 2, and the rows of the event list that count them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "machine.h"

namespace pmusim::oracle::script {

/// The tests' data breakpoints watch reads of this address.
inline constexpr std::uint64_t watched_address = 0x5000;

struct Stimulus {
  std::string what;
  std::function<void(Machine&, Cycle)> act;
  std::string rows;  ///< in the syntax of rows_of(), without CPU_CYCLES
  Cycle length = 0;  ///< cycles reserved for it; 0: ten
};

[[nodiscard]] const std::vector<Stimulus>& itanium2_stimuli();
/// The groups of stimuli.
[[nodiscard]] std::vector<Stimulus> instruction_stimuli();
[[nodiscard]] std::vector<Stimulus> pipeline_stimuli();
[[nodiscard]] std::vector<Stimulus> memory_stimuli();
[[nodiscard]] std::vector<Stimulus> bus_stimuli();

// Occurrences in one cycle of a Montecito, and the rows of the event list that count them.

[[nodiscard]] const std::vector<Stimulus>& montecito_stimuli();

}  // namespace pmusim::oracle::script
