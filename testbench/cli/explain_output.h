// An explanation as text for people, and as JSON.
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
  const std::vector<Symbols>& symbols;  ///< of each hardware thread's program, or one for both
  std::size_t top = 0;                  ///< most rows of a table
};
/// Tables end at `top` rows and say how many are left out.
void print_text(const ExplainOutput& output);
/// The same values, with the same number of rows.
void print_json(const ExplainOutput& output);

}  // namespace pmusim::testbench
