// An explanation as text and as JSON.
#pragma once

#include <cstddef>
#include <vector>

#include "testbench/cli/programmed.h"
#include "testbench/cli/symbols.h"
#include "testbench/explain/explanation.h"

namespace pmusim::testbench {

struct ExplainOutput {
  const SessionSetup& setup;
  const Programmed& programmed;
  const ExplainResult& result;
  const std::vector<Symbols>& symbols;  ///< names for each hardware thread's program, or one set for both
  std::size_t top = 0;                  ///< maximum number of rows of a table
};
/// Tables end after `top` rows and state how many rows are left out.
void print_text(const ExplainOutput& output);
/// The same values, with the same number of rows.
void print_json(const ExplainOutput& output);

}  // namespace pmusim::testbench
