// The distribution of a target's rows over runs: which rows count in the same run. The counters of each row are facts
// of the judging (judging_facts.h), so that a counter that an encoder does not know is asked for all the same.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/judge/question/plan.h"

namespace pmusim::testbench {

/// The counters, from 0, that can count a row.
[[nodiscard]] std::vector<unsigned> counters_of_row(std::string_view target, std::string_view row);
/// Whether two rows with different counters can be counted in the same run.
using Together = bool (*)(std::string_view target, std::string_view first, std::string_view second);

/// The indexes of the rows of each run. Rows with the fewest counters come first; each row is in the first run in which
/// every row can have a counter of its own. The result is kept, because it is the same for every trace of a target.
/// Throws std::invalid_argument if a row has no counter.
[[nodiscard]] const std::vector<std::vector<std::size_t>>& passes_of(const std::string& target,
                                                                     const std::vector<oracle::Request>& rows);

}  // namespace pmusim::testbench
