// Occurrences in one cycle of an Itanium 2, and the rows of the event list that count them.
#pragma once

#include <gtest/gtest.h>

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

[[nodiscard]] std::vector<Stimulus> montecito_stimuli();

// Requirements for every row of an Itanium's event list: it counts its own occurrences and no others, it has a
// stimulus, a broken rule is noticed, and the division into stretches does not matter.

struct EventTable {
  std::string target;
  std::string always;  ///< the row that counts in every cycle
  std::vector<Stimulus> stimuli;
  std::size_t rows;  ///< in libpfm's table
};

void expect_occurrences_only(const EventTable& table);
void expect_a_stimulus_for_every_row(const EventTable& table);
void expect_breakages_noticed(const EventTable& table);
void expect_stretches_change_nothing(const EventTable& table);

}  // namespace pmusim::oracle::script
