// Does a foreign encoder keep the protocol? Questions whose answers are known whatever it encodes.
#pragma once

#include <string>
#include <vector>

#include "testbench/validate/line_process.h"

namespace pmusim::testbench::questions {

struct Conformance {
  std::string rule;     ///< of docs/foreign-encoders.md
  std::string problem;  ///< empty: it is kept
};

/// Starts `program` anew for every rule.
[[nodiscard]] std::vector<Conformance> check_conformance(const std::string& target, const ForeignProgram& program);

}  // namespace pmusim::testbench::questions
