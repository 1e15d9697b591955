// Faults of a row of a table: of the encoder, of a model's multiplexer, or of the oracle.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
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

/// Tries one in `every` of the faults of a table with the checks of its rows: quick questions, all of them and the
/// plan, then sets of events. An excuse is a pattern of names of faults; what it excuses is tried as well, and must not
/// be noticed. A pattern that excuses nothing is in the result, as missed.
[[nodiscard]] std::vector<Trial> try_table_faults(Bench& bench, const std::string& table,
                                                  const std::vector<TableFault>& faults,
                                                  const std::vector<questions::Excuse>& excuses, std::size_t every = 1);

}  // namespace pmusim::testbench::faults
