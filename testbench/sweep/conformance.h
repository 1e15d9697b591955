// Checks that a foreign encoder keeps the protocol, by requests whose correct answers do not depend on its tables.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "testbench/sweep/line_process.h"

namespace pmusim::testbench::questions {

struct Conformance {
  std::string rule;     ///< of docs/foreign-encoders.md
  std::string problem;  ///< empty: the rule is kept
};

/// Starts a new process of `program` for every rule; `begins` is called with the rule's text before each.
[[nodiscard]] std::vector<Conformance> check_conformance(
    const std::string& target, const ForeignProgram& program,
    const std::function<void(const std::string& rule)>& begins = [](const std::string&) {});

}  // namespace pmusim::testbench::questions
