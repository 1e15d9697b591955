// Requirements for every row of an Itanium's event list: it counts its own occurrences and no others, it has a
// stimulus, a broken rule is noticed, and the division into stretches does not matter.
#pragma once

#include <gtest/gtest.h>

#include "stimuli_itanium2.h"

namespace pmusim::oracle::script {

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
