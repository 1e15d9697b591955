// Faults of a row of a table: of the encoder, of a model's multiplexer, or of the oracle.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/faults/bench.h"
#include "testbench/faults/fault.h"
#include "testbench/judge/question/question.h"

namespace pmusim::testbench::faults {

struct TableFault {
  Fault fault;
  Rows rows;                           ///< of the events that it changes
  std::function<Exchange()> exchange;  ///< the faulty part
};

/// What became of a table's faults.
struct TableTally {
  std::size_t faults = 0;                ///< of the table
  std::map<Verdict, std::size_t> tried;  ///< by verdict
  /// Faults that are not noticed, and excuses that are contradicted or excuse nothing.
  std::vector<std::string> problems;
};

/// Tries one in `every` of the faults with the checks of its rows: quick questions, all of them and the plan, then sets
/// of events. An excuse is a pattern of names of faults; what it excuses is tried as well, and must not be noticed.
[[nodiscard]] TableTally try_table_faults(Bench& bench, const std::vector<TableFault>& faults,
                                          const std::vector<questions::Excuse>& excuses, std::size_t every = 1);

}  // namespace pmusim::testbench::faults
